// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/characters.hpp>

#include <algorithm>
#include <array>

namespace pprofdelta {

namespace {

struct range {
    char32_t first;
    char32_t last;
};

constexpr std::array<range, 8> hidden{{{0x00, 0x1f},
                                       {0x7f, 0x9f},
                                       {0x61c, 0x61c},     // Arabic letter mark
                                       {0x200e, 0x200f},   // marks of direction
                                       {0x2028, 0x202e},   // ends of lines, and direction
                                       {0x2066, 0x2069},   // isolates
                                       {0xfeff, 0xfeff},   // byte order mark
                                       {0xfffe, 0xffff}}}; // noncharacters, not allowed in XML

} // namespace

character first_character(std::string_view text) noexcept {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned first = byte(0);
    const std::size_t size = first < 0x80U   ? 1
                             : first < 0xc2U ? 0
                             : first < 0xe0U ? 2
                             : first < 0xf0U ? 3
                             : first < 0xf5U ? 4
                                             : 0;
    if (size == 0 || size > text.size()) {
        return {};
    }
    constexpr std::array<unsigned, 5> masks{0, 0x7f, 0x1f, 0x0f, 0x07};
    char32_t code = first & masks[size];
    for (std::size_t i = 1; i < size; ++i) {
        if ((byte(i) & 0xc0U) != 0x80U) {
            return {};
        }
        code = code << 6U | (byte(i) & 0x3fU);
    }
    constexpr std::array<char32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
    const bool is_half_of_pair = code >= 0xd800 && code <= 0xdfff;
    if (code < least[size] || is_half_of_pair || code > 0x10ffff) {
        return {};
    }
    return {size, code};
}

bool is_shown(char32_t code) noexcept {
    return std::none_of(hidden.begin(), hidden.end(), [code](const range& each) {
        return code >= each.first && code <= each.last;
    });
}

std::string hexadecimal(std::uint64_t number, unsigned digits) {
    std::string text(digits, '0');
    for (auto digit = text.rbegin(); digit != text.rend(); ++digit) {
        *digit = "0123456789abcdef"[number % 16];
        number /= 16;
    }
    return text;
}

std::string hexadecimal(std::string_view bytes) {
    std::string text;
    for (const char byte : bytes) {
        text += hexadecimal(static_cast<unsigned char>(byte), 2);
    }
    return text;
}

} // namespace pprofdelta
