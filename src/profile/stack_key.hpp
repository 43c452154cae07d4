// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_PROFILE_STACK_KEY_HPP
#define PPROFDELTA_SRC_PROFILE_STACK_KEY_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/hash128.hpp"

namespace pprofdelta {

// What is hashed for a stack and its labels: first a word for every four frames, the value at fold1
// of a polynomial whose coefficients are those frames, where frames of zeros fill the last block;
// then the tail that put_tail() writes.

inline constexpr std::size_t frames_per_word = 4;
inline constexpr std::size_t words_per_block = 8;
inline constexpr std::size_t frames_per_block = frames_per_word * words_per_block;
inline constexpr std::size_t tail_words = 4;
inline constexpr std::uint64_t fold1 = 0x9e3779b97f4a7c15; // 2^64 over the golden ratio
inline constexpr std::uint64_t fold2 = fold1 * fold1;
inline constexpr std::uint64_t fold3 = fold2 * fold1;

[[nodiscard]] constexpr std::size_t blocks(std::size_t frames) noexcept {
    return (frames + frames_per_block - 1) / frames_per_block;
}

[[nodiscard]] inline std::uint64_t fold_frames(std::uint64_t a, std::uint64_t b, std::uint64_t c,
                                               std::uint64_t d) noexcept {
    return little_endian(a * fold3 + b * fold2 + c * fold1 + d);
}

/// Writes the tail that follows the last block.
/// @param labels the sum of their hashes; see add_label_hash().
inline void put_tail(std::uint64_t* words, const hash128& labels, std::uint64_t frame_count,
                     std::uint64_t label_count) noexcept {
    words[0] = labels.low;
    words[1] = labels.high;
    words[2] = little_endian(frame_count);
    words[3] = little_endian(label_count);
}

/// The hash of a label, from the hashes of its strings.
[[nodiscard]] inline hash128 hash_label(const hash128& key, const hash128& text,
                                        const hash128& unit, std::uint64_t number) noexcept {
    const std::array<hash128, 3> texts{key, text, unit};
    std::array<std::uint64_t, 7> parts{};
    std::memcpy(parts.data(), texts.data(), sizeof texts);
    parts.back() = little_endian(number);
    return hash_bytes(parts.data(), sizeof parts);
}

/// A sum, so that their order does not count.
inline void add_label_hash(hash128& sum, const hash128& hash) noexcept {
    sum.low = little_endian(little_endian(sum.low) + little_endian(hash.low));
    sum.high = little_endian(little_endian(sum.high) + little_endian(hash.high));
}

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_PROFILE_STACK_KEY_HPP
