// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace pprofdelta {

/// The two words hold little-endian bytes in memory, on every machine, so that a hash can be part
/// of another hash's input, or of a file, as it lies.
struct hash128 {
    std::uint64_t low = 0;
    std::uint64_t high = 0;

    friend bool operator==(const hash128&, const hash128&) = default;
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

/// The hash of numbers and hashes one after the other, as word_hasher has it.
template <typename... Parts>
[[nodiscard]] hash128 hash_words(const Parts&... parts) noexcept {
    static_assert(
        (... && (std::is_same_v<Parts, hash128> || std::is_same_v<Parts, std::uint64_t>)));
    std::array<std::uint64_t, (0 + ... + sizeof(Parts)) / sizeof(std::uint64_t)> words;
    std::uint64_t* end = words.data();
    const auto put = [&end](const auto& part) {
        if constexpr (std::is_same_v<decltype(part), const hash128&>) {
            *end++ = part.low;
            *end++ = part.high;
        } else {
            *end++ = little_endian(part);
        }
    };
    (put(parts), ...);
    return hash_bytes(words.data(), sizeof words);
}

/// The hash of any number of words, as hash_bytes() has it of all of them one after the other, in
/// memory that does not grow with their number.
class word_hasher {
public:
    void add(std::uint64_t number) noexcept { add_word(little_endian(number)); }
    void add(const hash128& hash) noexcept {
        add_word(hash.low);
        add_word(hash.high);
    }

    /// The hash of what was added since the last call of this.
    [[nodiscard]] hash128 finish() noexcept {
        hash128 hash;
        if (m_is_long) {
            flush();
            const XXH128_hash_t whole = XXH3_128bits_digest(&m_state);
            hash = {little_endian(whole.low64), little_endian(whole.high64)};
        } else {
            hash = hash_bytes(m_words.data(), m_count * sizeof m_words[0]);
        }
        m_count = 0;
        m_is_long = false;
        return hash;
    }

private:
    void add_word(std::uint64_t word) noexcept {
        if (m_count == m_words.size()) {
            flush();
        }
        m_words[m_count++] = word;
    }

    void flush() noexcept {
        if (!m_is_long) {
            XXH3_128bits_reset(&m_state);
            m_is_long = true;
        }
        XXH3_128bits_update(&m_state, m_words.data(), m_count * sizeof m_words[0]);
        m_count = 0;
    }

    std::array<std::uint64_t, 256> m_words; // not hashed yet
    std::size_t m_count = 0;
    bool m_is_long = false; // some words are in m_state
    XXH3_state_t m_state;
};

} // namespace pprofdelta
