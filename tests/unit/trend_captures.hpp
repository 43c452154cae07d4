// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TESTS_UNIT_TREND_CAPTURES_HPP
#define PPROFDELTA_TESTS_UNIT_TREND_CAPTURES_HPP

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <pprofdelta/trend.hpp>

#include "profile_builder.hpp"

namespace pprofdelta::test {

inline constexpr std::int64_t minute = 60'000'000'000;

using values_by_name = std::map<std::string, std::int64_t>;

/// Functions that main calls, with their bytes in use. main allocates a byte a nanosecond.
inline profile heap_capture(const values_by_name& values, std::int64_t time) {
    profile p;
    p.types = {{"alloc_space", "bytes"}, {"inuse_space", "bytes"}};
    const std::uint64_t main = add_frame(p, "main");
    p.samples.push_back({{main}, {time, 0}, {}, ""});
    for (const auto& [name, value] : values) {
        p.samples.push_back({{add_frame(p, name), main}, {0, value}, {}, ""});
    }
    p.time = time;
    return p;
}

/// A capture every minute.
inline void add(profile_trend& to, const std::map<std::string, std::vector<std::int64_t>>& rows) {
    for (std::size_t i = 0; i < rows.begin()->second.size(); ++i) {
        values_by_name values;
        for (const auto& [name, all] : rows) {
            values[name] = all[i];
        }
        to.add(serialize(heap_capture(values, static_cast<std::int64_t>(i + 1) * minute)));
    }
}

inline std::vector<std::int64_t> growing(std::int64_t from, std::int64_t by,
                                         std::size_t captures = 12) {
    std::vector<std::int64_t> all;
    for (std::size_t i = 0; i < captures; ++i) {
        all.push_back(from + by * static_cast<std::int64_t>(i));
    }
    return all;
}

/// Up and down around a level.
inline std::vector<std::int64_t> noise(std::int64_t level, std::size_t captures = 12) {
    std::vector<std::int64_t> all;
    for (std::size_t i = 0; i < captures; ++i) {
        all.push_back(level + static_cast<std::int64_t>(i * 7 % 5) * level / 10);
    }
    return all;
}

} // namespace pprofdelta::test

#endif // PPROFDELTA_TESTS_UNIT_TREND_CAPTURES_HPP
