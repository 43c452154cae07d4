// SPDX-License-Identifier: Apache-2.0
#include "merge/sum_table.hpp"

#include "base/wrapping.hpp"

namespace pprofdelta {

void sum_table::configure(std::size_t value_count) {
    m_value_count = value_count;
    m_keys.table().clear();
    m_sums.clear();
    begin();
}

void sum_table::begin() {
    m_added_entries.clear();
    m_added_values.clear();
    m_keys.begin();
}

bool sum_table::add(std::uint32_t entry, const std::int64_t* values) {
    m_added_entries.push_back(entry);
    m_added_values.insert(m_added_values.end(), values, values + m_value_count);
    std::int64_t* const sums = m_sums.data() + entry * m_value_count;
    bool fits = true;
    for (std::size_t i = 0; i < m_value_count; ++i) {
        // Also if it does not fit, the sum is one that rollback() can take `values` from.
        fits &= !__builtin_add_overflow(sums[i], values[i], &sums[i]);
    }
    return fits;
}

void sum_table::commit() noexcept { begin(); }

void sum_table::rollback() noexcept {
    // The last one may not have got as far as its values.
    const std::size_t added = m_value_count == 0 ? 0 : m_added_values.size() / m_value_count;
    for (std::size_t i = 0; i < added; ++i) {
        for (std::size_t v = 0; v < m_value_count; ++v) {
            std::int64_t& sum = m_sums[m_added_entries[i] * m_value_count + v];
            sum = wrapping_subtract(sum, m_added_values[i * m_value_count + v]);
        }
    }
    m_keys.table().truncate(m_keys.size_at_begin());
    m_sums.resize(size() * m_value_count);
    begin();
}

} // namespace pprofdelta
