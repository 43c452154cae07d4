// SPDX-License-Identifier: Apache-2.0
#include "trace_records.hpp"

#include "mapping_search.hpp"
#include "wire_writer.hpp"

namespace pprofdelta {

void trace_records::start(std::span<const value_type> types, std::string& out) {
    m_out = &out;
    out.clear();
    m_strings.start();
    m_mappings = {};
    m_used.clear();
    for (const value_type& type : types) {
        add_value_type(field::profile::sample_type, type);
    }
}

void trace_records::add_value_type(field::profile f, const value_type& type) {
    m_message.clear();
    append_number(m_message, field::value_type::type, m_strings.number(type.type));
    append_number(m_message, field::value_type::unit, m_strings.number(type.unit));
    append_bytes(*m_out, f, m_message);
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
    m_message.clear();
    append_numbers(m_message, field::sample::value, values.data(), values.size(), m_packed);
    append_parts(*m_out, field::profile::sample, locations, m_message, labels);
}

void trace_records::use_mappings(std::span<const mapping> mappings) {
    m_mappings = mappings;
    m_mapping_ids.assign(mappings.size(), 0);
    if (!mappings.empty()) {
        mapping_id(main_binary(mappings));
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
    m_message.clear();
    append_number(m_message, field::location::id, id);
    if (place != mapping_search::npos) {
        append_number(m_message, field::location::mapping_id, mapping_id(place));
    }
    append_number(m_message, field::location::address, address);
    append_bytes(*m_out, field::profile::location, m_message);
}

void trace_records::add_mapping(const mapping& m, std::uint32_t id) {
    m_message.clear();
    append_number(m_message, field::mapping::id, id);
    append_number(m_message, field::mapping::memory_start, m.start);
    append_number(m_message, field::mapping::memory_limit, m.limit);
    append_number(m_message, field::mapping::file_offset, m.offset);
    append_number(m_message, field::mapping::filename, m_strings.number(m.file));
    append_number(m_message, field::mapping::build_id, m_strings.number(m.build_id));
    append_bytes(*m_out, field::profile::mapping, m_message);
}

void trace_records::finish(const trace_header& header) {
    std::uint32_t id = 0;
    for (const std::uint32_t place : m_used) {
        add_mapping(m_mappings[place], ++id);
    }
    const auto add_number = [this](field::profile f, std::int64_t number) {
        append_number(*m_out, f, static_cast<std::uint64_t>(number));
    };
    add_number(field::profile::drop_frames, m_strings.number(header.drop_frames));
    add_number(field::profile::keep_frames, m_strings.number(header.keep_frames));
    add_number(field::profile::time_nanos, header.time_nanos);
    add_number(field::profile::duration_nanos, header.duration_nanos);
    if (header.period_type != value_type{}) {
        add_value_type(field::profile::period_type, header.period_type);
    }
    add_number(field::profile::period, header.period);
    add_number(field::profile::default_sample_type, m_strings.number(header.default_sample_type));
    m_strings.write(*m_out);
}

} // namespace pprofdelta
