// SPDX-License-Identifier: Apache-2.0
#include "input/otlp_message.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "wire/writer.hpp"

namespace pprofdelta {

namespace {

constexpr std::array<otlp_field, 2> profiles_data_fields{{
    {"resource_profiles", wire_type::length_delimited, otlp_rule::each, &otlp_resource_profiles},
    {"dictionary", wire_type::length_delimited, otlp_rule::one, &otlp_dictionary_message},
}};

constexpr std::array<otlp_field, 3> resource_profiles_fields{{
    {"resource", wire_type::length_delimited, otlp_rule::one, &otlp_resource},
    {"scope_profiles", wire_type::length_delimited, otlp_rule::each, &otlp_scope_profiles},
    {"schema_url", wire_type::length_delimited},
}};

constexpr std::array<otlp_field, 3> resource_fields{{
    {"attributes", wire_type::length_delimited, otlp_rule::each, &otlp_key_value},
    {"dropped_attributes_count", wire_type::varint},
    {"entity_refs", wire_type::length_delimited, otlp_rule::each},
}};

constexpr std::array<otlp_field, 3> scope_profiles_fields{{
    {"scope", wire_type::length_delimited, otlp_rule::one, &otlp_scope},
    {"profiles", wire_type::length_delimited, otlp_rule::each, &otlp_profile},
    {"schema_url", wire_type::length_delimited},
}};

constexpr std::array<otlp_field, 4> scope_fields{{
    {"name", wire_type::length_delimited},
    {"version", wire_type::length_delimited},
    {"attributes", wire_type::length_delimited, otlp_rule::each, &otlp_key_value},
    {"dropped_attributes_count", wire_type::varint},
}};

constexpr std::array<otlp_field, 7> dictionary_message_fields{{
    {"mapping_table", wire_type::length_delimited, otlp_rule::each, &otlp_mapping},
    {"location_table", wire_type::length_delimited, otlp_rule::each, &otlp_location},
    {"function_table", wire_type::length_delimited, otlp_rule::each, &otlp_function},
    {"link_table", wire_type::length_delimited, otlp_rule::each, &otlp_link},
    {"string_table", wire_type::length_delimited, otlp_rule::each},
    {"attribute_table", wire_type::length_delimited, otlp_rule::each, &otlp_attribute},
    {"stack_table", wire_type::length_delimited, otlp_rule::each, &otlp_stack},
}};

constexpr std::array<otlp_field, 11> profile_fields{{
    {"sample_type", wire_type::length_delimited, otlp_rule::one, &otlp_value_type},
    {"samples", wire_type::length_delimited, otlp_rule::each, &otlp_sample},
    {"time_unix_nano", wire_type::fixed64},
    {"duration_nano", wire_type::varint},
    {"period_type", wire_type::length_delimited, otlp_rule::one, &otlp_value_type},
    {"period", wire_type::varint},
    {"profile_id", wire_type::length_delimited},
    {"dropped_attributes_count", wire_type::varint},
    {"original_payload_format", wire_type::length_delimited},
    {"original_payload", wire_type::length_delimited},
    {"attribute_indices", wire_type::length_delimited, otlp_rule::varints},
}};

constexpr std::array<otlp_field, 2> value_type_fields{{
    {"type_strindex", wire_type::varint},
    {"unit_strindex", wire_type::varint},
}};

constexpr std::array<otlp_field, 5> sample_fields{{
    {"stack_index", wire_type::varint},
    {"attribute_indices", wire_type::length_delimited, otlp_rule::varints},
    {"link_index", wire_type::varint},
    {"values", wire_type::length_delimited, otlp_rule::varints},
    {"timestamps_unix_nano", wire_type::length_delimited, otlp_rule::fixed64s},
}};

constexpr std::array<otlp_field, 1> stack_fields{{
    {"location_indices", wire_type::length_delimited, otlp_rule::varints},
}};

constexpr std::array<otlp_field, 5> mapping_fields{{
    {"memory_start", wire_type::varint},
    {"memory_limit", wire_type::varint},
    {"file_offset", wire_type::varint},
    {"filename_strindex", wire_type::varint},
    {"attribute_indices", wire_type::length_delimited, otlp_rule::varints},
}};

constexpr std::array<otlp_field, 4> location_fields{{
    {"mapping_index", wire_type::varint},
    {"address", wire_type::varint},
    {"lines", wire_type::length_delimited, otlp_rule::each, &otlp_line},
    {"attribute_indices", wire_type::length_delimited, otlp_rule::varints},
}};

constexpr std::array<otlp_field, 3> line_fields{{
    {"function_index", wire_type::varint},
    {"line", wire_type::varint},
    {"column", wire_type::varint},
}};

constexpr std::array<otlp_field, 4> function_fields{{
    {"name_strindex", wire_type::varint},
    {"system_name_strindex", wire_type::varint},
    {"filename_strindex", wire_type::varint},
    {"start_line", wire_type::varint},
}};

constexpr std::array<otlp_field, 2> link_fields{{
    {"trace_id", wire_type::length_delimited},
    {"span_id", wire_type::length_delimited},
}};

constexpr std::array<otlp_field, 3> attribute_fields{{
    {"key_strindex", wire_type::varint},
    {"value", wire_type::length_delimited, otlp_rule::one, &otlp_any_value_message},
    {"unit_strindex", wire_type::varint},
}};

constexpr std::array<otlp_field, 3> key_value_fields{{
    {"key", wire_type::length_delimited},
    {"value", wire_type::length_delimited, otlp_rule::one, &otlp_any_value_message},
    {"key_strindex", wire_type::varint},
}};

constexpr std::array<otlp_field, 8> any_value_fields{{
    {"string_value", wire_type::length_delimited},
    {"bool_value", wire_type::varint},
    {"int_value", wire_type::varint},
    {"double_value", wire_type::fixed64},
    {"array_value", wire_type::length_delimited, otlp_rule::one, &otlp_array_value},
    {"kvlist_value", wire_type::length_delimited, otlp_rule::one, &otlp_key_value_list},
    {"bytes_value", wire_type::length_delimited},
    {"string_value_strindex", wire_type::varint},
}};

constexpr std::array<otlp_field, 1> array_value_fields{{
    {"values", wire_type::length_delimited, otlp_rule::each, &otlp_any_value_message},
}};

constexpr std::array<otlp_field, 1> key_value_list_fields{{
    {"values", wire_type::length_delimited, otlp_rule::each, &otlp_key_value},
}};

} // namespace

const otlp_message otlp_profiles_data{"ProfilesData", profiles_data_fields};
const otlp_message otlp_resource_profiles{"ResourceProfiles", resource_profiles_fields};
const otlp_message otlp_resource{"Resource", resource_fields, true};
const otlp_message otlp_scope_profiles{"ScopeProfiles", scope_profiles_fields};
const otlp_message otlp_scope{"InstrumentationScope", scope_fields, true};
const otlp_message otlp_dictionary_message{"ProfilesDictionary", dictionary_message_fields};
const otlp_message otlp_profile{"Profile", profile_fields};
const otlp_message otlp_value_type{"ValueType", value_type_fields};
const otlp_message otlp_sample{"Sample", sample_fields};
const otlp_message otlp_stack{"Stack", stack_fields};
const otlp_message otlp_mapping{"Mapping", mapping_fields};
const otlp_message otlp_location{"Location", location_fields};
const otlp_message otlp_line{"Line", line_fields};
const otlp_message otlp_function{"Function", function_fields};
const otlp_message otlp_link{"Link", link_fields};
const otlp_message otlp_attribute{"KeyValueAndUnit", attribute_fields};
const otlp_message otlp_key_value{"KeyValue", key_value_fields};
const otlp_message otlp_any_value_message{"AnyValue", any_value_fields};
const otlp_message otlp_array_value{"ArrayValue", array_value_fields};
const otlp_message otlp_key_value_list{"KeyValueList", key_value_list_fields};

namespace {

// Of a oneof the last member counts, with the parts of it that follow each other.
std::string_view last_member(std::string_view any_value) {
    message_reader fields{any_value, any_value.data()};
    const char* begin = any_value.data();
    for (std::uint32_t number = 0; fields.next(); fields.skip()) {
        if (fields.number() != number) {
            number = fields.number();
            begin = fields.start();
        }
    }
    return any_value.substr(static_cast<std::size_t>(begin - any_value.data()));
}

// Whether a Sample looks like one of 1.9, whose values are packed in what is attribute_indices now,
// and whose link_index is the number in what is values now.
bool is_of_1_9(std::string_view sample) {
    bool has_link = false;
    bool has_packed = false;
    message_reader fields{sample, sample.data()};
    for (; fields.next(); fields.skip()) {
        const bool is_values = fields.as<field::otlp::sample>() == field::otlp::sample::values;
        if (is_values && fields.is_bytes()) {
            return false;
        }
        has_link = has_link || is_values;
        has_packed = has_packed || fields.is_bytes();
    }
    return has_link && has_packed;
}

const otlp_field* find_field(const otlp_message& schema, const message_reader& fields) {
    if (fields.number() > schema.fields.size()) {
        return nullptr;
    }
    const otlp_field& field = schema.fields[fields.number() - 1];
    const wire_type single = field.rule == otlp_rule::varints    ? wire_type::varint
                             : field.rule == otlp_rule::fixed64s ? wire_type::fixed64
                                                                 : field.wire;
    return fields.type() == field.wire || fields.type() == single ? &field : nullptr;
}

// Whether a message without others in it is in the usual form, with its fields in their order.
bool is_plain(const otlp_message& schema, std::string_view message) {
    message_reader fields{message, message.data()};
    for (std::uint32_t before = 0; fields.next(); fields.skip()) {
        const otlp_field* const field = find_field(schema, fields);
        if (field == nullptr || field->message != nullptr || field->wire != fields.type() ||
            fields.number() <= before) {
            return false;
        }
        before = fields.number();
    }
    return true;
}

} // namespace

std::string plain_otlp(const otlp_message& schema, std::string_view message, otlp_room& room,
                       int depth) {
    constexpr int deepest = 80; // which has more lists in lists than are read
    room.take(message.size());
    if (depth > deepest || is_plain(schema, message) ||
        (&schema == &otlp_sample && is_of_1_9(message))) {
        return std::string{message};
    }
    if (&schema == &otlp_any_value_message) {
        message = last_member(message);
    }
    std::string plain;
    // One number after the other, and at 0 what the schema does not have.
    for (std::uint32_t number = 0; number <= schema.fields.size(); ++number) {
        const otlp_message* joined_message = nullptr;
        std::string joined; // the parts of a message, or packed numbers
        std::string_view last;
        message_reader fields{message, message.data()};
        while (fields.next()) {
            const otlp_field* const known = find_field(schema, fields);
            if (number != (known == nullptr ? 0 : fields.number())) {
                fields.skip();
            } else if (known == nullptr ||
                       (known->message == nullptr && known->rule == otlp_rule::each)) {
                plain += fields.raw();
            } else if (fields.is_fixed64() && known->rule == otlp_rule::fixed64s) {
                const std::string_view field = fields.raw();
                joined += field.substr(field.size() - sizeof(std::uint64_t));
            } else if (known->rule == otlp_rule::varints || known->rule == otlp_rule::fixed64s) {
                joined += fields.packed();
            } else if (known->message == nullptr) {
                last = fields.raw();
            } else if (known->rule == otlp_rule::each) {
                append_bytes(plain, number,
                             plain_otlp(*known->message, fields.bytes(), room, depth + 1));
            } else {
                joined_message = known->message;
                joined += fields.bytes();
            }
        }
        plain += last;
        if (joined_message != nullptr) {
            joined = plain_otlp(*joined_message, joined, room, depth + 1);
        }
        if (joined_message != nullptr || !joined.empty()) {
            append_bytes(plain, number, joined);
        }
    }
    return plain;
}

} // namespace pprofdelta
