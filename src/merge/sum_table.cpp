// SPDX-License-Identifier: Apache-2.0
#include "merge/sum_table.hpp"

#include <algorithm>
#include <utility>

#include "base/numbers.hpp"

namespace pprofdelta {

void sum_table::configure(std::size_t value_count, std::vector<std::uint32_t> levels,
                          keeping kept) {
    m_value_count = value_count;
    m_levels = std::move(levels);
    m_keeping = kept;
    m_keys.table().clear();
    m_sums.clear();
    m_kept.clear();
    m_last_entries.clear();
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

void sum_table::read(std::uint32_t entry, std::int64_t* values) const noexcept {
    std::copy_n(m_sums.data() + entry * m_value_count, m_value_count, values);
    for (std::size_t i = 0; i < m_levels.size(); ++i) {
        values[m_levels[i]] = m_kept[entry * m_levels.size() + i];
    }
}

void sum_table::commit(bool is_last) noexcept {
    if (!m_levels.empty()) {
        keep_levels(is_last);
    }
    begin();
}

void sum_table::keep_levels(bool is_last) noexcept {
    const std::size_t count = m_levels.size();
    const bool replaces = m_keeping == keeping::last && is_last;
    if (replaces) {
        for (const std::uint32_t entry : m_last_entries) {
            std::fill_n(m_kept.data() + entry * count, count, 0);
        }
    }
    for (const std::uint32_t entry : m_added_entries) {
        for (std::size_t i = 0; i < count; ++i) {
            // All that the profile has of the entry, and 0 where that comes again.
            const std::int64_t level =
                std::exchange(m_sums[entry * m_value_count + m_levels[i]], 0);
            std::int64_t& kept = m_kept[entry * count + i];
            if (m_keeping == keeping::largest) {
                kept = std::max(kept, level);
            } else if (replaces) {
                kept += level;
            }
        }
    }
    if (replaces) {
        std::swap(m_last_entries, m_added_entries);
    }
}

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
    m_kept.resize(size() * m_levels.size());
    begin();
}

} // namespace pprofdelta
