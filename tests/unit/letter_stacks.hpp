// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "profile_builder.hpp"

namespace pprofdelta::test {

/// Values of stacks, each the letters (a to h) of its functions, outermost first.
template <typename Values>
using letter_stacks = std::vector<std::pair<std::string, Values>>;

/// The serialized profile of stacks, with a value for each type.
inline std::string stacks(const letter_stacks<std::vector<std::int64_t>>& all,
                          std::vector<value_type> types) {
    profile p;
    p.types = std::move(types);
    for (char name = 'a'; name <= 'z'; ++name) {
        add_frame(p, {name});
    }
    for (const auto& [names, values] : all) {
        sample s;
        for (auto name = names.rbegin(); name != names.rend(); ++name) {
            s.stack.push_back(static_cast<std::uint64_t>(*name - 'a' + 1));
        }
        s.values = values;
        p.samples.push_back(s);
    }
    return serialize(p);
}

/// The serialized profile of stacks with one value each, of bytes of space.
inline std::string stacks(const letter_stacks<std::int64_t>& all) {
    letter_stacks<std::vector<std::int64_t>> of_one_type;
    for (const auto& [names, value] : all) {
        of_one_type.push_back({names, {value}});
    }
    return stacks(of_one_type, {{"space", "bytes"}});
}

} // namespace pprofdelta::test
