// SPDX-License-Identifier: Apache-2.0
#include "profile/index.hpp"

#include <cstdint>
#include <limits>
#include <map>
#include <random>
#include <vector>

#include "catch.hpp"

using pprofdelta::id_map;

namespace {

constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();

// Adds all ids, and checks that each is at its place and no other one is found.
void check_places(const std::vector<std::uint64_t>& ids) {
    id_map map;
    for (const std::uint64_t id : ids) {
        CHECK(map.find(id) == id_map::npos);
        CHECK(map.add(id));
    }
    CHECK(map.size() == ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) {
        CHECK(map.find(ids[i]) == i);
        CHECK_FALSE(map.add(ids[i]));
    }
    CHECK(map.size() == ids.size());
    CHECK(map.find(0) == id_map::npos);
}

} // namespace

TEST_CASE("an empty map has no id") {
    const id_map map;
    CHECK(map.size() == 0);
    CHECK(map.find(0) == id_map::npos);
    CHECK(map.find(1) == id_map::npos);
    CHECK(map.find(largest) == id_map::npos);
}

TEST_CASE("id 0 is an id if it is added") {
    id_map map;
    CHECK(map.add(1));
    CHECK(map.find(0) == id_map::npos);
    CHECK(map.add(0));
    CHECK_FALSE(map.add(0));
    CHECK(map.find(0) == 1);
    CHECK(map.add(2));
    CHECK(map.find(2) == 2);
    CHECK(map.sequential() == 1);
    id_map from_0;
    for (std::uint64_t id = 0; id < 100; ++id) {
        CHECK(from_0.add(id));
    }
    for (std::uint64_t id = 0; id < 100; ++id) {
        CHECK(from_0.find(id) == id);
    }
    CHECK(from_0.sequential() == 0);
}

TEST_CASE("ids of every order get their places") {
    check_places({1, 2, 3, 4});
    check_places({4, 3, 2, 1});
    check_places({1, 2, 4, 3, 5}); // leaves the sequence and would return to it
    check_places({2, 1, 3});
    check_places({largest});
    check_places({largest, 1, 2, std::uint64_t{1} << 32U, (std::uint64_t{1} << 32U) + 1});
    check_places({1, largest, 2, 0x8000000000000000});
}

TEST_CASE("an id next to the sequence is not in it") {
    id_map map;
    CHECK(map.add(1));
    CHECK(map.add(2));
    CHECK(map.find(3) == id_map::npos);
    CHECK(map.find((std::uint64_t{1} << 32U) + 1) == id_map::npos);
    CHECK(map.find(largest) == id_map::npos);
}

TEST_CASE("a cleared map is like a new one") {
    id_map map;
    CHECK(map.add(1));
    CHECK(map.add(77));
    map.clear();
    CHECK(map.size() == 0);
    CHECK(map.find(1) == id_map::npos);
    CHECK(map.find(77) == id_map::npos);
    CHECK(map.add(77));
    CHECK(map.find(77) == 0);
    CHECK(map.add(1));
    CHECK(map.find(1) == 1);
}

TEST_CASE("an id map does what std::map does") {
    std::mt19937_64 random{1};
    for (int round = 0; round < 200; ++round) {
        id_map map;
        std::map<std::uint64_t, std::uint32_t> expected;
        for (int i = 0; i < 50; ++i) {
            const std::uint64_t id = random() % 2 == 0 ? random() % 60 : random();
            const bool added = expected.emplace(id, expected.size()).second;
            REQUIRE(map.add(id) == added);
            const std::uint64_t probe = random() % 60;
            const auto found = expected.find(probe);
            REQUIRE(map.find(probe) == (found == expected.end() ? id_map::npos : found->second));
        }
        REQUIRE(map.size() == expected.size());
    }
}
