// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/codec.hpp>

#include "base/hash128.hpp"
#include "base/key_table.hpp"
#include "base/short_text_cache.hpp"
#include "profile/index.hpp"
#include "wire/reader.hpp"

namespace pprofdelta {

/// The one of the two profiles that a record comes from. Deltas need but the current one; in a
/// diff, samples of the previous profile appear as well.
enum class side : std::uint8_t { current, previous };

/// Gives the records of one kind, such as strings, new dense numbers as they are used. Records of
/// equal identity share a number, within a profile and between the two.
class renumbering {
public:
    struct used {
        side from;
        std::uint32_t place;
    };

    /// Forgets all numbers. Memory is reused.
    /// @param places how many records each side has.
    void start(std::array<std::size_t, 2> places) {
        m_identities.clear();
        m_first = 0;
        begin_next(places);
    }

    /// Goes on with other profiles, whose new records get the numbers that follow. keep() or
    /// take_back() has to come before.
    void begin_next(std::array<std::size_t, 2> places) {
        m_order.clear();
        for (std::size_t s = 0; s < places.size(); ++s) {
            m_numbers[s].assign(places[s], none);
        }
    }

    /// Ends the use of the profiles at hand. Their numbers stay, or those that are new are taken
    /// back.
    void commit() noexcept { m_first = m_identities.size(); }
    void roll_back() noexcept { m_identities.truncate(m_first); }

    /// The number of a record: 0 for the first one used, and so on. O(1)
    std::uint32_t use(side from, std::uint32_t place, const hash128& identity) {
        std::uint32_t& number = m_numbers[static_cast<std::size_t>(from)][place];
        if (number == none) [[unlikely]] {
            number = m_identities.find_or_add(identity);
            if (number == m_first + m_order.size()) {
                m_order.push_back({from, place});
            }
        }
        return number;
    }

    /// The numbers of records by place, or `none` for one that is not used yet.
    [[nodiscard]] const std::uint32_t* numbers(side from) const noexcept {
        return m_numbers[static_cast<std::size_t>(from)].data();
    }
    static constexpr std::uint32_t none = 0xffffffff;

    /// The first number that is new since start() or begin_next().
    [[nodiscard]] std::uint32_t first() const noexcept { return m_first; }
    /// The record of each number from that one on.
    [[nodiscard]] const std::vector<used>& order() const noexcept { return m_order; }

private:
    std::array<std::vector<std::uint32_t>, 2> m_numbers;
    key_table m_identities;
    std::uint32_t m_first = 0;
    std::vector<used> m_order;
};

/// Writes a profile made of parts of others: the samples that it is given, and what they refer to,
/// with new dense numbers. Fields that profile.proto does not know are kept, in records as well as
/// at the top level.
///
/// Each record notes what it refers to, so the kinds are written in the order of the functions
/// below: once all samples are written it is known which locations there are, after the locations
/// which mappings and functions, and after the headers which strings.
class profile_writer {
public:
    /// @param previous nullptr unless samples of the previous profile will be written too.
    /// @param out      replaced; both profiles and it must live until the last call.
    /// @param max_size the most that it may have. Two profiles that can be read can make one that
    ///                 could not, and whichever of the functions goes beyond throws too_large.
    void start(const profile_index& current, const profile_index* previous, std::string& out,
               std::size_t max_size = max_profile_size);

    /// Goes on with another current profile of the same sample types: what its samples refer to,
    /// and nothing written has yet, is written behind the rest. The first mapping stays the one
    /// that came first.
    void begin_next(const profile_index& current);

    /// Ends the writing of the current profile, before another one: what was written for it stays,
    /// or its numbers are taken back. The bytes are the caller's to take back.
    void commit() noexcept;
    void roll_back() noexcept;

    /// @param values one for each sample type, in place of those in the record.
    void write_sample(side from, record sample, const std::vector<std::int64_t>& values);

    /// Appends all of a sample but its values to a message.
    void append_stack(std::string& message, side from, record sample);

    /// The new number of a string of the current profile that a header field refers to.
    /// @throws error malformed
    [[nodiscard]] std::uint32_t use_header(std::uint64_t string) {
        return use_string(side::current, string, {});
    }

    /// Writes what the samples refer to: locations, and the mappings and functions of these, in the
    /// order of first use. The first mapping of the current profile is always one: it stands for
    /// the main binary.
    void write_records();

    /// Writes the strings that anything refers to.
    void write_strings();

    /// Writes both, and between them all other fields of the top level, as the current profile has
    /// them. These come late because early strings get short numbers, and functions refer to more.
    void finish(std::int64_t duration_nanos);

private:
    // The field of a label that was short where it comes from: three string numbers may take four
    // bytes more each than they did, and the head of the field takes two.
    struct written_label {
        std::array<char, 2 + 3 * 4 + short_text_cache<int>::longest> bytes;
        std::size_t size = 0;
    };
    using known_labels = short_text_cache<written_label>;

    [[nodiscard]] const profile_index& index_of(side from) const noexcept {
        return *m_sides[static_cast<std::size_t>(from)];
    }
    // Calls `visit(renumbering&, records_of_kind)` for each kind.
    template <typename Visit>
    void for_each_kind(Visit&& visit) {
        visit(m_strings, &profile_view::strings);
        visit(m_mappings, &profile_view::mappings);
        visit(m_functions, &profile_view::functions);
        visit(m_locations, &profile_view::locations);
    }

    // New numbers of what the records that are written refer to. String 0 is the empty one, and
    // mapping 1 the current profile's first: both are there whether or not anything refers to them.
    std::uint32_t use_string(side from, std::uint64_t number, std::string_view where);
    void use_first_mapping();
    std::uint32_t use_mapping_at(side from, std::uint32_t place);
    std::uint32_t use_mapping(side from, std::uint64_t id);  // 0 for one that is not there
    std::uint32_t use_function(side from, std::uint64_t id); // the same
    void use_locations(side from, std::uint32_t* ordinals, std::size_t count); // replaces them
    // The address that means the same in the mapping that is written for `mapping_id`, which may
    // be another profile's and start elsewhere.
    [[nodiscard]] std::uint64_t rebase(side from, std::uint64_t mapping_id,
                                       std::uint64_t address) const;

    void read_stack(side from, record sample);
    void end_record(field::profile f, std::string_view known); // made of that and m_copied
    void require_size() const;
    void write_value_type(field::profile f, record type);
    // Writes what is new of a kind. @param id the new one.
    using write_record = void (profile_writer::*)(side from, std::uint64_t id,
                                                  std::string_view bytes);
    void write_all(const renumbering& kind, records_of_kind records, write_record write);
    void write_location(side from, std::uint64_t id, std::string_view bytes);
    void write_mapping(side from, std::uint64_t id, std::string_view bytes);
    void write_function(side from, std::uint64_t id, std::string_view bytes);
    void write_headers(std::int64_t duration_nanos);
    void write_comments();
    void add_label(side from, std::string_view label);
    void append_label(std::string& out, side from, std::string_view label);
    void add_line(side from, std::string_view line);

    std::array<const profile_index*, 2> m_sides{}; // the previous one is nullptr if it is not used
    renumbering m_strings;
    renumbering m_mappings;
    renumbering m_functions;
    renumbering m_locations;
    std::vector<std::uint64_t> m_mapping_starts; // by new number
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
