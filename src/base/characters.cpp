// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/characters.hpp>

#include <algorithm>
#include <array>
#include <span>

#include "base/hash128.hpp"
#include "base/text.hpp"

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

constexpr std::array<range, 7> blanks{{{0x20, 0x20},
                                       {0xa0, 0xa0},
                                       {0x1680, 0x1680},
                                       {0x2000, 0x200a},
                                       {0x202f, 0x202f},
                                       {0x205f, 0x205f},
                                       {0x3000, 0x3000}}};

bool is_in(char32_t code, std::span<const range> ranges) noexcept {
    return std::ranges::any_of(
        ranges, [code](const range& each) { return code >= each.first && code <= each.last; });
}

// Whether a CI system would read `text` as the start of a command: "::" at the start of a line for
// GitHub; "##[", "##vso[" and "##teamcity[" anywhere for GitHub, Azure and TeamCity.
bool begins_command(std::string_view text, bool begins_line) {
    if (text.starts_with("::")) {
        return begins_line;
    }
    text_scanner rest{text};
    const bool is_marked = rest.skip("##");
    rest.take_while(is_letter);
    return is_marked && rest.skip("[");
}

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

bool is_shown(char32_t code) noexcept { return !is_in(code, hidden); }

// Escapes rather than question marks, so that most different names look different. A backslash of
// the name stays as it is, as some paths have them.
std::string printable(std::string_view text) {
    std::string result;
    bool begins_line = true; // after blanks it still does, as they are skipped
    while (!text.empty()) {
        if (!begins_line) {
            text_scanner rest{text};
            result += rest.take_while(is_plain);
            text = rest.rest();
            if (text.empty()) {
                break;
            }
        }
        const auto [size, code] = first_character(text);
        if (size == 0) {
            result += "\\x" + hexadecimal(static_cast<unsigned char>(text[0]), 2);
        } else if (code < 0x80 && (!is_shown(code) || begins_command(text, begins_line))) {
            result += "\\x" + hexadecimal(code, 2);
        } else if (!is_shown(code)) {
            result += "\\u" + hexadecimal(code, 4);
        } else {
            result += text.substr(0, size);
        }
        begins_line = begins_line && size != 0 && is_in(code, blanks);
        text.remove_prefix(std::max<std::size_t>(size, 1));
    }
    return result;
}

std::string cut_name(std::string_view name) {
    constexpr std::size_t max_size = 4096;
    constexpr std::size_t kept = 2000; // of its start, and of its end
    if (name.size() <= max_size) {
        return std::string{name};
    }
    const auto is_inside = [name](std::size_t i) {
        return (static_cast<unsigned char>(name[i]) & 0xc0U) == 0x80U;
    };
    std::size_t begin = kept;
    std::size_t end = name.size() - kept;
    for (int i = 0; i < 3; ++i) { // no character is cut in two
        begin -= is_inside(begin) ? 1 : 0;
        end += is_inside(end) ? 1 : 0;
    }
    const std::string mark = hexadecimal(little_endian(hash_bytes(name).low), 16);
    return std::string{name.substr(0, begin)}.append("\u2026").append(mark).append("\u2026").append(
        name.substr(end));
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
