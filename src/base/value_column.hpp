// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_BASE_VALUE_COLUMN_HPP
#define PPROFDELTA_SRC_BASE_VALUE_COLUMN_HPP

#include <cstddef>

namespace pprofdelta {

/// One value of each entry of a table in which the values of an entry stand one after the other.
template <typename Value>
class value_column {
public:
    /// @param values those of entry 0, which may be null if there are no entries.
    /// @param number of the column.
    /// @param stride how many values an entry has.
    value_column(Value* values, std::size_t number, std::size_t stride) noexcept
        : m_values{values}, m_number{number}, m_stride{stride} {}

    [[nodiscard]] Value& operator[](std::size_t entry) const noexcept {
        return m_values[entry * m_stride + m_number];
    }

private:
    Value* m_values;
    std::size_t m_number;
    std::size_t m_stride;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_BASE_VALUE_COLUMN_HPP
