// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_DELTA_STATE_COLUMNS_HPP
#define PPROFDELTA_SRC_DELTA_STATE_COLUMNS_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/value_column.hpp"
#include "delta/state_bytes.hpp"

namespace pprofdelta {

/// The entries of a table from number `begin` to before number `end`.
struct entry_range {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
};

/// The values of one cumulative type as a state has them: in blocks, of which each has values of
/// one width. To read and to write these takes no branch that depends on a value.
class column_writer {
public:
    /// @param order all entries, as they are to be written. It and the values must outlive this,
    ///              unchanged.
    column_writer(value_column<const std::int64_t> values, const std::vector<entry_range>& order);

    /// In bytes.
    [[nodiscard]] std::size_t size() const noexcept { return m_size; }

    /// Needs no memory if there is room for the column and spare_room bytes.
    void append_to(std::string& out) const;
    static constexpr std::size_t spare_room = 8;

private:
    value_column<const std::int64_t> m_values;
    const std::vector<entry_range>& m_order;
    std::vector<std::uint8_t> m_widths; // of the blocks
    std::size_t m_size = 0;
};

/// Reads the values of `count` entries.
/// @throws error malformed
void read_column(state_reader& bytes, value_column<std::int64_t> values, std::uint32_t count);

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_DELTA_STATE_COLUMNS_HPP
