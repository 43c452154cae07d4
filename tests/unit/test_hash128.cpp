// SPDX-License-Identifier: Apache-2.0
#include "base/hash128.hpp"

#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <utility>

#include "catch.hpp"

using pprofdelta::hash128;
using pprofdelta::hash_bytes;
using pprofdelta::little_endian;

TEST_CASE("the hash is XXH3-128 without a seed") {
    // From xxHash's own `xxhsum -H128`, which prints the high word first.
    const hash128 empty = hash_bytes("");
    CHECK(empty.high == little_endian(std::uint64_t{0x99aa06d3014798d8}));
    CHECK(empty.low == little_endian(std::uint64_t{0x6001c324468d497f}));
    const hash128 abc = hash_bytes("abc");
    CHECK(abc.high == little_endian(std::uint64_t{0x06b05ab6733a6185}));
    CHECK(abc.low == little_endian(std::uint64_t{0x78af5f94892f3950}));
}

TEST_CASE("the bytes of a word lie in little-endian order") {
    const std::uint64_t word = little_endian(std::uint64_t{0x0102030405060708});
    unsigned char bytes[8];
    std::memcpy(bytes, &word, sizeof bytes);
    CHECK(bytes[0] == 8);
    CHECK(bytes[7] == 1);
}

TEST_CASE("both words take part in equality") {
    CHECK(hash128{1, 2} == hash128{1, 2});
    CHECK_FALSE(hash128{1, 2} == hash128{1, 3});
    CHECK_FALSE(hash128{1, 2} == hash128{3, 2});
    CHECK_FALSE(hash128{1, 2} == hash128{2, 1});
}

TEST_CASE("inputs of every length have their own hash") {
    // XXH3 takes another path at 3, 8, 16, 128 and 240 bytes.
    std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
    for (std::size_t size = 0; size <= 300; ++size) {
        const hash128 zeros = hash_bytes(std::string(size, '\0'));
        CHECK(seen.emplace(zeros.low, zeros.high).second);
    }
}
