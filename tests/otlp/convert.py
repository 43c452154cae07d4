# SPDX-License-Identifier: Apache-2.0
"""pprof to OTLP, as the semantic conventions have it, one record after the other."""

import messages


def start_of(source):
    """The start of the profile. Node writes the end of a profile of wall time."""
    types = [tuple(source.string_table[i] for i in (each.type, each.unit))
             for each in source.sample_type]
    is_of_node = types[:2] == [("sample", "count"), ("wall", "nanoseconds")]
    return source.time_nanos - (source.duration_nanos if is_of_node else 0)


class Conversion:
    """Adds profiles of pprof to a ProfilesData."""

    def __init__(self):
        self.data = messages.profiles.ProfilesData()
        self.dictionary = messages.Dictionary()

    def add(self, source, resource=None, scope=""):
        """Adds a profile of a resource with these attributes."""
        of_resource = self.data.resource_profiles.add()
        if resource:
            of_resource.resource.attributes.extend(messages.key_values(resource))
        of_scope = of_resource.scope_profiles.add()
        of_scope.scope.name = scope
        strings = source.string_table
        if source.default_sample_type:
            of_scope.scope.attributes.extend(messages.key_values(
                {"pprof.scope.default_sample_type": strings[source.default_sample_type]}))
        stacks = Stacks(source, self.dictionary)
        for column, sample_type in enumerate(source.sample_type):
            to = of_scope.profiles.add()
            self.value_type(to.sample_type, sample_type, strings)
            self.value_type(to.period_type, source.period_type, strings)
            to.period = source.period
            to.time_unix_nano = start_of(source)
            to.duration_nano = source.duration_nanos
            to.attribute_indices.extend(self.header_attributes(source))
            for sample in source.sample:
                to.samples.add(stack_index=stacks.index(sample.location_id),
                               attribute_indices=self.labels(sample, strings),
                               values=[sample.value[column]])

    def value_type(self, to, sample_type, strings):
        """Copies a ValueType."""
        to.type_strindex = self.dictionary.string(strings[sample_type.type])
        to.unit_strindex = self.dictionary.string(strings[sample_type.unit])

    def header_attributes(self, source):
        """The indices of attributes for what only pprof has fields for."""
        strings = source.string_table
        found = {"pprof.profile.comment": [strings[i] for i in source.comment],
                 "pprof.profile.drop_frames": strings[source.drop_frames],
                 "pprof.profile.keep_frames": strings[source.keep_frames]}
        return [self.dictionary.attribute(key, value) for key, value in found.items() if value]

    def labels(self, sample, strings):
        """The indices of a sample's labels, of which there is one for each key."""
        values = {}
        for label in sample.label:
            is_text = bool(strings[label.str])
            value = strings[label.str] if is_text else label.num
            unit = "" if is_text else strings[label.num_unit]
            values.setdefault((strings[label.key], unit), []).append(value)
        return [self.dictionary.attribute(key, found[0] if len(found) == 1 else found, unit)
                for (key, unit), found in values.items()]

    def finish(self):
        """The message."""
        self.data.dictionary.CopyFrom(self.dictionary.message)
        return self.data


class Stacks:
    """Copies the stacks of a profile, and what they refer to, into a dictionary."""

    def __init__(self, source, dictionary):
        self.strings = source.string_table
        self.dictionary = dictionary
        self.mappings = {0: 0}
        self.functions = {0: 0}
        for mapping in source.mapping:
            self.mappings[mapping.id] = dictionary.add("mapping", messages.profiles.Mapping(
                memory_start=mapping.memory_start, memory_limit=mapping.memory_limit,
                file_offset=mapping.file_offset,
                filename_strindex=dictionary.string(self.strings[mapping.filename]),
                attribute_indices=self.of_mapping(mapping)))
        for function in source.function:
            self.functions[function.id] = dictionary.add("function", messages.profiles.Function(
                name_strindex=dictionary.string(self.strings[function.name]),
                system_name_strindex=dictionary.string(self.strings[function.system_name]),
                filename_strindex=dictionary.string(self.strings[function.filename]),
                start_line=function.start_line))
        self.locations = {location.id: self.location(location) for location in source.location}

    def of_mapping(self, mapping):
        """The indices of a mapping's attributes."""
        found = {"process.executable.build_id.gnu": self.strings[mapping.build_id],
                 "pprof.mapping.has_functions": mapping.has_functions,
                 "pprof.mapping.has_filenames": mapping.has_filenames,
                 "pprof.mapping.has_line_numbers": mapping.has_line_numbers,
                 "pprof.mapping.has_inline_frames": mapping.has_inline_frames}
        return [self.dictionary.attribute(key, value) for key, value in found.items() if value]

    def location(self, location):
        """The index of a location."""
        lines = [messages.profiles.Line(function_index=self.functions[line.function_id],
                                        line=line.line, column=getattr(line, "column", 0))
                 for line in location.line]
        folded = [self.dictionary.attribute("pprof.location.is_folded", True)]
        return self.dictionary.add("location", messages.profiles.Location(
            mapping_index=self.mappings[location.mapping_id], address=location.address,
            lines=lines, attribute_indices=folded if location.is_folded else []))

    def index(self, ids):
        """The index of a stack."""
        return self.dictionary.add("stack", messages.profiles.Stack(
            location_indices=[self.locations[i] for i in ids]))
