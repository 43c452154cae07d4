// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_DELTA_PROCESS_HISTORY_HPP
#define PPROFDELTA_SRC_DELTA_PROCESS_HISTORY_HPP

#include <array>
#include <cstddef>
#include <cstdint>

#include <pprofdelta/delta.hpp>

#include "profile/process_sign.hpp"

namespace pprofdelta {

/// The processes that the profiles of a series were of, as far as their signs tell. It finds series
/// that are not what a delta needs: the profiles of several processes, or profiles that are deltas
/// already.
struct process_history {
    static constexpr std::size_t most_earlier = 8;

    process_sign last; ///< Of the last profile.
    /// Those that came before, the latest one first; all zero where there were fewer.
    std::array<process_sign, most_earlier> earlier{};
    /// How often in a row only the counters spoke for a restart; no more than 255.
    std::uint8_t counter_resets = 0;
    bool has_told_return = false;
    bool has_told_windows = false;

    /// Sets what a summary says of processes, for a profile that is not the first; `of.reason` is
    /// set. Each finding that needs someone to act is reported once in a series.
    void describe(const process_sign& now, delta_summary& of) const;

    /// Makes `now` the last one.
    void advance(const process_sign& now, const delta_summary& described) noexcept;

private:
    /// Where the process of `now` is among the earlier ones; most_earlier if it is not.
    [[nodiscard]] std::size_t place_of(const process_sign& now) const;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_DELTA_PROCESS_HISTORY_HPP
