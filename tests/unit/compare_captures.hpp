// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TESTS_UNIT_COMPARE_CAPTURES_HPP
#define PPROFDELTA_TESTS_UNIT_COMPARE_CAPTURES_HPP

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <pprofdelta/compare.hpp>

#include "profile_builder.hpp"

namespace pprofdelta::test {

inline constexpr compare_side base = compare_side::base;
inline constexpr compare_side head = compare_side::head;

using numbers = std::vector<double>;
using values_by_name = std::map<std::string, std::int64_t>;

/// Functions that main calls, with their values in bytes; and as many objects as 10 bytes. The
/// times make all of them different.
inline profile capture(const values_by_name& values, std::int64_t time) {
    profile p;
    p.types = {{"objects", "count"}, {"space", "bytes"}};
    const std::uint64_t main = add_frame(p, "main");
    for (const auto& [name, value] : values) {
        p.samples.push_back({{add_frame(p, name), main}, {value / 10, value}, {}, ""});
    }
    p.time = time;
    return p;
}

/// The type of bytes in `capture`.
inline constexpr std::size_t space = 1;

/// By function a value for each capture; all are as many.
using values_of_side = std::map<std::string, std::vector<std::int64_t>>;

inline void add(profile_comparison& to, compare_side of, const values_of_side& side) {
    for (std::size_t i = 0; i < side.begin()->second.size(); ++i) {
        values_by_name values;
        for (const auto& [name, all] : side) {
            if (all.at(i) != 0) {
                values[name] = all[i];
            }
        }
        const std::int64_t time =
            static_cast<std::int64_t>(to.captures(base) + to.captures(head)) + 1;
        to.add(of, serialize(capture(values, time)));
    }
}

inline std::vector<std::int64_t> spread(std::int64_t around, std::size_t captures = 8) {
    std::vector<std::int64_t> all;
    for (std::size_t i = 0; i < captures; ++i) {
        all.push_back(around + 10 * static_cast<std::int64_t>(i * 3 % captures));
    }
    return all;
}

inline const values_of_side usual{{"grows", spread(1000)},
                                  {"falls", spread(5000)},
                                  {"stays", {7000, 7001, 7002, 7003, 7004, 7005, 7006, 7007}},
                                  {"noisy", {2000, 3000, 2500, 2400, 3100, 2200, 2900, 2700}}};
inline const values_of_side changed{{"grows", spread(1500)},
                                    {"falls", spread(4000)},
                                    {"stays", {7007, 7006, 7005, 7004, 7003, 7002, 7001, 7000}},
                                    {"noisy", {2050, 2950, 2450, 2350, 3150, 2250, 2850, 2750}}};

} // namespace pprofdelta::test

#endif // PPROFDELTA_TESTS_UNIT_COMPARE_CAPTURES_HPP
