// SPDX-License-Identifier: Apache-2.0
#include "report/delta_totals.hpp"

#include <cstddef>
#include <optional>

#include <pprofdelta/limits.hpp>

#include "base/fitting.hpp"
#include "delta/subtraction_plan.hpp"

namespace pprofdelta {

namespace {

std::optional<double> per_second(std::int64_t counted, std::int64_t duration_nanos) {
    constexpr double nanos_per_second = 1e9;
    if (duration_nanos <= 0) {
        return std::nullopt;
    }
    return static_cast<double>(counted) / (static_cast<double>(duration_nanos) / nanos_per_second);
}

} // namespace

std::vector<value_pair> totals_of_profiles(const computed_delta& delta) {
    const std::vector<std::int64_t> now = totals(delta.current);
    return totals_of_both(
        delta.previous ? totals(*delta.previous) : std::vector<std::int64_t>(now.size()), now);
}

std::vector<value_pair> totals_of_both(const std::vector<std::int64_t>& before,
                                       const std::vector<std::int64_t>& now) {
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
                                     : fitting_subtract(values[i].current, values[i].previous),
                       .has_change = has_previous || is_cumulative,
                       .is_cumulative = is_cumulative});
        if (is_cumulative) {
            all.back().per_second = per_second(changes[i], delta.summary.duration_nanos);
        }
    }
    return all;
}

std::vector<report::total> totals_of_one(const profile_index& index,
                                         const std::vector<std::int64_t>& values) {
    std::vector<report::total> all;
    for (const auto& [type, is_cumulative] :
         treatments(index.types, plan_subtraction(index.types, {}))) {
        const std::int64_t value = values[all.size()];
        all.push_back({.type = type,
                       .value = {0, value},
                       .has_previous = false,
                       .has_change = false,
                       .is_cumulative = is_cumulative});
        if (is_cumulative) {
            all.back().per_second = per_second(value, index.view.duration_nanos);
        }
    }
    return all;
}

} // namespace pprofdelta
