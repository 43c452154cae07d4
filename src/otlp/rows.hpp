// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_OTLP_ROWS_HPP
#define PPROFDELTA_SRC_OTLP_ROWS_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/hash128.hpp"
#include "base/key_table.hpp"

namespace pprofdelta {

/// What makes two samples one, each by its number. It is its own key.
struct otlp_row {
    std::uint32_t stack = 0;
    std::uint32_t attributes = 0;
    std::uint32_t link = 0;
    std::uint32_t source = 0;

    [[nodiscard]] hash128 key() const noexcept {
        return {stack | std::uint64_t{attributes} << 32U, link | std::uint64_t{source} << 32U};
    }
    [[nodiscard]] static otlp_row of(const hash128& key) noexcept {
        return {static_cast<std::uint32_t>(key.low), static_cast<std::uint32_t>(key.low >> 32U),
                static_cast<std::uint32_t>(key.high), static_cast<std::uint32_t>(key.high >> 32U)};
    }
};

/// Numbers the rows of a message in the order in which they come. Its profiles, of one type each,
/// list the same rows in the same order, so one is mostly where the one before it says; and most
/// stacks are in one row, which is found by the stack.
class otlp_rows {
public:
    explicit otlp_rows(std::size_t stacks) : m_first_of_stack(stacks == 0 ? 1 : stacks, none) {}

    [[nodiscard]] std::size_t size() const noexcept { return m_rows.size(); }
    [[nodiscard]] otlp_row operator[](std::size_t number) const noexcept {
        return otlp_row::of(m_rows[number]);
    }

    void reserve(std::size_t rows) { m_rows.reserve(rows); }

    /// Begins the next profile.
    void begin() noexcept { m_guess = 0; }

    /// The number of a row, which is size() before the call if it is new. O(1)
    std::uint32_t find_or_add(const otlp_row& row) {
        const hash128 key = row.key();
        if (m_guess >= m_rows.size() || !(m_rows[m_guess] == key)) {
            m_guess = search(row.stack, key);
        }
        return m_guess++;
    }

private:
    static constexpr std::uint32_t none = 0xffffffff;

    [[gnu::noinline]] std::uint32_t search(std::uint32_t stack, const hash128& key) {
        std::uint32_t& first = m_first_of_stack[stack];
        if (first == none) {
            first = add(key);
            return first;
        }
        if (m_rows[first] == key) {
            return first;
        }
        const std::uint32_t known = m_others.size();
        const std::uint32_t other = m_others.find_or_add(key);
        if (other == known) {
            m_numbers_of_others.push_back(add(key));
        }
        return m_numbers_of_others[other];
    }

    std::uint32_t add(const hash128& key) {
        m_rows.push_back(key);
        return static_cast<std::uint32_t>(m_rows.size() - 1);
    }

    std::vector<hash128> m_rows; // their keys
    std::vector<std::uint32_t> m_first_of_stack;
    key_table m_others; // rows that are not the first of their stack
    std::vector<std::uint32_t> m_numbers_of_others;
    std::uint32_t m_guess = 0; // the row after the one found last
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_OTLP_ROWS_HPP
