// SPDX-License-Identifier: Apache-2.0
#include "base/characters.hpp"

#include <algorithm>
#include <array>

namespace pprofdelta::tool {

namespace {

struct range {
    char32_t first;
    char32_t last;
};

constexpr std::array<range, 7> blanks{{{0x20, 0x20},
                                       {0xa0, 0xa0},
                                       {0x1680, 0x1680},
                                       {0x2000, 0x200a},
                                       {0x202f, 0x202f},
                                       {0x205f, 0x205f},
                                       {0x3000, 0x3000}}};

} // namespace

bool is_blank(char32_t code) {
    return std::any_of(blanks.begin(), blanks.end(), [code](const range& each) {
        return code >= each.first && code <= each.last;
    });
}

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U; }

std::size_t count_characters(std::string_view text) {
    return text.size() -
           static_cast<std::size_t>(std::count_if(text.begin(), text.end(), is_continuation));
}

} // namespace pprofdelta::tool
