// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_MERGE_SUM_TABLE_HPP
#define PPROFDELTA_SRC_MERGE_SUM_TABLE_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/hash128.hpp"
#include "base/key_table.hpp"
#include "base/numbers.hpp"

namespace pprofdelta {

/// For each distinct sample of several profiles its key and the sums of its values, or of levels
/// what is kept of them.
///
/// A profile is added between begin() and either commit() or rollback(), after which the table is
/// as it was at begin().
class sum_table {
public:
    /// What is kept of values that are not added to those of the profiles before.
    enum class keeping : std::uint8_t { last, largest };

    /// Forgets all entries, and sets how many values a sample has.
    /// @param levels the places of those that are not added up.
    void configure(std::size_t value_count, std::vector<std::uint32_t> levels = {},
                   keeping kept = keeping::last) {
        m_value_count = value_count;
        m_levels = std::move(levels);
        m_keeping = kept;
        m_keys.table().clear();
        m_sums.clear();
        m_kept.clear();
        m_last_entries.clear();
        begin();
    }

    [[nodiscard]] std::uint32_t size() const noexcept { return m_keys.size(); }

    void begin() {
        m_added_entries.clear();
        m_added_values.clear();
        m_keys.begin();
    }

    /// The entry of `key`, a new one with values 0 if need be. O(1), and in the order of the
    /// profile before it reads memory from front to back.
    std::uint32_t find_or_add(const hash128& key) {
        const std::uint32_t entry = m_keys.find_or_add(key);
        m_sums.resize(size() * m_value_count, 0);
        m_kept.resize(size() * m_levels.size(), 0);
        return entry;
    }

    /// See recurring_keys.
    void prefetch(const hash128& key) const noexcept { m_keys.prefetch(key); }

    /// Adds `values`, one for each type, to those of `entry`.
    /// @returns false if one of the sums would not fit 64 bits; then rollback() has to follow.
    [[nodiscard]] bool add(std::uint32_t entry, const std::int64_t* values) {
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

    /// What `entry` has since the last commit() or rollback(), into room for a value of each type.
    void read(std::uint32_t entry, std::int64_t* values) const noexcept {
        std::copy_n(m_sums.data() + entry * m_value_count, m_value_count, values);
        for (std::size_t i = 0; i < m_levels.size(); ++i) {
            values[m_levels[i]] = m_kept[entry * m_levels.size() + i];
        }
    }

    /// @param is_last whether the levels of the profile take the place of those before it.
    void commit(bool is_last = true) noexcept {
        if (!m_levels.empty()) {
            keep_levels(is_last);
        }
        begin();
    }

    void rollback() noexcept {
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

private:
    void keep_levels(bool is_last) noexcept {
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

    std::size_t m_value_count = 0;
    recurring_keys m_keys;
    std::vector<std::int64_t> m_sums; // of levels those of the profile that is being added, else 0

    std::vector<std::uint32_t> m_levels; // their places
    keeping m_keeping = keeping::last;
    std::vector<std::int64_t> m_kept;          // of each entry its levels
    std::vector<std::uint32_t> m_last_entries; // of the profile that has the last ones

    // What was added since begin(), to be taken back.
    std::vector<std::uint32_t> m_added_entries;
    std::vector<std::int64_t> m_added_values;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_MERGE_SUM_TABLE_HPP
