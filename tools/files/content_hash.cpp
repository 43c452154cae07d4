// SPDX-License-Identifier: Apache-2.0
#include "files/content_hash.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <pprofdelta/characters.hpp>

namespace pprofdelta::tool {

std::uint64_t content_hash(std::string_view bytes) noexcept {
    return XXH3_64bits(bytes.data(), bytes.size());
}

std::string content_id(std::string_view bytes) {
    const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
    return hash_text(hash.high64) + hash_text(hash.low64);
}

std::string hash_text(std::uint64_t hash) {
    constexpr unsigned digits = 16;
    return hexadecimal(hash, digits);
}

} // namespace pprofdelta::tool
