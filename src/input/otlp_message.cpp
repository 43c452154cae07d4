// SPDX-License-Identifier: Apache-2.0
#include "input/otlp_message.hpp"

#include <array>

namespace pprofdelta {

namespace {

constexpr std::array<otlp_field, 2> profiles_data_fields{{
    {"resource_profiles", wire_type::length_delimited},
    {"dictionary", wire_type::length_delimited},
}};

constexpr std::array<otlp_field, 3> resource_profiles_fields{{
    {"resource", wire_type::length_delimited},
    {"scope_profiles", wire_type::length_delimited},
    {"schema_url", wire_type::length_delimited},
}};

constexpr std::array<otlp_field, 3> resource_fields{{
    {"attributes", wire_type::length_delimited},
    {"dropped_attributes_count", wire_type::varint},
    {"entity_refs", wire_type::length_delimited},
}};

constexpr std::array<otlp_field, 3> scope_profiles_fields{{
    {"scope", wire_type::length_delimited},
    {"profiles", wire_type::length_delimited},
    {"schema_url", wire_type::length_delimited},
}};

constexpr std::array<otlp_field, 4> scope_fields{{
    {"name", wire_type::length_delimited},
    {"version", wire_type::length_delimited},
    {"attributes", wire_type::length_delimited},
    {"dropped_attributes_count", wire_type::varint},
}};

constexpr std::array<otlp_field, 7> dictionary_message_fields{{
    {"mapping_table", wire_type::length_delimited},
    {"location_table", wire_type::length_delimited},
    {"function_table", wire_type::length_delimited},
    {"link_table", wire_type::length_delimited},
    {"string_table", wire_type::length_delimited},
    {"attribute_table", wire_type::length_delimited},
    {"stack_table", wire_type::length_delimited},
}};

constexpr std::array<otlp_field, 11> profile_fields{{
    {"sample_type", wire_type::length_delimited},
    {"samples", wire_type::length_delimited},
    {"time_unix_nano", wire_type::fixed64},
    {"duration_nano", wire_type::varint},
    {"period_type", wire_type::length_delimited},
    {"period", wire_type::varint},
    {"profile_id", wire_type::length_delimited},
    {"dropped_attributes_count", wire_type::varint},
    {"original_payload_format", wire_type::length_delimited},
    {"original_payload", wire_type::length_delimited},
    {"attribute_indices", wire_type::length_delimited},
}};

constexpr std::array<otlp_field, 2> value_type_fields{{
    {"type_strindex", wire_type::varint},
    {"unit_strindex", wire_type::varint},
}};

constexpr std::array<otlp_field, 5> sample_fields{{
    {"stack_index", wire_type::varint},
    {"attribute_indices", wire_type::length_delimited},
    {"link_index", wire_type::varint},
    {"values", wire_type::length_delimited},
    {"timestamps_unix_nano", wire_type::length_delimited},
}};

constexpr std::array<otlp_field, 1> stack_fields{{
    {"location_indices", wire_type::length_delimited},
}};

constexpr std::array<otlp_field, 5> mapping_fields{{
    {"memory_start", wire_type::varint},
    {"memory_limit", wire_type::varint},
    {"file_offset", wire_type::varint},
    {"filename_strindex", wire_type::varint},
    {"attribute_indices", wire_type::length_delimited},
}};

constexpr std::array<otlp_field, 4> location_fields{{
    {"mapping_index", wire_type::varint},
    {"address", wire_type::varint},
    {"lines", wire_type::length_delimited},
    {"attribute_indices", wire_type::length_delimited},
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
    {"value", wire_type::length_delimited},
    {"unit_strindex", wire_type::varint},
}};

constexpr std::array<otlp_field, 3> key_value_fields{{
    {"key", wire_type::length_delimited},
    {"value", wire_type::length_delimited},
    {"key_strindex", wire_type::varint},
}};

constexpr std::array<otlp_field, 8> any_value_fields{{
    {"string_value", wire_type::length_delimited},
    {"bool_value", wire_type::varint},
    {"int_value", wire_type::varint},
    {"double_value", wire_type::fixed64},
    {"array_value", wire_type::length_delimited},
    {"kvlist_value", wire_type::length_delimited},
    {"bytes_value", wire_type::length_delimited},
    {"string_value_strindex", wire_type::varint},
}};

constexpr std::array<otlp_field, 1> array_value_fields{{
    {"values", wire_type::length_delimited},
}};

constexpr std::array<otlp_field, 1> key_value_list_fields{{
    {"values", wire_type::length_delimited},
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

} // namespace pprofdelta
