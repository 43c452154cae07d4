// SPDX-License-Identifier: Apache-2.0
#include "files/content_hash.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <pprofdelta/characters.hpp>

namespace pprofdelta::tool {

std::uint64_t content_hash(std::string_view bytes) noexcept {
    return XXH3_64bits(bytes.data(), bytes.size());
}

std::string delta_id(std::string_view series, std::uint64_t number, std::string_view bytes) {
    std::string place{series};
    place.append(1, '\0').append(std::to_string(number)).append(1, '\0');
    XXH3_state_t state;
    XXH3_128bits_reset(&state);
    XXH3_128bits_update(&state, place.data(), place.size());
    XXH3_128bits_update(&state, bytes.data(), bytes.size());
    const XXH128_hash_t hash = XXH3_128bits_digest(&state);
    return hash_text(hash.high64) + hash_text(hash.low64);
}

std::string hash_text(std::uint64_t hash) {
    constexpr unsigned digits = 16;
    return hexadecimal(hash, digits);
}

} // namespace pprofdelta::tool
