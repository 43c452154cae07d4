# SPDX-License-Identifier: Apache-2.0
"""The rules that the comments of profiles.proto give for a message, and the checker of
OpenTelemetry's special interest group for profiles (sig-profiling, profcheck)."""

import messages

TABLES = ("mapping", "location", "function", "link", "string", "attribute", "stack")


class Walk:
    """Follows all references of a ProfilesData, and notes what they reach."""

    def __init__(self, data):
        self.data = data
        self.tables = {name: getattr(data.dictionary, f"{name}_table") for name in TABLES}
        self.used = {name: {0} for name in TABLES}

    def refer(self, table, index):
        """Notes a reference; true if its element was not reached before."""
        assert 0 <= index < len(self.tables[table]), f"{table} {index} is out of range"
        is_new = index not in self.used[table]
        self.used[table].add(index)
        return is_new

    def attributes(self, indices):
        """Attributes of anything, whose keys have to be unique."""
        keys = []
        for index in indices:
            assert index != 0, "an attribute is none"
            attribute = self.tables["attribute"][index]
            keys.append(attribute.key_strindex)
            if self.refer("attribute", index):
                self.refer("string", attribute.key_strindex)
                self.refer("string", attribute.unit_strindex)
        assert len(set(keys)) == len(keys), "an attribute is there twice"

    def function(self, index):
        """A function."""
        if self.refer("function", index):
            function = self.tables["function"][index]
            names = (function.name_strindex, function.system_name_strindex,
                     function.filename_strindex)
            assert any(names), "a function has no name"
            for name in names:
                self.refer("string", name)
            assert function.start_line >= 0, "a function starts before its file"

    def location(self, index):
        """A location."""
        if not self.refer("location", index):
            return
        location = self.tables["location"][index]
        if self.refer("mapping", location.mapping_index):
            mapping = self.tables["mapping"][location.mapping_index]
            self.refer("string", mapping.filename_strindex)
            addresses = (mapping.memory_start, mapping.memory_limit)
            assert addresses == (0, 0) or addresses[0] < addresses[1], f"a mapping of {addresses}"
            self.attributes(mapping.attribute_indices)
        self.attributes(location.attribute_indices)
        for line in location.lines:
            assert line.line >= 0 and line.column >= 0, "a line is before its file"
            self.function(line.function_index)

    def value_type(self, value_type):
        """A type."""
        self.refer("string", value_type.type_strindex)
        self.refer("string", value_type.unit_strindex)

    def profile(self, profile):
        """A Profile."""
        assert profile.sample_type.type_strindex, "a profile has no type"
        self.value_type(profile.sample_type)
        self.value_type(profile.period_type)
        self.attributes(profile.attribute_indices)
        assert not profile.original_payload
        rows = set()
        for sample in profile.samples:
            row = (sample.stack_index, frozenset(sample.attribute_indices), sample.link_index)
            assert row not in rows, "a sample is there twice"
            rows.add(row)
            assert len(sample.values) == 1, "a sample has not one value"
            assert not sample.timestamps_unix_nano
            self.refer("link", sample.link_index)
            self.attributes(sample.attribute_indices)
            if self.refer("stack", sample.stack_index):
                for location in self.tables["stack"][sample.stack_index].location_indices:
                    self.location(location)

    def all(self):
        """Everything."""
        assert self.data.resource_profiles, "there is no resource"
        for resource in self.data.resource_profiles:
            keys = [attribute.key for attribute in resource.resource.attributes]
            assert len(set(keys)) == len(keys), "an attribute of a resource is there twice"
            assert resource.scope_profiles, "a resource has no scope"
            for scope in resource.scope_profiles:
                assert scope.profiles, "a scope has no profile"
                for profile in scope.profiles:
                    self.profile(profile)


def check(data):
    """Fails unless a message is as it should be: each index in range, element 0 the zero value,
    nothing twice, nothing that nothing refers to."""
    walk = Walk(data)
    walk.all()
    for name, table in walk.tables.items():
        unused = set(range(len(table))) - walk.used[name]
        assert not unused, f"nothing refers to {name} {sorted(unused)[:5]}"
        elements = [element if name == "string" else element.SerializeToString(deterministic=True)
                    for element in table]
        assert len(set(elements)) == len(elements), f"an element of {name} is there twice"
        zero = {"string": "", "link": messages.profiles.Link(
            trace_id=bytes(16), span_id=bytes(8)).SerializeToString()}.get(name, b"")
        assert elements[0] == zero, f"element 0 of {name} is not zero"
