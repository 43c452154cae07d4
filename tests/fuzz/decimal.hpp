// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TESTS_DECIMAL_HPP
#define PPROFDELTA_TESTS_DECIMAL_HPP

#include <string>

namespace pprofdelta::test {

// Natural numbers of any size as decimal digits, for a check that shares no arithmetic with what it
// checks. Zeros in front change nothing.

[[nodiscard]] std::string product(const std::string& a, const std::string& b);

[[nodiscard]] bool is_more(const std::string& a, const std::string& b);

} // namespace pprofdelta::test

#endif // PPROFDELTA_TESTS_DECIMAL_HPP
