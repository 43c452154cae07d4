// SPDX-License-Identifier: Apache-2.0
#include "captures/capture_set.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include <pprofdelta/error.hpp>
#include <pprofdelta/statistics.hpp>

#include "profile/index.hpp"
#include "select/sample_type.hpp"

namespace pprofdelta {

void capture_set::add(compare_side to, std::string_view profile) {
    profile_index index;
    index.build(profile, match_mode::exact);
    const std::size_t type = choose_type(index, {});
    m_reader.require_types_of(index);
    if (m_normalized_by == normalization::duration && index.view.duration_nanos <= 0) {
        throw error{error_kind::incompatible, "the profile has no duration to normalize by"};
    }
    m_reader.read(index, type,
                  "capture " + std::to_string(count(to) + 1) + " of the " + to_string(to),
                  m_sides[static_cast<std::size_t>(to)]);
}

std::optional<compare_side> capture_set::older_side() const noexcept {
    struct times {
        std::int64_t first = std::numeric_limits<std::int64_t>::max();
        std::int64_t last = std::numeric_limits<std::int64_t>::min();
    };
    std::array<times, 2> of_sides;
    for (const compare_side each : {compare_side::base, compare_side::head}) {
        times& of = of_sides[static_cast<std::size_t>(each)];
        for (const capture& c : side(each).all()) {
            if (c.time_nanos != 0) {
                of.first = std::min(of.first, c.time_nanos);
                of.last = std::max(of.last, c.time_nanos);
            }
        }
        if (of.first > of.last) {
            return std::nullopt;
        }
    }
    if (of_sides[0].last < of_sides[1].first) {
        return compare_side::base;
    }
    return of_sides[1].last < of_sides[0].first ? std::optional{compare_side::head} : std::nullopt;
}

bool capture_set::is_head_foreign() const {
    if (programs(compare_side::base) == programs(compare_side::head)) {
        return false;
    }
    std::size_t in_base = 0;
    std::size_t in_head = 0;
    std::size_t in_both = 0;
    for (std::uint32_t row = 0; row < m_reader.names().size(); ++row) {
        const bool base_has = side(compare_side::base).has(row);
        const bool head_has = side(compare_side::head).has(row);
        in_base += base_has ? 1 : 0;
        in_head += head_has ? 1 : 0;
        in_both += base_has && head_has ? 1 : 0;
    }
    return in_both * 2 < std::min(in_base, in_head);
}

double capture_set::size_of(const capture& c, std::size_t type) const {
    return static_cast<double>(m_normalized_by == normalization::duration ? c.duration_nanos
                                                                          : c.totals[type]);
}

std::vector<std::size_t> capture_set::samples(compare_side of, std::size_t type) const {
    std::vector<std::size_t> counts;
    for (const capture& c : side(of).all()) {
        counts.push_back(c.samples[type]);
    }
    return counts;
}

capture_set::column capture_set::factors(compare_side of, std::size_t type) const {
    if (!m_normalized_by) {
        return column(count(of), 1.0);
    }
    column sizes;
    for (const capture& c : side(compare_side::head).all()) {
        sizes.push_back(size_of(c, type));
    }
    const double usual = median(sizes);
    column result;
    for (const capture& c : side(of).all()) {
        const double size = size_of(c, type);
        result.push_back(size == 0 ? 0 : usual / size);
    }
    return result;
}

capture_set::column capture_set::scaled(compare_side of, std::size_t type, column sums) const {
    if (m_normalized_by) {
        const column by = factors(of, type);
        // Whole numbers, as products of what was equal differ in their last digits, and a test
        // would take that for a difference.
        std::transform(sums.begin(), sums.end(), by.begin(), sums.begin(),
                       [](double number, double factor) { return std::round(number * factor); });
    }
    return sums;
}

} // namespace pprofdelta
