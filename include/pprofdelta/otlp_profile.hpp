// SPDX-License-Identifier: Apache-2.0
#pragma once

// Example:
//
//     const auto [message, lost] = write_otlp_profile(current); // a ProfilesData
//     const std::string profile = convert_otlp_profile(message);
//     std::cout << profile.size() << " bytes, " << lost.changed_strings << " changed names\n";

#include <cstddef>
#include <string>
#include <string_view>

#include <pprofdelta/codec.hpp>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

/// Returns whether `bytes` are profiles of the OpenTelemetry protocol (OTLP), a ProfilesData or an
/// ExportProfilesServiceRequest, and not a pprof profile. They must not be compressed; see
/// decode(). A pprof profile is never mistaken for OTLP: it has a string table in field 6, and
/// these messages have only fields 1 and 2.
///
/// Linear in the number of fields up to the first that OTLP does not have: for pprof, mostly O(1).
[[nodiscard]] bool is_otlp_profile(std::string_view bytes) noexcept;

/// Converts OTLP profiles to one ordinary profile, for delta_computer and all other functions. The
/// schema is that of releases 1.10 and 1.11 of opentelemetry-proto
/// (opentelemetry/proto/profiles/v1development/profiles.proto); messages that do not fit it are
/// refused.
///
/// Each OTLP profile has one type. The types of a message become the sample types of one profile,
/// in the order of their first occurrence. Samples with the same stack, attributes, link, resource
/// and scope become one sample with all values; several values of a sample are added up, and each
/// timestamp without a value counts 1. Attributes become labels: texts and integers as they are,
/// lists of these as several labels with one key, anything else as text. A link becomes the labels
/// `trace_id` and `span_id`. The attributes of a resource become labels with the prefix
/// `resource.`, even if there is only one resource, so that a sample does not depend on the rest of
/// the message. pprofdelta-otlp(7) describes the rest.
///
/// Cost: time and memory linear in the message and in the profile.
/// @param profile  replaced by the serialized, uncompressed profile; unspecified after an
///                 exception.
/// @param max_size the largest size of the profile, in bytes.
/// @throws error malformed with the name and place of the field; too_large over max_size, for more
///         than 64 MiB plus 64 times the size of the message, and for more than 1024 sample types;
///         incompatible for two profiles with one resource, scope and type whose times overlap,
///         since a sum of totals is not a total.
void convert_otlp_profile(std::string_view bytes, std::string& profile,
                          std::size_t max_size = max_profile_size);
/// Returns the profile, in a string of its own.
[[nodiscard]] inline std::string convert_otlp_profile(std::string_view bytes,
                                                      std::size_t max_size = max_profile_size) {
    std::string profile;
    convert_otlp_profile(bytes, profile, max_size);
    return profile;
}

/// The parts of a pprof profile that OTLP cannot represent. Parts that become attributes are not
/// lost.
struct otlp_losses {
    /// The number of top-level fields that profile.proto does not have.
    std::size_t unknown_fields = 0;
    /// The number of labels with a text and a number, which keep the text, and of those with one
    /// key and different units, which keep the first.
    std::size_t changed_labels = 0;
    /// The number of strings that are not UTF-8. Their invalid bytes become question marks.
    std::size_t changed_strings = 0;
};

/// Writes a profile as a ProfilesData of OTLP, release 1.11: the inverse of convert_otlp_profile().
/// Each sample type becomes a profile, with the samples that are not 0 in it; equal samples become
/// one. All profiles refer to one dictionary without duplicates; mappings without a location are
/// left out. The labels that convert_otlp_profile() makes of resources, scopes and links become
/// these again.
///
/// Cost: time and memory linear in the profile.
/// @param profile  serialized and uncompressed.
/// @param otlp     replaced by the serialized, uncompressed message; unspecified after an
///                 exception.
/// @param is_delta whether the profile covers its duration, rather than the time since the start.
///                 The message then has the attribute `pprofdelta.temporality`, and its time is the
///                 start of the interval. A profile with a duration and a type that is cumulative
///                 by its name is always a delta.
/// @throws error malformed; too_large, also for more than 64 MiB plus 64 times the size of the
///         profile of repeated data; incompatible for two sample types with the same name and unit,
///         and for one without a name.
otlp_losses write_otlp_profile(std::string_view profile, std::string& otlp, bool is_delta = false);

/// A message, serialized and uncompressed, and what it lacks.
struct otlp_message {
    std::string otlp;
    otlp_losses lost{};
};
/// Returns the message as well, in a string of its own.
[[nodiscard]] inline otlp_message write_otlp_profile(std::string_view profile,
                                                     bool is_delta = false) {
    otlp_message message;
    message.lost = write_otlp_profile(profile, message.otlp, is_delta);
    return message;
}

} // namespace pprofdelta

#pragma GCC visibility pop
