// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_CHARACTERS_HPP
#define PPROFDELTA_TOOLS_CHARACTERS_HPP

#include <cstddef>
#include <string>
#include <string_view>

namespace pprofdelta::tool {

/// A character in UTF-8.
struct character {
    std::size_t size = 0; ///< In bytes; 0 if it is not valid UTF-8.
    char32_t code = 0;
};

/// The character at the start of `text`, which is not empty.
[[nodiscard]] character first_character(std::string_view text);

/// Whether it can be shown as it is. This is false for control characters, for characters that end
/// a line, for those that change the direction of writing, as text could then read differently from
/// what it is, and for noncharacters, which XML does not allow.
[[nodiscard]] bool is_shown(char32_t code);

/// Whether it is a blank that can be shown.
[[nodiscard]] bool is_blank(char32_t code);

/// Whether it is a byte of a character of UTF-8 other than the first one.
[[nodiscard]] bool is_continuation(char c);

/// Of text that is UTF-8.
[[nodiscard]] std::size_t count_characters(std::string_view text);

/// The last `digits` hexadecimal digits of `number`.
[[nodiscard]] std::string hexadecimal(char32_t number, unsigned digits);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_CHARACTERS_HPP
