// SPDX-License-Identifier: Apache-2.0
#include "traces/mapping_search.hpp"

#include <algorithm>

namespace pprofdelta {

void mapping_search::build(std::span<const mapping> mappings) {
    m_ranges.clear();
    for (const mapping& m : mappings) {
        m_ranges.push_back({m.start, m.limit, static_cast<std::uint32_t>(m_ranges.size())});
    }
    const auto is_before = [](const range& a, const range& b) { return a.start < b.start; };
    if (!std::is_sorted(m_ranges.begin(), m_ranges.end(), is_before)) {
        std::sort(m_ranges.begin(), m_ranges.end(), is_before);
    }
}

std::uint32_t mapping_search::find(std::uint64_t address) const noexcept {
    auto after =
        std::upper_bound(m_ranges.begin(), m_ranges.end(), address,
                         [](std::uint64_t value, const range& r) { return value < r.start; });
    if (after == m_ranges.begin()) {
        return npos;
    }
    const range& last = *--after;
    return address < last.limit ? last.place : npos;
}

} // namespace pprofdelta
