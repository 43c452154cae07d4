// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_BASE_UTF8_HPP
#define PPROFDELTA_SRC_BASE_UTF8_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include <pprofdelta/characters.hpp>

namespace pprofdelta {

/// How many bytes at the start of `text` are UTF-8. O(length)
[[nodiscard]] inline std::size_t utf8_prefix(std::string_view text) noexcept {
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
        const std::size_t size = first_character(text.substr(i)).size;
        if (size == 0) {
            break;
        }
        i += size;
    }
    return i;
}

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_BASE_UTF8_HPP
