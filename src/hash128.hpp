// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_HASH128_HPP
#define PPROFDELTA_SRC_HASH128_HPP

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace pprofdelta {

/// Both words hold little-endian bytes in memory, on every machine, so that a hash can be part of
/// another hash's input, or of a file, as it lies.
struct hash128 {
    std::uint64_t low = 0;
    std::uint64_t high = 0;

    friend bool operator==(const hash128& a, const hash128& b) {
        return a.low == b.low && a.high == b.high;
    }
};

/// The word whose bytes in memory are `value` in little-endian order.
[[nodiscard]] inline std::uint64_t little_endian(std::uint64_t value) noexcept {
    if constexpr (std::endian::native == std::endian::big) {
        return __builtin_bswap64(value);
    }
    return value;
}

/// XXH3-128 without a seed.
[[nodiscard]] inline hash128 hash_bytes(const void* data, std::size_t size) noexcept {
    const XXH128_hash_t hash = XXH3_128bits(data, size);
    return {little_endian(hash.low64), little_endian(hash.high64)};
}

[[nodiscard]] inline hash128 hash_bytes(std::string_view bytes) noexcept {
    return hash_bytes(bytes.data(), bytes.size());
}

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_HASH128_HPP
