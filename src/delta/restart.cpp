// SPDX-License-Identifier: Apache-2.0
#include "delta/restart.hpp"

#include <algorithm>
#include <limits>

namespace pprofdelta {

void counter_changes::begin(std::size_t counters) {
    m_changes.assign(counters, {});
    m_samples = 0;
    m_current = 0;
    m_matched = 0;
    m_fallen = 0;
    m_negative = 0;
    m_fell = false;
}

reset_reason counter_changes::find_reset(const profile_relation& profiles) const noexcept {
    if (profiles.process == process_relation::another) {
        return reset_reason::process;
    }
    if (profiles.is_profiler_reset) {
        return reset_reason::period;
    }
    const auto any_change = [this](auto&& is_proof) {
        return std::any_of(m_changes.begin(), m_changes.end(), is_proof);
    };
    constexpr wide small_part = 10;
    constexpr std::size_t few_of_samples = 50;
    if (profiles.process == process_relation::same) {
        if (m_samples != 0 && m_current != 0 && m_matched == 0) {
            return reset_reason::samples;
        }
        const bool is_sibling = any_change(
            [](const change& one) { return one.lost_in_place > one.before / small_part; });
        return is_sibling ? reset_reason::sibling : reset_reason::none;
    }
    const bool is_reset = any_change([](const change& one) {
        return one.lost > one.gained || one.lost > one.before / small_part;
    });
    return is_reset || (m_fallen > 1 && m_fallen > m_samples / few_of_samples)
               ? reset_reason::counters
               : reset_reason::none;
}

namespace {

// Two restarts in a row can happen to any series.
constexpr std::uint8_t suspicious_resets = 3;

} // namespace

std::size_t process_history::place_of(const process_sign& now) const {
    const auto* const same =
        std::find_if(earlier.data(), earlier.data() + max_earlier, [&now](const auto& each) {
            return relation_of(each, now) == process_relation::same;
        });
    return static_cast<std::size_t>(same - earlier.data());
}

void process_history::describe(const process_sign& now, delta_summary& summary) const {
    summary.other_program =
        summary.reason == reset_reason::process && are_other_programs(last, now);
    summary.is_in_turn =
        place_of(now) != max_earlier && relation_of(last, now) == process_relation::another;
    const bool is_sibling = summary.reason == reset_reason::sibling;
    summary.process_returned =
        !has_reported_return && (summary.is_in_turn || (is_sibling && siblings != 0));
    summary.starts_over_each_time = !has_reported_windows &&
                                    (summary.reason == reset_reason::counters || is_sibling) &&
                                    counter_resets + 1 >= suspicious_resets;
}

void process_history::advance(const process_sign& now, const delta_summary& described) noexcept {
    has_reported_return = has_reported_return || described.process_returned;
    has_reported_windows = has_reported_windows || described.starts_over_each_time;
    const auto count = [](std::uint8_t& resets) {
        resets = static_cast<std::uint8_t>(
            std::min<unsigned>(resets + 1U, std::numeric_limits<std::uint8_t>::max()));
    };
    const bool is_sibling = described.reason == reset_reason::sibling;
    if (described.reason == reset_reason::counters || is_sibling) {
        count(counter_resets);
    } else {
        counter_resets = 0;
    }
    if (is_sibling) {
        count(siblings);
    }
    if (relation_of(last, now) == process_relation::another) {
        // The one that is back makes room; otherwise the oldest one.
        process_sign* const first = earlier.data();
        process_sign* const place = first + std::min(place_of(now), max_earlier - 1);
        std::move_backward(first, place, place + 1);
        earlier.front() = last;
    }
    last = now;
}

} // namespace pprofdelta
