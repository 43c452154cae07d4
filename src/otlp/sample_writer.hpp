// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_OTLP_SAMPLE_WRITER_HPP
#define PPROFDELTA_SRC_OTLP_SAMPLE_WRITER_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/key_table.hpp"
#include "base/keyed_list.hpp"
#include "otlp/dictionary_writer.hpp"
#include "otlp/room.hpp"
#include "profile/records.hpp"
#include "profile/stack_reader.hpp"

namespace pprofdelta {

/// A resource and a scope in it, as samples' labels name them.
struct otlp_written_source {
    std::string resource{}; ///< A message, or empty.
    std::string scope_name{};
    std::vector<std::uint32_t> rows{}; ///< Of its samples, in their order.
};

/// Gathers the samples of a profile for OTLP: their stacks and labels go to the dictionary, and
/// equal ones are added up.
class otlp_sample_writer {
public:
    /// All have to outlive this.
    otlp_sample_writer(const profile_index& index, otlp_dictionary_writer& dictionary,
                       otlp_room& room);

    /// @throws error malformed, too_large.
    void add_all();

    [[nodiscard]] const std::vector<otlp_written_source>& sources() const noexcept {
        return m_sources.values();
    }

    /// Appends the samples of a source to a Profile: those that are not 0 in this type, and with
    /// the first type also those that are 0 in all.
    /// @throws error too_large.
    void append_to(std::string& profile, const otlp_written_source& source, std::size_t type) const;

    /// How many labels had a text and a number, of which the text was written, or several units for
    /// one key, of which the first was.
    [[nodiscard]] std::size_t changed_labels() const noexcept { return m_changed_labels; }

private:
    struct keyed_label {
        std::uint32_t key; // equal for equal texts
        label_record label;
    };
    // The labels of a key.
    struct group {
        std::string_view key{};
        std::string_view unit{};
        std::string value{};     // an AnyValue
        std::string_view text{}; // if there is one label, and that is one
        bool is_taken = false;   // for something else than an attribute
    };

    void add(record sample);
    void read_labels(std::string_view sample);
    [[nodiscard]] group group_of(std::span<const keyed_label> labels);
    std::uint32_t take_link();
    std::uint32_t take_source();
    std::uint32_t take_attributes();
    [[nodiscard]] const hash128& hash_of(std::uint64_t number) const noexcept {
        return m_index.strings.hash(static_cast<std::uint32_t>(number));
    }
    [[nodiscard]] std::string_view text_of(std::uint64_t number) const {
        return m_index.strings.text(static_cast<std::uint32_t>(number));
    }

    const profile_index& m_index;
    otlp_dictionary_writer& m_dictionary;
    otlp_room& m_room;
    stack_reader m_reader;
    key_table m_keys;                  // of labels, by the hashes of their texts
    std::vector<keyed_label> m_labels; // of the sample at hand, by key
    std::vector<group> m_groups;       // likewise
    keyed_list<std::string> m_sets;    // attribute indices, packed
    keyed_list<otlp_written_source> m_sources;
    key_table m_rows; // see otlp_row
    std::vector<std::int64_t> m_values;
    std::size_t m_changed_labels = 0;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_OTLP_SAMPLE_WRITER_HPP
