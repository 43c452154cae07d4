// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/error.hpp>

#include "base/hash128.hpp"
#include "delta/restart.hpp"
#include "delta/value_table.hpp"
#include "profile/index.hpp"
#include "profile/samples.hpp"

namespace pprofdelta {

/// Pass 2: adds up the samples of a profile in a value_table, and remembers which entry each one
/// went to, so that nothing is hashed twice.
class aggregation {
public:
    /// Reads all samples, on up to `threads` threads. `index` must outlive the uses of for_each().
    /// Memory is reused.
    /// @throws error malformed; then `table` is to be rolled back.
    void run(const profile_index& index, value_table& table, std::size_t threads);

    /// Reads all samples with keys that read_sample_keys() has made already.
    void run(const profile_index& index, const std::vector<hash128>& keys, value_table& table);

    /// Calls `visit(record sample, std::uint32_t entry)` for each entry that the profile has, in
    /// the order of the profile, with the first sample that went there.
    template <typename Visit>
    void for_each(Visit&& visit) const {
        const profile_view& view = m_index->view;
        for (std::size_t i = 0; i < m_entries.size(); ++i) {
            const std::size_t later = i + profile_view::records_ahead;
            if (later < view.samples.size()) {
                view.prefetch(view.samples[later]);
            }
            if (m_entries[i] != duplicate) {
                visit(view.samples[i], m_entries[i]);
            }
        }
    }

private:
    static constexpr std::uint32_t duplicate = 0xffffffff;

    void start(const profile_index& index, value_table& table);
    void run_side_by_side(value_table& table, std::size_t threads);
    void add(const hash128& key, const std::int64_t* values, value_table& table);

    const profile_index* m_index = nullptr;
    sample_reader m_reader;
    std::vector<std::uint32_t> m_entries; // for each sample of the profile
};

// The deltas of profiles and of traces share the rest. `Options` is delta_options or
// trace_delta_options.

/// Sets what counters that fell say, and of a reset if `policy` wants to know. Nobody knows when
/// counters started over, so what they have since then has no time but that of the profile itself.
/// @param changes are passed for their memory.
/// @throws error reset, if the policy wants that.
inline void look_for_reset(const value_table& table, const profile_relation& profiles,
                           reset_policy policy, std::int64_t own_duration, counter_changes& changes,
                           delta_summary& summary) {
    table.compare(profiles.sampled, changes);
    summary.negative_samples = changes.negative_samples();
    if (policy == reset_policy::negative) {
        return;
    }
    summary.reason = changes.find_reset(profiles);
    summary.reset = summary.reason != reset_reason::none;
    summary.duration_nanos = summary.reset ? own_duration : summary.duration_nanos;
    if (summary.reset && policy == reset_policy::error) {
        throw error{error_kind::reset, reset_text(summary.reason)};
    }
}

/// Sets the periods of two profiles, as far as they are known.
/// @param before is 0 if there is no profile before.
/// @returns whether both are known.
inline bool set_periods(std::int64_t before, std::int64_t now, delta_summary& summary) noexcept {
    const bool are_known = before > 0 && now > 0;
    summary.period = now > 0 ? now : 0;
    summary.previous_period = are_known && before != now ? before : 0;
    return are_known;
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

/// The duration of a delta: from the time of the profile before to its own, if both are known and
/// in order, else `own_duration`.
[[nodiscard]] constexpr std::int64_t duration_between(std::int64_t previous_time_nanos,
                                                      std::int64_t time_nanos,
                                                      std::int64_t own_duration) noexcept {
    const bool known = previous_time_nanos > 0 && time_nanos >= previous_time_nanos;
    return known ? time_nanos - previous_time_nanos : own_duration;
}

} // namespace pprofdelta
