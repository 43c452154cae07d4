// SPDX-License-Identifier: Apache-2.0
#include "traces/records.hpp"

#include <array>

#include <pprofdelta/codec.hpp>

#include "base/hash128.hpp"
#include "base/memory.hpp"
#include "codec/codec.hpp"
#include "profile/index.hpp"
#include "traces/mappings.hpp"
#include "wire/packed_numbers.hpp"
#include "wire/reader.hpp"
#include "wire/writer.hpp"

namespace pprofdelta {

void string_table::start() {
    m_texts.clear();
    m_fields.clear();
    number("");
}

std::uint32_t string_table::number(std::string_view text) {
    const std::uint32_t known = m_texts.size();
    const std::uint32_t number = m_texts.find_or_add(hash_bytes(text));
    if (number == known) {
        append_bytes(m_fields, field::profile::string_table, text);
    }
    return number;
}

void trace_records::start(std::span<const value_type> types, std::string& out) {
    m_out.start(out);
    m_strings.start();
    m_mappings = {};
    m_used.clear();
    m_fields.clear();
    for (const value_type& type : types) {
        append_value_type(field::profile::sample_type, type);
    }
    m_out.append(m_fields);
}

void trace_records::append_value_type(field::profile f, const value_type& type) {
    m_message.clear();
    append_number(m_message, field::value_type::type, m_strings.number(type.type));
    append_number(m_message, field::value_type::unit, m_strings.number(type.unit));
    append_bytes(m_fields, f, m_message);
}

void trace_records::append_label(std::string& fields, const label& l) {
    m_message.clear();
    append_number(m_message, field::label::key, m_strings.number(l.key));
    append_number(m_message, field::label::str, m_strings.number(l.text));
    append_number(m_message, field::label::num, static_cast<std::uint64_t>(l.number));
    append_number(m_message, field::label::num_unit, m_strings.number(l.unit));
    append_bytes(fields, field::sample::label, m_message);
}

void trace_records::add_sample(std::string_view locations, std::span<const std::int64_t> values,
                               std::string_view labels) {
    // What comes before the sample is its length, and that depends on how long the values are.
    grow_to(m_values, number_field_room<std::int64_t>(values.size()));
    char* end =
        encode_number_field(m_values.data(), field::sample::value, values.data(), values.size());
    const std::string_view encoded{m_values.data(),
                                   static_cast<std::size_t>(end - m_values.data())};
    const std::size_t size = locations.size() + encoded.size() + labels.size();
    end = m_out.room(message_head_room + size);
    end = encode_tag(end, field::profile::sample, wire_type::length_delimited);
    end = encode_varint(end, size);
    for (const std::string_view part : {locations, encoded, labels}) {
        end = output_bytes::put(end, part);
    }
    m_out.keep(end);
}

void trace_records::use_mappings(std::span<const mapping> mappings) {
    m_mappings = mappings;
    m_mapping_ids.assign(mappings.size(), 0);
    if (!mappings.empty()) {
        mapping_id(0);
    }
}

std::uint32_t trace_records::mapping_id(std::uint32_t place) {
    std::uint32_t& id = m_mapping_ids[place];
    if (id == 0) {
        m_used.push_back(place);
        id = static_cast<std::uint32_t>(m_used.size());
    }
    return id;
}

void trace_records::add_location(std::uint64_t id, std::uint64_t address, std::uint32_t place,
                                 std::span<const frame_line> lines) {
    number_fields<3> location;
    location.add(field::location::id, id);
    location.add(field::location::mapping_id,
                 place == mapping_search::npos ? 0 : mapping_id(place));
    location.add(field::location::address, address);
    if (lines.empty()) {
        m_out.append(location.as_field(field::profile::location));
        return;
    }
    m_message.clear();
    for (const frame_line& each : lines) {
        number_fields<2> fields;
        fields.add(field::line::function_id, each.function);
        fields.add(field::line::line, static_cast<std::uint64_t>(each.number));
        m_message += fields.as_field(field::location::line);
    }
    m_fields.clear();
    append_parts(m_fields, field::profile::location, location.bytes(), m_message);
    m_out.append(m_fields);
}

void trace_records::add_function(std::uint64_t id, std::string_view name, std::string_view file) {
    number_fields<3> function;
    function.add(field::function::id, id);
    function.add(field::function::name, m_strings.number(name));
    function.add(field::function::filename, m_strings.number(file));
    m_out.append(function.as_field(field::profile::function));
}

void trace_records::append_mapping(const mapping& m, std::uint32_t id) {
    m_message.clear();
    append_number(m_message, field::mapping::id, id);
    append_number(m_message, field::mapping::memory_start, m.start);
    append_number(m_message, field::mapping::memory_limit, m.limit);
    append_number(m_message, field::mapping::file_offset, m.offset);
    append_number(m_message, field::mapping::filename, m_strings.number(m.file));
    append_number(m_message, field::mapping::build_id, m_strings.number(m.build_id));
    append_bytes(m_fields, field::profile::mapping, m_message);
}

void trace_records::finish(const trace_header& header) {
    m_fields.clear();
    std::uint32_t id = 0;
    for (const std::uint32_t place : m_used) {
        append_mapping(m_mappings[place], ++id);
    }
    const auto append = [this](field::profile f, std::int64_t number) {
        append_number(m_fields, f, static_cast<std::uint64_t>(number));
    };
    append(field::profile::drop_frames, m_strings.number(header.drop_frames));
    append(field::profile::keep_frames, m_strings.number(header.keep_frames));
    append(field::profile::time_nanos, header.time_nanos);
    append(field::profile::duration_nanos, header.duration_nanos);
    if (!(header.period_type == value_type{})) {
        append_value_type(field::profile::period_type, header.period_type);
    }
    append(field::profile::period, header.period);
    append(field::profile::default_sample_type, m_strings.number(header.default_sample_type));
    m_out.append(m_fields);
    m_out.append(m_strings.fields());
    require_written_size(m_out.size(), max_profile_size);
    m_out.finish();
}

void trace_profile::begin(std::span<const value_type> types, std::string& out) {
    m_addresses.clear();
    m_functions.clear();
    m_names.clear();
    m_lines.clear();
    m_open = key_table::npos;
    m_records.start(types, out);
}

void trace_profile::add_sample(std::span<const std::uint64_t> addresses,
                               std::span<const std::int64_t> values,
                               std::span<const label> labels) {
    m_ids.clear();
    for (const std::uint64_t address : addresses) {
        m_ids.push_back(m_addresses.find_or_add({address, 0}) + 1);
    }
    m_locations.clear();
    append_numbers(m_locations, field::sample::location_id, m_ids.data(), m_ids.size(), m_packed);
    m_labels.clear();
    for (const label& l : labels) {
        m_records.append_label(m_labels, l);
    }
    m_records.add_sample(m_locations, values, m_labels);
}

void trace_profile::add_name(std::uint64_t address, std::string_view function,
                             std::string_view file, std::int64_t line) {
    const std::uint32_t number = m_addresses.find({address, 0});
    if (number == key_table::npos) {
        return;
    }
    const std::array<hash128, 2> texts{hash_bytes(function), hash_bytes(file)};
    const std::uint32_t known = m_functions.size();
    const std::uint32_t id = m_functions.find_or_add(hash_bytes(texts.data(), sizeof texts)) + 1;
    if (m_names.size() <= number) {
        m_names.resize(m_addresses.size());
    }
    names& of = m_names[number];
    const trace_records::frame_line added{id, line};
    const bool is_first = of.begin == of.end;
    const bool goes_on = m_open == number && !(m_lines[of.begin] == added);
    if (is_first || goes_on) {
        if (id > known) {
            m_records.add_function(id, function, file);
        }
        of.begin = is_first ? static_cast<std::uint32_t>(m_lines.size()) : of.begin;
        m_lines.push_back(added);
        of.end = static_cast<std::uint32_t>(m_lines.size());
        m_open = number;
    } else {
        // It was named before: in another stack, or in this one by a call of itself.
        m_open = key_table::npos;
    }
}

void trace_profile::finish(const trace_header& header, std::span<const mapping> mappings) {
    m_names.resize(m_addresses.size());
    m_search.build(mappings);
    m_records.use_mappings(mappings);
    for (std::uint32_t place = 0; place < mappings.size(); ++place) {
        if (tells_process(mappings[place].file)) {
            m_records.use_mapping(place);
        }
    }
    for (std::uint32_t number = 0; number < m_addresses.size(); ++number) {
        const std::uint64_t address = m_addresses[number].low;
        const names& of = m_names[number];
        m_records.add_location(number + 1U, address, m_search.find(address),
                               std::span{m_lines}.subspan(of.begin, of.end - of.begin));
    }
    m_records.finish(header);
}

} // namespace pprofdelta
