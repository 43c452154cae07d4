// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_CAPTURES_STACK_SUMS_HPP
#define PPROFDELTA_SRC_CAPTURES_STACK_SUMS_HPP

#include "captures/packed_sums.hpp"
#include "flame/stack_set.hpp"
#include "select/location_rows.hpp"
#include "select/profile_stacks.hpp"

namespace pprofdelta {

/// Adds up the samples of each stack, of those that rules let through and that are not zero.
/// @param rows with the numbers of their names.
/// @param to   gets the stacks that it does not have yet. One has no frames: that of samples
///             without a stack.
/// @returns all sample types, by the numbers of the stacks.
/// @throws error malformed, too_large
[[nodiscard]] packed_sums::rows sum_stacks(const profile_stacks& from, const location_rows& rows,
                                           stack_set& to);

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_CAPTURES_STACK_SUMS_HPP
