// SPDX-License-Identifier: Apache-2.0
#include "base/key_table.hpp"

#include <cstddef>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "allocations.hpp"
#include "catch.hpp"

using pprofdelta::hash128;
using pprofdelta::keyed_list;

namespace {

std::uint32_t add(keyed_list<std::string>& list, std::uint64_t key, const std::string& value) {
    return list.find_or_add({key, 0}, [&] { return value; });
}

} // namespace

TEST_CASE("a value is made for a new key only") {
    keyed_list<std::string> list;
    CHECK(add(list, 5, "five") == 0);
    CHECK(add(list, 6, "six") == 1);
    CHECK(add(list, 5, "another") == 0);
    CHECK(list.size() == 2);
    CHECK(list.values() == std::vector<std::string>{"five", "six"});
    CHECK(list[1] == "six");
    CHECK(list.key(1) == hash128{6, 0});
    CHECK(list.find({6, 0}) == 1);
    CHECK(list.find({7, 0}) == keyed_list<std::string>::npos);
}

TEST_CASE("a key whose value cannot be made is not there") {
    keyed_list<std::string> list;
    add(list, 1, "one");
    const auto fail = []() -> std::string { throw std::runtime_error{"no value"}; };
    CHECK_THROWS_AS(list.find_or_add({2, 0}, fail), std::runtime_error);
    CHECK(list.size() == 1);
    CHECK(list.find({2, 0}) == keyed_list<std::string>::npos);
    CHECK(list.find_or_add({1, 0}, fail) == 0);
    CHECK(add(list, 3, "three") == 1);
    CHECK(add(list, 2, "two") == 2);
    CHECK(list.values() == std::vector<std::string>{"one", "three", "two"});
}

TEST_CASE("keys and values stay in step when memory runs out") {
    const std::string value = "a text that is longer than those that fit in place";
    for (std::size_t failing = 0; failing < 60; ++failing) {
        CAPTURE(failing);
        keyed_list<std::string> list;
        std::uint32_t added = 0;
        pprofdelta::test::fail_allocation(failing);
        try {
            for (; added < 20; ++added) {
                add(list, added, value);
            }
        } catch (const std::bad_alloc&) {
            CHECK(list.size() == added);
            add(list, 100, value); // instead
        }
        pprofdelta::test::stop_failing();
        for (std::uint32_t number = 0; number < list.size(); ++number) {
            REQUIRE(list.find(list.key(number)) == number);
            REQUIRE(list[number] == value);
        }
        REQUIRE(list.values().size() == list.size());
    }
}

TEST_CASE("truncating a list forgets what came last") {
    keyed_list<std::string> list;
    for (std::uint64_t key = 0; key < 100; ++key) {
        add(list, key, std::to_string(key));
    }
    list.truncate(200);
    CHECK(list.size() == 100);
    list.truncate(40);
    CHECK(list.size() == 40);
    CHECK(list.values().size() == 40);
    CHECK(list.find({40, 0}) == keyed_list<std::string>::npos);
    CHECK(add(list, 77, "again") == 40);
    CHECK(list[40] == "again");
    list.clear();
    CHECK(list.size() == 0);
    CHECK(add(list, 77, "new") == 0);
}
