// SPDX-License-Identifier: Apache-2.0
#include "otlp/sample_writer.hpp"

#include <algorithm>
#include <array>

#include "base/text_scanner.hpp"
#include "base/wrapping.hpp"
#include "otlp/any_value_writer.hpp"
#include "otlp/attribute_names.hpp"
#include "otlp/rows.hpp"

namespace pprofdelta {

namespace {

bool is_lower_hexadecimal(char c) noexcept { return is_decimal(c) || (c >= 'a' && c <= 'f'); }

bool is_id(std::string_view text, std::size_t bytes) {
    return text.size() == 2 * bytes && is_all(text, is_lower_hexadecimal) &&
           text.find_first_not_of('0') != std::string_view::npos;
}

std::string bytes_of_hexadecimal(std::string_view digits) {
    std::string bytes;
    for (; !digits.empty(); digits.remove_prefix(2)) {
        bytes += static_cast<char>(*to_number<std::uint8_t>(digits.substr(0, 2), 16));
    }
    return bytes;
}

} // namespace

otlp_sample_writer::otlp_sample_writer(const profile_index& index,
                                       otlp_dictionary_writer& dictionary, otlp_room& room)
    : m_index{index}, m_dictionary{dictionary}, m_room{room}, m_reader{index} {
    m_sets.find_or_add(hash_bytes(""), [] { return std::string{}; });
}

void otlp_sample_writer::add_all() {
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
        static_cast<void>(take_source()); // for types, which are there without samples
    }
}

void otlp_sample_writer::add(record sample) {
    m_reader.read(sample);
    read_labels(m_index.view.at(sample));
    otlp_row row;
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
    for (std::size_t i = 0; i < columns; ++i) {
        std::int64_t& value = m_values[number * columns + i];
        value = wrapping_add(value, m_reader.values()[i]);
    }
}

// Labels of one key become one attribute, so that its key is there once in a sample.
void otlp_sample_writer::read_labels(std::string_view sample) {
    const char* const profile = m_index.view.bytes().data();
    m_labels.clear();
    read_sample(
        sample, profile, [](std::string_view) {}, [](std::string_view) {},
        [&](std::string_view bytes) {
            const label_record label = read_label(bytes, profile, ignore_unknown);
            for (const std::uint64_t string : {label.key, label.text, label.unit}) {
                static_cast<void>(m_index.strings.check(string, bytes));
            }
            m_labels.push_back({m_keys.find_or_add(hash_of(label.key)), label});
        },
        ignore_unknown);
    std::stable_sort(m_labels.begin(), m_labels.end(),
                     [](const keyed_label& a, const keyed_label& b) { return a.key < b.key; });
    m_groups.clear();
    for (auto first = m_labels.begin(); first != m_labels.end();) {
        const auto last = std::find_if(
            first, m_labels.end(), [&](const keyed_label& each) { return each.key != first->key; });
        m_groups.push_back(group_of({first, last}));
        first = last;
    }
}

otlp_sample_writer::group otlp_sample_writer::group_of(std::span<const keyed_label> labels) {
    const label_record& first = labels.front().label;
    group result{text_of(first.key), {}, {}, {}};
    m_room.take(result.key.size()); // as many samples can have one text, which is hashed for each
    for (const keyed_label& each : labels) {
        m_room.take(text_of(each.label.text).size() + text_of(each.label.unit).size());
        result.unit = result.unit.empty() ? text_of(each.label.unit) : result.unit;
    }
    std::vector<std::string> values;
    for (const keyed_label& each : labels) {
        const std::string_view text = text_of(each.label.text);
        const std::string_view unit = text_of(each.label.unit);
        const bool has_number = each.label.number != 0 || !unit.empty();
        m_changed_labels += has_number && (!text.empty() || unit != result.unit) ? 1 : 0;
        values.push_back(!text.empty() ? text_any_value(text)
                         : has_number
                             ? integer_any_value(static_cast<std::int64_t>(each.label.number))
                             : std::string{});
    }
    if (values.size() == 1) {
        result.text = text_of(first.text);
        result.value = std::move(values.front());
    } else {
        result.value = list_any_value(values);
    }
    return result;
}

std::uint32_t otlp_sample_writer::take_link() {
    const auto find = [&](std::string_view key, std::size_t size) {
        return std::find_if(m_groups.begin(), m_groups.end(), [&](const group& each) {
            return each.key == key && is_id(each.text, size);
        });
    };
    const auto trace = find(otlp_names::trace_id, otlp_names::trace_id_size);
    const auto span = find(otlp_names::span_id, otlp_names::span_id_size);
    if (trace == m_groups.end() || span == m_groups.end()) {
        return 0;
    }
    const std::uint32_t link =
        m_dictionary.link(bytes_of_hexadecimal(trace->text), bytes_of_hexadecimal(span->text));
    trace->is_taken = true;
    span->is_taken = true;
    return link;
}

std::uint32_t otlp_sample_writer::take_source() {
    otlp_written_source source;
    for (group& each : m_groups) {
        if (each.key == otlp_names::scope_name && !each.text.empty()) {
            source.scope_name = each.text;
            each.is_taken = true;
        } else if (each.key.starts_with(otlp_names::resource_prefix) && each.unit.empty()) {
            append_bytes(
                source.resource, field::otlp::resource::attributes,
                key_value_of(each.key.substr(otlp_names::resource_prefix.size()), each.value));
            each.is_taken = true;
        }
    }
    word_hasher key;
    key.add(hash_bytes(source.resource));
    key.add(hash_bytes(source.scope_name));
    return m_sources.find_or_add(key.finish(), [&] { return std::move(source); });
}

std::uint32_t otlp_sample_writer::take_attributes() {
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

void otlp_sample_writer::append_to(std::string& profile, const otlp_written_source& source,
                                   std::size_t type) const {
    const std::size_t columns = m_index.types.sample_types.size();
    std::string sample;
    std::string value;
    for (const std::uint32_t number : source.rows) {
        const auto* const values = &m_values[number * columns];
        const auto is_all_zero = [&] {
            return std::all_of(values, values + columns,
                               [](std::int64_t each) { return each == 0; });
        };
        if (values[type] == 0 && !(type == 0 && is_all_zero())) {
            continue;
        }
        const otlp_row row = otlp_row::of(m_rows[number]);
        const std::string& attributes = m_sets[row.attributes];
        sample.clear();
        append_number(sample, field::otlp::sample::stack_index, row.stack);
        if (!attributes.empty()) {
            append_bytes(sample, field::otlp::sample::attribute_indices, attributes);
        }
        append_number(sample, field::otlp::sample::link_index, row.link);
        value.clear();
        append_varint(value, static_cast<std::uint64_t>(values[type]));
        append_bytes(sample, field::otlp::sample::values, value); // packed, as readers expect
        m_room.take(sample.size());
        append_bytes(profile, field::otlp::profile::samples, sample);
    }
}

} // namespace pprofdelta
