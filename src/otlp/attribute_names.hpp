// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_OTLP_ATTRIBUTE_NAMES_HPP
#define PPROFDELTA_SRC_OTLP_ATTRIBUTE_NAMES_HPP

#include <array>
#include <cstddef>
#include <string_view>

/// Attributes that OpenTelemetry's semantic conventions have for what pprof has fields for: the
/// registries `pprof` and `process`; and what has no name there.
namespace pprofdelta::otlp_names {

// Of a mapping. Of the build ids the first that is there is pprof's.
inline constexpr std::array<std::string_view, 3> build_ids{
    "process.executable.build_id.gnu",
    "process.executable.build_id.go",
    "process.executable.build_id.htlhash",
};
inline constexpr std::string_view has_functions = "pprof.mapping.has_functions";
inline constexpr std::string_view has_filenames = "pprof.mapping.has_filenames";
inline constexpr std::string_view has_line_numbers = "pprof.mapping.has_line_numbers";
inline constexpr std::string_view has_inline_frames = "pprof.mapping.has_inline_frames";

/// The key of a build id, of which pprof does not say what kind it is: those of Go have slashes.
[[nodiscard]] constexpr std::string_view key_of_build_id(std::string_view id) noexcept {
    return id.find('/') == std::string_view::npos ? build_ids[0] : build_ids[1];
}

// Of a location.
inline constexpr std::string_view is_folded = "pprof.location.is_folded";

// Of a profile.
inline constexpr std::string_view comment = "pprof.profile.comment";
inline constexpr std::string_view doc_url = "pprof.profile.doc_url";
inline constexpr std::string_view drop_frames = "pprof.profile.drop_frames";
inline constexpr std::string_view keep_frames = "pprof.profile.keep_frames";

/// Not of the conventions, which have no temporality any more: "delta" for what happened within the
/// duration.
inline constexpr std::string_view temporality = "pprofdelta.temporality";
inline constexpr std::string_view is_a_delta = "delta";

// Of a scope.
inline constexpr std::string_view default_sample_type = "pprof.scope.default_sample_type";
inline constexpr std::string_view sample_type_order = "pprof.scope.sample_type_order";

// Labels of pprof for what samples of OTLP do not have as attributes of their own.
inline constexpr std::string_view resource_prefix = "resource.";
inline constexpr std::string_view scope_name = "otel.scope.name";
inline constexpr std::string_view trace_id = "trace_id";
inline constexpr std::string_view span_id = "span_id";
inline constexpr std::size_t trace_id_size = 16; // bytes
inline constexpr std::size_t span_id_size = 8;

} // namespace pprofdelta::otlp_names

#endif // PPROFDELTA_SRC_OTLP_ATTRIBUTE_NAMES_HPP
