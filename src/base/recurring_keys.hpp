// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_BASE_RECURRING_KEYS_HPP
#define PPROFDELTA_SRC_BASE_RECURRING_KEYS_HPP

#include <cstdint>

#include "base/hash128.hpp"
#include "base/key_table.hpp"

namespace pprofdelta {

/// A key_table whose keys come in rounds, in nearly the same order every time, as the samples do in
/// which a runtime lists its stacks. Then a key is where the one before it says, and most lookups
/// read memory from front to back, without a hash.
class recurring_keys {
public:
    [[nodiscard]] std::uint32_t size() const noexcept { return m_table.size(); }
    [[nodiscard]] const hash128& operator[](std::uint32_t number) const noexcept {
        return m_table[number];
    }

    /// Begins a round.
    void begin() noexcept {
        m_size_at_begin = size();
        m_guess = 0;
    }
    [[nodiscard]] std::uint32_t size_at_begin() const noexcept { return m_size_at_begin; }

    /// As key_table does it. O(1)
    std::uint32_t find_or_add(const hash128& key) {
        if (m_guess < m_size_at_begin && m_table[m_guess] == key) {
            return m_guess++;
        }
        return search(key);
    }

    /// To be called some keys before find_or_add() of one that may be new. Where it guesses,
    /// nothing is fetched.
    void prefetch(const hash128& key) const noexcept {
        if (m_guess >= m_size_at_begin) {
            m_table.prefetch(key);
        }
    }

    /// For what is done between rounds.
    [[nodiscard]] key_table& table() noexcept { return m_table; }

private:
    std::uint32_t search(const hash128& key) {
        const std::uint32_t known = size();
        const std::uint32_t number = m_table.find_or_add(key);
        if (number < known) {
            m_guess = number + 1;
        }
        return number;
    }

    key_table m_table;
    std::uint32_t m_size_at_begin = 0;
    std::uint32_t m_guess = 0; // the key after the one found last
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_BASE_RECURRING_KEYS_HPP
