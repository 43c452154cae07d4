// SPDX-License-Identifier: Apache-2.0
#include "otlp/tables.hpp"

#include <algorithm>
#include <vector>

#include "base/grow.hpp"
#include "otlp/any_value.hpp"
#include "otlp/attribute_names.hpp"
#include "profile/records.hpp"
#include "wire/writer.hpp"

namespace pprofdelta {

namespace {

// A record of pprof that is made of one of OTLP. It has the same fields, with numbers that are
// higher by one, as an id stands before them where OTLP has the place in the table. So it is a
// copy.
class renumbered_record {
public:
    void start(std::uint32_t id, std::string_view message) {
        m_message = message;
        grow_to(m_bytes, message_head_room + number_room + message.size() + most_added);
        m_copy = encode_number(m_bytes.data() + message_head_room, field::location::id, id);
        m_end = std::copy(message.begin(), message.end(), m_copy);
    }

    // The field of the message whose tag is there has a place in pprof.
    void keep(const char* tag) {
        constexpr char next_number = 1 << 3;
        char& copy = m_copy[tag - m_message.data()];
        copy = static_cast<char>(copy + next_number);
    }
    // It has none, and ends with `value`.
    void drop(const otlp_reader& fields, std::string_view value) {
        m_dropped.push_back(
            {static_cast<std::uint32_t>(fields.start() - m_message.data()),
             static_cast<std::uint32_t>(value.data() + value.size() - fields.start())});
    }

    // A field that is not there yet; at most six.
    template <typename Field>
    void add(Field field, std::uint64_t number) {
        m_end = encode_number(m_end, field, number);
    }

    void append_to(std::string& profile, field::profile f) {
        close_gaps();
        append_finished(profile, f, m_bytes.data() + message_head_room, m_end);
    }

private:
    static constexpr std::size_t number_room = 2 * longest_varint;
    static constexpr std::size_t most_added = 6 * number_room;

    void close_gaps() {
        if (m_dropped.empty()) {
            return;
        }
        char* to = m_copy + m_dropped.front().offset;
        for (auto gap = m_dropped.begin(); gap != m_dropped.end(); ++gap) {
            const bool is_last = gap + 1 == m_dropped.end();
            to = std::copy(m_copy + gap->offset + gap->size,
                           is_last ? m_end : m_copy + (gap + 1)->offset, to);
        }
        m_end = to;
        m_dropped.clear();
    }

    std::string_view m_message;
    std::string m_bytes;
    char* m_copy = nullptr; // of the message, in m_bytes
    char* m_end = nullptr;
    std::vector<record> m_dropped; // in the copy
};

class table_writer {
public:
    table_writer(const otlp_dictionary& dictionary, otlp_strings& strings, std::string& profile)
        : m_dictionary{dictionary}, m_strings{strings}, m_profile{profile} {}

    void append_mapping(std::uint32_t index) {
        using part = field::otlp::mapping;
        mapping_record mapping;
        std::size_t best = otlp_names::build_ids.size();
        otlp_reader fields =
            start(index, otlp_mapping, m_dictionary.at(m_dictionary.mappings[index]));
        while (fields.next()) {
            if (fields.as<part>() == part::attribute_indices) {
                use_attributes(fields, [&](const otlp_attribute_value& attribute) {
                    use_attribute(attribute, mapping, best);
                });
                continue;
            }
            m_record.keep(fields.start());
            if (fields.as<part>() == part::filename) {
                static_cast<void>(fields.index(m_dictionary.strings.size()));
            } else {
                static_cast<void>(fields.varint());
            }
        }
        m_record.add(field::mapping::build_id, mapping.build_id);
        m_record.add(field::mapping::has_functions, mapping.has_functions);
        m_record.add(field::mapping::has_filenames, mapping.has_filenames);
        m_record.add(field::mapping::has_line_numbers, mapping.has_line_numbers);
        m_record.add(field::mapping::has_inline_frames, mapping.has_inline_frames);
        m_record.append_to(m_profile, field::profile::mapping);
    }

    void append_location(std::uint32_t index) {
        const std::string_view message = m_dictionary.at(m_dictionary.locations[index]);
        m_record.start(index, message);
        if (keep_usual_location(message)) {
            m_record.append_to(m_profile, field::profile::location);
        } else {
            append_any_location(index);
        }
    }

    void append_function(std::uint32_t index) {
        const std::string_view message = m_dictionary.at(m_dictionary.functions[index]);
        m_record.start(index, message);
        if (keep_usual_function(message)) {
            m_record.append_to(m_profile, field::profile::function);
        } else {
            append_any_function(index);
        }
    }

private:
    bool keep_usual_location(std::string_view message) {
        using part = field::otlp::location;
        return read_usual(message, [&](const short_field& field) {
            m_record.keep(field.start);
            switch (field.tag()) {
            case short_tag(part::mapping_index, wire_type::varint):
                return field.number < m_dictionary.mappings.size();
            case short_tag(part::address, wire_type::varint):
                return true;
            case short_tag(part::lines, wire_type::length_delimited):
                return is_usual_line(field.bytes);
            default:
                return false;
            }
        });
    }

    [[nodiscard]] bool is_usual_line(std::string_view line) const {
        using part = field::otlp::line;
        return read_usual(line, [&](const short_field& field) {
            switch (field.tag()) {
            case short_tag(part::function_index, wire_type::varint):
                return field.number < m_dictionary.functions.size();
            case short_tag(part::line, wire_type::varint):
            case short_tag(part::column, wire_type::varint):
                return true;
            default:
                return false;
            }
        });
    }

    bool keep_usual_function(std::string_view message) {
        using part = field::otlp::function;
        return read_usual(message, [&](const short_field& field) {
            m_record.keep(field.start);
            switch (field.tag()) {
            case short_tag(part::name, wire_type::varint):
            case short_tag(part::system_name, wire_type::varint):
            case short_tag(part::filename, wire_type::varint):
                return field.number < m_dictionary.strings.size();
            case short_tag(part::start_line, wire_type::varint):
                return true;
            default:
                return false;
            }
        });
    }

    template <typename Visit>
    [[nodiscard]] bool read_usual(std::string_view message, Visit&& visit) const {
        return read_short_fields(message, m_dictionary.bytes().data(), visit);
    }

    void append_any_location(std::uint32_t index) {
        using part = field::otlp::location;
        bool is_folded = false;
        otlp_reader fields =
            start(index, otlp_location, m_dictionary.at(m_dictionary.locations[index]));
        while (fields.next()) {
            if (fields.as<part>() == part::attribute_indices) {
                use_attributes(fields, [&](const otlp_attribute_value& attribute) {
                    is_folded = is_folded || (attribute.key == otlp_names::is_folded &&
                                              attribute.value.is_true());
                });
                continue;
            }
            m_record.keep(fields.start());
            switch (fields.as<part>()) {
            case part::mapping_index:
                static_cast<void>(fields.index(m_dictionary.mappings.size()));
                break;
            case part::lines:
                check_line(fields.bytes());
                break;
            default:
                static_cast<void>(fields.varint());
            }
        }
        m_record.add(field::location::is_folded, is_folded ? 1 : 0);
        m_record.append_to(m_profile, field::profile::location);
    }

    void append_any_function(std::uint32_t index) {
        using part = field::otlp::function;
        otlp_reader fields =
            start(index, otlp_function, m_dictionary.at(m_dictionary.functions[index]));
        while (fields.next()) {
            m_record.keep(fields.start());
            if (fields.as<part>() == part::start_line) {
                static_cast<void>(fields.varint());
            } else {
                static_cast<void>(fields.index(m_dictionary.strings.size()));
            }
        }
        m_record.append_to(m_profile, field::profile::function);
    }

    otlp_reader start(std::uint32_t index, const otlp_message& schema, std::string_view message) {
        m_record.start(index, message);
        return m_dictionary.read(schema, message);
    }

    // What pprof has fields for, or no place.
    template <typename Visit>
    void use_attributes(otlp_reader& fields, Visit&& visit) {
        const std::string_view packed = fields.bytes();
        m_record.drop(fields, packed);
        fields.indices_of(packed, m_dictionary.attributes.size(), [&](std::uint32_t index) {
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
    renumbered_record m_record;
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
