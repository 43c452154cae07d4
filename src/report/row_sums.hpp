// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_REPORT_ROW_SUMS_HPP
#define PPROFDELTA_SRC_REPORT_ROW_SUMS_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

#include <pprofdelta/report.hpp>

#include "profile/index.hpp"
#include "report/location_rows.hpp"

namespace pprofdelta {

/// What the samples of one profile add up to.
struct row_sums {
    std::vector<std::int64_t> totals;     ///< By sample type, of all samples.
    std::int64_t shown = 0;               ///< Of one type, of the samples that are let through.
    std::vector<std::int64_t> flat;       ///< Of one type, by the number of the row.
    std::vector<std::int64_t> cumulative; ///< The same.
};

/// Adds up one sample type by row, of the samples that `options` let through. Values wrap around at
/// 64 bits.
/// @param names gets names that it does not have yet.
/// @throws error malformed, too_large; invalid_argument for a bad regular expression.
[[nodiscard]] row_sums sum_rows(const profile_index& index, std::size_t type,
                                const report_options& options, row_names& names);

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_REPORT_ROW_SUMS_HPP
