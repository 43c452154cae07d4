// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_CAPTURES_CAPTURE_HPP
#define PPROFDELTA_SRC_CAPTURES_CAPTURE_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "limits/measure.hpp"
#include "profile/process_sign.hpp"

namespace pprofdelta {

/// What is kept of one profile among many. Rows that it does not have take no memory.
struct capture {
    std::vector<std::int64_t> totals{}; ///< Of all sample types.
    figures of_limits{};                ///< Of the limits on some samples.
    std::string program{};              ///< The name of its file, if the profile has it.
    process_sign process{};
    std::int64_t time_nanos = 0;
    std::int64_t duration_nanos = 0;

    std::vector<std::uint32_t> rows{}; ///< The numbers of those that it has, ascending.
    // All types of each of these.
    std::vector<std::int64_t> flat{};
    std::vector<std::int64_t> cum{};

    std::vector<std::uint32_t> calls{}; ///< The same of calls between rows that are asked for.
    std::vector<std::int64_t> of_calls{};

    /// A value of any row. O(log n)
    [[nodiscard]] std::int64_t flat_of(std::size_t type, std::uint32_t row) const {
        const auto found = std::lower_bound(rows.begin(), rows.end(), row);
        const auto place = static_cast<std::size_t>(found - rows.begin());
        return found != rows.end() && *found == row ? flat[place * totals.size() + type] : 0;
    }
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_CAPTURES_CAPTURE_HPP
