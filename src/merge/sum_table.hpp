// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_MERGE_SUM_TABLE_HPP
#define PPROFDELTA_SRC_MERGE_SUM_TABLE_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/hash128.hpp"
#include "base/key_table.hpp"

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
                   keeping kept = keeping::last);

    [[nodiscard]] std::uint32_t size() const noexcept { return m_keys.size(); }

    void begin();

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
    [[nodiscard]] bool add(std::uint32_t entry, const std::int64_t* values);

    /// What `entry` has since the last commit() or rollback(), into room for a value of each type.
    void read(std::uint32_t entry, std::int64_t* values) const noexcept;

    /// @param is_last whether the levels of the profile take the place of those before it.
    void commit(bool is_last = true) noexcept;
    void rollback() noexcept;

private:
    void keep_levels(bool is_last) noexcept;

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
