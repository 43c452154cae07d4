// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_REPORT_CAPTURE_HPP
#define PPROFDELTA_SRC_REPORT_CAPTURE_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/limits.hpp>
#include <pprofdelta/report.hpp>

#include "base/keyed_list.hpp"
#include "profile/index.hpp"
#include "report/location_rows.hpp"
#include "report/measure.hpp"
#include "report/row_sums.hpp"

namespace pprofdelta {

/// What is kept of one profile among many.
struct capture {
    row_sums sums;     ///< Of all sample types.
    figures of_limits; ///< Of the limits on functions by name.
    std::int64_t time_nanos = 0;
    std::int64_t duration_nanos = 0;

    // Of a row that was first seen in a later capture there is nothing.
    [[nodiscard]] std::int64_t flat(std::size_t type, std::uint32_t row) const {
        return at(sums.flat, type, row);
    }
    [[nodiscard]] std::int64_t cumulative(std::size_t type, std::uint32_t row) const {
        return at(sums.cumulative, type, row);
    }

private:
    [[nodiscard]] std::int64_t at(const std::vector<std::int64_t>& values, std::size_t type,
                                  std::uint32_t row) const {
        const std::size_t place = row * sums.totals.size() + type;
        return place < values.size() ? values[place] : 0;
    }
};

/// @throws error malformed, too_large.
[[nodiscard]] capture read_capture(const profile_index& index, grouping by,
                                   const std::vector<limit>& limits, row_names& names);

/// Finds captures that are there twice. Two runs differ at least in their times, if they have any.
class copy_check {
public:
    /// @param name for the message about a copy of this one, such as "capture 3 of the base".
    /// @throws error incompatible for a copy; then nothing has changed.
    void add(std::string_view profile, std::string name);

private:
    keyed_list<std::string> m_names; // of captures, by their hashes
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_REPORT_CAPTURE_HPP
