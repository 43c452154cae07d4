// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_SELECT_ROW_SUMS_HPP
#define PPROFDELTA_SRC_SELECT_ROW_SUMS_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <pprofdelta/report.hpp>

#include "profile/index.hpp"
#include "select/location_rows.hpp"
#include "select/stack_filter.hpp"

namespace pprofdelta {

/// What the samples of one profile add up to.
struct row_sums {
    std::vector<std::int64_t> totals; ///< By sample type, of all samples.
    /// Of the types that were asked for, in their order, of the samples that are let through.
    std::vector<std::int64_t> shown;
    /// By the number of the row, the same for each: that of type i of row r is at r * shown.size()
    /// + i.
    std::vector<std::int64_t> flat;
    std::vector<std::int64_t> cum;
};

/// Adds up sample types by row, of the samples that `options` let through.
/// @param types places of the sample types.
/// @param names gets names that it does not have yet.
/// @throws error malformed, too_large; invalid_argument for a bad regular expression.
[[nodiscard]] row_sums sum_rows(const profile_index& index, std::span<const std::size_t> types,
                                const report_options& options, row_names& names);

/// The same for rows and a filter that are there already.
/// @param count how many names there are.
[[nodiscard]] row_sums sum_rows(const profile_index& index, const location_rows& rows,
                                const stack_filter& filter, std::size_t count,
                                std::span<const std::size_t> types);

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_SELECT_ROW_SUMS_HPP
