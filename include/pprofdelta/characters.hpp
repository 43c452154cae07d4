// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_CHARACTERS_HPP
#define PPROFDELTA_CHARACTERS_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

// Names in profiles are any bytes. These tell which of them can be shown.

/// A character in UTF-8.
struct character {
    std::size_t size = 0; ///< In bytes; 0 if it is not valid UTF-8.
    char32_t code = 0;
};

/// The character at the start of `text`, which is not empty. O(1)
[[nodiscard]] character first_character(std::string_view text) noexcept;

/// Whether it can be shown as it is. This is false for control characters, for characters that end
/// a line, for those that change the direction of writing, as text could then read differently from
/// what it is, and for noncharacters, which XML does not allow. O(1)
[[nodiscard]] bool is_shown(char32_t code) noexcept;

/// `text` as UTF-8 on one line, so that the content of a profile controls neither a terminal nor a
/// CI system that reads the output. Bytes that are not UTF-8 and characters that are not is_shown()
/// become escapes as in C, "\\x1b" or "\\u202e", and so does the first character of what would be a
/// workflow command, wherever the text stands. A second call changes nothing. O(length)
[[nodiscard]] std::string printable(std::string_view text);

/// A name as far as people read it. One of more than 4096 bytes has a checksum of it in the place
/// of its middle, so different ones stay different. To be called before a name is kept, as a
/// profile of a few bytes can have names of many megabytes. A second call changes nothing.
/// O(length)
[[nodiscard]] std::string cut_name(std::string_view name);

/// The last `digits` hexadecimal digits of `number`, in lower case.
[[nodiscard]] std::string hexadecimal(std::uint64_t number, unsigned digits);

/// Two digits for each byte.
[[nodiscard]] std::string hexadecimal(std::string_view bytes);

} // namespace pprofdelta

#pragma GCC visibility pop

#endif // PPROFDELTA_CHARACTERS_HPP
