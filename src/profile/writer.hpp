// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_PROFILE_WRITER_HPP
#define PPROFDELTA_SRC_PROFILE_WRITER_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/codec.hpp>

#include "base/short_text_cache.hpp"
#include "profile/index.hpp"
#include "profile/references.hpp"
#include "wire/reader.hpp"

namespace pprofdelta {

/// Writes a profile made of parts of others: the samples that it is given, and what they refer to,
/// with new dense numbers. Fields that profile.proto does not know are kept, in records as well as
/// at the top level.
///
/// Each record notes what it refers to, so the kinds are written in the order of the functions
/// below: once all samples are written the number of locations is final, after the locations that
/// of mappings and functions, and after the headers that of strings.
class profile_writer {
public:
    /// @param previous nullptr unless samples of the previous profile will be written too.
    /// @param out      replaced; both profiles and it must live until the last call.
    /// @param max_size the most that it may have. Two profiles that can be read can make one that
    ///                 could not, and whichever of the functions goes beyond throws too_large.
    void start(const profile_index& current, const profile_index* previous, std::string& out,
               std::size_t max_size = max_profile_size);

    /// Goes on with another current profile of the same sample types: what its samples refer to,
    /// and nothing written has yet, is written behind the rest.
    void go_on(const profile_index& current);

    /// Ends the writing of the current profile, before another one: what was written for it stays,
    /// or its numbers are taken back. The bytes are the caller's to take back.
    void keep() noexcept { m_references.keep(); }
    void take_back() noexcept { m_references.take_back(); }

    /// @param values one for each sample type, in place of those in the record.
    void write_sample(side from, record sample, const std::vector<std::int64_t>& values);

    /// Appends all of a sample but its values to a message.
    void append_stack(std::string& message, side from, record sample);

    /// The new number of a string of the current profile that a header field refers to.
    /// @throws error malformed
    [[nodiscard]] std::uint32_t use_header(std::uint64_t string) {
        return m_references.use_string(side::current, string, {});
    }

    /// The new locations that the samples refer to, in the order in which they first did.
    [[nodiscard]] std::size_t locations() const noexcept {
        return m_references.locations().order().size();
    }
    /// Writes one of them, in ascending order from 0. So do the functions for other kinds.
    void write_location(std::size_t number);

    /// The mappings of these locations. The first mapping of the current profile is always one: it
    /// stands for the main binary.
    [[nodiscard]] std::size_t mappings() const noexcept {
        return m_references.mappings().order().size();
    }
    void write_mapping(std::size_t number);

    /// The functions of these locations.
    [[nodiscard]] std::size_t functions() const noexcept {
        return m_references.functions().order().size();
    }
    void write_function(std::size_t number);

    /// All other fields of the top level, as the current profile has them. They come late because
    /// early strings get short numbers, and functions refer to more strings.
    void write_headers(std::int64_t duration_nanos);

    /// The strings that anything refers to.
    [[nodiscard]] std::size_t strings() const noexcept {
        return m_references.strings().order().size();
    }
    void write_string(std::size_t number);

private:
    // The field of a label that was short where it comes from: three string numbers may take four
    // bytes more each than they did, and the head of the field takes two.
    struct written_label {
        std::array<char, 2 + 3 * 4 + short_text_cache<int>::longest> bytes;
        std::size_t size = 0;
    };
    using known_labels = short_text_cache<written_label>;

    void make_room(std::size_t ids);
    void add_id(std::uint32_t id);
    void read_stack(side from, record sample);
    void use_locations(side from, std::string_view packed, const char* profile);
    void end_record(field::profile f, std::string_view known); // made of that and m_copied
    void require_size() const;
    void write_value_type(field::profile f, record type);
    struct used_record {
        side from;
        std::uint64_t id; // the new one
        std::string_view bytes;
        const char* profile;
    };
    [[nodiscard]] used_record take(const renumbering& all, std::size_t number,
                                   records_of_kind kind) const noexcept;
    void write_comments();
    void add_label(side from, std::string_view label);
    void append_label(std::string& out, side from, std::string_view label);
    void add_line(side from, std::string_view line);

    references m_references;
    std::string* m_out = nullptr;
    std::size_t m_max_size = max_profile_size;
    // Parts of the message at hand.
    std::string m_copied;  // fields that are copied, and finished messages within it
    std::string m_unknown; // fields of such a message
    std::string m_message; // numbers of comments
    std::vector<std::uint32_t> m_ids;
    std::size_t m_id_count = 0;
    std::array<known_labels, 2> m_known_labels; // by side
    std::string m_packed;                       // numbers on their way into a message
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_PROFILE_WRITER_HPP
