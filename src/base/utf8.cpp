// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace pprofdelta {

namespace {

// How many bytes the character at the start of `text` has; 0 if there is none. There has to be a
// byte.
std::size_t character_size(std::string_view text) {
    const auto byte = [&](std::size_t i) {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
    };
    const auto is_within = [&](std::size_t i, unsigned low, unsigned high) {
        return byte(i) >= low && byte(i) <= high;
    };
    const auto continues = [&](std::size_t i) { return is_within(i, 0x80, 0xbf); };
    // The second byte rules out what fits into fewer bytes, halves of UTF-16's pairs, and what is
    // above U+10FFFF.
    const unsigned first = byte(0);
    if (first < 0x80) {
        return 1;
    }
    if (first >= 0xc2 && first <= 0xdf) {
        return continues(1) ? 2 : 0;
    }
    if (first >= 0xe0 && first <= 0xef) {
        const unsigned low = first == 0xe0 ? 0xa0 : 0x80;
        const unsigned high = first == 0xed ? 0x9f : 0xbf;
        return is_within(1, low, high) && continues(2) ? 3 : 0;
    }
    if (first >= 0xf0 && first <= 0xf4) {
        const unsigned low = first == 0xf0 ? 0x90 : 0x80;
        const unsigned high = first == 0xf4 ? 0x8f : 0xbf;
        return is_within(1, low, high) && continues(2) && continues(3) ? 4 : 0;
    }
    return 0;
}

// How many bytes at the start of `text` are UTF-8.
std::size_t utf8_prefix(std::string_view text) {
    std::size_t i = 0;
    while (i < text.size()) {
        // Most names are ASCII.
        std::uint64_t word = 0;
        if (text.size() - i >= sizeof word) {
            std::memcpy(&word, text.data() + i, sizeof word);
            if ((word & 0x8080808080808080) == 0) {
                i += sizeof word;
                continue;
            }
        }
        const std::size_t size = character_size(text.substr(i));
        if (size == 0) {
            break;
        }
        i += size;
    }
    return i;
}

} // namespace

std::string_view as_utf8(std::string_view text, std::string& room) {
    std::size_t good = utf8_prefix(text);
    if (good == text.size()) {
        return text;
    }
    room.clear();
    while (true) {
        room.append(text, 0, good);
        text.remove_prefix(good);
        if (text.empty()) {
            return room;
        }
        room += "\xef\xbf\xbd";
        text.remove_prefix(1);
        good = utf8_prefix(text);
    }
}

} // namespace pprofdelta
