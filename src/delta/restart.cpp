// SPDX-License-Identifier: Apache-2.0
#include "delta/restart.hpp"

#include <algorithm>
#include <limits>

namespace pprofdelta {

void counter_changes::begin(std::size_t counters) {
    m_changes.assign(counters, {});
    m_samples = 0;
    m_fallen = 0;
    m_negative = 0;
    m_fell = false;
}

reset_reason counter_changes::find_reset(process_relation process) const noexcept {
    if (process == process_relation::another) {
        return reset_reason::process;
    }
    const auto any_change = [this](auto&& is_proof) {
        return std::any_of(m_changes.begin(), m_changes.end(), is_proof);
    };
    bool is_reset = any_change([](const change& of) { return of.lost > of.before / 2; });
    if (process == process_relation::unknown) {
        constexpr wide small_part = 10;
        constexpr std::size_t few_of_samples = 50;
        is_reset = is_reset || any_change([](const change& of) {
                       return of.lost > of.gained || of.lost > of.before / small_part;
                   });
        is_reset = is_reset || (m_fallen > 1 && m_fallen > m_samples / few_of_samples);
    }
    return is_reset ? reset_reason::counters : reset_reason::none;
}

namespace {

// Two restarts in a row can happen to any series.
constexpr std::uint8_t suspicious_resets = 3;

} // namespace

std::size_t process_history::place_of(const process_sign& now) const {
    const auto* const same =
        std::find_if(earlier.data(), earlier.data() + most_earlier, [&now](const auto& each) {
            return relation_of(each, now) == process_relation::same;
        });
    return static_cast<std::size_t>(same - earlier.data());
}

void process_history::describe(const process_sign& now, delta_summary& of) const {
    of.other_program = of.reason == reset_reason::process && are_other_programs(last, now);
    of.process_returned = !has_told_return && place_of(now) != most_earlier &&
                          relation_of(last, now) == process_relation::another;
    of.starts_over_each_time = !has_told_windows && of.reason == reset_reason::counters &&
                               counter_resets + 1 >= suspicious_resets;
}

void process_history::advance(const process_sign& now, const delta_summary& described) noexcept {
    has_told_return = has_told_return || described.process_returned;
    has_told_windows = has_told_windows || described.starts_over_each_time;
    if (described.reason != reset_reason::counters) {
        counter_resets = 0;
    } else if (counter_resets < std::numeric_limits<std::uint8_t>::max()) {
        ++counter_resets;
    }
    if (relation_of(last, now) == process_relation::another) {
        // The one that is back makes room; otherwise the oldest one.
        process_sign* const first = earlier.data();
        process_sign* const place = first + std::min(place_of(now), most_earlier - 1);
        std::move_backward(first, place, place + 1);
        earlier.front() = last;
    }
    last = now;
}

} // namespace pprofdelta
