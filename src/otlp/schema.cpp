// SPDX-License-Identifier: Apache-2.0
#include "otlp/schema.hpp"

#include <array>

namespace pprofdelta {

namespace {

constexpr std::array<otlp_field, 2> profiles_data_fields{{
    {"resource_profiles", otlp_wire::length_delimited},
    {"dictionary", otlp_wire::length_delimited},
}};

constexpr std::array<otlp_field, 3> resource_profiles_fields{{
    {"resource", otlp_wire::length_delimited},
    {"scope_profiles", otlp_wire::length_delimited},
    {"schema_url", otlp_wire::length_delimited},
}};

constexpr std::array<otlp_field, 3> resource_fields{{
    {"attributes", otlp_wire::length_delimited},
    {"dropped_attributes_count", otlp_wire::varint},
    {"entity_refs", otlp_wire::length_delimited},
}};

constexpr std::array<otlp_field, 3> scope_profiles_fields{{
    {"scope", otlp_wire::length_delimited},
    {"profiles", otlp_wire::length_delimited},
    {"schema_url", otlp_wire::length_delimited},
}};

constexpr std::array<otlp_field, 4> scope_fields{{
    {"name", otlp_wire::length_delimited},
    {"version", otlp_wire::length_delimited},
    {"attributes", otlp_wire::length_delimited},
    {"dropped_attributes_count", otlp_wire::varint},
}};

constexpr std::array<otlp_field, 7> dictionary_message_fields{{
    {"mapping_table", otlp_wire::length_delimited},
    {"location_table", otlp_wire::length_delimited},
    {"function_table", otlp_wire::length_delimited},
    {"link_table", otlp_wire::length_delimited},
    {"string_table", otlp_wire::length_delimited},
    {"attribute_table", otlp_wire::length_delimited},
    {"stack_table", otlp_wire::length_delimited},
}};

constexpr std::array<otlp_field, 11> profile_fields{{
    {"sample_type", otlp_wire::length_delimited},
    {"samples", otlp_wire::length_delimited},
    {"time_unix_nano", otlp_wire::fixed64},
    {"duration_nano", otlp_wire::varint},
    {"period_type", otlp_wire::length_delimited},
    {"period", otlp_wire::varint},
    {"profile_id", otlp_wire::length_delimited},
    {"dropped_attributes_count", otlp_wire::varint},
    {"original_payload_format", otlp_wire::length_delimited},
    {"original_payload", otlp_wire::length_delimited},
    {"attribute_indices", otlp_wire::length_delimited},
}};

constexpr std::array<otlp_field, 2> value_type_fields{{
    {"type_strindex", otlp_wire::varint},
    {"unit_strindex", otlp_wire::varint},
}};

constexpr std::array<otlp_field, 5> sample_fields{{
    {"stack_index", otlp_wire::varint},
    {"attribute_indices", otlp_wire::length_delimited},
    {"link_index", otlp_wire::varint},
    {"values", otlp_wire::length_delimited},
    {"timestamps_unix_nano", otlp_wire::length_delimited},
}};

constexpr std::array<otlp_field, 1> stack_fields{{
    {"location_indices", otlp_wire::length_delimited},
}};

constexpr std::array<otlp_field, 5> mapping_fields{{
    {"memory_start", otlp_wire::varint},
    {"memory_limit", otlp_wire::varint},
    {"file_offset", otlp_wire::varint},
    {"filename_strindex", otlp_wire::varint},
    {"attribute_indices", otlp_wire::length_delimited},
}};

constexpr std::array<otlp_field, 4> location_fields{{
    {"mapping_index", otlp_wire::varint},
    {"address", otlp_wire::varint},
    {"lines", otlp_wire::length_delimited},
    {"attribute_indices", otlp_wire::length_delimited},
}};

constexpr std::array<otlp_field, 3> line_fields{{
    {"function_index", otlp_wire::varint},
    {"line", otlp_wire::varint},
    {"column", otlp_wire::varint},
}};

constexpr std::array<otlp_field, 4> function_fields{{
    {"name_strindex", otlp_wire::varint},
    {"system_name_strindex", otlp_wire::varint},
    {"filename_strindex", otlp_wire::varint},
    {"start_line", otlp_wire::varint},
}};

constexpr std::array<otlp_field, 2> link_fields{{
    {"trace_id", otlp_wire::length_delimited},
    {"span_id", otlp_wire::length_delimited},
}};

constexpr std::array<otlp_field, 3> attribute_fields{{
    {"key_strindex", otlp_wire::varint},
    {"value", otlp_wire::length_delimited},
    {"unit_strindex", otlp_wire::varint},
}};

constexpr std::array<otlp_field, 3> key_value_fields{{
    {"key", otlp_wire::length_delimited},
    {"value", otlp_wire::length_delimited},
    {"key_strindex", otlp_wire::varint},
}};

constexpr std::array<otlp_field, 8> any_value_fields{{
    {"string_value", otlp_wire::length_delimited},
    {"bool_value", otlp_wire::varint},
    {"int_value", otlp_wire::varint},
    {"double_value", otlp_wire::fixed64},
    {"array_value", otlp_wire::length_delimited},
    {"kvlist_value", otlp_wire::length_delimited},
    {"bytes_value", otlp_wire::length_delimited},
    {"string_value_strindex", otlp_wire::varint},
}};

constexpr std::array<otlp_field, 1> array_value_fields{{
    {"values", otlp_wire::length_delimited},
}};

constexpr std::array<otlp_field, 1> key_value_list_fields{{
    {"values", otlp_wire::length_delimited},
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
