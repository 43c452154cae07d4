// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_SELECT_ROW_SUMS_HPP
#define PPROFDELTA_SRC_SELECT_ROW_SUMS_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "profile/index.hpp"
#include "select/location_rows.hpp"
#include "select/profile_stacks.hpp"

namespace pprofdelta {

/// What the samples of one profile add up to.
struct row_sums {
    std::vector<std::int64_t> totals; ///< By sample type, of all samples.
    /// The totals of the types that were asked for, in their order, over the samples that are let
    /// through.
    std::vector<std::int64_t> shown;
    std::vector<std::size_t> samples; ///< Of the same types, how many of these samples have any.
    /// By the number of the row, the same for each: that of type i of row r is at r * shown.size()
    /// + i.
    std::vector<std::int64_t> flat;
    std::vector<std::int64_t> cum;
};

/// Adds up sample types by row, of the samples that rules let through.
/// @param count how many names of rows there are.
/// @param types places of the sample types.
/// @throws error malformed, too_large
[[nodiscard]] row_sums sum_rows(const profile_stacks& stacks, const location_rows& rows,
                                std::size_t count, std::span<const std::size_t> types);

/// Adds up samples by rows that it makes of the profile's locations.
/// @param names gets names that it does not have yet.
[[nodiscard]] row_sums sum_rows(const profile_index& index, std::span<const std::size_t> types,
                                const stack_rules& rules, row_names& names);

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_SELECT_ROW_SUMS_HPP
