// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_TRACES_MAPPING_SEARCH_HPP
#define PPROFDELTA_SRC_TRACES_MAPPING_SEARCH_HPP

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
    void build(std::span<const mapping> mappings);

    /// The place of the mapping in the list, or npos. Of mappings that overlap it is one with the
    /// highest start. O(log n)
    [[nodiscard]] std::uint32_t find(std::uint64_t address) const noexcept;

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
