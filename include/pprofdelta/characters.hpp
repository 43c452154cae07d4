// SPDX-License-Identifier: Apache-2.0
#pragma once

// Example:
//
//     const std::string name = "a\x1b[31m\xff";        // any bytes, as in profiles
//     std::cout << printable(name) << '\n';            // a\x1b[31m\xff
//     std::cout << cut_name(std::string(5000, 'x')).size() << '\n'; // at most 4096
//     std::cout << hexadecimal(255, 4) << '\n';        // 00ff

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

// Names in profiles are arbitrary bytes. These functions make them fit to show.

/// A character in UTF-8.
struct character {
    std::size_t size = 0; ///< The size in bytes; 0 if it is not valid UTF-8.
    char32_t code = 0;
};

/// Returns the character at the start of `text`, which must not be empty. O(1)
[[nodiscard]] character first_character(std::string_view text) noexcept;

/// Returns whether a character can be shown as it is. False for control characters, characters that
/// end a line, characters that change the direction of writing (text could then read differently
/// from what it is), and noncharacters, which XML does not allow. O(1)
[[nodiscard]] bool is_shown(char32_t code) noexcept;

/// Returns `text` as UTF-8 on one line, so that the content of a profile controls neither a
/// terminal nor a CI system that reads the output. Bytes that are not UTF-8, and characters that
/// are not is_shown(), become escapes as in C, "\\x1b" or "\\u202e". The first character of a
/// possible workflow command, anywhere in the text, becomes one as well. Idempotent. O(length)
[[nodiscard]] std::string printable(std::string_view text);

/// Returns a name, shortened if it has more than 4096 bytes: a checksum of the name then replaces
/// its middle, so different names stay different. Call this before you keep a name, since a profile
/// of a few bytes can have names of many megabytes. Idempotent. O(length)
[[nodiscard]] std::string cut_name(std::string_view name);

/// Returns the last `digits` hexadecimal digits of `number`, in lower case.
[[nodiscard]] std::string hexadecimal(std::uint64_t number, unsigned digits);

/// Returns two hexadecimal digits for each byte, in lower case.
[[nodiscard]] std::string hexadecimal(std::string_view bytes);

} // namespace pprofdelta

#pragma GCC visibility pop
