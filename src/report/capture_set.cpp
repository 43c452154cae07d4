// SPDX-License-Identifier: Apache-2.0
#include "report/capture_set.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include <pprofdelta/error.hpp>
#include <pprofdelta/statistics.hpp>

#include "profile/index.hpp"
#include "report/sample_type.hpp"

namespace pprofdelta {

void capture_set::add(compare_side to, std::string_view profile) {
    profile_index index;
    index.build(profile, match_mode::exact);
    const std::size_t type = choose_type(index, {});
    const bool is_first = count(compare_side::base) + count(compare_side::head) == 0;
    if (!is_first) {
        require_same(m_types, index.types);
    }
    if (m_normalized_by == normalization::duration && index.view.duration_nanos <= 0) {
        throw error{error_kind::incompatible, "the profile has no duration to normalize by"};
    }
    capture added = read_capture(index, m_by, m_limits, m_names);
    auto& side = m_sides[static_cast<std::size_t>(to)];
    side.reserve(side.size() + 1);
    if (added.time_nanos != 0) {
        m_copies.add(profile,
                     "capture " + std::to_string(side.size() + 1) + " of the " + to_string(to));
    }
    side.push_back(std::move(added));
    if (is_first) {
        m_types = std::move(index.types);
        m_default_type = type;
    }
}

bool capture_set::is_head_older() const noexcept {
    std::int64_t last_head = std::numeric_limits<std::int64_t>::min();
    std::int64_t first_base = std::numeric_limits<std::int64_t>::max();
    for (const capture& c : all(compare_side::head)) {
        last_head = std::max(last_head, c.time_nanos == 0 ? last_head : c.time_nanos);
    }
    for (const capture& c : all(compare_side::base)) {
        first_base = std::min(first_base, c.time_nanos == 0 ? first_base : c.time_nanos);
    }
    return last_head != std::numeric_limits<std::int64_t>::min() &&
           first_base != std::numeric_limits<std::int64_t>::max() && last_head < first_base;
}

double capture_set::size_of(const capture& c, std::size_t type) const {
    return static_cast<double>(m_normalized_by == normalization::duration ? c.duration_nanos
                                                                          : c.sums.totals[type]);
}

capture_set::column capture_set::factors(compare_side of, std::size_t type) const {
    if (!m_normalized_by) {
        return column(count(of), 1.0);
    }
    column sizes;
    for (const capture& c : all(compare_side::head)) {
        sizes.push_back(size_of(c, type));
    }
    const double usual = median(sizes);
    column result;
    for (const capture& c : all(of)) {
        const double size = size_of(c, type);
        result.push_back(size == 0 ? 0 : usual / size);
    }
    return result;
}

template <typename Value>
capture_set::column capture_set::values(compare_side of, std::size_t type, Value&& value) const {
    column result;
    for (const capture& c : all(of)) {
        result.push_back(static_cast<double>(value(c)));
    }
    if (m_normalized_by) {
        const column by = factors(of, type);
        // Whole numbers, as products of what was equal differ in their last digits, and a test
        // would take that for a difference.
        std::transform(result.begin(), result.end(), by.begin(), result.begin(),
                       [](double number, double factor) { return std::round(number * factor); });
    }
    return result;
}

capture_set::column capture_set::totals(compare_side of, std::size_t type) const {
    return values(of, type, [&](const capture& c) { return c.sums.totals[type]; });
}

capture_set::column capture_set::flat(compare_side of, std::size_t type, std::uint32_t row) const {
    return values(of, type, [&](const capture& c) { return c.flat(type, row); });
}

capture_set::column capture_set::cumulative(compare_side of, std::size_t type,
                                            std::uint32_t row) const {
    return values(of, type, [&](const capture& c) { return c.cumulative(type, row); });
}

capture_set::column capture_set::of_limit(compare_side of, std::size_t type,
                                          std::size_t limit) const {
    return values(of, type, [&](const capture& c) { return c.of_limits.sums[limit][type]; });
}

bool capture_set::has_match(std::size_t limit) const {
    const auto matches = [&](const capture& c) { return c.of_limits.has_match[limit]; };
    const auto any = [&](compare_side of) {
        return std::any_of(all(of).begin(), all(of).end(), matches);
    };
    return !names_functions(m_limits[limit]) || any(compare_side::base) || any(compare_side::head);
}

} // namespace pprofdelta
