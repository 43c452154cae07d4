// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_BASE_CHARACTERS_HPP
#define PPROFDELTA_TOOLS_BASE_CHARACTERS_HPP

#include <cstddef>
#include <string_view>

#include <pprofdelta/characters.hpp>

namespace pprofdelta::tool {

/// In place of characters that were left out.
inline constexpr const char* ellipsis = "\u2026";

/// Whether it is a byte of a character of UTF-8 other than the first one.
[[nodiscard]] bool is_continuation(char c);

/// The number of characters of a text that is UTF-8.
[[nodiscard]] std::size_t count_characters(std::string_view text);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_BASE_CHARACTERS_HPP
