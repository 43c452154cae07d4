// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_LIMITS_BOUNDS_HPP
#define PPROFDELTA_SRC_LIMITS_BOUNDS_HPP

#include <cstdint>
#include <optional>

#include <pprofdelta/limits.hpp>

namespace pprofdelta {

// Exact, as a limit is crossed by what is more and kept by what is as much.

/// Whether a value of `type` is beyond a limit.
/// @param duration_nanos more than 0 for a limit on a rate.
/// @param change         by how much the value grew.
/// @throws error incompatible if the limit's unit does not fit the type's.
[[nodiscard]] bool is_crossed(const limit& l, const value_type& type, std::int64_t duration_nanos,
                              const value_pair& value, std::int64_t change);

/// What the value or its growth may be at most, in the type's unit, rounded down; the largest
/// number if it is more than that.
/// @throws error as is_crossed() does.
[[nodiscard]] std::uint64_t most_allowed(const limit& l, const value_type& type,
                                         std::int64_t duration_nanos, std::int64_t previous);

/// An amount in the unit of a type; empty if its unit does not fit that.
[[nodiscard]] std::optional<double> in_unit(const amount& value, const value_type& type);

/// Whether a value is as much as `least`, before or now. True if that has a unit that does not fit
/// the type's.
[[nodiscard]] bool is_large(const std::optional<amount>& least, const value_type& type,
                            const value_pair& value);

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_LIMITS_BOUNDS_HPP
