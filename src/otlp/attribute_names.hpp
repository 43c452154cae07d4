// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_OTLP_ATTRIBUTE_NAMES_HPP
#define PPROFDELTA_SRC_OTLP_ATTRIBUTE_NAMES_HPP

#include <array>
#include <string_view>

/// Attributes that OpenTelemetry's semantic conventions have for what pprof has fields for: the
/// registries `pprof` and `process`.
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

// Of a location.
inline constexpr std::string_view is_folded = "pprof.location.is_folded";

// Of a profile.
inline constexpr std::string_view comment = "pprof.profile.comment";
inline constexpr std::string_view doc_url = "pprof.profile.doc_url";
inline constexpr std::string_view drop_frames = "pprof.profile.drop_frames";
inline constexpr std::string_view keep_frames = "pprof.profile.keep_frames";

// Of a scope.
inline constexpr std::string_view default_sample_type = "pprof.scope.default_sample_type";

} // namespace pprofdelta::otlp_names

#endif // PPROFDELTA_SRC_OTLP_ATTRIBUTE_NAMES_HPP
