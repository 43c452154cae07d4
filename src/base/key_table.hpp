// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_BASE_KEY_TABLE_HPP
#define PPROFDELTA_SRC_BASE_KEY_TABLE_HPP

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/hash128.hpp"

namespace pprofdelta {

/// Numbers distinct keys 0, 1, 2 … in the order in which they come.
///
/// Open addressing with linear probing. Keys lie apart from the buckets, in their order of arrival,
/// so that whoever meets them in nearly that order again reads memory from front to back. Which
/// bucket a key goes to depends on a number drawn at the start of the process: profiles cannot be
/// crafted to collide.
class key_table {
public:
    static constexpr std::uint32_t npos = 0xffffffff;

    key_table();
    /// With numbers that are known, for tests.
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

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_BASE_KEY_TABLE_HPP
