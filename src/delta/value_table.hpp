// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/hash128.hpp"
#include "base/key_table.hpp"
#include "base/memory.hpp"
#include "base/numbers.hpp"
#include "delta/restart.hpp"

namespace pprofdelta {

/// One value of each entry of a table in which the values of an entry stand one after the other.
template <typename Value>
class value_column {
public:
    /// @param values those of entry 0, which may be null if there are no entries.
    /// @param number is that of the column.
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

/// The state of a series of profiles: for each sample ever seen its key and its previous
/// cumulative values, and while a profile is read the current values.
///
/// A profile is read between begin() and either commit(), which makes the current values the
/// previous ones, or rollback(), after which the table is as it was at begin().
class value_table {
public:
    /// Forgets all entries, and sets which of how many values of a sample are kept from profile to
    /// profile, as ascending places.
    void configure(std::size_t value_count, std::vector<std::uint32_t> cumulative);

    [[nodiscard]] std::uint32_t size() const noexcept { return m_keys.size(); }

    /// Allocates nothing unless entries were restored since the last call, or those of a first
    /// profile were its counters alone.
    /// @param only_counters whether what is read is of use to the next profile alone. The other
    ///                      values of a first profile take no memory then, and until commit()
    ///                      nothing but key() may be asked of an entry.
    void begin(bool only_counters = false);

    /// The entry of `key`, a new one with previous values 0 if need be. O(1), and in the order of
    /// the profile before it reads memory from front to back.
    std::uint32_t find_or_add(const hash128& key) {
        const std::uint32_t entry = m_keys.find_or_add(key);
        if (entry == m_seen.size()) {
            add_entry();
        }
        return entry;
    }

    /// See recurring_keys.
    void prefetch(const hash128& key) const noexcept { m_keys.prefetch(key); }

    /// Adds `values`, value_count of them, to the current ones of `entry`.
    /// @returns whether it is the first time since begin().
    bool add(std::uint32_t entry, const std::int64_t* values) noexcept {
        std::int64_t* const sum = m_current.data() + entry * m_width;
        const bool is_first = (m_seen[entry] & in_current) == 0;
        m_seen[entry] |= in_current;
        for (std::size_t i = 0; i < m_width; ++i) {
            const std::int64_t value = values[m_only_counters ? m_cumulative[i] : i];
            sum[i] = is_first ? value : wrapping_add(sum[i], value);
        }
        return is_first;
    }

    /// Whether `entry` was added to since begin().
    [[nodiscard]] bool is_current(std::uint32_t entry) const noexcept {
        return (m_seen[entry] & in_current) != 0;
    }

    /// The current values of an entry for which is_current() holds; value_count of them.
    [[nodiscard]] const std::int64_t* current(std::uint32_t entry) const noexcept {
        return m_current.data() + entry * m_value_count;
    }
    /// The previous values of the cumulative types, in the order of configure().
    [[nodiscard]] const std::int64_t* previous(std::uint32_t entry) const noexcept {
        return m_previous.data() + entry * m_cumulative.size();
    }

    /// The key of the next entry follows it.
    [[nodiscard]] const hash128& key(std::uint32_t entry) const noexcept { return m_keys[entry]; }
    /// Whether the last profile before begin() had the entry.
    [[nodiscard]] bool is_previous(std::uint32_t entry) const noexcept {
        return (m_seen[entry] & in_previous) != 0;
    }

    /// The signs of the values that difference() wrote.
    struct signs {
        bool is_nonzero = false;   ///< Some value is not 0.
        bool has_negative = false; ///< Some value that was subtracted from is negative.
    };

    /// Writes the current values of an entry for which is_current() holds, the cumulative ones less
    /// what they were before.
    /// @param subtract false to write them all as they are.
    /// @param out      receives value_count values.
    signs difference(std::uint32_t entry, bool subtract, std::int64_t* out) const noexcept {
        const std::int64_t* const now = current(entry);
        const std::int64_t* before = previous(entry);
        const std::int64_t mask = subtract ? -1 : 0;
        if (m_is_heap) { // as most are; no loops, and nothing is read that was just written
            const std::int64_t first = wrapping_subtract(now[0], before[0] & mask);
            const std::int64_t second = wrapping_subtract(now[1], before[1] & mask);
            out[0] = first;
            out[1] = second;
            out[2] = now[2];
            out[3] = now[3];
            return {(first | second | now[2] | now[3]) != 0, (first | second) < 0};
        }
        std::copy_n(now, m_value_count, out);
        bool has_negative = false;
        for (const std::uint32_t i : m_cumulative) {
            out[i] = wrapping_subtract(out[i], *before++ & mask);
            has_negative |= out[i] < 0;
        }
        return {std::any_of(out, out + m_value_count, [](auto value) { return value != 0; }),
                has_negative};
    }

    /// Finds the changes of the cumulative values since begin().
    /// @param sampled counters that are compared as what was sampled; null for none.
    /// @param changes replaced.
    void compare(const sampled_counters* sampled, counter_changes& changes) const;

    /// Calls `change(std::int64_t* counters)` with the previous values of each entry that is not
    /// current.
    template <typename Change>
    void for_each_vanished(Change&& change) noexcept {
        for (std::uint32_t entry = 0; entry < size(); ++entry) {
            if (!is_current(entry)) {
                change(m_previous.data() + entry * m_cumulative.size());
            }
        }
    }

    /// Whether any counter has another value than before.
    [[nodiscard]] bool has_changed() const;

    void commit() noexcept;
    void rollback();

    /// Forgets the entries from number `size` on, which have to be new since begin().
    void truncate(std::uint32_t size);

    /// Forgets all entries but the current ones, which move up in their order, and all previous
    /// values. A new series begins so, with what was read since begin().
    void forget_previous() noexcept;

    /// Makes room for so many entries.
    void reserve(std::uint32_t entries);

    /// Replaces all entries by those of keys that were saved, as key_table::assign() has them; the
    /// last profile had the first `previous` of them. Their previous values are to be set by the
    /// caller, and they have no current ones, and no room for any, before begin(). There is room
    /// for some more entries, as the next profile will have new samples, and to make room for those
    /// then would copy all.
    /// @returns false if a key is there twice; the table is to be cleared then.
    [[nodiscard]] bool restore(std::string_view keys, std::uint32_t previous);

    /// The column of previous() at place `number`, of all entries; unset after restore().
    [[nodiscard]] value_column<std::int64_t> previous_column(std::size_t number) noexcept {
        return {m_previous.data(), number, m_cumulative.size()};
    }
    [[nodiscard]] value_column<const std::int64_t>
    previous_column(std::size_t number) const noexcept {
        return {m_previous.data(), number, m_cumulative.size()};
    }

    /// Forgets all entries, and what was read since begin(). Memory is kept.
    void clear() noexcept;

private:
    // Bits of m_seen.
    static constexpr std::uint8_t in_previous = 1;
    static constexpr std::uint8_t in_current = 2;

    void add_entry();
    /// Whether some cumulative value of an entry is less than before.
    [[nodiscard]] bool has_fallen(std::uint32_t entry) const noexcept;

    std::size_t m_value_count = 0;
    std::vector<std::uint32_t> m_cumulative;
    bool m_is_heap = false; // there are four values, of which the first two are cumulative
    bool m_only_counters = false;
    std::size_t m_width = 0; // how many current values an entry has

    recurring_keys m_keys;
    unset_vector<std::int64_t> m_previous; // none while only counters are read
    unset_vector<std::int64_t> m_current;  // set by add()
    std::vector<std::uint8_t> m_seen;
};

} // namespace pprofdelta
