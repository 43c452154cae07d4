// SPDX-License-Identifier: Apache-2.0
//
// The sum of profiles. Each one goes through the passes of delta.cpp, with two differences: values
// are added to those before instead of subtracted, and locations, functions and strings are
// numbered on from the profile before, so that only what is new is written. Values are known when
// the last profile was added; all else of the sum is kept as it will be written.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <span>

#include <pprofdelta/codec.hpp>
#include <pprofdelta/error.hpp>
#include <pprofdelta/merge.hpp>
#include <pprofdelta/sample_types.hpp>

#include "base/errors.hpp"
#include "base/hash128.hpp"
#include "base/key_table.hpp"
#include "base/numbers.hpp"
#include "codec/codec.hpp"
#include "delta/series.hpp"
#include "profile/records.hpp"
#include "profile/samples.hpp"
#include "profile/stacks.hpp"
#include "profile/writer.hpp"
#include "select/names.hpp"
#include "select/stacks.hpp"
#include "wire/reader.hpp"
#include "wire/writer.hpp"

namespace pprofdelta {

namespace {

/// The frames of a profile as the compiler of Go has them: a name, a start line, a line and an
/// address (nodeInfo() in internal/profile/graph.go). Two that are the same count once in a stack.
class go_frames {
public:
    /// @param stacks outlives this; its frames are those that are left.
    /// @throws error incompatible if there are samples and no function has a start line, which the
    ///         compiler refuses.
    explicit go_frames(const profile_stacks& stacks) : m_frames{stacks.frames()} {
        const profile_index& index = stacks.index();
        std::vector<std::uint64_t> starts; // by function
        std::ranges::transform(index.view.functions, std::back_inserter(starts), [&](record r) {
            return index.view.read<function_record>(r).start_line;
        });
        const bool has_start =
            std::ranges::any_of(starts, [](std::uint64_t line) { return line != 0; });
        if (!has_start && !index.view.samples.empty()) {
            throw error{error_kind::incompatible, "no function has a start line, which Go's "
                                                  "compiler needs; Go has written them since 1.20"};
        }
        for (const record r : index.view.locations) {
            m_addresses.push_back(index.view.read<location_record>(r).address);
        }
        for (const auto& [function, line, file] : m_frames.frames()) {
            if (function == id_map::npos) {
                m_hashes.push_back(0);
                continue;
            }
            const hash128& name = index.strings.hash(index.functions.at(function).name);
            m_hashes.push_back(
                hash_words(name, starts[function], static_cast<std::uint64_t>(line)).low);
        }
    }

    /// Whether two frames of a stack would be the same if they had no addresses, and are not.
    /// @param stack places of locations, and of values of labels, which have no address.
    [[nodiscard]] bool need_addresses(std::span<const std::uint32_t> stack) {
        m_seen.clear();
        for (const std::uint32_t place : stack) {
            if (place < m_addresses.size()) {
                for (std::uint32_t i = m_frames.begin(place); i < m_frames.begin(place + 1); ++i) {
                    m_seen.emplace_back(m_hashes[i], m_addresses[place]);
                }
            }
        }
        std::ranges::sort(m_seen);
        return std::ranges::adjacent_find(m_seen, [](const auto& one, const auto& next) {
                   return one.first == next.first && one.second != next.second;
               }) != m_seen.end();
    }

private:
    const frame_index& m_frames;
    std::vector<std::uint64_t> m_hashes;    // of frames without their addresses
    std::vector<std::uint64_t> m_addresses; // by the place of a location
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
            m_dropped_keys.emplace_back(key);
        }
        std::erase_if(m_options.add_labels, [this](const auto& added) {
            return added.second.empty() || is_dropped_key(added.first);
        });
        m_keeps_labels = m_dropped_keys.empty() && m_options.add_labels.empty();
        m_keeps_stacks = m_options.keep_types.empty() && !m_options.for_pgo &&
                         !m_options.drop_lines && !m_rules.change_stacks() &&
                         !m_rules.folds_allocators;
    }

    [[nodiscard]] bool leaves_all() const noexcept { return m_options.are_empty(); }

    /// @param out     replaced.
    /// @returns the number of samples of the profile.
    /// @throws error malformed, as the sum does without trimming; too_large; incompatible for a
    /// profile that has not what is to stay.
    std::size_t trim(std::string_view profile, std::string& out) {
        m_index.build(profile, match_mode::exact);
        check_samples();
        m_out = &out;
        out.clear();
        out.reserve(profile.size());
        m_new_strings.clear();
        m_stacks.emplace(m_index, m_rules, m_options.for_pgo);
        choose_types();
        write_samples();
        if (!m_options.for_pgo) {
            copy(field::profile::mapping, m_index.view.mappings);
        }
        if (m_keeps_stacks) {
            copy(field::profile::location, m_index.view.locations);
        } else {
            write_locations();
        }
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
            m_reader.check(samples.data() + start, count);
        });
    }

    void choose_types() {
        const std::vector<value_type>& types = m_index.types.sample_types;
        m_types.clear();
        if (m_options.for_pgo) {
            const auto samples = std::ranges::find_if(types, [](const value_type& type) {
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
                for (const std::size_t type : matching_types(pattern, types)) {
                    if (std::ranges::find(m_types, type) == m_types.end()) {
                        m_types.push_back(static_cast<std::uint32_t>(type));
                    }
                }
            }
        }
        for (const std::uint32_t type : m_types) {
            append_bytes(*m_out, field::profile::sample_type,
                         m_index.view.at(m_index.view.sample_types[type]));
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
            if (!reader.is_selected()) {
                continue;
            }
            if (!m_keeps_stacks) {
                renumber(reader, frames);
            }
            write_sample(view.samples[sample]);
        }
    }

    // Takes the new stack and values of the sample at hand.
    void renumber(selected_reader& reader, std::optional<go_frames>& frames) {
        std::ranges::transform(m_types, m_values.begin(),
                               [&](std::uint32_t type) { return reader.values()[type]; });
        const std::span<const std::uint32_t> stack = reader.stack();
        const bool with_addresses = frames && frames->need_addresses(stack);
        m_ids.clear();
        for (const std::uint32_t place : stack) {
            m_ids.push_back(place + 1 + (with_addresses ? m_stacks->places() : 0));
            if (with_addresses) {
                m_has_address[place] = true;
            }
        }
    }

    // Its new stack and values, unless these stay, are those in m_ids and m_values.
    void write_sample(record sample) {
        const profile_view& view = m_index.view;
        if (m_keeps_stacks && m_keeps_labels) {
            append_bytes(*m_out, field::profile::sample, view.at(sample));
            return;
        }
        m_message.clear();
        if (!m_keeps_stacks) {
            append_numbers(m_message, field::sample::location_id, m_ids.data(), m_ids.size(),
                           m_packed);
            append_numbers(m_message, field::sample::value, m_values.data(), m_values.size(),
                           m_packed);
        }
        if (!m_options.for_pgo) {
            message_reader reader{view.at(sample), view.bytes().data()};
            while (reader.next()) {
                copy_field(reader);
            }
            m_message += m_added_labels;
        }
        append_bytes(*m_out, field::profile::sample, m_message);
    }

    // Copies what stays of a sample's field.
    void copy_field(message_reader& reader) {
        const auto number = reader.as<field::sample>();
        if (number == field::sample::label) {
            if (const std::string_view label = reader.bytes(); !is_dropped_label(label)) {
                append_bytes(m_message, field::sample::label, label);
            }
        } else if (!m_keeps_stacks &&
                   (number == field::sample::location_id || number == field::sample::value)) {
            reader.skip();
        } else {
            m_message += reader.raw();
        }
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

    // Labels are written as functions, each of which is a location alone.
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
                    append_parts(*m_out, field::profile::location,
                                 numbers_of(location_record{.id = id}).bytes(), m_message);
                }
            }
        }
    }

    // Takes fields that profile.proto does not have, which stay unless the compiler is to read it.
    auto unknown_to(std::string& out) {
        return [this, &out](std::string_view field) {
            if (!m_options.for_pgo) {
                out += field;
            }
        };
    }

    void write_location(std::uint32_t place, std::uint64_t id, bool with_address) {
        const profile_view& view = m_index.view;
        m_message.clear();
        const auto location =
            view.read<location_record>(view.at(view.locations[place]), unknown_to(m_message));
        bool has_name = false;
        m_stacks->for_each_line_left(place, location, [&](std::string_view bytes) {
            m_unknown.clear();
            auto line = view.read<line_record>(bytes, unknown_to(m_unknown));
            has_name |= m_index.functions.find(line.function_id) != id_map::npos;
            if (m_options.drop_lines) {
                line.number = 0;
            }
            if (m_options.drop_lines || m_options.for_pgo) {
                line.column = 0;
            }
            append_parts(m_message, field::location::line, numbers_of(line).bytes(), m_unknown);
        });
        location_record kept{.id = id};
        if (!m_options.for_pgo) {
            kept.mapping_id = location.mapping_id;
            kept.is_folded = location.is_folded;
        }
        if (with_address && !(m_options.drop_lines && has_name)) {
            kept.address = location.address;
        }
        append_parts(*m_out, field::profile::location, numbers_of(kept).bytes(), m_message);
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
            auto function = view.read<function_record>(view.at(r), unknown_to(m_unknown));
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
                      static_cast<std::uint64_t>(view.duration_nanos + view.false_duration_nanos));
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
        if (m_keeps_labels) {
            return false;
        }
        const auto& added = m_options.add_labels;
        const string_index& strings = m_index.strings;
        const std::uint32_t key = strings.check(m_index.view.read<label_record>(label).key, label);
        if (!m_is_known_key[key]) {
            m_is_known_key[key] = true;
            const std::string_view text = strings.text(key);
            m_is_dropped_key[key] =
                is_dropped_key(text) ||
                std::ranges::any_of(added, [text](const auto& each) { return each.first == text; });
        }
        return m_is_dropped_key[key];
    }

    [[nodiscard]] bool is_dropped_key(std::string_view key) const {
        return std::ranges::any_of(
            m_dropped_keys, [key](const name_pattern& pattern) { return pattern.is_all_of(key); });
    }

    // The number of a string behind those of the profile.
    std::uint64_t new_string(std::string text) {
        m_new_strings.push_back(std::move(text));
        return m_index.view.strings.size() + m_new_strings.size() - 1;
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
        for (const std::string& text : m_new_strings) {
            append_bytes(*m_out, field::profile::string_table, text);
        }
        require_written_size(m_out->size(), max_profile_size);
    }

    // A default that is gone would make pprof fail.
    [[nodiscard]] bool is_kept_type(std::uint64_t name) const {
        const std::string_view text = m_index.strings.text(m_index.strings.check(name, {}));
        return std::ranges::any_of(m_types, [&](std::uint32_t type) {
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
    std::vector<name_pattern> m_dropped_keys;
    bool m_keeps_labels = true; // none is dropped or added
    bool m_keeps_stacks = true; // and values: samples are left out whole or not at all

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

/// The distinct samples of several profiles, each with its key and the sums of its values, or what
/// is kept of levels.
///
/// A profile is added between begin() and either commit() or rollback(), after which the table is
/// as it was at begin().
class sum_table {
public:
    /// Forgets all entries, and sets how many values a sample has.
    /// @param levels the places of those of which the last or the largest one is kept.
    void configure(std::size_t value_count, std::vector<std::uint32_t> levels,
                   level_policy policy) {
        m_value_count = value_count;
        m_levels = std::move(levels);
        m_policy = policy;
        m_keys.table().clear();
        m_sums.clear();
        m_kept.clear();
        m_last_entries.clear();
        begin();
    }

    [[nodiscard]] std::uint32_t size() const noexcept { return m_keys.size(); }

    void begin() {
        m_added_entries.clear();
        m_added_values.clear();
        m_keys.begin();
    }

    /// The entry of `key`, a new one with values 0 if need be. O(1), and in the order of the
    /// profile before it reads memory from front to back.
    std::uint32_t find_or_add(const hash128& key) {
        const std::uint32_t entry = m_keys.find_or_add(key);
        m_sums.resize(size() * m_value_count, 0);
        m_kept.resize(size() * m_levels.size(), 0);
        return entry;
    }

    /// See recurring_keys.
    void prefetch(const hash128& key) const noexcept { m_keys.prefetch(key); }

    /// Adds `values`, one for each type, to those of `entry`.
    /// @returns false if one of the sums would not fit 64 bits; then rollback() has to follow.
    [[nodiscard]] bool add(std::uint32_t entry, const std::int64_t* values) {
        m_added_entries.push_back(entry);
        m_added_values.insert(m_added_values.end(), values, values + m_value_count);
        std::int64_t* const sums = m_sums.data() + entry * m_value_count;
        bool fits = true;
        for (std::size_t i = 0; i < m_value_count; ++i) {
            // A sum that does not fit is also one that rollback() can take `values` from.
            fits &= !__builtin_add_overflow(sums[i], values[i], &sums[i]);
        }
        return fits;
    }

    /// Reads what `entry` has since the last commit() or rollback(), into room for a value of each
    /// type.
    void read(std::uint32_t entry, std::int64_t* values) const noexcept {
        std::copy_n(m_sums.data() + entry * m_value_count, m_value_count, values);
        for (std::size_t i = 0; i < m_levels.size(); ++i) {
            values[m_levels[i]] = m_kept[entry * m_levels.size() + i];
        }
    }

    /// @param is_last whether the levels of the profile take the place of those before it.
    void commit(bool is_last) noexcept {
        if (!m_levels.empty()) {
            keep_levels(is_last);
        }
        begin();
    }

    void rollback() noexcept {
        // The last one may not have got as far as its values.
        const std::size_t added = m_value_count == 0 ? 0 : m_added_values.size() / m_value_count;
        for (std::size_t i = 0; i < added; ++i) {
            for (std::size_t v = 0; v < m_value_count; ++v) {
                std::int64_t& sum = m_sums[m_added_entries[i] * m_value_count + v];
                sum = wrapping_subtract(sum, m_added_values[i * m_value_count + v]);
            }
        }
        m_keys.table().truncate(m_keys.size_at_begin());
        m_sums.resize(size() * m_value_count);
        m_kept.resize(size() * m_levels.size());
        begin();
    }

private:
    void keep_levels(bool is_last) noexcept {
        const std::size_t count = m_levels.size();
        const bool replaces = m_policy == level_policy::last && is_last;
        if (replaces) {
            for (const std::uint32_t entry : m_last_entries) {
                std::fill_n(m_kept.data() + entry * count, count, 0);
            }
        }
        for (const std::uint32_t entry : m_added_entries) {
            for (std::size_t i = 0; i < count; ++i) {
                // All that the profile has of the entry, and 0 where that comes again.
                const std::int64_t level =
                    std::exchange(m_sums[entry * m_value_count + m_levels[i]], 0);
                std::int64_t& kept = m_kept[entry * count + i];
                if (m_policy == level_policy::max) {
                    kept = std::max(kept, level);
                } else if (replaces) {
                    kept += level;
                }
            }
        }
        if (replaces) {
            std::swap(m_last_entries, m_added_entries);
        }
    }

    std::size_t m_value_count = 0;
    recurring_keys m_keys;
    std::vector<std::int64_t> m_sums; // of levels those of the profile that is being added, else 0

    std::vector<std::uint32_t> m_levels; // their places
    level_policy m_policy = level_policy::last;
    std::vector<std::int64_t> m_kept;          // of each entry its levels
    std::vector<std::uint32_t> m_last_entries; // of the profile that has the last ones

    // The additions since begin(), which rollback() takes back.
    std::vector<std::uint32_t> m_added_entries;
    std::vector<std::int64_t> m_added_values;
};

/// The largest whole number up to which doubles have all.
constexpr double largest_exact = 0x1p53;

bool is_whole(double number) { return number == std::floor(number) && number <= largest_exact; }

/// Halves are rounded away from zero; none if it does not fit, as one that saturates would be wrong
/// without a sign of it.
std::optional<std::int64_t> rounded(double number) {
    const double whole = std::round(number);
    if (!(whole >= -0x1p63 && whole < 0x1p63)) {
        return std::nullopt;
    }
    return to_whole(whole);
}

std::optional<std::int64_t> multiplied(std::int64_t value, double weight) {
    if (!is_whole(weight)) {
        return rounded(static_cast<double>(value) * weight);
    }
    std::int64_t product = 0;
    const bool fits = !__builtin_mul_overflow(value, static_cast<std::int64_t>(weight), &product);
    return fits ? std::optional{product} : std::nullopt;
}

std::int64_t require_fit(std::optional<std::int64_t> number) {
    if (!number) {
        fail_overflow();
    }
    return *number;
}

std::optional<std::int64_t> added(std::optional<std::int64_t> a, std::optional<std::int64_t> b) {
    std::int64_t sum = 0;
    const bool fits = a && b && !__builtin_add_overflow(*a, *b, &sum);
    return fits ? std::optional{sum} : std::nullopt;
}

/// Rounded as well: small weights can make a mean larger than the sum.
std::int64_t divided(std::int64_t value, double divisor) {
    if (!is_whole(divisor)) {
        return require_fit(rounded(static_cast<double>(value) / divisor));
    }
    const auto by = static_cast<std::int64_t>(divisor);
    const std::int64_t rest = value % by;
    const bool is_up = 2 * magnitude(rest) >= static_cast<std::uint64_t>(by);
    return value / by + (is_up ? (value < 0 ? -1 : 1) : 0);
}

/// Divides the values of one type, sample by sample. What was rounded off one of them is in the
/// next: rounded alone, many small values would be nothing together, or twice as much.
class even_division {
public:
    explicit even_division(double divisor) : m_divisor{divisor} {}

    std::int64_t of(std::int64_t value) {
        if (value == 0) {
            return 0;
        }
        if (!is_whole(m_divisor)) {
            const double exact = static_cast<double>(value) / m_divisor + m_part;
            const std::int64_t whole = require_fit(rounded(exact));
            m_part = exact - static_cast<double>(whole);
            return whole;
        }
        const std::int64_t all = added(value, m_rest).value_or(value);
        const std::int64_t whole = divided(all, m_divisor);
        m_rest = all - whole * static_cast<std::int64_t>(m_divisor);
        return whole;
    }

private:
    double m_divisor;
    std::int64_t m_rest = 0; // that is not in a quotient yet
    double m_part = 0;       // the same for divisors that are not whole
};

bool is_zero(const std::int64_t* values, std::size_t count) {
    return std::all_of(values, values + count, [](std::int64_t value) { return value == 0; });
}

// All of the top level but the records that samples refer to. Strings are numbers in the sum.
struct header {
    std::int64_t time_nanos = 0;
    std::int64_t duration_nanos = 0;
    std::optional<std::int64_t> weighted_duration_nanos = 0; // none if it would not fit
    std::size_t without_duration = 0; // profiles that counted something, nobody knows how long
    std::int64_t period = 0;
    value_type_record period_type;
    std::uint32_t drop_frames = 0;
    std::uint32_t keep_frames = 0;
    std::uint32_t default_sample_type = 0;
    std::uint32_t doc_url = 0;
};

// A profile without what nothing refers to.
std::string without_unused(const std::string& profile) {
    profile_index index;
    index.build(profile, match_mode::exact);
    profile_writer writer;
    std::string out;
    writer.start(index, nullptr, out);
    stack_reader reader{index};
    for (const record sample : index.view.samples) {
        reader.read(sample);
        writer.write_sample(side::current, sample, reader.values());
    }
    writer.finish(index.view.duration_nanos);
    return out;
}

} // namespace

class profile_sum::impl {
public:
    explicit impl(merge_options options)
        : m_match{options.match}, m_levels{options.levels},
          m_ends_last{options.ends_last}, m_trimmer{std::move(options.trim)} {
        m_named.cumulative = std::move(options.cumulative);
        m_named.gauge = std::move(options.gauge);
        m_named.interval = std::move(options.interval);
    }

    profile_info add(std::string_view profile, double weight) {
        if (!(weight > 0 && std::isfinite(weight))) {
            refuse("a weight must be a positive number");
        }
        std::optional<std::size_t> samples_in;
        if (!m_trimmer.leaves_all()) {
            samples_in = m_trimmer.trim(profile, m_trimmed);
            profile = m_trimmed;
        }
        m_index.build(profile, m_match);
        if (m_summary.profiles == 0) {
            start();
        } else {
            std::optional<std::string> converted =
                m_types.sample_types != m_index.types.sample_types &&
                        m_types.sample_types.size() == m_index.types.sample_types.size()
                    ? convert_types(profile, m_types.sample_types)
                    : std::nullopt;
            if (converted) {
                m_converted = std::move(*converted);
                m_index.build(m_converted, m_match);
            }
            require_same(m_types, m_index.types);
        }
        identify_mappings();
        profile_info info = info_of(m_index);
        const std::size_t stacks_size = m_stacks.size();
        const std::size_t entries = m_stack_ends.size();
        const std::size_t records_size = m_records.size();
        const std::uint32_t comments = m_comments.size();
        m_table.begin();
        try {
            if (m_summary.profiles != 0) {
                m_writer.begin_next(m_index);
            }
            header next = next_header(weight);
            add_comments();
            add_samples(weight);
            m_writer.write_records();
            m_writer.write_strings();
            require_written_size(m_stacks.size() + m_records.size(), max_profile_size);
            remember_process();
            // Nothing can fail from here on.
            m_header = next;
        } catch (...) {
            m_table.rollback();
            m_writer.roll_back();
            m_comments.truncate(comments);
            m_records.resize(records_size);
            m_stack_ends.resize(entries);
            m_stacks.resize(stacks_size);
            throw;
        }
        const std::int64_t time = m_index.view.time_nanos;
        const bool is_last = m_last_time == 0 || time == 0 || time >= m_last_time;
        m_last_time = is_last ? time : m_last_time;
        m_table.commit(is_last);
        m_writer.commit();
        if (m_index.types.has_period_type()) {
            std::swap(m_types.period_type, m_index.types.period_type);
        }
        ++m_summary.profiles;
        m_summary.samples_in += samples_in.value_or(m_index.view.samples.size());
        m_total_weight += weight;
        return info;
    }

    merge_summary write(std::string& sum) const { return write(sum, m_header.duration_nanos, 1); }
    merge_summary write_mean(std::string& mean) const {
        return write(mean, require_fit(m_header.weighted_duration_nanos), m_total_weight);
    }

    [[nodiscard]] std::size_t size() const noexcept { return m_summary.profiles; }

private:
    // Rows of one process are one, whatever became of its files.
    void identify_mappings() {
        const auto known = m_processes.find(m_index.mappings.process().id());
        if (known != m_processes.end()) {
            static_cast<void>(m_index.identify_mappings_by(known->second, m_match));
        }
    }

    // The last ones of very many processes are known.
    void remember_process() {
        constexpr std::size_t most_processes = 256;
        const std::uint64_t process = m_index.mappings.process().id();
        if (process == 0 || m_processes.contains(process)) {
            return;
        }
        if (m_processes.size() == most_processes) {
            m_processes.clear();
        }
        const auto all = m_index.mappings.all();
        m_processes.emplace(process, std::vector<mapping_index::mapping>{all.begin(), all.end()});
    }

    // Whatever a first profile has left that could not be added is replaced.
    void start() {
        m_types = m_index.types;
        find_gauges();
        m_types.period_type = {};
        const bool are_kept = m_levels == level_policy::last || m_levels == level_policy::max;
        m_table.configure(m_types.sample_types.size(),
                          are_kept ? m_gauges : std::vector<std::uint32_t>{}, m_levels);
        m_values.resize(m_types.sample_types.size());
        m_writer.start(m_index, nullptr, m_records);
        for (const record field : m_index.view.unknown_fields) {
            m_records += m_index.view.at(field);
        }
    }

    void find_gauges() {
        m_gauges.clear();
        m_counts = false;
        const subtraction_plan plan = plan_subtraction(m_types, m_named);
        for (std::uint32_t i = 0; i < plan.kinds.size(); ++i) {
            if (plan.kinds[i] != value_kind::gauge) {
                m_counts = true;
            } else if (m_levels != level_policy::sum) {
                m_gauges.push_back(i);
            }
        }
    }

    void add_samples(double weight) {
        m_reader.start(m_index);
        const std::vector<record>& samples = m_index.view.samples;
        sample_reader::for_each_batch(0, samples.size(), [&](std::size_t first, std::size_t count) {
            m_reader.read(samples.data() + first, count);
            for (std::size_t i = 0; i < count; ++i) {
                m_table.prefetch(m_reader.key(i));
            }
            for (std::size_t i = 0; i < count; ++i) {
                const std::int64_t* values = m_reader.values(i);
                if (weight != 1) {
                    std::transform(values, values + m_values.size(), m_values.begin(),
                                   [weight](std::int64_t value) {
                                       return require_fit(multiplied(value, weight));
                                   });
                    values = m_values.data();
                }
                if (!is_zero(values, m_values.size())) {
                    add_sample(samples[first + i], m_reader.key(i), values);
                }
            }
        });
    }

    void add_sample(record sample, const hash128& key, const std::int64_t* values) {
        const std::uint32_t entry = m_table.find_or_add(key);
        if (entry == m_stack_ends.size()) {
            m_writer.append_stack(m_stacks, side::current, sample);
            m_stack_ends.push_back(m_stacks.size());
        }
        if (!m_table.add(entry, values)) {
            fail_overflow();
        }
    }

    // The rules are google/pprof's, in combineHeaders() of profile/merge.go.
    [[nodiscard]] header next_header(double weight) {
        const profile_view& view = m_index.view;
        header next = m_header;
        const auto use_first = [this](std::uint32_t& string, std::uint64_t number) {
            if (string == 0) {
                string = m_writer.use_header(number);
            }
        };
        if (m_summary.profiles == 0) {
            next = {};
            next.drop_frames = m_writer.use_header(view.drop_frames);
            next.keep_frames = m_writer.use_header(view.keep_frames);
        }
        const bool is_better =
            m_ends_last ? view.time_nanos > next.time_nanos : view.time_nanos < next.time_nanos;
        if (next.time_nanos == 0 || (view.time_nanos != 0 && is_better)) {
            next.time_nanos = view.time_nanos;
        }
        next.without_duration +=
            m_counts && view.duration_nanos <= 0 && !view.samples.empty() ? 1 : 0;
        next.duration_nanos = require_fit(added(next.duration_nanos, view.duration_nanos));
        next.weighted_duration_nanos =
            added(next.weighted_duration_nanos, multiplied(view.duration_nanos, weight));
        if (next.period == 0 || next.period < view.period) {
            next.period = view.period;
        }
        if (!view.period_types.empty() && next.period_type == value_type_record{}) {
            const auto type = view.read<value_type_record>(view.period_types.back());
            next.period_type = {m_writer.use_header(type.type), m_writer.use_header(type.unit)};
        }
        use_first(next.default_sample_type, view.default_sample_type);
        use_first(next.doc_url, view.doc_url);
        return next;
    }

    void add_comments() {
        const profile_view& view = m_index.view;
        for (const record numbers : view.comments) {
            for_each_packed(view.at(numbers), view.bytes().data(), [&](std::uint64_t number) {
                m_comments.find_or_add({m_writer.use_header(number), 0});
            });
        }
    }

    merge_summary write(std::string& out, std::int64_t duration_nanos, double divisor) const {
        if (m_summary.profiles == 0) {
            refuse("no profile has been added yet");
        }
        merge_summary summary = m_summary;
        summary.time_nanos = m_header.time_nanos;
        // The rate of what has more values than its duration would be too high.
        summary.without_duration = m_header.without_duration;
        summary.duration_nanos =
            m_header.without_duration == 0 ? divided(duration_nanos, divisor) : 0;
        out = m_records;
        append_samples(out, divisor, summary);
        append_headers(out, summary.duration_nanos);
        require_written_size(out.size(), max_profile_size);
        if (summary.samples_out != m_table.size()) {
            out = without_unused(out);
        }
        return summary;
    }

    void append_samples(std::string& out, double divisor, merge_summary& summary) const {
        const std::size_t type_count = m_types.sample_types.size();
        std::vector<std::int64_t> values(type_count);
        std::vector<even_division> divisions(type_count, even_division{divisor});
        for (const std::uint32_t gauge : m_gauges) {
            divisions[gauge] = even_division{m_levels == level_policy::mean ? m_total_weight : 1};
        }
        std::string packed;
        std::size_t begin = 0;
        for (std::uint32_t entry = 0; entry < m_table.size(); ++entry) {
            const std::string_view stack{m_stacks.data() + begin, m_stack_ends[entry] - begin};
            begin = m_stack_ends[entry];
            m_table.read(entry, values.data());
            std::ranges::transform(
                values, divisions, values.begin(),
                [](std::int64_t value, even_division& by) { return by.of(value); });
            if (is_zero(values.data(), type_count)) {
                continue;
            }
            const std::string_view encoded =
                number_field(field::sample::value, values.data(), type_count, packed);
            append_parts(out, field::profile::sample, stack, encoded);
            require_written_size(out.size(), max_profile_size);
            ++summary.samples_out;
        }
    }

    void append_headers(std::string& out, std::int64_t duration_nanos) const {
        const auto append = [&out](field::profile f, std::int64_t number) {
            append_number(out, f, static_cast<std::uint64_t>(number));
        };
        append(field::profile::drop_frames, m_header.drop_frames);
        append(field::profile::keep_frames, m_header.keep_frames);
        append(field::profile::time_nanos, m_header.time_nanos);
        append(field::profile::duration_nanos, duration_nanos);
        const auto period_type = numbers_of(m_header.period_type);
        if (!period_type.bytes().empty()) {
            append_bytes(out, field::profile::period_type, period_type.bytes());
        }
        append(field::profile::period, m_header.period);
        std::vector<std::uint32_t> comments(m_comments.size());
        for (std::uint32_t i = 0; i < comments.size(); ++i) {
            comments[i] = static_cast<std::uint32_t>(m_comments[i].low);
        }
        std::string packed;
        append_numbers(out, field::profile::comment, comments.data(), comments.size(), packed);
        append(field::profile::default_sample_type, m_header.default_sample_type);
        append(field::profile::doc_url, m_header.doc_url);
    }

    match_mode m_match;
    level_policy m_levels;
    bool m_ends_last;
    delta_options m_named; // which types are cumulative, and which are gauges
    trimmer m_trimmer;

    // The sum.
    merge_summary m_summary;
    double m_total_weight = 0;
    profile_types m_types;
    std::vector<std::uint32_t> m_gauges; // their places, unless they are added up
    bool m_counts = false;               // some type is not a gauge
    std::int64_t m_last_time = 0;        // of the profile with the last levels, or 0 if it has none
    header m_header;
    key_table m_comments; // their string numbers
    sum_table m_table;
    std::string m_stacks;                  // of each entry of the table, all but its values
    std::vector<std::size_t> m_stack_ends; // in m_stacks
    std::string m_records; // sample types, and all that samples refer to, as they will be written
    profile_writer m_writer;
    std::map<std::uint64_t, std::vector<mapping_index::mapping>> m_processes;

    // The call at hand.
    std::string m_trimmed;
    std::string m_converted; // with the types of the first one
    profile_index m_index;
    sample_reader m_reader;
    std::vector<std::int64_t> m_values;
};

profile_sum::profile_sum(merge_options options)
    : m_impl{std::make_unique<impl>(std::move(options))} {}
profile_sum::~profile_sum() = default;
profile_sum::profile_sum(profile_sum&&) noexcept = default;
profile_sum& profile_sum::operator=(profile_sum&&) noexcept = default;

profile_info profile_sum::add(std::string_view profile, double weight) {
    return m_impl->add(profile, weight);
}

std::size_t profile_sum::size() const noexcept { return m_impl->size(); }

merge_summary profile_sum::write(std::string& sum) const { return m_impl->write(sum); }

merge_summary profile_sum::write_mean(std::string& mean) const { return m_impl->write_mean(mean); }

std::string trim(std::string_view profile, const trim_options& options) {
    std::string left;
    trimmer{options}.trim(profile, left);
    return left;
}

} // namespace pprofdelta
