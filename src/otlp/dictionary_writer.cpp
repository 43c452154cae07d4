// SPDX-License-Identifier: Apache-2.0
#include "otlp/dictionary_writer.hpp"

#include "otlp/any_value_writer.hpp"
#include "otlp/attribute_names.hpp"
#include "profile/records.hpp"

namespace pprofdelta {

namespace {

constexpr std::uint32_t unwritten = 0xffffffff;

// An all-zero id is none, and readers that expect 16 and 8 bytes take it.
std::string zero_link() {
    std::string link;
    append_bytes(link, field::otlp::link::trace_id, std::string(16, '\0'));
    append_bytes(link, field::otlp::link::span_id, std::string(8, '\0'));
    return link;
}

void append_packed(std::string& packed, std::uint32_t number) {
    if (number != 0) {
        append_varint(packed, number);
    }
}

} // namespace

otlp_dictionary_writer::otlp_dictionary_writer(const profile_index& index, otlp_room& room)
    : m_index{index}, m_room{room}, m_links{field::otlp::dictionary::link_table, zero_link()},
      m_of_strings(index.strings.size(), unwritten), m_of_mappings(index.view.mappings.size(), 0),
      m_of_functions(index.view.functions.size(), unwritten),
      m_of_locations(index.view.locations.size(), unwritten) {}

std::uint32_t otlp_dictionary_writer::string_of(std::uint64_t number) {
    std::uint32_t& known = m_of_strings[number];
    if (known == unwritten) {
        known = m_strings.add(m_index.strings.text(static_cast<std::uint32_t>(number)));
    }
    return known;
}

std::uint32_t otlp_dictionary_writer::attribute(std::uint32_t key, std::string_view value,
                                                std::uint32_t unit) {
    std::string message;
    append_number(message, field::otlp::attribute::key, key);
    append_bytes(message, field::otlp::attribute::value, value);
    append_number(message, field::otlp::attribute::unit, unit);
    return m_attributes.add(message);
}

std::uint32_t otlp_dictionary_writer::flag(std::string_view key) {
    return attribute(string(key), true_any_value());
}

std::uint32_t otlp_dictionary_writer::link(std::string_view trace_id, std::string_view span_id) {
    std::string message;
    append_bytes(message, field::otlp::link::trace_id, trace_id);
    append_bytes(message, field::otlp::link::span_id, span_id);
    return m_links.add(message);
}

void otlp_dictionary_writer::use_mappings(const std::vector<bool>& is_used) {
    std::vector<bool> has_used(m_of_mappings.size());
    for (std::size_t place = 0; place < is_used.size(); ++place) {
        if (is_used[place]) {
            const location_record location =
                read_location(m_index.view.at(m_index.view.locations[place]),
                              m_index.view.bytes().data(), ignore_unknown);
            const std::uint32_t mapping = m_index.mappings.find(location.mapping_id);
            if (mapping != id_map::npos) {
                has_used[mapping] = true;
            }
        }
    }
    for (std::size_t place = 0; place < has_used.size(); ++place) {
        if (has_used[place]) {
            m_of_mappings[place] = mapping(m_index.view.mappings[place]);
        }
    }
}

std::uint32_t otlp_dictionary_writer::mapping(record at) {
    const mapping_record from =
        read_mapping(m_index.view.at(at), m_index.view.bytes().data(), ignore_unknown);
    std::string attributes;
    const std::string_view build_id =
        m_index.strings.text(static_cast<std::uint32_t>(from.build_id));
    if (!build_id.empty()) {
        m_room.take(build_id.size()); // as many mappings can have one
        append_packed(attributes, attribute(string(otlp_names::key_of_build_id(build_id)),
                                            text_any_value(build_id)));
    }
    if (from.has_functions != 0) {
        append_packed(attributes, flag(otlp_names::has_functions));
    }
    if (from.has_filenames != 0) {
        append_packed(attributes, flag(otlp_names::has_filenames));
    }
    if (from.has_line_numbers != 0) {
        append_packed(attributes, flag(otlp_names::has_line_numbers));
    }
    if (from.has_inline_frames != 0) {
        append_packed(attributes, flag(otlp_names::has_inline_frames));
    }
    std::string message;
    append_number(message, field::otlp::mapping::memory_start, from.start);
    append_number(message, field::otlp::mapping::memory_limit, from.limit);
    append_number(message, field::otlp::mapping::file_offset, from.offset);
    append_number(message, field::otlp::mapping::filename, string_of(from.file));
    if (!attributes.empty()) {
        append_bytes(message, field::otlp::mapping::attribute_indices, attributes);
    }
    return m_mappings.add(message);
}

std::uint32_t otlp_dictionary_writer::function(std::uint32_t place) {
    std::uint32_t& known = m_of_functions[place];
    if (known == unwritten) {
        const function_record from = read_function(m_index.view.at(m_index.view.functions[place]),
                                                   m_index.view.bytes().data(), ignore_unknown);
        number_fields<4> message;
        message.add(field::otlp::function::name, string_of(from.name));
        message.add(field::otlp::function::system_name, string_of(from.system_name));
        message.add(field::otlp::function::filename, string_of(from.file));
        message.add(field::otlp::function::start_line, from.start_line);
        known = m_functions.add(message.bytes());
    }
    return known;
}

std::uint32_t otlp_dictionary_writer::location(std::uint32_t place) {
    std::uint32_t& known = m_of_locations[place];
    if (known != unwritten) {
        return known;
    }
    const char* const profile = m_index.view.bytes().data();
    const location_record from =
        read_location(m_index.view.at(m_index.view.locations[place]), profile, ignore_unknown);
    std::string message;
    const std::uint32_t mapping = m_index.mappings.find(from.mapping_id);
    append_number(message, field::otlp::location::mapping_index,
                  mapping == id_map::npos ? 0 : m_of_mappings[mapping]);
    append_number(message, field::otlp::location::address, from.address);
    for_each_line(from, profile, [&](std::string_view bytes) {
        const line_record line = read_line(bytes, profile, ignore_unknown);
        const std::uint32_t of_line = m_index.functions.find(line.function_id);
        number_fields<3> fields;
        fields.add(field::otlp::line::function_index,
                   of_line == id_map::npos ? 0 : function(of_line));
        fields.add(field::otlp::line::line, line.number);
        fields.add(field::otlp::line::column, line.column);
        append_bytes(message, field::otlp::location::lines, fields.bytes());
    });
    if (from.is_folded) {
        std::string attributes;
        append_packed(attributes, flag(otlp_names::is_folded));
        append_bytes(message, field::otlp::location::attribute_indices, attributes);
    }
    known = m_locations.add(message);
    return known;
}

std::uint32_t otlp_dictionary_writer::stack(std::span<const std::uint32_t> places) {
    if (places.empty()) {
        return 0;
    }
    m_packed.clear();
    for (const std::uint32_t place : places) {
        append_varint(m_packed, location(place));
    }
    m_stack.clear();
    append_bytes(m_stack, field::otlp::stack::location_indices, m_packed);
    return m_stacks.add(m_stack);
}

void otlp_dictionary_writer::append_to(std::string& message) const {
    append_parts(message, field::otlp::profiles_data::dictionary, m_mappings.fields(),
                 m_locations.fields(), m_functions.fields(), m_links.fields(), m_strings.fields(),
                 m_attributes.fields(), m_stacks.fields());
}

} // namespace pprofdelta
