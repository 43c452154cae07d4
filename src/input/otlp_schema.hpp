// SPDX-License-Identifier: Apache-2.0
/// Reader and writer of OTLP's profiles share this: the fields of messages, the attributes that
/// OpenTelemetry's semantic conventions have for what pprof has fields for (the registries `pprof`
/// and `process`), and how much may be made of a few bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/budget.hpp"
#include "base/hash128.hpp"
#include "profile/records.hpp"
#include "wire/reader.hpp"

namespace pprofdelta::otlp {

struct message;

struct field {
    /// The name in the .proto, also for errors; empty where there is none.
    std::string_view name{};
    wire_type wire = wire_type::unknown;
    /// Whether each one counts. Otherwise the last one does, and the parts of a message are one
    /// message, as packed numbers are.
    bool is_repeated = false;
    wire_type packed = wire_type::unknown; ///< The type of the numbers packed in it.
    const message* holds = nullptr;
};

// Kinds of fields.

constexpr field varint(std::string_view name) { return {name, wire_type::varint}; }
constexpr field fixed64(std::string_view name) { return {name, wire_type::fixed64}; }
constexpr field bytes(std::string_view name) { return {name, wire_type::length_delimited}; }
constexpr field many_bytes(std::string_view name) {
    return {name, wire_type::length_delimited, true};
}
constexpr field varints(std::string_view name) {
    return {name, wire_type::length_delimited, false, wire_type::varint};
}
constexpr field fixed64s(std::string_view name) {
    return {name, wire_type::length_delimited, false, wire_type::fixed64};
}
constexpr field one(std::string_view name, const message& holds) {
    return {name, wire_type::length_delimited, false, wire_type::unknown, &holds};
}
constexpr field many(std::string_view name, const message& holds) {
    return {name, wire_type::length_delimited, true, wire_type::unknown, &holds};
}

/// Whether a message may have fields that are not known, which are skipped. Those that all signals
/// of OTLP share are stable, and may. An unknown field of another message is the sign of another
/// version, which may mean something else by those that are known.
enum class unknown_fields : std::uint8_t { are_refused, are_skipped };

struct message {
    std::string_view name;
    std::array<field, 11> fields; ///< The index is the field's number − 1.
    unknown_fields others = unknown_fields::are_refused;

    /// The field of a number from 1 on, or nullptr.
    [[nodiscard]] constexpr const field* find(std::size_t number) const noexcept {
        return number <= fields.size() && !fields[number - 1].name.empty() ? &fields[number - 1]
                                                                           : nullptr;
    }

    /// The number of a field, of which the name has to be known to the compiler and right.
    [[nodiscard]] consteval std::uint32_t operator[](std::string_view wanted) const {
        std::uint32_t number = 1;
        while (fields.at(number - 1).name != wanted) {
            ++number;
        }
        return number;
    }
};

// Messages of profiles.proto, and of what it includes, as releases 1.10 and 1.11 of
// opentelemetry-proto have them. Fields are in the order of their numbers, from 1 on.

extern const message any_value; // which can have lists of it

inline constexpr message key_value{
    "KeyValue", {{bytes("key"), one("value", any_value), varint("key_strindex")}}};
inline constexpr message array_value{"ArrayValue", {{many("values", any_value)}}};
inline constexpr message key_value_list{"KeyValueList", {{many("values", key_value)}}};
inline constexpr message any_value{"AnyValue",
                                   {{
                                       bytes("string_value"),
                                       varint("bool_value"),
                                       varint("int_value"),
                                       fixed64("double_value"),
                                       one("array_value", array_value),
                                       one("kvlist_value", key_value_list),
                                       bytes("bytes_value"),
                                       varint("string_value_strindex"),
                                   }}};

inline constexpr message value_type{"ValueType",
                                    {{varint("type_strindex"), varint("unit_strindex")}}};
inline constexpr message sample{"Sample",
                                {{
                                    varint("stack_index"),
                                    varints("attribute_indices"),
                                    varint("link_index"),
                                    varints("values"),
                                    fixed64s("timestamps_unix_nano"),
                                }}};
inline constexpr message profile{"Profile",
                                 {{
                                     one("sample_type", value_type),
                                     many("samples", sample),
                                     fixed64("time_unix_nano"),
                                     varint("duration_nano"),
                                     one("period_type", value_type),
                                     varint("period"),
                                     bytes("profile_id"),
                                     varint("dropped_attributes_count"),
                                     bytes("original_payload_format"),
                                     bytes("original_payload"),
                                     varints("attribute_indices"),
                                 }}};

inline constexpr message stack{"Stack", {{varints("location_indices")}}};
inline constexpr message mapping{"Mapping",
                                 {{
                                     varint("memory_start"),
                                     varint("memory_limit"),
                                     varint("file_offset"),
                                     varint("filename_strindex"),
                                     varints("attribute_indices"),
                                 }}};
inline constexpr message line{"Line",
                              {{varint("function_index"), varint("line"), varint("column")}}};
inline constexpr message location{"Location",
                                  {{
                                      varint("mapping_index"),
                                      varint("address"),
                                      many("lines", line),
                                      varints("attribute_indices"),
                                  }}};
inline constexpr message function{"Function",
                                  {{
                                      varint("name_strindex"),
                                      varint("system_name_strindex"),
                                      varint("filename_strindex"),
                                      varint("start_line"),
                                  }}};
inline constexpr message link{"Link", {{bytes("trace_id"), bytes("span_id")}}};
inline constexpr message attribute{
    "KeyValueAndUnit",
    {{varint("key_strindex"), one("value", any_value), varint("unit_strindex")}}};
inline constexpr message dictionary{"ProfilesDictionary",
                                    {{
                                        many("mapping_table", mapping),
                                        many("location_table", location),
                                        many("function_table", function),
                                        many("link_table", link),
                                        many_bytes("string_table"),
                                        many("attribute_table", attribute),
                                        many("stack_table", stack),
                                    }}};

inline constexpr message scope{"InstrumentationScope",
                               {{
                                   bytes("name"),
                                   bytes("version"),
                                   many("attributes", key_value),
                                   varint("dropped_attributes_count"),
                               }},
                               unknown_fields::are_skipped};
inline constexpr message scope_profiles{
    "ScopeProfiles", {{one("scope", scope), many("profiles", profile), bytes("schema_url")}}};
inline constexpr message resource{"Resource",
                                  {{many("attributes", key_value),
                                    varint("dropped_attributes_count"), many_bytes("entity_refs")}},
                                  unknown_fields::are_skipped};
inline constexpr message resource_profiles{
    "ResourceProfiles",
    {{one("resource", resource), many("scope_profiles", scope_profiles), bytes("schema_url")}}};
/// An ExportProfilesServiceRequest has the same fields.
inline constexpr message profiles_data{
    "ProfilesData",
    {{many("resource_profiles", resource_profiles), one("dictionary", dictionary)}}};

// Names of attributes.

// These are attributes of a mapping. The first build id that is there is pprof's.
inline constexpr std::array<std::string_view, 3> build_ids{
    "process.executable.build_id.gnu",
    "process.executable.build_id.go",
    "process.executable.build_id.htlhash",
};

/// The key of a build id, of which pprof does not say what kind it is: those of Go have slashes.
[[nodiscard]] constexpr std::string_view key_of_build_id(std::string_view id) noexcept {
    return id.find('/') == std::string_view::npos ? build_ids[0] : build_ids[1];
}

struct mapping_flag {
    std::string_view name;
    std::uint64_t mapping_record::*value;
};
inline constexpr std::array<mapping_flag, 4> mapping_flags{{
    {"pprof.mapping.has_functions", &mapping_record::has_functions},
    {"pprof.mapping.has_filenames", &mapping_record::has_filenames},
    {"pprof.mapping.has_line_numbers", &mapping_record::has_line_numbers},
    {"pprof.mapping.has_inline_frames", &mapping_record::has_inline_frames},
}};

// This is an attribute of a location.
inline constexpr std::string_view is_folded = "pprof.location.is_folded";

// These are attributes of a profile.
inline constexpr std::string_view comment = "pprof.profile.comment";
inline constexpr std::string_view doc_url = "pprof.profile.doc_url";
inline constexpr std::string_view drop_frames = "pprof.profile.drop_frames";
inline constexpr std::string_view keep_frames = "pprof.profile.keep_frames";

/// The conventions lack this, as they have no temporality any more: "delta" for what happened
/// within the duration.
inline constexpr std::string_view temporality = "pprofdelta.temporality";
inline constexpr std::string_view is_a_delta = "delta";

// These are attributes of a scope.
inline constexpr std::string_view default_sample_type = "pprof.scope.default_sample_type";
inline constexpr std::string_view sample_type_order = "pprof.scope.sample_type_order";

// Labels of pprof for what samples of OTLP do not have as attributes of their own.
inline constexpr std::string_view resource_prefix = "resource.";
inline constexpr std::string_view scope_name = "otel.scope.name";
inline constexpr std::string_view trace_id = "trace_id";
inline constexpr std::string_view span_id = "span_id";
inline constexpr std::size_t trace_id_size = 16; // bytes
inline constexpr std::size_t span_id_size = 8;

/// How much may be made of a message whose samples refer to stacks and attributes: 64 times its
/// size. Real ones make two to ten.
[[nodiscard]] inline budget budget_of_message(std::size_t size, std::size_t max_size) noexcept {
    return {size, 64,
            "the profiles repeat references to the same data so often that they would become too "
            "large",
            max_size};
}

/// The numbers that make two samples one. It is its own key.
struct row {
    std::uint32_t stack = 0;
    std::uint32_t attributes = 0;
    std::uint32_t link = 0;
    std::uint32_t source = 0; ///< Its resource and scope.

    [[nodiscard]] hash128 key() const noexcept {
        return {stack | std::uint64_t{attributes} << 32U, link | std::uint64_t{source} << 32U};
    }
    [[nodiscard]] static row of(const hash128& key) noexcept {
        return {static_cast<std::uint32_t>(key.low), static_cast<std::uint32_t>(key.low >> 32U),
                static_cast<std::uint32_t>(key.high), static_cast<std::uint32_t>(key.high >> 32U)};
    }
};

} // namespace pprofdelta::otlp
