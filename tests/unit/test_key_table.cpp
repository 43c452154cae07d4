// SPDX-License-Identifier: Apache-2.0
#include "base/key_table.hpp"

#include <cstdint>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catch.hpp"

using pprofdelta::hash128;
using pprofdelta::key_table;

TEST_CASE("an empty table has no key") {
    const key_table table;
    CHECK(table.size() == 0);
    CHECK(table.find({0, 0}) == key_table::npos);
    CHECK(table.find({1, 2}) == key_table::npos);
}

TEST_CASE("keys are numbered as they come") {
    key_table table;
    CHECK(table.find_or_add({5, 6}) == 0);
    CHECK(table.find_or_add({0, 0}) == 1);
    CHECK(table.find_or_add({5, 6}) == 0);
    CHECK(table.find_or_add({5, 7}) == 2);
    CHECK(table.find_or_add({6, 5}) == 3);
    CHECK(table.size() == 4);
    CHECK(table[0] == hash128{5, 6});
    CHECK(table[2] == hash128{5, 7});
    CHECK(table.find({5, 7}) == 2);
    CHECK(table.find({7, 5}) == key_table::npos);
}

TEST_CASE("keys that differ in one bit are kept apart") {
    key_table table;
    CHECK(table.find_or_add({0, 0}) == 0);
    for (std::uint32_t bit = 0; bit < 64; ++bit) {
        CHECK(table.find_or_add({std::uint64_t{1} << bit, 0}) == 2 * bit + 1);
        CHECK(table.find_or_add({0, std::uint64_t{1} << bit}) == 2 * bit + 2);
    }
    CHECK(table.size() == 129);
}

TEST_CASE("a cleared table numbers from zero") {
    key_table table;
    table.find_or_add({1, 1});
    table.find_or_add({2, 2});
    table.clear();
    CHECK(table.size() == 0);
    CHECK(table.find({1, 1}) == key_table::npos);
    CHECK(table.find_or_add({2, 2}) == 0);
}

TEST_CASE("keys are assigned as they lie in memory") {
    std::mt19937_64 random{1};
    for (const std::size_t count : {0U, 1U, 31U, 32U, 33U, 64U, 1000U, 5000U}) {
        CAPTURE(count);
        std::vector<hash128> keys;
        keys.reserve(count);
        for (std::size_t i = 0; i < count; ++i) {
            keys.push_back({random(), random()});
        }
        const auto bytes = [&keys] {
            std::string copy(1 + keys.size() * sizeof(hash128), '\0'); // not aligned
            if (!keys.empty()) {
                std::memcpy(copy.data() + 1, keys.data(), keys.size() * sizeof(hash128));
            }
            return copy;
        };
        key_table table;
        table.find_or_add({1, 1}); // which is forgotten
        REQUIRE(table.assign(std::string_view{bytes()}.substr(1)));
        REQUIRE(table.size() == count);
        CHECK(table.find({1, 1}) == key_table::npos);
        for (std::uint32_t i = 0; i < count; ++i) {
            CHECK(table[i] == keys[i]);
            CHECK(table.find(keys[i]) == i);
        }
        CHECK(table.find_or_add({2, 2}) == count);
        for (const std::size_t apart : {1U, 31U, 32U, 33U, 999U}) {
            if (apart < count) { // the same key twice, near or far
                const std::vector<hash128> right = keys;
                keys[apart] = keys[0];
                CHECK_FALSE(table.assign(std::string_view{bytes()}.substr(1)));
                keys = right;
                keys[count - 1] = keys[count - 1 - apart];
                CHECK_FALSE(table.assign(std::string_view{bytes()}.substr(1)));
                keys = right;
            }
        }
    }
}

TEST_CASE("truncating forgets the keys that came last") {
    key_table table;
    for (std::uint64_t i = 0; i < 1000; ++i) {
        table.find_or_add({i, i});
    }
    table.truncate(2000);
    CHECK(table.size() == 1000);
    table.truncate(400);
    CHECK(table.size() == 400);
    for (std::uint64_t i = 0; i < 1000; ++i) {
        CHECK(table.find({i, i}) == (i < 400 ? i : key_table::npos));
    }
    CHECK(table.find_or_add({777, 777}) == 400);
    table.truncate(0);
    CHECK(table.size() == 0);
    CHECK(table.find({1, 1}) == key_table::npos);
}

TEST_CASE("a key table does what std::map does") {
    std::mt19937_64 random{2};
    key_table table;
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> expected;
    for (int i = 0; i < 100'000; ++i) {
        const hash128 key{random() % 300, random() % 300};
        const auto [entry, is_new] = expected.emplace(std::pair{key.low, key.high},
                                                      static_cast<std::uint32_t>(expected.size()));
        REQUIRE(table.find(key) == (is_new ? key_table::npos : entry->second));
        REQUIRE(table.find_or_add(key) == entry->second);
    }
    REQUIRE(table.size() == expected.size());
}

TEST_CASE("keys crafted for one seed do not collide for another") {
    constexpr std::uint64_t count = 10'000;
    // A factor of zero makes every product zero.
    constexpr hash128 known{0, 0};
    key_table crafted{known};
    key_table other{{0x9e3779b97f4a7c15, 0xd1b54a32d192ed03}};
    key_table random;
    for (std::uint64_t i = 1; i <= count; ++i) {
        const hash128 key{known.low, i};
        crafted.find_or_add(key);
        other.find_or_add(key);
        random.find_or_add(key);
    }
    CHECK(crafted.longest_search() == count);
    CHECK(other.longest_search() < 300);
    CHECK(random.longest_search() < 300);
    for (std::uint64_t i = 1; i <= count; ++i) {
        REQUIRE(crafted.find({known.low, i}) == i - 1);
    }
}

TEST_CASE("searches stay short for keys that differ in few bits") {
    key_table table;
    for (std::uint64_t i = 0; i < 300; ++i) {
        for (std::uint64_t j = 0; j < 300; ++j) {
            table.find_or_add({i << 40U, j << 20U});
        }
    }
    CHECK(table.size() == 90'000);
    CHECK(table.longest_search() < 300);
}

TEST_CASE("searches stay short for ids in a row, whatever the seed") {
    std::mt19937_64 random{3};
    for (int run = 0; run < 300; ++run) {
        key_table table{{random(), random()}};
        for (std::uint64_t id = 1; id <= 10'000; ++id) {
            table.find_or_add({id, 0});
        }
        REQUIRE(table.longest_search() < 300);
    }
}
