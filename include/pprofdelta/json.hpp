// SPDX-License-Identifier: Apache-2.0
#pragma once

// Example:
//
//     std::cout << "{" << json_string("name") << ":" << json_string("a \"b\"") << ","
//               << json_string("share") << ":" << json_number(0.25) << "}\n";

#include <string>
#include <string_view>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

// The parts of reports in JSON. All functions take time linear in their result.

/// Returns `text` as a JSON string. It is exact, so different names stay different: characters that
/// cannot be shown are escaped, and so are possible workflow commands. JSON is UTF-8, so each other
/// byte becomes U+FFFD and two hexadecimal digits. A U+FFFD in `text` is escaped byte for byte in
/// the same way; every U+FFFD in the result therefore stands for a byte.
[[nodiscard]] std::string json_string(std::string_view text);

/// Returns a number with enough digits to read the same number again. The decimal point is a point
/// in every locale.
[[nodiscard]] std::string json_number(double value);

} // namespace pprofdelta

#pragma GCC visibility pop
