// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_PROFILE_SAMPLE_READER_HPP
#define PPROFDELTA_SRC_PROFILE_SAMPLE_READER_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/hash128.hpp"
#include "base/short_text_cache.hpp"
#include "profile/index.hpp"

namespace pprofdelta {

/// Reads the samples of one profile: the key that says which sample it is, and its values.
class sample_reader {
public:
    /// `index` must outlive the reads.
    void start(const profile_index& index);

    /// Reads up to `batch` samples, whose key() and values() hold until the next read. Several at a
    /// time, so that the steps for each can overlap in the processor.
    /// @throws error malformed for a location id or string number that the profile does not have,
    ///         or if there are more or fewer values than sample types.
    void read(const record* samples, std::size_t count);
    static constexpr std::size_t batch = 32;

    /// Equal for two samples, of one or of two profiles, exactly if they have the same frames in
    /// the same order and the same labels in any order: the 128-bit hash of the frames'
    /// identities, of the sum of the labels' hashes, and of the numbers of both. How it is made is
    /// a part of the state format, and so described in pprofdelta-state(5).
    /// @param i which of the samples just read.
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
    void parse(std::string_view bytes, sample& s, std::int64_t* values);
    // Whether it could; if not, what it wrote to `values` has no meaning.
    [[nodiscard]] bool parse_usual(std::string_view bytes, sample& s, std::int64_t* values);
    void parse_any(std::string_view bytes, sample& s, std::int64_t* values);
    void make_keys(std::size_t count);
    void add_location(std::uint64_t id, sample& s, std::string_view bytes);
    // Holds until the next call.
    [[nodiscard]] const hash128& hash_of_label(std::string_view label);
    [[nodiscard]] hash128 label_hash(std::string_view label) const;

    const profile_index* m_index = nullptr;
    std::size_t m_type_count = 0;
    std::array<sample, batch> m_samples;
    // The halves of the keys. Side by side, GCC 12 makes one wide load of the two stores that a
    // function's result comes by, and the processor waits until both are done.
    std::array<std::uint64_t, batch> m_key_lows{};
    std::array<std::uint64_t, batch> m_key_highs{};
    std::vector<std::int64_t> m_values;
    // The stacks of all samples, each filled up to whole blocks. Where one begins depends on the
    // sizes of the records alone, so that no sample has to wait for the one before it.
    std::vector<std::uint32_t> m_locations; // ordinals; see location_index
    std::vector<std::uint64_t> m_words;     // what is hashed; see make_keys()
    known_labels m_known_labels;
    hash128 m_long_label; // the hash of one that is not kept
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_PROFILE_SAMPLE_READER_HPP
