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

/// Writes a profile made of parts of others: the samples that it is given, and then what they
/// refer to, with new dense numbers. Fields that profile.proto does not know are kept, in records
/// as well as at the top level.
///
/// To be called in the order in which the functions stand here, write_sample() any number of times.
class profile_writer {
public:
    /// @param previous nullptr unless samples of the previous profile will be written too.
    /// @param out      replaced; both profiles and it must live until the last call.
    /// @param max_size the most that it may have. Two profiles that can be read can make one that
    ///                 could not, and whichever of the functions goes beyond throws too_large.
    void start(const profile_index& current, const profile_index* previous, std::string& out,
               std::size_t max_size = max_profile_size);

    /// @param values one for each sample type, in place of those in the record.
    void write_sample(side from, record sample, const std::vector<std::int64_t>& values);

    /// The locations that the samples refer to, and the mappings of these. The first mapping is
    /// written in any case: it stands for the main binary.
    void write_locations_and_mappings();

    /// The functions that the locations refer to.
    void write_functions();

    /// All other fields of the top level, as the current profile has them. They come late because
    /// early strings get short numbers, and functions refer to more strings.
    void write_headers(std::int64_t duration_nanos);

    /// The strings that anything refers to.
    void write_strings();

    /// All that follows the samples: the four functions above, one after the other.
    void write_rest(std::int64_t duration_nanos) {
        write_locations_and_mappings();
        write_functions();
        write_headers(duration_nanos);
        write_strings();
    }

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
    void use_locations(side from, std::string_view packed, const char* profile);
    void end_record(field::profile f); // made of m_known and m_copied
    void require_size() const;
    void write_value_type(field::profile f, record type);
    template <typename Write>
    void for_each_used(const std::vector<renumbering::used>& all, records_of_kind kind,
                       Write&& write);
    void write_location(side from, record location, std::uint32_t id);
    void write_comments();
    void write_mapping(side from, record mapping, std::uint32_t id);
    void write_function(side from, record function, std::uint32_t id);
    void add_label(side from, std::string_view label);
    void append_label(std::string& out, side from, std::string_view label);
    void add_line(side from, std::string_view line);

    references m_references;
    std::string* m_out = nullptr;
    std::size_t m_max_size = max_profile_size;
    // Parts of the message at hand.
    std::string m_known;   // fields that are made anew
    std::string m_copied;  // fields and finished messages within it
    std::string m_message; // one such message
    std::vector<std::uint32_t> m_ids;
    std::size_t m_id_count = 0;
    std::array<known_labels, 2> m_known_labels; // by side
    std::string m_packed;                       // numbers on their way into a field
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_PROFILE_WRITER_HPP
