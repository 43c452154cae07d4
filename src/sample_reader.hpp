// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_SAMPLE_READER_HPP
#define PPROFDELTA_SRC_SAMPLE_READER_HPP

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "hash128.hpp"
#include "profile_index.hpp"

namespace pprofdelta {

/// Reads the samples of one profile: the key that says which sample it is, and its values.
class sample_reader {
public:
    /// `index` must outlive the reads.
    void start(const profile_index& index);

    /// Reads one sample, whose key() and values() hold until the next read.
    /// @throws error malformed for a location id or string number that the profile does not have,
    ///         or if there are more or fewer values than sample types.
    void read(record sample);

    /// Equal for two samples, of one or of two profiles, exactly if they have the same frames in
    /// the same order and the same labels in any order: the 128-bit hash of the frames'
    /// identities, of the sum of the labels' hashes, and of the numbers of both. How it is made is
    /// a part of the state format, and so described in pprofdelta-state(5).
    [[nodiscard]] const hash128& key() const noexcept { return m_key; }

    /// One for each sample type.
    [[nodiscard]] const std::int64_t* values() const noexcept { return m_values.data(); }

private:
    // Samples have few different labels, and many samples have the same: what a label's bytes hash
    // to is kept for short ones.
    struct known_label {
        static constexpr std::size_t none = 0xff; // longer than any

        std::uint64_t first = 0; // see load_short()
        std::uint64_t last = 0;
        std::size_t size = none;
        hash128 hash;
    };

    void make_room(std::size_t locations);
    void add_locations(std::string_view packed, std::string_view sample);
    void add_location(std::uint64_t id, std::string_view sample);
    void add_values(std::string_view packed);
    void make_key(std::string_view sample);
    void add_value(std::uint64_t value);
    void add_label(std::string_view label);
    [[nodiscard]] const hash128& known_label_hash(std::string_view label);
    [[nodiscard]] hash128 label_hash(std::string_view label) const;
    [[noreturn]] void fail_location(std::uint64_t id, std::string_view sample) const;
    [[noreturn]] void fail_value_count(std::string_view sample) const;

    const profile_index* m_index = nullptr;
    std::vector<std::uint32_t> m_locations; // ordinals; see location_index
    std::size_t m_location_count = 0;
    std::vector<std::uint64_t> m_words; // what is hashed; see make_key()
    hash128 m_labels;
    std::uint32_t m_label_count = 0;
    std::vector<std::int64_t> m_values;
    std::size_t m_value_count = 0;
    hash128 m_key;
    std::vector<known_label> m_known_labels;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_SAMPLE_READER_HPP
