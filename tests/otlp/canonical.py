# SPDX-License-Identifier: Apache-2.0
"""The samples of a profile, of pprof or of OTLP, in a form to be compared."""

from collections import defaultdict


# The address of frames with which Go fills up stacks of threadcreate; the program leaves them out.
PADDING = 2**64 - 1


def frame(mapping, address, is_folded, lines):
    """A location. One line that says nothing stands for none."""
    return mapping, address, is_folded, tuple(lines) if lines != [(None, 0)] else ()


def of_pprof(profile):
    """The samples of a Profile of pprof: the values of each by its frames and labels."""
    strings = profile.string_table
    mappings = {each.id: (each.memory_start, each.memory_limit, each.file_offset,
                          strings[each.filename], strings[each.build_id])
                for each in profile.mapping}
    functions = {each.id: (strings[each.name], strings[each.system_name], strings[each.filename],
                           each.start_line) for each in profile.function}
    # One that says nothing is the zero value, which stands for none.
    mappings = {number: each for number, each in mappings.items() if any(each)}
    functions = {number: each for number, each in functions.items() if any(each)}
    frames = {each.id: frame(mappings.get(each.mapping_id), each.address, each.is_folded,
                             [(functions.get(line.function_id), line.line) for line in each.line])
              for each in profile.location}
    types = [(strings[each.type], strings[each.unit]) for each in profile.sample_type]
    samples = defaultdict(lambda: [0] * len(types))
    for sample in profile.sample:
        labels = sorted((strings[label.key], strings[label.str], label.num, strings[label.num_unit])
                        for label in sample.label)
        stack = tuple(frames[i] for i in sample.location_id if frames[i][1] != PADDING)
        values = samples[stack, tuple(labels)]
        for column, value in enumerate(sample.value):
            values[column] += value
    return types, dict(samples)


def labels_of(key, value, unit):
    """The labels that an attribute stands for."""
    kind = value.WhichOneof("value")
    if kind == "array_value":
        return [label for each in value.array_value.values for label in labels_of(key, each, unit)]
    if kind == "int_value":
        return [(key, "", value.int_value, unit)]
    return [(key, value.string_value, 0, "")]


def of_otlp(data):
    """The same of a ProfilesData whose attributes are strings and integers, or lists of these."""
    tables = data.dictionary
    strings = tables.string_table

    def attributes(indices):
        found = {}
        for index in indices:
            attribute = tables.attribute_table[index]
            found[strings[attribute.key_strindex]] = (attribute.value,
                                                      strings[attribute.unit_strindex])
        return found

    def mapping(index):
        if not index:
            return None
        each = tables.mapping_table[index]
        build_ids = [value.string_value for key, (value, _) in
                     attributes(each.attribute_indices).items() if "build_id" in key]
        found = (each.memory_start, each.memory_limit, each.file_offset,
                 strings[each.filename_strindex], build_ids[0] if build_ids else "")
        return found if any(found) else None

    def function(index):
        each = tables.function_table[index]
        found = (strings[each.name_strindex], strings[each.system_name_strindex],
                 strings[each.filename_strindex], each.start_line)
        return found if any(found) else None

    frames = [frame(mapping(each.mapping_index), each.address,
                    "pprof.location.is_folded" in attributes(each.attribute_indices),
                    [(function(line.function_index), line.line) for line in each.lines])
              for each in tables.location_table]
    types = []
    samples = defaultdict(dict)
    for resource in data.resource_profiles:
        of_resource = [label for each in resource.resource.attributes
                       for label in labels_of(f"resource.{each.key}", each.value, "")]
        for scope in resource.scope_profiles:
            of_scope = [("otel.scope.name", scope.scope.name, 0, "")] if scope.scope.name else []
            for profile in scope.profiles:
                name = (strings[profile.sample_type.type_strindex],
                        strings[profile.sample_type.unit_strindex])
                types += [] if name in types else [name]
                for sample in profile.samples:
                    labels = of_resource + of_scope
                    for key, (value, unit) in attributes(sample.attribute_indices).items():
                        labels = labels + labels_of(key, value, unit)
                    link = tables.link_table[sample.link_index]
                    if sample.link_index:
                        labels = labels + [("trace_id", link.trace_id.hex(), 0, ""),
                                           ("span_id", link.span_id.hex(), 0, "")]
                    stack = tables.stack_table[sample.stack_index].location_indices
                    row = samples[tuple(frames[i] for i in stack), tuple(sorted(labels))]
                    row[name] = row.get(name, 0) + sum(sample.values)
    return types, {key: [row.get(name, 0) for name in types] for key, row in samples.items()}
