// SPDX-License-Identifier: Apache-2.0
#include "key_table.hpp"

#include <algorithm>
#include <bit>
#include <random>

namespace pprofdelta {

namespace {

hash128 random_hash() {
    std::random_device device;
    const auto word = [&device] {
        return (static_cast<std::uint64_t>(device()) << 32U) | device();
    };
    return {word(), word()};
}

// Different in every process.
const hash128& seed() {
    static const hash128 words = random_hash();
    return words;
}

constexpr std::uint64_t lower_half = 0xffffffff;
constexpr std::size_t fewest_buckets = 16;

} // namespace

key_table::key_table() : m_seed{seed()} {}

// The two halves of the 128-bit product, folded: what wyhash calls mum.
std::uint64_t key_table::spread(const hash128& key) const noexcept {
    __extension__ using uint128 = unsigned __int128;
    const uint128 product = static_cast<uint128>(key.low ^ m_seed.low) * (key.high ^ m_seed.high);
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
}

std::uint32_t key_table::find_or_add(const hash128& key) {
    if ((m_keys.size() + 1) * 4 > m_buckets.size() * 3) {
        rebuild(std::max(fewest_buckets, m_buckets.size() * 2));
    }
    const std::uint64_t hash = spread(key);
    const std::uint64_t mask = m_buckets.size() - 1;
    for (std::uint64_t i = hash >> m_shift;; i = (i + 1) & mask) {
        const bucket b = m_buckets[i];
        if (b == 0) {
            const std::uint32_t number = size();
            m_keys.push_back(key);
            m_buckets[i] = (hash << 32U) | (number + 1U);
            return number;
        }
        if ((b ^ (hash << 32U)) <= lower_half) {
            const auto number = static_cast<std::uint32_t>((b & lower_half) - 1);
            if (m_keys[number] == key) {
                return number;
            }
        }
    }
}

void key_table::clear() {
    m_keys.clear();
    std::fill(m_buckets.begin(), m_buckets.end(), 0);
}

void key_table::truncate(std::uint32_t size) {
    if (size < m_keys.size()) {
        m_keys.resize(size);
        rebuild(m_buckets.size());
    }
}

void key_table::rebuild(std::size_t bucket_count) {
    m_buckets.assign(bucket_count, 0);
    m_shift = 64U - static_cast<unsigned>(std::countr_zero(bucket_count));
    const std::uint64_t mask = bucket_count - 1;
    for (std::uint32_t number = 0; number < size(); ++number) {
        const std::uint64_t hash = spread(m_keys[number]);
        std::uint64_t i = hash >> m_shift;
        while (m_buckets[i] != 0) {
            i = (i + 1) & mask;
        }
        m_buckets[i] = (hash << 32U) | (number + 1U);
    }
}

} // namespace pprofdelta
