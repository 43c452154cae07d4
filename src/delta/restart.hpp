// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <pprofdelta/delta.hpp>

#include "delta/sampled_counters.hpp"
#include "profile/index.hpp"

namespace pprofdelta {

/// The relation of two profiles, as far as it is known before their counters are compared.
struct profile_relation {
    process_relation process = process_relation::unknown;
    /// Whether the profiler was reset: jemalloc, which samples with another period.
    bool is_profiler_reset = false;
    /// Counters of samples, which have to be compared as what was sampled.
    const sampled_counters* sampled = nullptr;
};

/// The changes of counters from one profile to the next, which tell whether that was a restart. It
/// is the one place that decides so, for the samples of deltas and for the rows of trends.
class counter_changes {
public:
    /// Forgets everything. Memory is kept.
    void begin(std::size_t counters);

    /// Takes one counter of a sample.
    /// @param is_now whether the sample is there now.
    void add(std::size_t counter, std::int64_t before, std::int64_t now,
             bool is_now = true) noexcept {
        change& of = m_changes[counter];
        const wide difference = wide{now} - before;
        of.before += before > 0 ? before : 0;
        of.lost -= difference < 0 ? difference : 0;
        of.lost_in_place -= is_now && difference < 0 ? difference : 0;
        of.gained += difference > 0 ? difference : 0;
        m_fell |= difference < 0;
    }

    /// After the counters of a sample.
    /// @param was_before whether the profile before had it.
    /// @param is_now     whether this one has it.
    void end_sample(bool was_before, bool is_now) noexcept {
        m_samples += was_before ? 1 : 0;
        m_current += is_now ? 1 : 0;
        m_matched += was_before && is_now ? 1 : 0;
        m_fallen += m_fell ? 1 : 0;
        m_negative += m_fell && is_now ? 1 : 0;
        m_fell = false;
    }

    /// Samples that are there and have less of some counter than before.
    [[nodiscard]] std::size_t negative_samples() const noexcept { return m_negative; }

    /// Another process is a restart for certain. Counters of a process that is the same, by its
    /// addresses, do not start over, unless the profiler does. If none of the samples is as before,
    /// it is what they are known by that has changed. If samples that are still there lost more
    /// than a tenth, it is another process that shares the addresses, as forked ones do. Less than
    /// that is no proof, as there are profilers that write such (golang/go#67584).
    ///
    /// Less is enough if the addresses say nothing: some counter lost more than others gained, or a
    /// tenth; or more than one sample, and 2 % of them, fell. tests/bench/MEASUREMENTS.md has what
    /// that finds.
    [[nodiscard]] reset_reason find_reset(const profile_relation& profiles) const noexcept;

private:
    // Sums of 64-bit numbers may need more bits.
    __extension__ using wide = __int128;

    struct change {
        wide before = 0; // what samples had, without those below 0
        wide lost = 0;
        wide lost_in_place = 0; // by samples that are there now
        wide gained = 0;
    };

    std::vector<change> m_changes;
    std::size_t m_samples = 0;  // of the profile before
    std::size_t m_current = 0;  // of this one
    std::size_t m_matched = 0;  // of both
    std::size_t m_fallen = 0;   // of these, also those that are not there any more
    std::size_t m_negative = 0; // of these, those that are there
    bool m_fell = false;        // the sample at hand
};

/// The processes that the profiles of a series were of, as far as their signs tell. It finds series
/// that are not what a delta needs: the profiles of several processes, or profiles that are deltas
/// already.
struct process_history {
    static constexpr std::size_t max_earlier = 8;

    process_sign last; ///< The sign of the last profile.
    /// Those that came before, the latest one first; all zero where there were fewer.
    std::array<process_sign, max_earlier> earlier{};
    /// How often in a row only the counters spoke for a restart; no more than 255.
    std::uint8_t counter_resets = 0;
    /// How often a sibling was found; no more than 255.
    std::uint8_t siblings = 0;
    bool has_reported_return = false;
    bool has_reported_windows = false;

    /// Sets what a summary says of processes, for a profile that is not the first; `of.reason` is
    /// set. Each finding that needs someone to act is reported once in a series.
    void describe(const process_sign& now, delta_summary& summary) const;

    /// Makes `now` the last one.
    void advance(const process_sign& now, const delta_summary& described) noexcept;

private:
    /// The place of the process of `now` among the earlier ones; max_earlier if it is not there.
    [[nodiscard]] std::size_t place_of(const process_sign& now) const;
};

} // namespace pprofdelta
