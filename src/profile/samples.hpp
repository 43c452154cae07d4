// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/hash128.hpp"
#include "base/short_text_cache.hpp"
#include "profile/index.hpp"

namespace pprofdelta {

// The hashed words of a stack and its labels: first a word for every four frames, the value at
// fold1 of a polynomial whose coefficients are those frames, where frames of zeros fill the last
// block; then the tail that put_tail() writes.

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

/// Folds a stack of addresses into these words.
/// @param words receives words_per_block words for each of the blocks of the stack.
inline void fold_stack(std::span<const std::uint64_t> stack, std::uint64_t* words) noexcept {
    std::uint64_t* const end = words + blocks(stack.size()) * words_per_block;
    const std::uint64_t* frame = stack.data();
    std::size_t left = stack.size();
    for (; left >= frames_per_word; left -= frames_per_word) {
        *words++ = fold_frames(frame[0], frame[1], frame[2], frame[3]);
        frame += frames_per_word;
    }
    if (left != 0) {
        *words++ = fold_frames(frame[0], left > 1 ? frame[1] : 0, left > 2 ? frame[2] : 0, 0);
    }
    std::fill(words, end, 0);
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
    return hash_words(key, text, unit, number);
}

/// A sum, so that their order does not count.
inline void add_label_hash(hash128& sum, const hash128& hash) noexcept {
    sum.low = little_endian(little_endian(sum.low) + little_endian(hash.low));
    sum.high = little_endian(little_endian(sum.high) + little_endian(hash.high));
}

/// Reads the samples of one profile: the key that identifies a sample, and its values.
class sample_reader {
public:
    /// `index` must outlive the reads.
    void start(const profile_index& index);

    /// Reads up to `batch` samples, whose key() and values() are valid until the next read. It
    /// reads several at a time, so that the steps for each can overlap in the processor.
    /// @throws error malformed for a location id or string number that the profile does not have,
    ///         or if there are more or fewer values than sample types.
    void read(const record* samples, std::size_t count);
    static constexpr std::size_t batch = 32;
    /// Reads the same without keys, which is half of the work.
    /// @throws error as read() does.
    void check(const record* samples, std::size_t count);

    /// Calls `visit(std::size_t start, std::size_t count)` for one batch after the other of the
    /// samples from number `begin` to before number `end`.
    template <typename Visit>
    static void for_each_batch(std::size_t begin, std::size_t end, Visit&& visit) {
        for (std::size_t start = begin; start < end; start += batch) {
            visit(start, std::min(end - start, batch));
        }
    }

    /// Reads only the values of up to `batch` samples, which read() found to be right before.
    void read_values(const record* samples, std::size_t count);

    /// Equal for two samples, of one or of two profiles, exactly if they have the same frames in
    /// the same order and the same labels in any order: the 128-bit hash of the frames' identities,
    /// of the sum of the labels' hashes, and of the numbers of both. The way it is made is part of
    /// the state format, which pprofdelta-state(5) describes.
    /// @param i is the place among the samples that were read last.
    [[nodiscard]] hash128 key(std::size_t i) const noexcept {
        return {m_key_lows[i], m_key_highs[i]};
    }

    /// One for each sample type.
    [[nodiscard]] const std::int64_t* values(std::size_t i) const noexcept {
        return m_values.data() + i * m_type_count;
    }

private:
    using known_labels = short_text_cache<hash128>;

    struct sample {
        std::size_t first_location = 0; // its place in m_locations
        std::size_t location_count = 0;
        hash128 labels; // their sum
        std::uint64_t label_count = 0;
    };

    void make_room(const record* samples, std::size_t count);
    // Whether it could. If not, `values` is unspecified.
    [[nodiscard]] bool parse_usual(std::string_view bytes, sample& s, std::int64_t* values);
    void parse_any(std::string_view bytes, sample& s, std::int64_t* values);
    [[nodiscard]] bool parse_short_values(std::string_view bytes, std::int64_t* values) const;
    void make_keys(std::size_t count);
    // Valid until the next call.
    [[nodiscard]] const hash128& hash_of_label(std::string_view label);
    [[nodiscard]] hash128 label_hash(std::string_view label) const;

    const profile_index* m_index = nullptr;
    std::size_t m_type_count = 0;
    std::array<sample, batch> m_samples;
    // The halves of the keys, apart. If they were side by side, GCC 12 would read both by one wide
    // load after the two stores of a function's result, and the processor would wait for both
    // stores.
    std::array<std::uint64_t, batch> m_key_lows{};
    std::array<std::uint64_t, batch> m_key_highs{};
    std::vector<std::int64_t> m_values;
    // The stacks of all samples, each padded to whole blocks. The start of a stack depends only on
    // the sizes of records, so no sample waits for the one before it.
    std::vector<std::uint32_t> m_locations; // ordinals; see location_index
    std::vector<std::uint64_t> m_words;     // what is hashed; see make_keys()
    known_labels m_known_labels;
    hash128 m_long_label; // the hash of a label that is not kept
};

/// The keys of all samples of a profile, as sample_reader makes them, which takes more time than
/// all else that is done with a sample. They need no value_table, so they can be made while
/// something else has it.
/// @throws error as sample_reader::read() does, for the first sample that is wrong.
[[nodiscard]] std::vector<hash128> read_sample_keys(const profile_index& index,
                                                    std::size_t threads);

} // namespace pprofdelta
