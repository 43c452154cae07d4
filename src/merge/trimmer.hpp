// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_MERGE_TRIMMER_HPP
#define PPROFDELTA_SRC_MERGE_TRIMMER_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pprofdelta/codec.hpp>
#include <pprofdelta/error.hpp>
#include <pprofdelta/merge.hpp>

#include "base/hash128.hpp"
#include "codec/codec.hpp"
#include "profile/index.hpp"
#include "profile/records.hpp"
#include "profile/samples.hpp"
#include "select/names.hpp"
#include "select/stacks.hpp"
#include "wire/reader.hpp"
#include "wire/writer.hpp"

namespace pprofdelta {

/// The frames of a profile as the compiler of Go has them: a name, a start line, a line and an
/// address (nodeInfo() in internal/profile/graph.go). Two that are the same count once in a stack.
class go_frames {
public:
    /// @param stacks of which frames are those that are left.
    /// @throws error incompatible if there are samples and no function has a start line, which the
    ///         compiler refuses.
    explicit go_frames(const profile_stacks& stacks) {
        const profile_index& index = stacks.index();
        const std::vector<std::uint64_t> starts = start_lines(index);
        const bool has_start =
            std::any_of(starts.begin(), starts.end(), [](std::uint64_t line) { return line != 0; });
        if (!has_start && !index.view.samples.empty()) {
            throw error{error_kind::incompatible, "no function has a start line, which Go's "
                                                  "compiler needs; Go has written them since 1.20"};
        }
        const char* const profile = index.view.bytes().data();
        for (const record r : index.view.locations) {
            m_begins.push_back(static_cast<std::uint32_t>(m_frames.size()));
            const location_record location =
                read_location(index.view.at(r), profile, ignore_unknown);
            m_addresses.push_back(location.address);
            if (location.lines.empty()) {
                m_frames.push_back(0);
            }
            const auto place = static_cast<std::uint32_t>(m_begins.size() - 1);
            stacks.for_each_line_left(place, location, [&](std::string_view bytes) {
                const line_record line = read_line(bytes, profile, ignore_unknown);
                const std::uint32_t function = index.functions.find(line.function_id);
                if (function == id_map::npos) {
                    m_frames.push_back(0);
                    return;
                }
                const hash128 name = index.strings.hash(index.functions.at(function).name);
                const std::array<std::uint64_t, 4> parts{name.low, name.high, starts[function],
                                                         line.number};
                m_frames.push_back(hash_bytes(parts.data(), sizeof parts).low);
            });
        }
        // Values of labels have none.
        m_begins.resize(stacks.places() + 1, static_cast<std::uint32_t>(m_frames.size()));
    }

    /// Whether two frames of a stack would be the same if they had no addresses, and are not.
    /// @param stack places of locations.
    [[nodiscard]] bool need_addresses(std::span<const std::uint32_t> stack) {
        m_seen.clear();
        for (const std::uint32_t place : stack) {
            for (std::uint32_t i = m_begins[place]; i < m_begins[place + 1]; ++i) {
                m_seen.emplace_back(m_frames[i], m_addresses[place]);
            }
        }
        std::sort(m_seen.begin(), m_seen.end());
        return std::adjacent_find(m_seen.begin(), m_seen.end(),
                                  [](const auto& one, const auto& next) {
                                      return one.first == next.first && one.second != next.second;
                                  }) != m_seen.end();
    }

private:
    static std::vector<std::uint64_t> start_lines(const profile_index& index) {
        std::vector<std::uint64_t> lines;
        lines.reserve(index.view.functions.size());
        for (const record r : index.view.functions) {
            lines.push_back(
                read_function(index.view.at(r), index.view.bytes().data(), ignore_unknown)
                    .start_line);
        }
        return lines;
    }

    // By the place of a location.
    std::vector<std::uint64_t> m_addresses;
    std::vector<std::uint32_t> m_begins; // of its frames; one more than there are locations
    std::vector<std::uint64_t> m_frames; // hashes of frames without their addresses

    std::vector<std::pair<std::uint64_t, std::uint64_t>> m_seen; // frames, and their addresses
};

/// Copies what trim_options leave of a profile. Nothing is added up, and what nothing refers to any
/// more stays: the sum does not take it.
class trimmer {
public:
    /// @throws error invalid_argument for a regular expression that is none.
    explicit trimmer(trim_options options)
        : m_options{std::move(options)}, m_rules{m_options.selection} {
        for (const std::string& key : m_options.drop_labels) {
            m_dropped_keys.push_back(std::make_unique<const name_pattern>(key));
        }
        std::erase_if(m_options.add_labels, [this](const auto& added) {
            return added.second.empty() || is_dropped_key(added.first);
        });
    }

    [[nodiscard]] bool leaves_all() const noexcept { return m_options.are_empty(); }

    /// @param out     replaced.
    /// @returns how many samples the profile has.
    /// @throws error malformed, as the sum does without trimming; too_large; incompatible for a
    /// profile that has not what is to stay.
    std::size_t trim(std::string_view profile, std::string& out) {
        m_index.build(profile, match_mode::exact);
        check_samples();
        m_out = &out;
        out.clear();
        m_new_strings.clear();
        m_stacks.emplace(m_index, m_rules, false);
        choose_types();
        write_samples();
        if (!m_options.for_pgo) {
            copy(field::profile::mapping, m_index.view.mappings);
        }
        write_locations();
        write_functions();
        write_headers();
        write_strings();
        return m_index.view.samples.size();
    }

private:
    // The sum reads what is left, and would say where that is damaged.
    void check_samples() {
        m_reader.start(m_index);
        const std::vector<record>& samples = m_index.view.samples;
        sample_reader::for_each_batch(0, samples.size(), [&](std::size_t start, std::size_t count) {
            m_reader.read(samples.data() + start, count);
        });
    }

    void choose_types() {
        const std::vector<value_type>& types = m_index.types.sample_types;
        m_types.clear();
        if (m_options.for_pgo) {
            const auto samples =
                std::find_if(types.begin(), types.end(), [](const value_type& type) {
                    return type == value_type{"samples", "count"} ||
                           type == value_type{"cpu", "nanoseconds"};
                });
            if (samples == types.end()) {
                fail_no_match(value_type_pattern{"samples/count or cpu/nanoseconds"}, types);
            }
            m_types.push_back(static_cast<std::uint32_t>(samples - types.begin()));
        } else if (m_options.keep_types.empty()) {
            m_types.resize(types.size());
            std::iota(m_types.begin(), m_types.end(), 0U);
        } else {
            for (const value_type_pattern& pattern : m_options.keep_types) {
                keep_types(pattern);
            }
        }
        for (const std::uint32_t type : m_types) {
            append_bytes(*m_out, field::profile::sample_type,
                         m_index.view.at(m_index.view.sample_types[type]));
        }
    }

    // Behind those that are kept already.
    void keep_types(const value_type_pattern& pattern) {
        const std::vector<value_type>& types = m_index.types.sample_types;
        bool has_match = false;
        for (std::uint32_t i = 0; i < types.size(); ++i) {
            if (pattern.matches(types[i])) {
                has_match = true;
                if (std::find(m_types.begin(), m_types.end(), i) == m_types.end()) {
                    m_types.push_back(i);
                }
            }
        }
        if (!has_match) {
            fail_no_match(pattern, types);
        }
    }

    // Locations get new ids, as Go's can be there twice, with their address and without it.
    void write_samples() {
        const profile_view& view = m_index.view;
        std::optional<go_frames> frames;
        if (m_options.for_pgo) {
            frames.emplace(*m_stacks);
        }
        m_has_address.assign(m_stacks->places(), false);
        m_is_known_key.assign(view.strings.size(), false);
        m_is_dropped_key.assign(view.strings.size(), false);
        m_values.resize(m_types.size());
        encode_added_labels();
        selected_reader reader{*m_stacks};
        for (std::size_t sample = 0; sample < view.samples.size(); ++sample) {
            reader.read(sample);
            std::transform(m_types.begin(), m_types.end(), m_values.begin(),
                           [&](std::uint32_t type) { return reader.values()[type]; });
            if (!reader.is_selected()) {
                continue;
            }
            const std::span<const std::uint32_t> stack = reader.stack();
            const bool with_addresses = frames && frames->need_addresses(stack);
            m_ids.clear();
            for (const std::uint32_t place : stack) {
                m_ids.push_back(place + 1 + (with_addresses ? m_stacks->places() : 0));
                if (with_addresses) {
                    m_has_address[place] = true;
                }
            }
            write_sample(view.samples[sample]);
        }
    }

    // Its new stack and values are those in m_ids and m_values.
    void write_sample(record sample) {
        const profile_view& view = m_index.view;
        m_message.clear();
        append_numbers(m_message, field::sample::location_id, m_ids.data(), m_ids.size(), m_packed);
        append_numbers(m_message, field::sample::value, m_values.data(), m_values.size(), m_packed);
        if (!m_options.for_pgo) {
            const auto ignore = [](std::string_view) {};
            read_sample(
                view.at(sample), view.bytes().data(), ignore, ignore,
                [&](std::string_view label) {
                    if (!is_dropped_label(label)) {
                        append_bytes(m_message, field::sample::label, label);
                    }
                },
                [&](std::string_view unknown) { m_message += unknown; });
            m_message += m_added_labels;
        }
        append_bytes(*m_out, field::profile::sample, m_message);
    }

    void write_locations() {
        const std::size_t count = m_index.view.locations.size();
        for (std::uint32_t place = 0; place < count; ++place) {
            write_location(place, place + 1, !m_options.for_pgo);
            if (m_has_address[place]) {
                write_location(place, place + 1 + m_stacks->places(), true);
            }
        }
        if (!m_rules.root_keys.empty()) {
            write_labels();
        }
    }

    // As functions, of which each is a location alone.
    void write_labels() {
        std::uint64_t function = 0;
        for (std::uint32_t place = m_stacks->place_of_value(0); place < m_stacks->places();
             ++place) {
            do {
                ++function;
            } while (function == 0 || m_index.functions.find(function) != id_map::npos);
            function_record named{.id = function, .name = new_string(m_stacks->name_of(place))};
            if (!m_options.for_pgo) {
                named.file = new_string(m_stacks->key_of(place));
            }
            append_bytes(*m_out, field::profile::function, numbers_of(named).bytes());
            m_message.clear();
            append_bytes(m_message, field::location::line,
                         numbers_of(line_record{.function_id = function}).bytes());
            for (const std::uint64_t id : {place + 1U, place + 1U + m_stacks->places()}) {
                if (id == place + 1U || m_has_address[place]) {
                    number_fields<4> known;
                    known.add(field::location::id, id);
                    append_parts(*m_out, field::profile::location, known.bytes(), m_message);
                }
            }
        }
    }

    void write_location(std::uint32_t place, std::uint64_t id, bool with_address) {
        const profile_view& view = m_index.view;
        const char* const profile = view.bytes().data();
        m_message.clear();
        const auto keep_unknown = [this](std::string_view field) {
            if (!m_options.for_pgo) {
                m_message += field;
            }
        };
        const location_record location =
            read_location(view.at(view.locations[place]), profile, keep_unknown);
        bool has_name = false;
        m_stacks->for_each_line_left(place, location, [&](std::string_view bytes) {
            m_unknown.clear();
            line_record line =
                read_line(bytes, profile, [this](std::string_view field) { m_unknown += field; });
            if (m_options.for_pgo) {
                m_unknown.clear();
            }
            has_name |= m_index.functions.find(line.function_id) != id_map::npos;
            if (m_options.drop_lines) {
                line.number = 0;
            }
            if (m_options.drop_lines || m_options.for_pgo) {
                line.column = 0;
            }
            append_parts(m_message, field::location::line, numbers_of(line).bytes(), m_unknown);
        });
        number_fields<4> known;
        known.add(field::location::id, id);
        if (!m_options.for_pgo) {
            known.add(field::location::mapping_id, location.mapping_id);
            known.add(field::location::is_folded, location.is_folded ? 1 : 0);
        }
        if (with_address && !(m_options.drop_lines && has_name)) {
            known.add(field::location::address, location.address);
        }
        append_parts(*m_out, field::profile::location, known.bytes(), m_message);
    }

    void write_functions() {
        const profile_view& view = m_index.view;
        if (!m_options.for_pgo && m_rules.renames.empty()) {
            copy(field::profile::function, view.functions);
            return;
        }
        std::map<std::uint64_t, std::uint64_t> renamed; // numbers of names
        for (const record r : view.functions) {
            m_unknown.clear();
            function_record function =
                read_function(view.at(r), view.bytes().data(),
                              [this](std::string_view field) { m_unknown += field; });
            const auto name = static_cast<std::uint32_t>(function.name);
            if (const std::string_view text = m_stacks->names().text(name);
                text != m_index.strings.text(name)) {
                const auto [place, is_new] = renamed.try_emplace(name);
                place->second = is_new ? new_string(std::string{text}) : place->second;
                function.name = place->second;
            }
            if (m_options.for_pgo) {
                function = {
                    .id = function.id, .name = function.name, .start_line = function.start_line};
                m_unknown.clear();
            }
            append_parts(*m_out, field::profile::function, numbers_of(function).bytes(), m_unknown);
        }
    }

    void write_headers() {
        if (m_options.for_pgo) {
            return;
        }
        const profile_view& view = m_index.view;
        append_number(*m_out, field::profile::drop_frames, view.drop_frames);
        append_number(*m_out, field::profile::keep_frames, view.keep_frames);
        append_number(*m_out, field::profile::time_nanos,
                      static_cast<std::uint64_t>(view.time_nanos));
        append_number(*m_out, field::profile::duration_nanos,
                      static_cast<std::uint64_t>(view.duration_nanos));
        copy(field::profile::period_type, view.period_types);
        append_number(*m_out, field::profile::period, static_cast<std::uint64_t>(view.period));
        copy(field::profile::comment, view.comments);
        if (is_kept_type(view.default_sample_type)) {
            append_number(*m_out, field::profile::default_sample_type, view.default_sample_type);
        }
        append_number(*m_out, field::profile::doc_url, view.doc_url);
        for (const record field : view.unknown_fields) {
            *m_out += view.at(field);
        }
    }

    [[nodiscard]] bool is_dropped_label(std::string_view label) {
        const auto& added = m_options.add_labels;
        if (m_dropped_keys.empty() && added.empty()) {
            return false;
        }
        const string_index& strings = m_index.strings;
        const std::uint32_t key = strings.check(
            read_label(label, m_index.view.bytes().data(), ignore_unknown).key, label);
        if (!m_is_known_key[key]) {
            m_is_known_key[key] = true;
            const std::string_view text = strings.text(key);
            m_is_dropped_key[key] =
                is_dropped_key(text) ||
                std::any_of(added.begin(), added.end(),
                            [text](const auto& each) { return each.first == text; });
        }
        return m_is_dropped_key[key];
    }

    [[nodiscard]] bool is_dropped_key(std::string_view key) const {
        return std::any_of(m_dropped_keys.begin(), m_dropped_keys.end(),
                           [key](const auto& pattern) { return pattern->is_all_of(key); });
    }

    // The number of a string behind those of the profile, of which there is at least the empty one.
    std::uint64_t new_string(std::string text) {
        m_new_strings.push_back(std::move(text));
        return std::max<std::size_t>(m_index.view.strings.size(), 1) + m_new_strings.size() - 1;
    }

    void encode_added_labels() {
        m_added_labels.clear();
        for (const auto& [key, text] : m_options.add_labels) {
            const std::uint64_t number = new_string(key);
            const label_record added{.key = number, .text = new_string(text)};
            append_bytes(m_added_labels, field::sample::label, numbers_of(added).bytes());
        }
    }

    void write_strings() {
        copy(field::profile::string_table, m_index.view.strings);
        if (m_index.view.strings.empty()) {
            append_bytes(*m_out, field::profile::string_table, {});
        }
        for (const std::string& text : m_new_strings) {
            append_bytes(*m_out, field::profile::string_table, text);
        }
        require_written_size(m_out->size(), max_profile_size);
    }

    // A default that is gone would make pprof fail.
    [[nodiscard]] bool is_kept_type(std::uint64_t name) const {
        const std::string_view text = m_index.strings.text(m_index.strings.check(name, {}));
        return std::any_of(m_types.begin(), m_types.end(), [&](std::uint32_t type) {
            return m_index.types.sample_types[type].type == text;
        });
    }

    void copy(field::profile f, const std::vector<record>& records) {
        for (const record r : records) {
            append_bytes(*m_out, f, m_index.view.at(r));
        }
    }

    trim_options m_options;
    stack_rules m_rules; // which samples and frames stay
    std::vector<std::unique_ptr<const name_pattern>> m_dropped_keys;

    // The call at hand.
    profile_index m_index;
    sample_reader m_reader;
    std::optional<profile_stacks> m_stacks;
    std::string* m_out = nullptr;
    std::vector<std::string> m_new_strings;
    std::vector<std::uint32_t> m_types; // those that stay, by place
    std::vector<bool> m_has_address;    // by place, whether a stack needs it
    std::vector<bool> m_is_known_key;   // by string number
    std::vector<bool> m_is_dropped_key; // the same
    std::string m_added_labels;         // as each sample gets them
    std::vector<std::uint64_t> m_ids;   // of the locations of a sample, new ones
    std::vector<std::int64_t> m_values; // of a sample
    std::string m_message;              // being made
    std::string m_unknown;              // fields of a part of it
    std::string m_packed;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_MERGE_TRIMMER_HPP
