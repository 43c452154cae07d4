// SPDX-License-Identifier: Apache-2.0
#include "delta/restart.hpp"

#include <algorithm>

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

} // namespace pprofdelta
