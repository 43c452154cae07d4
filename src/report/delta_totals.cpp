// SPDX-License-Identifier: Apache-2.0
#include "report/delta_totals.hpp"

#include <cstddef>

#include <pprofdelta/limits.hpp>

#include "base/wrapping.hpp"

namespace pprofdelta {

std::vector<value_pair> totals_of_profiles(const computed_delta& delta) {
    const std::vector<std::int64_t> now = totals(delta.current);
    const std::vector<std::int64_t> before =
        delta.previous ? totals(*delta.previous) : std::vector<std::int64_t>(now.size());
    std::vector<value_pair> values;
    values.reserve(now.size());
    for (std::size_t i = 0; i < now.size(); ++i) {
        values.push_back({before[i], now[i]});
    }
    return values;
}

std::vector<report::total> totals_of_delta(const computed_delta& delta,
                                           const std::vector<value_pair>& values,
                                           const std::vector<std::int64_t>& changes) {
    std::vector<report::total> all;
    all.reserve(values.size());
    const bool has_previous = delta.previous.has_value();
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto& [type, is_cumulative] = delta.types[i];
        all.push_back({.type = type,
                       .value = values[i],
                       .has_previous = has_previous,
                       .change = is_cumulative
                                     ? changes[i]
                                     : wrapping_subtract(values[i].current, values[i].previous),
                       .has_change = has_previous || is_cumulative});
    }
    return all;
}

} // namespace pprofdelta
