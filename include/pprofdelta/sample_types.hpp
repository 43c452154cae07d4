// SPDX-License-Identifier: Apache-2.0
#pragma once

// Example:
//
//     const value_type bytes{"inuse_space", "bytes"};
//     const value_type kilobytes{"inuse_space", "kilobytes"};
//     if (are_comparable(bytes, kilobytes)) {
//         std::cout << to_string(finer(bytes, kilobytes)) << '\n'; // inuse_space/bytes
//     }

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pprofdelta/value_type.hpp>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

/// Returns whether values of both types count the same, as far as the unit goes: the names are the
/// same, or a producer has changed one into the other, and the units are the same, or both of
/// memory or of time.
[[nodiscard]] bool are_comparable(const value_type& a, const value_type& b);

/// Returns the one of two comparable types that has the smaller unit; `a` if they are equal.
[[nodiscard]] const value_type& finer(const value_type& a, const value_type& b);

/// Returns `profile` with the sample types `wanted`, in this order: the values of those that are
/// comparable, exact in the same or a smaller unit. Other types are left out.
///
/// @returns nothing if `profile` has exactly these types already, lacks one, or has one in a
///          smaller unit, of which a part would be lost.
/// @throws error malformed; too_large for a value that would not fit 64 bits.
[[nodiscard]] std::optional<std::string> convert_types(std::string_view profile,
                                                       const std::vector<value_type>& wanted);

/// Returns `profile` with other names of sample types and of its period type: for each that equals
/// the first of a pair, the second.
/// @throws error malformed
[[nodiscard]] std::string
rename_types(std::string_view profile,
             const std::vector<std::pair<std::string, std::string>>& renames);

} // namespace pprofdelta

#pragma GCC visibility pop
