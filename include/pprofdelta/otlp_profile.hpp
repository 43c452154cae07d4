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

} // namespace pprofdelta

#pragma GCC visibility pop

#endif // PPROFDELTA_OTLP_PROFILE_HPP
