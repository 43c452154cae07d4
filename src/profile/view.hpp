// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "profile/records.hpp"

namespace pprofdelta {

/// The place of a message or a string in the profile's bytes, without its tag and length. 32 bits
/// are enough, as a profile has less than 2 GiB.
struct record {
    std::uint32_t offset;
    std::uint32_t size;
};

/// A serialized profile and where its records lie, found in one scan of its top level. Nothing is
/// copied; the bytes must outlive the view.
///
/// The content of records is not read here, and string numbers are not checked.
class profile_view {
public:
    /// Replaces the content; memory is reused.
    /// @throws error malformed, too_large.
    void parse(std::string_view bytes);

    [[nodiscard]] std::string_view bytes() const noexcept { return m_bytes; }
    /// End of the memory that may be read.
    [[nodiscard]] const char* limit() const noexcept { return m_bytes.data() + m_bytes.size(); }
    [[nodiscard]] std::string_view at(record r) const noexcept {
        return {m_bytes.data() + r.offset, r.size};
    }

    /// Reads a record of one of the kinds in records.hpp.
    /// @param unknown gets the fields that are not known.
    /// @throws error malformed
    template <typename Record, typename Unknown>
    [[nodiscard]] Record read(std::string_view bytes, Unknown&& unknown) const {
        return read_record<Record>(bytes, m_bytes.data(), unknown);
    }
    template <typename Record>
    [[nodiscard]] Record read(std::string_view bytes) const {
        return read<Record>(bytes, ignore_unknown);
    }
    template <typename Record>
    [[nodiscard]] Record read(record r) const {
        return read<Record>(at(r));
    }

    /// Prefetches the beginning of a record that is read a little later. Records that are read in
    /// their order are prefetched by the processor itself.
    void prefetch(record r) const noexcept {
        constexpr std::size_t cache_line = 64;
        __builtin_prefetch(m_bytes.data() + r.offset);
        __builtin_prefetch(m_bytes.data() + r.offset + cache_line);
    }
    /// How many records ahead to prefetch.
    static constexpr std::size_t records_ahead = 16;

    /// Throws an error of kind malformed with the offset of `where`, a part of the profile.
    [[noreturn]] void fail(const std::string& what, std::string_view where) const;

    std::vector<record> sample_types;
    std::vector<record> samples;
    std::vector<record> mappings;
    std::vector<record> locations;
    std::vector<record> functions;
    std::vector<record> strings;
    std::vector<record> comments; ///< String numbers as packed varints, any number of them in each.
    std::vector<record> period_types; ///< The usual number is at most one; the last one counts.
    /// Whole fields, with their tags, that profile.proto did not have when this was written.
    std::vector<record> unknown_fields;

    std::uint64_t drop_frames = 0;
    std::uint64_t keep_frames = 0;
    std::uint64_t default_sample_type = 0;
    std::uint64_t doc_url = 0;
    std::int64_t time_nanos = 0;
    std::int64_t duration_nanos = 0;
    /// The duration field of the profile if that is none, as it is longer than any process ran:
    /// some profilers write the time since 1970 there, which is longer since 2001. Otherwise 0.
    std::int64_t false_duration_nanos = 0;
    std::int64_t period = 0;

private:
    void clear();

    std::string_view m_bytes;
};

/// An example is &profile_view::locations.
using records_of_kind = std::vector<record> profile_view::*;

} // namespace pprofdelta
