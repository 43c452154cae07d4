// SPDX-License-Identifier: Apache-2.0
#include "base/key_table.hpp"

#include <array>
#include <bit>
#include <cstring>
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

// The two halves of the 128-bit product, folded: what wyhash calls mum. Keys in arithmetic
// progression, as ids are, still make runs for some seeds, so they are mixed once more.
std::uint64_t key_table::spread(const hash128& key) const noexcept {
    __extension__ using uint128 = unsigned __int128;
    const uint128 product = static_cast<uint128>(key.low ^ m_seed.low) * (key.high ^ m_seed.high);
    const std::uint64_t folded =
        static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
    return (folded ^ folded >> 32U) * 0x9e3779b97f4a7c15; // 2^64 over the golden ratio
}

std::size_t key_table::locate(const hash128& key, std::uint64_t hash) const noexcept {
    const std::uint64_t mask = m_buckets.size() - 1;
    std::uint64_t i = hash >> m_shift;
    while (m_buckets[i] != 0) {
        const bucket b = m_buckets[i];
        if ((b ^ (hash << 32U)) <= lower_half && m_keys[(b & lower_half) - 1] == key) {
            break;
        }
        i = (i + 1) & mask;
    }
    return i;
}

std::uint32_t key_table::find(const hash128& key) const noexcept {
    if (m_buckets.empty()) {
        return npos;
    }
    // An empty bucket gives 0 − 1, which is npos.
    return static_cast<std::uint32_t>((m_buckets[locate(key, spread(key))] & lower_half) - 1);
}

std::uint32_t key_table::find_or_add(const hash128& key) {
    if ((m_keys.size() + 1) * 4 > m_buckets.size() * 3) {
        rebuild(std::max(fewest_buckets, m_buckets.size() * 2));
    }
    const std::uint64_t hash = spread(key);
    bucket& b = m_buckets[locate(key, hash)];
    if (b == 0) {
        m_keys.push_back(key);
        b = (hash << 32U) | size();
    }
    return static_cast<std::uint32_t>((b & lower_half) - 1);
}

void key_table::reserve(std::uint32_t keys) {
    m_keys.reserve(keys);
    const std::size_t buckets = std::bit_ceil(std::size_t{keys} * 4 / 3 + 1);
    if (buckets > m_buckets.size()) {
        rebuild(std::max(fewest_buckets, buckets));
    }
}

bool key_table::assign(std::string_view bytes) {
    const std::size_t count = bytes.size() / sizeof(hash128);
    clear();
    reserve(static_cast<std::uint32_t>(count));
    constexpr std::size_t ahead = 32; // how many keys wait for their buckets to be fetched
    std::array<std::uint64_t, ahead> hashes{};
    for (std::size_t i = 0; i < count + ahead; ++i) {
        std::uint64_t& hash = hashes[i % ahead];
        if (i >= ahead) {
            const std::size_t number = i - ahead;
            bucket& b = m_buckets[locate(m_keys[number], hash)];
            if (b != 0) {
                return false;
            }
            b = (hash << 32U) | (number + 1);
        }
        if (i < count) {
            hash128 key;
            std::memcpy(&key, bytes.data() + i * sizeof key, sizeof key);
            m_keys.push_back(key);
            hash = spread(key);
            __builtin_prefetch(&m_buckets[hash >> m_shift], 1);
        }
    }
    return true;
}

void key_table::clear() noexcept {
    m_keys.clear();
    std::fill(m_buckets.begin(), m_buckets.end(), 0);
}

void key_table::truncate(std::uint32_t size) {
    if (size < m_keys.size()) {
        m_keys.resize(size);
        rebuild(m_buckets.size());
    }
}

std::size_t key_table::longest_search() const noexcept {
    std::size_t longest = 0;
    for (const hash128& key : m_keys) {
        const std::uint64_t hash = spread(key);
        const std::size_t steps = (locate(key, hash) - (hash >> m_shift)) & (m_buckets.size() - 1);
        longest = std::max(longest, steps + 1);
    }
    return longest;
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
