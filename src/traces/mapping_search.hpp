// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_TRACES_MAPPING_SEARCH_HPP
#define PPROFDELTA_SRC_TRACES_MAPPING_SEARCH_HPP

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include <pprofdelta/mapping.hpp>

namespace pprofdelta {

/// Finds the mapping that an address lies in.
class mapping_search {
public:
    static constexpr std::uint32_t npos = 0xffffffff;

    /// Replaces the mappings, which are not needed afterwards. O(n log n), and O(n) if they are in
    /// order; memory is reused.
    void build(std::span<const mapping> mappings) {
        m_ranges.clear();
        for (const mapping& m : mappings) {
            m_ranges.push_back({m.start, m.limit, static_cast<std::uint32_t>(m_ranges.size())});
        }
        const auto is_before = [](const range& a, const range& b) { return a.start < b.start; };
        if (!std::is_sorted(m_ranges.begin(), m_ranges.end(), is_before)) {
            std::sort(m_ranges.begin(), m_ranges.end(), is_before);
        }
    }

    /// The place of the mapping in the list, or npos. Of mappings that overlap it is one with the
    /// highest start. O(log n)
    [[nodiscard]] std::uint32_t find(std::uint64_t address) const noexcept {
        auto after =
            std::upper_bound(m_ranges.begin(), m_ranges.end(), address,
                             [](std::uint64_t value, const range& r) { return value < r.start; });
        if (after == m_ranges.begin()) {
            return npos;
        }
        const range& last = *--after;
        return address < last.limit ? last.place : npos;
    }

private:
    struct range {
        std::uint64_t start;
        std::uint64_t limit;
        std::uint32_t place;
    };
    std::vector<range> m_ranges; // by start
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_TRACES_MAPPING_SEARCH_HPP
