// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "base/hash128.hpp"

namespace pprofdelta {

/// Numbers distinct keys 0, 1, 2 … in the order in which they come.
///
/// Open addressing with linear probing. Keys lie apart from the buckets, in their order of arrival,
/// so that whoever meets them in nearly that order again reads memory from front to back. The
/// bucket of a key depends on a number drawn at the start of the process: profiles cannot be
/// crafted to collide.
class key_table {
public:
    static constexpr std::uint32_t npos = 0xffffffff;

    key_table();
    /// Tests use this, with known numbers.
    explicit key_table(const hash128& seed) : m_seed{seed} {}

    [[nodiscard]] std::uint32_t size() const noexcept {
        return static_cast<std::uint32_t>(m_keys.size());
    }
    [[nodiscard]] const hash128& operator[](std::uint32_t number) const noexcept {
        return m_keys[number];
    }

    /// The number of `key`, which is size() before the call if it is new. O(1).
    std::uint32_t find_or_add(const hash128& key);

    /// Fetches what find_or_add(key) will look at, for when there is something else to do before.
    void prefetch(const hash128& key) const noexcept {
        if (!m_buckets.empty()) {
            __builtin_prefetch(&m_buckets[spread(key) >> m_shift], 1);
        }
    }

    /// The number of `key`, or npos. O(1)
    [[nodiscard]] std::uint32_t find(const hash128& key) const noexcept;

    /// Makes room for so many keys.
    void reserve(std::uint32_t keys);

    /// Replaces all keys by those in `bytes`, which lie there one after the other as hash128 has
    /// them in memory, aligned or not. Faster than find_or_add() of each: the memory that they go
    /// to is fetched ahead.
    /// @returns false if a key is there twice; the table is unspecified then.
    [[nodiscard]] bool assign(std::string_view bytes);

    /// Memory is kept. O(buckets)
    void clear() noexcept;

    /// Forgets the keys from number `size` on. O(buckets) if there are any.
    void truncate(std::uint32_t size);

    /// Forgets the keys for whose numbers `is_kept(number)` is false. The others move up, in their
    /// order. O(buckets), and allocates nothing.
    template <typename IsKept>
    void keep(IsKept&& is_kept) {
        std::uint32_t kept = 0;
        for (std::uint32_t number = 0; number < size(); ++number) {
            if (is_kept(number)) {
                m_keys[kept++] = m_keys[number];
            }
        }
        truncate(kept);
    }

    /// How many buckets the longest search for a key looks at; for tests. O(size())
    [[nodiscard]] std::size_t longest_search() const noexcept;

private:
    // A bucket holds a key's number + 1 in its lower half, 0 for an empty bucket, and in its upper
    // half bits of the hash that spare most looks at keys that are not the one.
    using bucket = std::uint64_t;

    [[nodiscard]] std::uint64_t spread(const hash128& key) const noexcept;
    // The bucket of `key`, or the empty one where it belongs. There have to be buckets.
    [[nodiscard]] std::size_t locate(const hash128& key, std::uint64_t hash) const noexcept;
    void rebuild(std::size_t bucket_count);

    hash128 m_seed;
    std::vector<hash128> m_keys;
    std::vector<bucket> m_buckets; // a power of two of them, at most 3/4 filled
    unsigned m_shift = 64;         // 64 − log2 of the number of buckets
};

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
    /// Returns the values in the order of their numbers.
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

    /// Returns the number of `key`, which is added if it is new, as in key_table. O(1)
    std::uint32_t find_or_add(const hash128& key) {
        if (m_guess < m_size_at_begin && m_table[m_guess] == key) {
            return m_guess++;
        }
        return search(key);
    }

    /// The call comes some keys before find_or_add() of one that may be new. A guess fetches
    /// nothing.
    void prefetch(const hash128& key) const noexcept {
        if (m_guess >= m_size_at_begin) {
            m_table.prefetch(key);
        }
    }

    /// The work between rounds uses this.
    [[nodiscard]] key_table& table() noexcept { return m_table; }

private:
    std::uint32_t search(const hash128& key) {
        // A round can leave out some keys, as what has nothing in use.
        constexpr std::uint32_t most_left_out = 16;
        const std::uint32_t end = std::min(m_guess + most_left_out, m_size_at_begin);
        for (std::uint32_t next = m_guess + 1; next < end; ++next) {
            if (m_table[next] == key) {
                m_guess = next + 1;
                return next;
            }
        }
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
