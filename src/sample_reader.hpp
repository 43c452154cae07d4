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
    /// identities, of the sum of the labels' hashes, and of the numbers of both.
    [[nodiscard]] const hash128& key() const noexcept { return m_key; }

    /// One for each sample type.
    [[nodiscard]] const std::vector<std::int64_t>& values() const noexcept { return m_values; }

private:
    void add_location(std::uint64_t id, std::string_view sample);
    void add_label(std::string_view label);

    const profile_index* m_index = nullptr;
    std::vector<hash128> m_parts; // frames, then the labels' sum, then the counts
    hash128 m_labels;
    std::uint64_t m_label_count = 0;
    std::vector<std::int64_t> m_values;
    hash128 m_key;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_SAMPLE_READER_HPP
