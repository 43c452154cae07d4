// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_BASE_ONE_LINE_HPP
#define PPROFDELTA_SRC_BASE_ONE_LINE_HPP

#include <string>
#include <string_view>

namespace pprofdelta {

/// `text` with its control characters written as escapes such as "\x00". What an exception says
/// ends at a zero byte, and is to be one line, whatever strings of the input it quotes.
[[nodiscard]] inline std::string one_line(std::string_view text) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string line;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20U || byte == 0x7fU) {
            line += "\\x";
            line += digits[byte / 16];
            line += digits[byte % 16];
        } else {
            line += c;
        }
    }
    return line;
}

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_BASE_ONE_LINE_HPP
