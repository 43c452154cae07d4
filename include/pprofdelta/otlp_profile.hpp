// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_OTLP_PROFILE_HPP
#define PPROFDELTA_OTLP_PROFILE_HPP

#include <cstddef>
#include <string>
#include <string_view>

#include <pprofdelta/codec.hpp>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

/// Whether `bytes` are profiles of OpenTelemetry's protocol (OTLP), a ProfilesData or an
/// ExportProfilesServiceRequest, rather than a profile of pprof. They must not be compressed; see
/// decode(). Nothing that is a profile of pprof is taken for one: that has a string table in field
/// 6, and these have nothing but fields 1 and 2.
///
/// Linear in the number of fields up to the first that OTLP does not have: for pprof, mostly O(1).
[[nodiscard]] bool is_otlp_profile(std::string_view bytes) noexcept;

/// Turns profiles of OTLP into one ordinary profile, which delta_computer and all other functions
/// take. Read is the schema of releases 1.10 and 1.11 of opentelemetry-proto
/// (opentelemetry/proto/profiles/v1development/profiles.proto), and what does not fit it is
/// refused.
///
/// Each profile of OTLP has one type. Those of a message become the sample types of one profile, in
/// the order in which they first come, and samples of the same stack, attributes, link, resource
/// and scope become one sample with all values; several values of a sample are added up, and each
/// time without a value counts 1. Attributes become labels: text and integers as they are, lists of
/// these as several labels of a key, anything else as text; so does a link, as `trace_id` and
/// `span_id`. The attributes of the resource become labels with the prefix `resource.`, whether
/// there is one resource or several: what a sample is must not depend on what else a message holds.
/// pprofdelta-otlp(7) has the rest.
///
/// @param profile  replaced by the serialized, uncompressed profile; unspecified after a throw.
/// @param max_size the most bytes that it may have. Time and memory are linear in the message and
///                 in the profile.
/// @throws error malformed with the name and the place of the field; too_large over max_size, or
///         for more than 64 MiB and 64 times the size of the message, and for more than 1024 sample
///         types; incompatible for two profiles of one resource, scope and type whose times
///         overlap, as a sum of totals is none.
void convert_otlp_profile(std::string_view bytes, std::string& profile,
                          std::size_t max_size = max_profile_size);

/// What of a profile of pprof OTLP has no place for. What it has attributes for is not lost.
struct otlp_losses {
    /// Fields at the top level that profile.proto does not have.
    std::size_t unknown_fields = 0;
    /// Labels with a text and a number, of which the text is kept, and those of one key whose units
    /// differ, of which the first is.
    std::size_t changed_labels = 0;
    /// Strings that are not UTF-8, whose bytes of no character become question marks.
    std::size_t changed_strings = 0;
};

/// Writes a profile as a ProfilesData of OTLP, as of release 1.11: what convert_otlp_profile()
/// reads, and the other way round. Each sample type becomes a profile, with the samples that are
/// not 0 in it, and equal samples become one. There is one dictionary, in which nothing is twice
/// and to which all refers, so mappings without a location are left out. The labels that
/// convert_otlp_profile() makes of resources, scopes and links become those again.
///
/// @param profile  serialized and uncompressed.
/// @param otlp     replaced by the serialized, uncompressed message; unspecified after a throw.
/// @param is_delta whether it says what happened in its duration, rather than since the start. An
///                 attribute says so then, `pprofdelta.temporality`, and the time is that of the
///                 start of the interval. A profile with a duration and a type that is cumulative
///                 by its name is one in any case.
/// @throws error malformed; too_large, also for more than 64 MiB and 64 times the size of the
///         profile of what is referred to many times; incompatible for two sample types of one name
///         and unit, and for one without a name. Time and memory are linear in the profile.
otlp_losses write_otlp_profile(std::string_view profile, std::string& otlp, bool is_delta = false);

} // namespace pprofdelta

#pragma GCC visibility pop

#endif // PPROFDELTA_OTLP_PROFILE_HPP
