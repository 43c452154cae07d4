// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_DELTA_SERIES_HPP
#define PPROFDELTA_SRC_DELTA_SERIES_HPP

#include <cstdint>

#include <pprofdelta/delta.hpp>

#include "delta/process_history.hpp"
#include "delta/subtraction_plan.hpp"
#include "profile/types.hpp"

namespace pprofdelta {

/// What is kept of a series of profiles from one to the next: this, and a value_table.
struct series {
    match_mode match = match_mode::exact;
    profile_source source = profile_source::protobuf;
    profile_types types;
    subtraction_plan plan;
    process_history processes;
    std::int64_t time_nanos = 0;     ///< Of the last profile.
    std::int64_t duration_nanos = 0; ///< Of the last profile.
};

/// @throws error incompatible if `source` is not that of the profiles before.
void require_same_source(const series& kept, profile_source source);

/// @throws error incompatible if the series was saved by a computer with other options: another
///         match_mode, or other types to subtract.
void require_same_options(const series& saved, const delta_options& options);

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_DELTA_SERIES_HPP
