// SPDX-License-Identifier: Apache-2.0
#include "delta/process_history.hpp"

#include <algorithm>
#include <limits>

namespace pprofdelta {

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
