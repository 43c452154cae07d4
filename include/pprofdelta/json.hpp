// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_JSON_HPP
#define PPROFDELTA_JSON_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/value_type.hpp>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

// The parts of reports in JSON. All functions take time linear in their result.

/// Returns `text` as a JSON string. It is exact, so different names stay different: characters that
/// cannot be shown are escaped, and so are possible workflow commands. JSON is UTF-8, so each other
/// byte becomes U+FFFD and two hexadecimal digits. So does each byte of a U+FFFD in `text`; every
/// U+FFFD in the result therefore stands for a byte.
[[nodiscard]] std::string json_string(std::string_view text);

/// Returns an array of strings, on one line.
[[nodiscard]] std::string json_strings(const std::vector<std::string>& texts);

/// Returns a number with enough digits to read the same number again. The decimal point is a point
/// in every locale.
[[nodiscard]] std::string json_number(double value);

/// Returns an array of numbers, on one line.
[[nodiscard]] std::string json_numbers(const std::vector<double>& numbers);

/// Returns the members "type" and "unit", followed by a comma.
[[nodiscard]] std::string type_members(const value_type& type);

/// Returns an array of objects, one a line.
/// @param objects     the members of each object.
/// @param indentation the number of blanks before each object, at least two.
[[nodiscard]] std::string json_array(const std::vector<std::string>& objects,
                                     std::size_t indentation);

} // namespace pprofdelta

#pragma GCC visibility pop

#endif // PPROFDELTA_JSON_HPP
