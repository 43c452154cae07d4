// SPDX-License-Identifier: Apache-2.0
#include "otlp/tables.hpp"

#include <algorithm>
#include <array>

#include "otlp/any_value.hpp"
#include "otlp/attribute_names.hpp"
#include "profile/records.hpp"
#include "wire/writer.hpp"

namespace pprofdelta {

namespace {

class table_writer {
public:
    table_writer(const otlp_dictionary& dictionary, otlp_strings& strings, std::string& profile)
        : m_dictionary{dictionary}, m_strings{strings}, m_profile{profile} {}

    void append_mapping(std::uint32_t index) {
        using part = field::otlp::mapping;
        mapping_record mapping{.id = index};
        std::size_t best = otlp_names::build_ids.size();
        otlp_reader fields =
            m_dictionary.read(otlp_mapping, m_dictionary.at(m_dictionary.mappings[index]));
        while (fields.next()) {
            switch (fields.as<part>()) {
            case part::memory_start:
                mapping.start = fields.varint();
                break;
            case part::memory_limit:
                mapping.limit = fields.varint();
                break;
            case part::file_offset:
                mapping.offset = fields.varint();
                break;
            case part::filename:
                mapping.file = fields.index(m_dictionary.strings.size());
                break;
            case part::attribute_indices:
                for_each_attribute(fields, [&](const otlp_attribute_value& attribute) {
                    use_attribute(attribute, mapping, best);
                });
                break;
            }
        }
        number_fields<10> message;
        message.add(field::mapping::id, mapping.id);
        message.add(field::mapping::memory_start, mapping.start);
        message.add(field::mapping::memory_limit, mapping.limit);
        message.add(field::mapping::file_offset, mapping.offset);
        message.add(field::mapping::filename, mapping.file);
        message.add(field::mapping::build_id, mapping.build_id);
        message.add(field::mapping::has_functions, mapping.has_functions);
        message.add(field::mapping::has_filenames, mapping.has_filenames);
        message.add(field::mapping::has_line_numbers, mapping.has_line_numbers);
        message.add(field::mapping::has_inline_frames, mapping.has_inline_frames);
        append_bytes(m_profile, field::profile::mapping, message.bytes());
    }

    void append_location(std::uint32_t index) {
        using part = field::otlp::location;
        number_fields<3> head;
        head.add(field::location::id, index);
        bool is_folded = false;
        std::uint64_t mapping = 0;
        std::uint64_t address = 0;
        m_lines.clear();
        otlp_reader fields =
            m_dictionary.read(otlp_location, m_dictionary.at(m_dictionary.locations[index]));
        while (fields.next()) {
            switch (fields.as<part>()) {
            case part::mapping_index:
                mapping = fields.index(m_dictionary.mappings.size());
                break;
            case part::address:
                address = fields.varint();
                break;
            case part::lines: {
                const std::string_view line = fields.bytes();
                check_line(line);
                append_bytes(m_lines, field::location::line, line);
                break;
            }
            case part::attribute_indices:
                for_each_attribute(fields, [&](const otlp_attribute_value& attribute) {
                    is_folded = is_folded || (attribute.key == otlp_names::is_folded &&
                                              attribute.value.is_true());
                });
                break;
            }
        }
        head.add(field::location::mapping_id, mapping);
        head.add(field::location::address, address);
        number_fields<1> tail;
        tail.add(field::location::is_folded, is_folded ? 1 : 0);
        append_parts(m_profile, field::profile::location, head.bytes(), m_lines, tail.bytes());
    }

    void append_function(std::uint32_t index) {
        using part = field::otlp::function;
        number_fields<5> message;
        message.add(field::function::id, index);
        function_record function;
        otlp_reader fields =
            m_dictionary.read(otlp_function, m_dictionary.at(m_dictionary.functions[index]));
        while (fields.next()) {
            const auto is = fields.as<part>();
            if (is == part::start_line) {
                function.start_line = fields.varint();
                continue;
            }
            const std::uint64_t string = fields.index(m_dictionary.strings.size());
            (is == part::name          ? function.name
             : is == part::system_name ? function.system_name
                                       : function.file) = string;
        }
        message.add(field::function::name, function.name);
        message.add(field::function::system_name, function.system_name);
        message.add(field::function::filename, function.file);
        message.add(field::function::start_line, function.start_line);
        append_bytes(m_profile, field::profile::function, message.bytes());
    }

private:
    template <typename Visit>
    void for_each_attribute(otlp_reader& fields, Visit&& visit) {
        fields.indices(m_dictionary.attributes.size(), [&](std::uint32_t index) {
            if (index != 0) {
                visit(read_attribute(m_dictionary, index));
            }
        });
    }

    // A line is the same message in both formats, and so are the numbers of functions.
    void check_line(std::string_view line) const {
        otlp_reader fields = m_dictionary.read(otlp_line, line);
        while (fields.next()) {
            if (fields.as<field::otlp::line>() == field::otlp::line::function_index) {
                static_cast<void>(fields.index(m_dictionary.functions.size()));
            } else {
                static_cast<void>(fields.varint());
            }
        }
    }

    // @param best place of the build id that the mapping has, in the list of their names.
    void use_attribute(const otlp_attribute_value& attribute, mapping_record& mapping,
                       std::size_t& best) {
        const auto place = static_cast<std::size_t>(
            std::find(otlp_names::build_ids.begin(), otlp_names::build_ids.end(), attribute.key) -
            otlp_names::build_ids.begin());
        if (place < best && attribute.value.is_text()) {
            best = place;
            mapping.build_id = attribute.value.is == otlp_any_value::kind::string
                                   ? m_strings.number(attribute.value.bytes)
                                   : attribute.value.string;
        }
        const std::uint64_t flag = attribute.value.is_true() ? 1 : 0;
        if (attribute.key == otlp_names::has_functions) {
            mapping.has_functions = flag;
        } else if (attribute.key == otlp_names::has_filenames) {
            mapping.has_filenames = flag;
        } else if (attribute.key == otlp_names::has_line_numbers) {
            mapping.has_line_numbers = flag;
        } else if (attribute.key == otlp_names::has_inline_frames) {
            mapping.has_inline_frames = flag;
        }
    }

    const otlp_dictionary& m_dictionary;
    otlp_strings& m_strings;
    std::string& m_profile;
    std::string m_lines;
};

} // namespace

void append_otlp_tables(const otlp_dictionary& dictionary, otlp_strings& strings,
                        std::string& profile) {
    table_writer writer{dictionary, strings, profile};
    for (std::uint32_t i = 1; i < dictionary.mappings.size(); ++i) {
        writer.append_mapping(i);
    }
    for (std::uint32_t i = 1; i < dictionary.locations.size(); ++i) {
        writer.append_location(i);
    }
    for (std::uint32_t i = 1; i < dictionary.functions.size(); ++i) {
        writer.append_function(i);
    }
}

} // namespace pprofdelta
