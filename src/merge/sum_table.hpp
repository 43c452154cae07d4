// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_MERGE_SUM_TABLE_HPP
#define PPROFDELTA_SRC_MERGE_SUM_TABLE_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/hash128.hpp"
#include "base/recurring_keys.hpp"

namespace pprofdelta {

/// For each distinct sample of several profiles its key and the sums of its values.
///
/// A profile is added between begin() and either commit() or rollback(), after which the table is
/// as it was at begin().
class sum_table {
public:
    /// Forgets all entries, and sets how many values a sample has.
    void configure(std::size_t value_count);

    [[nodiscard]] std::uint32_t size() const noexcept { return m_keys.size(); }

    void begin();

    /// The entry of `key`, a new one with values 0 if need be. O(1), and in the order of the
    /// profile before it reads memory from front to back.
    std::uint32_t find_or_add(const hash128& key) {
        const std::uint32_t entry = m_keys.find_or_add(key);
        m_sums.resize(size() * m_value_count, 0);
        return entry;
    }

    /// See recurring_keys.
    void prefetch(const hash128& key) const noexcept { m_keys.prefetch(key); }

    /// Adds `values`, one for each type, to those of `entry`.
    /// @returns false if one of the sums would not fit 64 bits; then rollback() has to follow.
    [[nodiscard]] bool add(std::uint32_t entry, const std::int64_t* values);

    [[nodiscard]] const std::int64_t* sums(std::uint32_t entry) const noexcept {
        return m_sums.data() + entry * m_value_count;
    }

    void commit() noexcept;
    void rollback() noexcept;

private:
    std::size_t m_value_count = 0;
    recurring_keys m_keys;
    std::vector<std::int64_t> m_sums;

    // What was added since begin(), to be taken back.
    std::vector<std::uint32_t> m_added_entries;
    std::vector<std::int64_t> m_added_values;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_MERGE_SUM_TABLE_HPP
