// SPDX-License-Identifier: Apache-2.0
#include "traces/records.hpp"

#include <array>

#include <pprofdelta/codec.hpp>

#include "base/hash128.hpp"
#include "base/memory.hpp"
#include "codec/codec.hpp"
#include "profile/process_sign.hpp"
#include "traces/mappings.hpp"
#include "wire/packed_numbers.hpp"
#include "wire/reader.hpp"
#include "wire/writer.hpp"

namespace pprofdelta {

namespace {

// Tags of varints and of what has a length. Field numbers here are below 16, so they are one byte.
template <typename Field>
constexpr char varint_tag(Field f) {
    return static_cast<char>(static_cast<unsigned>(f) << 3U);
}
template <typename Field>
constexpr char bytes_tag(Field f) {
    return static_cast<char>(static_cast<unsigned>(f) << 3U | 2U);
}

constexpr std::size_t varint_room = longest_varint; // encode_varint() may write to all of it

} // namespace

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
    grow_to(m_values, encoded_room<std::int64_t>(values.size()));
    char* end = encode_numbers(m_values.data(), values.data(), values.size());
    const std::string_view numbers{m_values.data(),
                                   static_cast<std::size_t>(end - m_values.data())};
    std::array<char, 1 + varint_room> start{};
    end = start.data();
    if (values.size() == 1) { // shorter without the packing
        *end++ = varint_tag(field::sample::value);
    } else if (!values.empty()) {
        *end++ = bytes_tag(field::sample::value);
        end = encode_varint(end, numbers.size());
    }
    const std::string_view values_start{start.data(), static_cast<std::size_t>(end - start.data())};

    const std::size_t size =
        locations.size() + values_start.size() + numbers.size() + labels.size();
    end = m_out.room(1 + varint_room + size);
    *end++ = bytes_tag(field::profile::sample);
    end = encode_varint(end, size);
    for (const std::string_view part : {locations, values_start, numbers, labels}) {
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

void trace_records::add_location(std::uint64_t id, std::uint64_t address, std::uint32_t place) {
    char* const start = m_out.room(2 + 3 * (1 + varint_room));
    char* end = start + 2;
    const auto add_number = [&end](field::location f, std::uint64_t number) {
        if (number != 0) {
            *end++ = varint_tag(f);
            end = encode_varint(end, number);
        }
    };
    add_number(field::location::id, id);
    add_number(field::location::mapping_id, place == mapping_search::npos ? 0 : mapping_id(place));
    add_number(field::location::address, address);
    start[0] = bytes_tag(field::profile::location);
    start[1] = static_cast<char>(end - (start + 2)); // three numbers are less than 128 bytes
    m_out.keep(end);
}

void trace_records::add_function(std::uint64_t id, std::string_view name) {
    number_fields<1> line;
    line.add(field::line::function_id, id);
    number_fields<1> location;
    location.add(field::location::id, id);
    number_fields<2> function;
    function.add(field::function::id, id);
    function.add(field::function::name, m_strings.number(name));
    m_fields.clear();
    append_parts(m_fields, field::profile::location, location.bytes(),
                 line.as_field(field::location::line));
    append_bytes(m_fields, field::profile::function, function.bytes());
    m_out.append(m_fields);
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

void trace_profile::finish(const trace_header& header, std::span<const mapping> mappings) {
    m_search.build(mappings);
    m_records.use_mappings(mappings);
    for (std::uint32_t place = 0; place < mappings.size(); ++place) {
        if (tells_process(mappings[place].file)) {
            m_records.use_mapping(place);
        }
    }
    for (std::uint32_t number = 0; number < m_addresses.size(); ++number) {
        const std::uint64_t address = m_addresses[number].low;
        m_records.add_location(number + 1U, address, m_search.find(address));
    }
    m_records.finish(header);
}

} // namespace pprofdelta
