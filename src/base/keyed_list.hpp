// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_BASE_KEYED_LIST_HPP
#define PPROFDELTA_SRC_BASE_KEYED_LIST_HPP

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/hash128.hpp"
#include "base/key_table.hpp"

namespace pprofdelta {

/// A value for each of distinct keys, which are numbered 0, 1, 2 … in the order in which they come.
///
/// There is never a key without its value: after an exception nothing has changed.
template <typename Value>
class keyed_list {
public:
    static constexpr std::uint32_t npos = key_table::npos;

    [[nodiscard]] std::uint32_t size() const noexcept { return m_keys.size(); }
    [[nodiscard]] const hash128& key(std::uint32_t number) const noexcept { return m_keys[number]; }
    [[nodiscard]] const Value& operator[](std::uint32_t number) const noexcept {
        return m_values[number];
    }
    [[nodiscard]] Value& operator[](std::uint32_t number) noexcept { return m_values[number]; }
    /// By number.
    [[nodiscard]] const std::vector<Value>& values() const noexcept { return m_values; }

    /// The number of `key`, or npos. O(1)
    [[nodiscard]] std::uint32_t find(const hash128& key) const noexcept { return m_keys.find(key); }

    /// The number of `key`. If it is new, that is size() before the call, and its value is what
    /// `make()` returns, which must not use this list. O(1), besides what `make` takes.
    template <typename Make>
    std::uint32_t find_or_add(const hash128& key, Make&& make) {
        const std::uint32_t number = m_keys.find_or_add(key);
        if (number == m_values.size()) {
            try {
                m_values.push_back(std::forward<Make>(make)());
            } catch (...) {
                m_keys.truncate(number);
                throw;
            }
        }
        return number;
    }

    /// Memory is kept, but for that of the values themselves. O(buckets)
    void clear() noexcept {
        m_keys.clear();
        m_values.clear();
    }

    /// Forgets what has a number from `size` on. O(buckets) if there is any.
    void truncate(std::uint32_t size) noexcept {
        if (size < m_values.size()) {
            m_keys.truncate(size);
            m_values.erase(m_values.begin() + static_cast<std::ptrdiff_t>(size), m_values.end());
        }
    }

private:
    key_table m_keys;
    std::vector<Value> m_values;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_BASE_KEYED_LIST_HPP
