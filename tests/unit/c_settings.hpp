// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TESTS_UNIT_C_SETTINGS_HPP
#define PPROFDELTA_TESTS_UNIT_C_SETTINGS_HPP

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <pprofdelta/pprofdelta.h>

#include "c_handles.hpp"
#include "catch.hpp"
#include "profile_builder.hpp"

namespace pprofdelta::test {

using settings = std::vector<std::pair<const char*, const char*>>;

inline options_handle with(const settings& all) {
    options_handle options{pprofdelta_options_new()};
    for (const auto& [name, value] : all) {
        pprofdelta_error error{};
        INFO(name << " " << value << ": " << error.message);
        CHECK(pprofdelta_options_set(options.get(), name, value, &error) == PPROFDELTA_OK);
    }
    return options;
}

inline computer_handle new_computer(const settings& all = {}) {
    pprofdelta_computer* computer = nullptr;
    CHECK(pprofdelta_computer_new(with(all).get(), &computer, nullptr) == PPROFDELTA_OK);
    return computer_handle{computer};
}

inline sum_handle new_sum(const settings& all = {}) {
    pprofdelta_sum* sum = nullptr;
    CHECK(pprofdelta_sum_new(with(all).get(), &sum, nullptr) == PPROFDELTA_OK);
    return sum_handle{sum};
}

/// A heap profile in which the function `name` has allocated.
inline std::string heap(const std::string& name, std::int64_t objects) {
    profile p;
    p.types = heap_types();
    const auto frame = add_frame(p, name);
    p.samples.push_back({{frame}, {objects, objects * 16, 1, 16}, {}, ""});
    p.time = objects;
    return serialize(p);
}

inline bool is_empty(const pprofdelta_view& view) { return view.data == nullptr && view.size == 0; }

} // namespace pprofdelta::test

#endif // PPROFDELTA_TESTS_UNIT_C_SETTINGS_HPP
