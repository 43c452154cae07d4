// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_DELTA_RULES_HPP
#define PPROFDELTA_SRC_DELTA_RULES_HPP

#include <cstdint>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/error.hpp>

#include "delta/restart.hpp"
#include "delta/value_table.hpp"

namespace pprofdelta {

// What is the same for the deltas of profiles and of traces. `Options` is delta_options or
// trace_delta_options.

/// Sets what `found` says of counters that fell, and of a reset if `policy` wants to know.
/// @param changes for their memory.
/// @throws error reset, if the policy wants that.
inline void look_for_reset(const value_table& table, process_relation process, reset_policy policy,
                           counter_changes& changes, delta_summary& summary) {
    table.compare(changes);
    summary.negative_samples = changes.negative_samples();
    if (policy == reset_policy::negative) {
        return;
    }
    summary.reason = changes.find_reset(process);
    summary.reset = summary.reason != reset_reason::none;
    if (summary.reset && policy == reset_policy::error) {
        throw error{error_kind::reset,
                    summary.reason == reset_reason::process
                        ? "the counters started over: the process is another one than before"
                        : "the counters started over, as after a restart of the process"};
    }
}

/// Whether a delta has samples at all; `found` says whether it is the first, and of a reset.
template <typename Options>
[[nodiscard]] bool has_samples(const Options& options, const delta_summary& summary) noexcept {
    return summary.reset ? options.on_reset != reset_policy::drop
                         : !(summary.first && options.skip_first);
}

/// Whether a sample with such differences is in the delta.
template <typename Options>
[[nodiscard]] bool is_kept(const Options& options, const value_table::signs& signs) noexcept {
    return signs.is_nonzero && !(signs.has_negative && options.drop_negative);
}

/// What a delta has for a duration: from the time of the profile before to its own, if both are
/// known and in order, else `own_duration`.
[[nodiscard]] constexpr std::int64_t duration_between(std::int64_t previous_time_nanos,
                                                      std::int64_t time_nanos,
                                                      std::int64_t own_duration) noexcept {
    const bool known = previous_time_nanos > 0 && time_nanos >= previous_time_nanos;
    return known ? time_nanos - previous_time_nanos : own_duration;
}

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_DELTA_RULES_HPP
