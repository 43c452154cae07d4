// SPDX-License-Identifier: Apache-2.0
#include "content_hash.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace pprofdelta::tool {

std::uint64_t content_hash(std::string_view bytes) noexcept {
    return XXH3_64bits(bytes.data(), bytes.size());
}

std::string hash_text(std::uint64_t hash) {
    constexpr std::string_view digits = "0123456789abcdef";
    constexpr int bits = 64;
    constexpr int bits_of_digit = 4;
    std::string text;
    for (int shift = bits - bits_of_digit; shift >= 0; shift -= bits_of_digit) {
        text += digits[(hash >> static_cast<unsigned>(shift)) & 0xfU];
    }
    return text;
}

} // namespace pprofdelta::tool
