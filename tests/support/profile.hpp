// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <pprofdelta/value_type.hpp>

namespace pprofdelta::test {

// A profile as plain structs, for tests to write down. Strings stand in place instead of in a
// table. Mappings, locations and functions have the ids that the test gives them; 0 means none.
// `unknown` is whole fields in wire format that profile.proto does not have.

struct label {
    std::string key{};
    std::string str{};
    std::int64_t num = 0;
    std::string unit{};
    std::string unknown{};

    bool operator==(const label&) const = default;
};

struct sample {
    std::vector<std::uint64_t> stack{}; // location ids, leaf first
    std::vector<std::int64_t> values{};
    std::vector<label> labels{};
    std::string unknown{};

    bool operator==(const sample&) const = default;
};

struct mapping {
    std::uint64_t id = 0;
    std::uint64_t start = 0;
    std::uint64_t limit = 0;
    std::uint64_t offset = 0;
    std::string file{};
    std::string build_id{};
    bool has_functions = false;
    std::string unknown{};

    bool operator==(const mapping&) const = default;
};

struct line {
    std::uint64_t function = 0;
    std::int64_t number = 0;
    std::int64_t column = 0;
    std::string unknown{};

    bool operator==(const line&) const = default;
};

struct location {
    std::uint64_t id = 0;
    std::uint64_t mapping = 0;
    std::uint64_t address = 0;
    std::vector<line> lines{};
    bool folded = false;
    std::string unknown{};

    bool operator==(const location&) const = default;
};

struct function {
    std::uint64_t id = 0;
    std::string name{};
    std::string system_name{};
    std::string file{};
    std::int64_t start_line = 0;
    std::string unknown{};

    bool operator==(const function&) const = default;
};

struct profile {
    std::vector<value_type> types{};
    std::vector<sample> samples{};
    std::vector<mapping> mappings{};
    std::vector<location> locations{};
    std::vector<function> functions{};
    std::vector<std::string> comments{};
    std::string drop_frames{};
    std::string keep_frames{};
    std::string default_type{};
    std::string doc_url{};
    value_type period_type{}; // both strings empty: absent
    std::int64_t period = 0;
    std::int64_t time = 0;
    std::int64_t duration = 0;
    std::string unknown{};

    bool operator==(const profile&) const = default;
};

} // namespace pprofdelta::test
