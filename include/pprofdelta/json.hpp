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

// The parts of which reports in JSON consist. All take time linear in what they return.

/// `text` as a string of JSON. Exact, so that different names stay different: what cannot be shown
/// is escaped, and so is what might be a workflow command. JSON has only UTF-8, so each other byte
/// becomes a U+FFFD with two digits. So does each byte of a U+FFFD in `text`, so that every U+FFFD
/// stands for a byte.
[[nodiscard]] std::string json_string(std::string_view text);

/// An array of strings, on one line.
[[nodiscard]] std::string json_strings(const std::vector<std::string>& texts);

/// With as many digits as it takes to read the same number again. The point is one in every locale.
[[nodiscard]] std::string json_number(double value);

/// An array of numbers, on one line.
[[nodiscard]] std::string json_numbers(const std::vector<double>& numbers);

/// The members "type" and "unit", and a comma.
[[nodiscard]] std::string type_members(const value_type& type);

/// An array of objects, each given by its members and on a line that starts with `indentation`
/// blanks, of which there are at least two.
[[nodiscard]] std::string json_array(const std::vector<std::string>& objects,
                                     std::size_t indentation);

} // namespace pprofdelta

#pragma GCC visibility pop

#endif // PPROFDELTA_JSON_HPP
