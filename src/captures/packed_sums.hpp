// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_CAPTURES_PACKED_SUMS_HPP
#define PPROFDELTA_SRC_CAPTURES_PACKED_SUMS_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace pprofdelta {

/// Sums of the rows of captures, or of calls between these, which have numbers. Most are zero or
/// small, so they are kept as varints, in a fifth of the memory.
class packed_sums {
public:
    /// Rows in ascending order, and as many sums of each, one row after the other.
    struct rows {
        std::vector<std::uint32_t> numbers{};
        std::vector<std::int64_t> sums{};

        /// A sum of any row, 0 of one that is not there. O(log n)
        [[nodiscard]] std::int64_t of(std::uint32_t row, std::size_t sum) const;
    };

    /// Gets the next capture ready. What was so before, and not kept, is replaced.
    void prepare(const rows& added);
    /// Adds what was prepared.
    void keep(const rows& added) noexcept;

    /// Whether any capture has a row.
    [[nodiscard]] bool has(std::size_t row) const noexcept {
        return row < m_last.size() && m_last[row].capture != nowhere;
    }

    /// A sum of a row in all captures. O(captures)
    [[nodiscard]] std::vector<std::int64_t> column(std::size_t row, std::size_t sum) const;

    /// All rows of a capture.
    [[nodiscard]] rows of(std::size_t capture) const;

private:
    static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

    // Where a row is found.
    struct place {
        std::size_t capture = nowhere;
        std::size_t offset = 0; // in what the capture has
    };

    // The rows of each capture that is kept, and of the next one. A row has how many captures
    // before is one with it, 0 for none; where in that; how much larger its number is than that of
    // the row before it; and its sums, zigzag encoded.
    std::vector<std::string> m_packed;
    std::size_t m_count = 0;
    std::size_t m_sums = 0;             // of each row
    std::vector<std::size_t> m_offsets; // of the rows of the next capture
    std::vector<place> m_last;          // of each row
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_CAPTURES_PACKED_SUMS_HPP
