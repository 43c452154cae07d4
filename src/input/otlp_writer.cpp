// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <pprofdelta/error.hpp>
#include <pprofdelta/otlp_profile.hpp>

#include "base/hash128.hpp"
#include "base/key_table.hpp"
#include "base/numbers.hpp"
#include "base/text.hpp"
#include "codec/codec.hpp"
#include "delta/series.hpp"
#include "input/otlp_schema.hpp"
#include "profile/index.hpp"
#include "profile/producer_names.hpp"
#include "profile/records.hpp"
#include "profile/stacks.hpp"
#include "wire/writer.hpp"

namespace pprofdelta {

namespace {

// A string, or packed numbers, unless that is empty.
void append_some(std::string& message, std::uint32_t field, std::string_view bytes) {
    if (!bytes.empty()) {
        append_bytes(message, field, bytes);
    }
}

// Messages AnyValue.

std::string text_value(std::string_view text) {
    std::string message;
    append_bytes(message, otlp::any_value["string_value"], text);
    return message;
}

std::string true_value() {
    std::string message;
    append_number(message, otlp::any_value["bool_value"], 1);
    return message;
}

// A 0 is written as well, as it has to be there to be an integer.
std::string integer_value(std::uint64_t number) {
    std::string message;
    append_varint(message, otlp::any_value["int_value"] << 3U);
    append_varint(message, number);
    return message;
}

// @param elements messages AnyValue.
std::string list_value(const std::vector<std::string>& elements) {
    std::string array;
    for (const std::string& element : elements) {
        append_bytes(array, otlp::array_value["values"], element);
    }
    std::string message;
    append_bytes(message, otlp::any_value["array_value"], array);
    return message;
}

// A KeyValue. @param value an AnyValue.
std::string key_value_of(std::string_view key, std::string_view value) {
    std::string message;
    append_bytes(message, otlp::key_value["key"], key);
    append_bytes(message, otlp::key_value["value"], value);
    return message;
}

/// Writes what a profile's samples and headers refer to as a ProfilesDictionary: nothing twice, and
/// nothing else.
class otlp_dictionary_writer {
public:
    /// @param index is that of a profile. It and the budget outlive this.
    otlp_dictionary_writer(const profile_index& index, budget& budget)
        : m_index{index}, m_budget{budget}, m_written_strings(index.strings.size(), unwritten),
          m_written_mappings(index.view.mappings.size(), 0),
          m_written_functions(index.view.functions.size(), unwritten),
          m_written_locations(index.view.locations.size(), unwritten) {}

    /// Writes the mappings that these locations lie in, in the profile's order, as the first one is
    /// that of the program. The caller does so before stack(), with all locations that stacks will
    /// have.
    /// @param is_used says so by the place of locations.
    void use_mappings(const std::vector<bool>& is_used) {
        std::vector<bool> has_used(m_written_mappings.size());
        for (std::size_t place = 0; place < is_used.size(); ++place) {
            if (is_used[place]) {
                const std::uint32_t mapping = m_index.mappings.find(location_at(place).mapping_id);
                if (mapping != id_map::npos) {
                    has_used[mapping] = true;
                }
            }
        }
        for (std::size_t place = 0; place < has_used.size(); ++place) {
            if (has_used[place]) {
                m_written_mappings[place] = mapping(m_index.view.mappings[place]);
            }
        }
    }

    /// The index of a stack of locations, by their places, leaf first.
    [[nodiscard]] std::uint32_t stack(std::span<const std::uint32_t> places) {
        if (places.empty()) {
            return 0;
        }
        m_packed.clear();
        for (const std::uint32_t place : places) {
            append_varint(m_packed, location(place));
        }
        m_stack.clear();
        append_bytes(m_stack, otlp::stack["location_indices"], m_packed);
        return m_stacks.add(m_stack);
    }

    [[nodiscard]] std::uint32_t string(std::string_view text) { return m_strings.add(text); }

    /// The index of a string of the profile.
    /// @param number is one of the profile's. O(1) but for the first time.
    [[nodiscard]] std::uint32_t string_of(std::uint64_t number) {
        std::uint32_t& known = m_written_strings[number];
        if (known == unwritten) {
            known = m_strings.add(m_index.strings.text(static_cast<std::uint32_t>(number)));
        }
        return known;
    }

    /// @param value an AnyValue.
    [[nodiscard]] std::uint32_t attribute(std::uint32_t key, std::string_view value,
                                          std::uint32_t unit = 0) {
        std::string message;
        append_number(message, otlp::attribute["key_strindex"], key);
        append_bytes(message, otlp::attribute["value"], value);
        append_number(message, otlp::attribute["unit_strindex"], unit);
        return m_attributes.add(message);
    }
    [[nodiscard]] std::uint32_t attribute(std::string_view key, std::string_view value) {
        return attribute(string(key), value);
    }

    /// @param ids have 16 and 8 bytes.
    [[nodiscard]] std::uint32_t link(std::string_view trace_id, std::string_view span_id) {
        return m_links.add(link_of(trace_id, span_id));
    }

    /// The ProfilesDictionary as a field of ProfilesData.
    void append_to(std::string& message) const {
        append_parts(message, otlp::profiles_data["dictionary"], m_mappings.fields(),
                     m_locations.fields(), m_functions.fields(), m_links.fields(),
                     m_strings.fields(), m_attributes.fields(), m_stacks.fields());
    }

private:
    static std::string link_of(std::string_view trace_id, std::string_view span_id) {
        std::string message;
        append_bytes(message, otlp::link["trace_id"], trace_id);
        append_bytes(message, otlp::link["span_id"], span_id);
        return message;
    }

    [[nodiscard]] location_record location_at(std::size_t place) const {
        return m_index.view.read<location_record>(m_index.view.locations[place]);
    }

    std::uint32_t mapping(record at) {
        const auto from = m_index.view.read<mapping_record>(at);
        std::string attributes;
        const std::string_view build_id =
            m_index.strings.text(static_cast<std::uint32_t>(from.build_id));
        if (!build_id.empty()) {
            m_budget.charge(build_id.size()); // as many mappings can have one
            append_varint(attributes,
                          attribute(otlp::key_of_build_id(build_id), text_value(build_id)));
        }
        for (const otlp::mapping_flag& flag : otlp::mapping_flags) {
            if (from.*flag.value != 0) {
                append_varint(attributes, attribute(flag.name, true_value()));
            }
        }
        std::string message;
        append_number(message, otlp::mapping["memory_start"], from.start);
        append_number(message, otlp::mapping["memory_limit"], from.limit);
        append_number(message, otlp::mapping["file_offset"], from.offset);
        append_number(message, otlp::mapping["filename_strindex"], string_of(from.file));
        append_some(message, otlp::mapping["attribute_indices"], attributes);
        return m_mappings.add(message);
    }

    std::uint32_t function(std::uint32_t place) {
        std::uint32_t& known = m_written_functions[place];
        if (known == unwritten) {
            const auto from = m_index.view.read<function_record>(m_index.view.functions[place]);
            number_fields<4> message;
            message.add(otlp::function["name_strindex"], string_of(from.name));
            message.add(otlp::function["system_name_strindex"], string_of(from.system_name));
            message.add(otlp::function["filename_strindex"], string_of(from.file));
            message.add(otlp::function["start_line"], from.start_line);
            known = m_functions.add(message.bytes());
        }
        return known;
    }

    std::uint32_t location(std::uint32_t place) {
        std::uint32_t& known = m_written_locations[place];
        if (known != unwritten) {
            return known;
        }
        const location_record from = location_at(place);
        const std::uint32_t mapping = m_index.mappings.find(from.mapping_id);
        std::string message;
        append_number(message, otlp::location["mapping_index"],
                      mapping == id_map::npos ? 0 : m_written_mappings[mapping]);
        append_number(message, otlp::location["address"], from.address);
        for_each_line(from, m_index.view.bytes().data(), [&](std::string_view bytes) {
            const auto line = m_index.view.read<line_record>(bytes);
            const std::uint32_t of_line = m_index.functions.find(line.function_id);
            number_fields<3> fields;
            fields.add(otlp::line["function_index"],
                       of_line == id_map::npos ? 0 : function(of_line));
            fields.add(otlp::line["line"], line.number);
            fields.add(otlp::line["column"], line.column);
            append_bytes(message, otlp::location["lines"], fields.bytes());
        });
        std::string attributes;
        if (from.is_folded) {
            append_varint(attributes, attribute(otlp::is_folded, true_value()));
        }
        append_some(message, otlp::location["attribute_indices"], attributes);
        known = m_locations.add(message);
        return known;
    }

    static constexpr std::uint32_t unwritten = 0xffffffff;

    const profile_index& m_index;
    budget& m_budget;
    field_table m_mappings{otlp::dictionary["mapping_table"]};
    field_table m_locations{otlp::dictionary["location_table"]};
    field_table m_functions{otlp::dictionary["function_table"]};
    // An all-zero id is none, and readers that expect 16 and 8 bytes take it.
    field_table m_links{
        otlp::dictionary["link_table"],
        link_of(std::string(otlp::trace_id_size, '\0'), std::string(otlp::span_id_size, '\0'))};
    field_table m_strings{otlp::dictionary["string_table"]};
    field_table m_attributes{otlp::dictionary["attribute_table"]};
    field_table m_stacks{otlp::dictionary["stack_table"]};
    // Indices of what the profile has, by place.
    std::vector<std::uint32_t> m_written_strings;
    std::vector<std::uint32_t> m_written_mappings;
    std::vector<std::uint32_t> m_written_functions;
    std::vector<std::uint32_t> m_written_locations;
    std::string m_packed;
    std::string m_stack;
};

/// A resource and a scope in it, as samples' labels name them.
struct otlp_written_source {
    std::string resource{}; ///< A message, or empty.
    std::string scope_name{};
    std::vector<std::uint32_t> rows{}; ///< The rows of its samples, in their order.
};

/// Gathers the samples of a profile for OTLP: their stacks and labels go to the dictionary, and
/// equal ones are added up.
class otlp_sample_writer {
public:
    /// All have to outlive this.
    otlp_sample_writer(const profile_index& index, otlp_dictionary_writer& dictionary,
                       budget& budget)
        : m_index{index}, m_dictionary{dictionary}, m_budget{budget}, m_reader{index} {
        m_sets.find_or_add(hash_bytes(""), [] { return std::string{}; });
    }

    /// @throws error malformed, too_large.
    void add_all() {
        std::vector<bool> is_used(m_index.view.locations.size());
        for (const record sample : m_index.view.samples) {
            m_reader.read(sample);
            for (const std::uint32_t place : m_reader.locations()) {
                is_used[place] = true;
            }
        }
        m_dictionary.use_mappings(is_used);
        for (const record sample : m_index.view.samples) {
            add(sample);
        }
        if (m_sources.size() == 0) {
            m_groups.clear();
            take_source(); // for types, which are there without samples
        }
    }

    [[nodiscard]] const std::vector<otlp_written_source>& sources() const noexcept {
        return m_sources.values();
    }

    /// Appends the samples of a source to a Profile: those that are not 0 in this type, and with
    /// the first type also those that are 0 in all.
    /// @throws error too_large.
    void append_to(std::string& profile, const otlp_written_source& source,
                   std::size_t type) const {
        const std::size_t columns = m_index.types.sample_types.size();
        std::string sample;
        std::string value;
        for (const std::uint32_t number : source.rows) {
            const std::span values{&m_values[number * columns], columns};
            const auto is_zero = [](std::int64_t each) { return each == 0; };
            if (values[type] == 0 && !(type == 0 && std::ranges::all_of(values, is_zero))) {
                continue;
            }
            const otlp::row row = otlp::row::of(m_rows[number]);
            sample.clear();
            append_number(sample, otlp::sample["stack_index"], row.stack);
            append_some(sample, otlp::sample["attribute_indices"], m_sets[row.attributes]);
            append_number(sample, otlp::sample["link_index"], row.link);
            value.clear();
            append_varint(value, static_cast<std::uint64_t>(values[type]));
            append_bytes(sample, otlp::sample["values"], value); // packed, as readers expect
            m_budget.charge(sample.size());
            append_bytes(profile, otlp::profile["samples"], sample);
        }
    }

    /// The number of labels that had a text and a number, of which the text was written, or several
    /// units for one key, of which the first was.
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

    void add(record sample) {
        m_reader.read(sample);
        read_labels(m_index.view.at(sample));
        otlp::row row;
        row.stack = m_dictionary.stack(m_reader.locations());
        row.link = take_link();
        row.source = take_source();
        row.attributes = take_attributes();
        const std::size_t columns = m_reader.values().size();
        const std::size_t known = m_rows.size();
        const std::uint32_t number = m_rows.find_or_add(row.key());
        if (number == known) {
            m_values.resize((known + 1) * columns);
            m_sources[row.source].rows.push_back(number);
        }
        std::int64_t* const sums = m_values.data() + number * columns;
        std::transform(sums, sums + columns, m_reader.values().begin(), sums, wrapping_add);
    }

    // Labels of one key become one attribute, so that its key is there once in a sample.
    void read_labels(std::string_view sample) {
        m_labels.clear();
        for_each_label(m_index, sample, [&](const label_record& label) {
            const hash128& key = m_index.strings.hash(static_cast<std::uint32_t>(label.key));
            m_labels.push_back({m_keys.find_or_add(key), label});
        });
        std::ranges::stable_sort(m_labels, {}, &keyed_label::key);
        m_groups.clear();
        for (auto first = m_labels.begin(); first != m_labels.end();) {
            const auto last = std::find_if(first, m_labels.end(), [&](const keyed_label& each) {
                return each.key != first->key;
            });
            m_groups.push_back(group_of({first, last}));
            first = last;
        }
    }

    group group_of(std::span<const keyed_label> labels) {
        const label_record& first = labels.front().label;
        group result{text_of(first.key), {}, {}, {}};
        m_budget.charge(result.key.size()); // as many samples can have one text, which is hashed
        for (const keyed_label& each : labels) {
            m_budget.charge(text_of(each.label.text).size() + text_of(each.label.unit).size());
            result.unit = result.unit.empty() ? text_of(each.label.unit) : result.unit;
        }
        std::vector<std::string> values;
        for (const keyed_label& each : labels) {
            const std::string_view text = text_of(each.label.text);
            const std::string_view unit = text_of(each.label.unit);
            const bool has_number = each.label.number != 0 || !unit.empty();
            m_changed_labels += has_number && (!text.empty() || unit != result.unit) ? 1 : 0;
            values.push_back(!text.empty() ? text_value(text)
                             : has_number  ? integer_value(each.label.number)
                                           : std::string{});
        }
        if (values.size() == 1) {
            result.text = text_of(first.text);
            result.value = std::move(values.front());
        } else {
            result.value = list_value(values);
        }
        return result;
    }

    std::uint32_t take_link() {
        const auto find = [&](std::string_view key, std::size_t size) {
            return std::ranges::find_if(m_groups, [&](const group& each) {
                return each.key == key && is_id(each.text, size);
            });
        };
        const auto trace = find(otlp::trace_id, otlp::trace_id_size);
        const auto span = find(otlp::span_id, otlp::span_id_size);
        if (trace == m_groups.end() || span == m_groups.end()) {
            return 0;
        }
        trace->is_taken = true;
        span->is_taken = true;
        return m_dictionary.link(bytes_of_hexadecimal(trace->text),
                                 bytes_of_hexadecimal(span->text));
    }

    static bool is_id(std::string_view text, std::size_t bytes) {
        return text.size() == 2 * bytes &&
               text.find_first_not_of("0123456789abcdef") == std::string_view::npos &&
               text.find_first_not_of('0') != std::string_view::npos;
    }

    static std::string bytes_of_hexadecimal(std::string_view digits) {
        std::string bytes;
        for (; !digits.empty(); digits.remove_prefix(2)) {
            bytes += static_cast<char>(*to_number<std::uint8_t>(digits.substr(0, 2), 16));
        }
        return bytes;
    }

    std::uint32_t take_source() {
        otlp_written_source source;
        for (group& each : m_groups) {
            if (each.key == otlp::scope_name && !each.text.empty()) {
                source.scope_name = each.text;
                each.is_taken = true;
            } else if (each.key.starts_with(otlp::resource_prefix) && each.unit.empty()) {
                append_bytes(
                    source.resource, otlp::resource["attributes"],
                    key_value_of(each.key.substr(otlp::resource_prefix.size()), each.value));
                each.is_taken = true;
            }
        }
        const hash128 key = hash_words(hash_bytes(source.resource), hash_bytes(source.scope_name));
        return m_sources.find_or_add(key, [&] { return std::move(source); });
    }

    std::uint32_t take_attributes() {
        std::string packed;
        for (const group& each : m_groups) {
            if (!each.is_taken) {
                const std::uint32_t index = m_dictionary.attribute(
                    m_dictionary.string(each.key), each.value, m_dictionary.string(each.unit));
                append_varint(packed, index);
            }
        }
        const hash128 key = hash_bytes(packed);
        return m_sets.find_or_add(key, [&] { return std::move(packed); });
    }

    [[nodiscard]] std::string_view text_of(std::uint64_t number) const {
        return m_index.strings.text(static_cast<std::uint32_t>(number));
    }

    const profile_index& m_index;
    otlp_dictionary_writer& m_dictionary;
    budget& m_budget;
    stack_reader m_reader;
    key_table m_keys;                  // of labels, by the hashes of their texts
    std::vector<keyed_label> m_labels; // of the sample at hand, by key
    std::vector<group> m_groups;       // likewise
    keyed_list<std::string> m_sets;    // attribute indices, packed
    keyed_list<otlp_written_source> m_sources;
    key_table m_rows; // see otlp::row
    std::vector<std::int64_t> m_values;
    std::size_t m_changed_labels = 0;
};

// The parts that all Profiles of a message share, and those that they do not.
class otlp_profile_writer {
public:
    otlp_profile_writer(const profile_index& index, otlp_dictionary_writer& dictionary,
                        budget& budget, bool is_delta)
        : m_index{index}, m_dictionary{dictionary}, m_budget{budget} {
        const profile_view& view = index.view;
        auto time = static_cast<std::uint64_t>(std::max<std::int64_t>(view.time_nanos, 0));
        const auto duration =
            static_cast<std::uint64_t>(std::max<std::int64_t>(view.duration_nanos, 0));
        profile_types totals = index.types; // which have no duration
        totals.has_duration = false;
        is_delta = is_delta || (duration > 0 && !plan_subtraction(totals, {}).cumulative.empty());
        if ((is_delta || has_time_of_its_end(index.types.sample_types)) && duration <= time) {
            time -= duration;
        }
        append_fixed64(m_header, otlp::profile["time_unix_nano"], time);
        append_number(m_header, otlp::profile["duration_nano"], duration);
        if (index.types.has_period_type()) {
            append_bytes(m_header, otlp::profile["period_type"],
                         type_message(view.period_types.back()));
        }
        append_number(m_header, otlp::profile["period"], static_cast<std::uint64_t>(view.period));
        add_attributes(is_delta);
        for (const record type : view.sample_types) {
            m_types.push_back(type_message(type));
        }
    }

    void append_profile(std::string& scope, const otlp_sample_writer& samples,
                        const otlp_written_source& source, std::size_t type) const {
        std::string profile;
        append_bytes(profile, otlp::profile["sample_type"], m_types[type]);
        m_budget.charge(profile.size() + m_header.size());
        samples.append_to(profile, source, type);
        append_parts(scope, otlp::scope_profiles["profiles"], profile, m_header);
    }

    // An InstrumentationScope, with what pprof says of all types.
    [[nodiscard]] std::string scope_message(const std::string& name) const {
        std::string scope;
        append_some(scope, otlp::scope["name"], name);
        const std::string_view default_type = text_of(m_index.view.default_sample_type);
        m_budget.charge(default_type.size()); // as there can be many sources
        if (!default_type.empty()) {
            append_bytes(scope, otlp::scope["attributes"],
                         key_value_of(otlp::default_sample_type, text_value(default_type)));
        }
        std::vector<std::string> order;
        for (std::size_t i = 0; i < m_index.types.sample_types.size(); ++i) {
            order.push_back(integer_value(i));
        }
        append_bytes(scope, otlp::scope["attributes"],
                     key_value_of(otlp::sample_type_order, list_value(order)));
        return scope;
    }

private:
    [[nodiscard]] std::string_view text_of(std::uint64_t string) const {
        return m_index.strings.text(m_index.strings.check(string, {}));
    }

    [[nodiscard]] std::string type_message(record at) const {
        const auto type = m_index.view.read<value_type_record>(at);
        std::string message;
        append_number(message, otlp::value_type["type_strindex"],
                      m_dictionary.string_of(type.type));
        append_number(message, otlp::value_type["unit_strindex"],
                      m_dictionary.string_of(type.unit));
        return message;
    }

    void add_attributes(bool is_delta) {
        const profile_view& view = m_index.view;
        std::string packed;
        const auto add = [&](std::string_view key, std::string_view value) {
            append_varint(packed, m_dictionary.attribute(m_dictionary.string(key), value));
        };
        const auto add_text = [&](std::string_view key, std::uint64_t string) {
            if (const std::string_view text = text_of(string); !text.empty()) {
                add(key, text_value(text));
            }
        };
        std::vector<std::string> comments;
        for (const record each : view.comments) {
            for_each_packed(view.at(each), view.bytes().data(), [&](std::uint64_t string) {
                const std::string_view text = text_of(string);
                m_budget.charge(text.size()); // as many can be one
                comments.push_back(text_value(text));
            });
        }
        if (!comments.empty()) {
            add(otlp::comment, list_value(comments));
        }
        add_text(otlp::doc_url, view.doc_url);
        add_text(otlp::drop_frames, view.drop_frames);
        add_text(otlp::keep_frames, view.keep_frames);
        if (is_delta) {
            add(otlp::temporality, text_value(otlp::is_a_delta));
        }
        append_some(m_header, otlp::profile["attribute_indices"], packed);
    }

    const profile_index& m_index;
    otlp_dictionary_writer& m_dictionary;
    budget& m_budget;
    std::vector<std::string> m_types; // ValueTypes
    std::string m_header;             // fields of each Profile, behind its samples
};

// Readers of OTLP, ours too, take a type without a name for one of another version.
void require_names(const profile_types& types) {
    for (const value_type& type : types.sample_types) {
        if (type.type.empty()) {
            throw error{error_kind::incompatible,
                        "a sample type has no name, but OTLP requires one"};
        }
    }
}

// Strings of protobuf are UTF-8, and who receives a message refuses all of it for one that is not.
// A byte that is part of no character becomes a question mark, so all stays where it is.
// @param copy receives the profile, if a string had to be changed.
// @return the number of strings changed.
std::size_t make_utf8(const profile_view& view, std::string& copy) {
    std::size_t changed = 0;
    for (const record string : view.strings) {
        const std::string_view text = view.at(string);
        std::size_t good = utf8_prefix(text);
        if (good == text.size()) {
            continue;
        }
        ++changed;
        if (copy.empty()) {
            copy = view.bytes();
        }
        for (; good < text.size(); good += 1 + utf8_prefix(text.substr(good + 1))) {
            copy[string.offset + good] = '?';
        }
    }
    return changed;
}

} // namespace

otlp_losses write_otlp_profile(std::string_view profile, std::string& otlp, bool is_delta) {
    profile_index index;
    index.build(profile, match_mode::exact);
    std::string readable;
    const std::size_t changed_strings = make_utf8(index.view, readable);
    if (changed_strings > 0) {
        index.build(readable, match_mode::exact);
    }
    index.types.require_distinct("OTLP");
    require_names(index.types);
    budget budget = otlp::budget_of_message(profile.size(), max_profile_size);
    otlp_dictionary_writer dictionary{index, budget};
    otlp_sample_writer samples{index, dictionary, budget};
    samples.add_all();
    const otlp_profile_writer profiles{index, dictionary, budget, is_delta};

    otlp.clear();
    otlp.reserve(profile.size());
    for (const otlp_written_source& source : samples.sources()) {
        std::string scope;
        append_bytes(scope, otlp::scope_profiles["scope"],
                     profiles.scope_message(source.scope_name));
        for (std::size_t type = 0; type < index.types.sample_types.size(); ++type) {
            profiles.append_profile(scope, samples, source, type);
        }
        std::string resource;
        append_bytes(resource, otlp::resource_profiles["resource"], source.resource);
        append_bytes(resource, otlp::resource_profiles["scope_profiles"], scope);
        append_bytes(otlp, otlp::profiles_data["resource_profiles"], resource);
    }
    dictionary.append_to(otlp);
    require_written_size(otlp.size(), max_profile_size);
    return {index.view.unknown_fields.size(), samples.changed_labels(), changed_strings};
}

} // namespace pprofdelta
