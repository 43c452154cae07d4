// SPDX-License-Identifier: Apache-2.0
#include "otlp/any_value.hpp"

#include <bit>

#include <pprofdelta/characters.hpp>
#include <pprofdelta/json.hpp>

#include "base/json_parts.hpp"

namespace pprofdelta {

namespace {

// protobuf's own readers stop at 100 levels, and no attribute needs more than a few.
constexpr int deepest_list = 32;

class value_printer {
public:
    value_printer(const otlp_dictionary& dictionary, otlp_room& room)
        : m_dictionary{dictionary}, m_room{room} {}

    void print(const otlp_any_value& value, int depth) {
        using kind = otlp_any_value::kind;
        if (!value.is) {
            append(depth == 0 ? "" : "null");
            return;
        }
        switch (*value.is) {
        case kind::string:
        case kind::string_index:
            print_text(value.is == kind::string ? value.bytes : m_dictionary.text(value.string),
                       depth);
            break;
        case kind::boolean:
            append(value.number != 0 ? "true" : "false");
            break;
        case kind::integer:
            append(std::to_string(static_cast<std::int64_t>(value.number)));
            break;
        case kind::real:
            append(json_number(std::bit_cast<double>(value.number)));
            break;
        case kind::bytes:
            print_bytes(value.bytes, depth == 0 ? "" : "\"");
            break;
        case kind::array:
            print_array(value, depth + 1);
            break;
        case kind::map:
            print_map(value, depth + 1);
            break;
        }
    }

    [[nodiscard]] std::string take() { return std::move(m_text); }

private:
    void append(std::string_view part) {
        m_room.take(2 * part.size()); // a text that grows is there twice meanwhile
        m_text += part;
    }

    void print_text(std::string_view text, int depth) {
        if (depth == 0) {
            append(text);
        } else {
            for_each_json_part(text, [this](std::string_view part) { append(part); });
        }
    }

    void print_bytes(std::string_view bytes, std::string_view quote) {
        append(quote);
        for (const char byte : bytes) {
            append(hexadecimal(static_cast<unsigned char>(byte), 2));
        }
        append(quote);
    }

    static void check_depth(const otlp_reader& fields, int depth) {
        if (depth > deepest_list) {
            fields.fail("is nested deeper than " + std::to_string(deepest_list));
        }
    }

    void print_array(const otlp_any_value& array, int depth) {
        append("[");
        otlp_reader fields = m_dictionary.read(otlp_array_value, array.bytes);
        for (bool is_first = true; fields.next(); is_first = false) {
            check_depth(fields, depth);
            append(is_first ? "" : ",");
            print(read_any_value(m_dictionary, fields.bytes()), depth);
        }
        append("]");
    }

    void print_map(const otlp_any_value& map, int depth) {
        append("{");
        otlp_reader fields = m_dictionary.read(otlp_key_value_list, map.bytes);
        for (bool is_first = true; fields.next(); is_first = false) {
            check_depth(fields, depth);
            append(is_first ? "" : ",");
            const otlp_attribute_value member = read_key_value(m_dictionary, fields.bytes());
            print_text(member.key, depth);
            append(":");
            print(member.value, depth);
        }
        append("}");
    }

    const otlp_dictionary& m_dictionary;
    otlp_room& m_room;
    std::string m_text;
};

// A message that has a field twice could be as long as it likes, and is referred to many times.
void check_once(bool& was_there, const otlp_reader& fields) {
    if (was_there) {
        fields.fail("is a second value");
    }
    was_there = true;
}

} // namespace

otlp_any_value read_any_value(const otlp_dictionary& dictionary, std::string_view message) {
    using kind = otlp_any_value::kind;
    otlp_any_value result;
    otlp_reader fields = dictionary.read(otlp_any_value_message, message);
    bool has_value = false;
    while (fields.next()) {
        check_once(has_value, fields);
        const kind is = fields.as<kind>();
        result.is = is;
        switch (is) {
        case kind::string:
        case kind::bytes:
        case kind::array:
        case kind::map:
            result.bytes = fields.bytes();
            break;
        case kind::boolean:
        case kind::integer:
            result.number = fields.varint();
            break;
        case kind::real:
            result.number = fields.fixed64();
            break;
        case kind::string_index:
            result.string = fields.index(dictionary.strings.size());
            break;
        }
    }
    return result;
}

otlp_attribute_value read_attribute(const otlp_dictionary& dictionary, std::uint32_t index) {
    using part = field::otlp::attribute;
    otlp_attribute_value result;
    otlp_reader fields =
        dictionary.read(otlp_attribute, dictionary.at(dictionary.attributes[index]));
    bool has_key = false;
    bool has_value = false;
    bool has_unit = false;
    while (fields.next()) {
        switch (fields.as<part>()) {
        case part::key:
            check_once(has_key, fields);
            result.key_index = fields.index(dictionary.strings.size());
            result.key = dictionary.text(result.key_index);
            break;
        case part::value:
            check_once(has_value, fields);
            result.value = read_any_value(dictionary, fields.bytes());
            break;
        case part::unit:
            check_once(has_unit, fields);
            result.unit = fields.index(dictionary.strings.size());
            break;
        }
    }
    return result;
}

otlp_attribute_value read_key_value(const otlp_dictionary& dictionary, std::string_view message) {
    using part = field::otlp::key_value;
    otlp_attribute_value result;
    otlp_reader fields = dictionary.read(otlp_key_value, message);
    bool has_key = false;
    bool has_value = false;
    while (fields.next()) {
        switch (fields.as<part>()) {
        case part::key:
            check_once(has_key, fields);
            result.key = fields.bytes();
            break;
        case part::key_strindex:
            check_once(has_key, fields);
            result.key_index = fields.index(dictionary.strings.size());
            result.key = dictionary.text(result.key_index);
            break;
        case part::value:
            check_once(has_value, fields);
            result.value = read_any_value(dictionary, fields.bytes());
            break;
        }
    }
    return result;
}

std::string print_any_value(const otlp_dictionary& dictionary, const otlp_any_value& value,
                            otlp_room& room) {
    value_printer printer{dictionary, room};
    printer.print(value, 0);
    return printer.take();
}

} // namespace pprofdelta
