// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/info.hpp>

#include "delta/restart.hpp"
#include "profile/index.hpp"

namespace pprofdelta {

/// The kinds of the values of a sample, and which of them are subtracted.
struct subtraction_plan {
    std::vector<value_kind> kinds;         ///< Per sample type.
    std::vector<std::uint32_t> cumulative; ///< The places of those that are, ascending.
};

/// Chooses by the known types, then by `options`.
/// @throws error incompatible for a pattern that matches no type, or a type that two lists name.
[[nodiscard]] subtraction_plan plan_subtraction(const profile_types& types,
                                                const delta_options& options);

/// Each type with what `plan` says of it.
[[nodiscard]] std::vector<type_treatment> treatments(const profile_types& types,
                                                     const subtraction_plan& plan);

/// @throws error no_cumulative_type if nothing is to be subtracted: silently copying a profile
///         would look like a delta.
void require_cumulative(const subtraction_plan& plan, const profile_types& types);

/// read_profile_info() of a profile of which types and strings are indexed, at least. O(mappings)
[[nodiscard]] profile_info info_of(const profile_index& index, const delta_options& options = {});

/// A series of profiles as it is kept from one to the next: this, and a value_table.
struct series {
    match_mode match = match_mode::exact;
    profile_source source = profile_source::protobuf;
    profile_types types;
    subtraction_plan plan;
    process_history processes;
    /// The mappings of the last profile, if its process is known.
    std::vector<mapping_index::mapping> mappings;
    std::int64_t time_nanos = 0;     ///< The time of the last profile.
    std::int64_t duration_nanos = 0; ///< The duration of the last profile.
    std::int64_t period = 0;         ///< The period of the last profile.
    /// Whether the counters of the last profile were sums of samples, each of which was scaled.
    bool has_plain_counters = false;
};

/// @throws error incompatible if the series was saved by a computer with other options: another
///         match_mode, or other types to subtract.
void require_same_options(const series& saved, const delta_options& options);

} // namespace pprofdelta
