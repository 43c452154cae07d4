// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_CLI_OPTION_VALUES_HPP
#define PPROFDELTA_TOOLS_CLI_OPTION_VALUES_HPP

#include <chrono>
#include <cstdint>
#include <string>

namespace pprofdelta::tool {

// What the value of an option means, and whether it may have it. All throw a usage_failure that
// names the option.

/// Such as "30d", "12h", "90m" or "3600s".
[[nodiscard]] std::chrono::seconds parse_age(const char* option, const std::string& text);

/// A moment in UTC, such as "2026-11-21T10:00:00Z", "2026-11-21T10:00Z" or "2026-11-21", or a
/// number of seconds since 1970; in nanoseconds since then.
[[nodiscard]] std::int64_t parse_moment(const char* option, const std::string& text);

/// Such as "5%" or "0.5%", in percent.
[[nodiscard]] double parse_share(const char* option, const std::string& text);

/// A number of seconds, more than none and up to a day.
[[nodiscard]] double parse_seconds(const char* option, const std::string& text);
/// @throws failure usage for a number of seconds that is none of those.
void check_seconds(const char* option, double seconds);

void check_count(const char* option, unsigned count, unsigned least, unsigned most);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_CLI_OPTION_VALUES_HPP
