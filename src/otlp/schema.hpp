// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_OTLP_SCHEMA_HPP
#define PPROFDELTA_SRC_OTLP_SCHEMA_HPP

#include <cstdint>
#include <span>
#include <string_view>

#include "wire/reader.hpp"

namespace pprofdelta {

/// Field numbers of OTLP's profiles.proto, as releases 1.10 and 1.11 of opentelemetry-proto have
/// it, and of what it includes.
namespace field::otlp {

enum class profiles_data : std::uint32_t { resource_profiles = 1, dictionary = 2 };
enum class resource_profiles : std::uint32_t { resource = 1, scope_profiles = 2, schema_url = 3 };
enum class resource : std::uint32_t { attributes = 1 };
enum class scope_profiles : std::uint32_t { scope = 1, profiles = 2, schema_url = 3 };
enum class scope : std::uint32_t { name = 1, version = 2, attributes = 3 };
enum class dictionary : std::uint32_t {
    mapping_table = 1,
    location_table = 2,
    function_table = 3,
    link_table = 4,
    string_table = 5,
    attribute_table = 6,
    stack_table = 7,
};
enum class profile : std::uint32_t {
    sample_type = 1,
    samples = 2,
    time_unix_nano = 3,
    duration_nano = 4,
    period_type = 5,
    period = 6,
    profile_id = 7,
    dropped_attributes_count = 8,
    original_payload_format = 9,
    original_payload = 10,
    attribute_indices = 11,
};
enum class value_type : std::uint32_t { type = 1, unit = 2 };
enum class sample : std::uint32_t {
    stack_index = 1,
    attribute_indices = 2,
    link_index = 3,
    values = 4,
    timestamps_unix_nano = 5,
};
enum class stack : std::uint32_t { location_indices = 1 };
enum class mapping : std::uint32_t {
    memory_start = 1,
    memory_limit = 2,
    file_offset = 3,
    filename = 4,
    attribute_indices = 5,
};
enum class location : std::uint32_t {
    mapping_index = 1,
    address = 2,
    lines = 3,
    attribute_indices = 4,
};
enum class line : std::uint32_t { function_index = 1, line = 2, column = 3 };
enum class function : std::uint32_t { name = 1, system_name = 2, filename = 3, start_line = 4 };
enum class link : std::uint32_t { trace_id = 1, span_id = 2 };
enum class attribute : std::uint32_t { key = 1, value = 2, unit = 3 };
enum class key_value : std::uint32_t { key = 1, value = 2, key_strindex = 3 };
enum class any_value : std::uint32_t {
    string = 1,
    boolean = 2,
    integer = 3,
    real = 4,
    array = 5,
    map = 6,
    bytes = 7,
    string_index = 8,
};
enum class list : std::uint32_t { values = 1 }; // of ArrayValue and of KeyValueList

} // namespace field::otlp

struct otlp_field {
    std::string_view name;
    wire_type wire; ///< A varint, of eight bytes, or length-delimited.
};

/// What a message may have. Names are those of the .proto, for errors.
struct otlp_message {
    std::string_view name;
    std::span<const otlp_field> fields; ///< By number − 1.
    /// Whether fields that are not known are skipped. They are in the messages that all signals of
    /// OTLP share, which are stable. In the others they are the sign of another version, which may
    /// mean something else by those that are known.
    bool is_stable = false;
};

extern const otlp_message otlp_profiles_data;
extern const otlp_message otlp_resource_profiles;
extern const otlp_message otlp_resource;
extern const otlp_message otlp_scope_profiles;
extern const otlp_message otlp_scope;
extern const otlp_message otlp_dictionary_message;
extern const otlp_message otlp_profile;
extern const otlp_message otlp_value_type;
extern const otlp_message otlp_sample;
extern const otlp_message otlp_stack;
extern const otlp_message otlp_mapping;
extern const otlp_message otlp_location;
extern const otlp_message otlp_line;
extern const otlp_message otlp_function;
extern const otlp_message otlp_link;
extern const otlp_message otlp_attribute;
extern const otlp_message otlp_key_value;
extern const otlp_message otlp_any_value_message;
extern const otlp_message otlp_array_value;
extern const otlp_message otlp_key_value_list;

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_OTLP_SCHEMA_HPP
