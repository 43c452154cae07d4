// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_CHECK_OPTIONS_HPP
#define PPROFDELTA_TOOLS_CHECK_OPTIONS_HPP

#include <cstddef>
#include <string>

#include "options.hpp"

namespace pprofdelta::tool {

/// Throws the failure of a command line that is wrong.
[[noreturn]] void wrong_usage(const std::string& what);

/// A number of bytes that a profile may have, such as 1000, 64K, 500M or 2G.
/// @throws failure usage
[[nodiscard]] std::size_t parse_size(const std::string& text);

/// Checks what the single options cannot know, and adds the files that are not named.
/// @throws failure usage
void check_options(options& chosen);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_CHECK_OPTIONS_HPP
