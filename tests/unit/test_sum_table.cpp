// SPDX-License-Identifier: Apache-2.0
#include "merge/sum_table.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "catch.hpp"

using namespace pprofdelta;

namespace {

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();

hash128 key(std::uint64_t number) { return {number, ~number}; }

// Adds a pair of values to the entry of `number`.
bool add(sum_table& to, std::uint64_t number, std::int64_t first, std::int64_t second) {
    const std::array<std::int64_t, 2> values{first, second};
    return to.add(to.find_or_add(key(number)), values.data());
}

using rows = std::vector<std::array<std::int64_t, 2>>;

std::array<std::int64_t, 2> values_of(const sum_table& table, std::uint32_t entry) {
    std::array<std::int64_t, 2> values{};
    table.read(entry, values.data());
    return values;
}

rows sums_of(const sum_table& table) {
    rows all;
    for (std::uint32_t entry = 0; entry < table.size(); ++entry) {
        all.push_back(values_of(table, entry));
    }
    return all;
}

sum_table with_two() {
    sum_table table;
    table.configure(2);
    CHECK(add(table, 1, 10, 100));
    CHECK(add(table, 2, 20, 200));
    table.commit();
    return table;
}

} // namespace

TEST_CASE("entries are numbered as they come, and their values added up") {
    sum_table table = with_two();
    CHECK(table.find_or_add(key(2)) == 1);
    table.begin();
    CHECK(add(table, 3, 30, 300));
    CHECK(add(table, 2, 1, 2));
    CHECK(add(table, 3, -1, -2));
    CHECK(add(table, 1, 3, 4));
    table.commit();
    CHECK(sums_of(table) == rows{{13, 104}, {21, 202}, {29, 298}});
}

TEST_CASE("rollback leaves the table as it was at the beginning") {
    sum_table table = with_two();
    table.begin();
    CHECK(add(table, 1, 1, 1));
    CHECK(add(table, 3, 30, 300));
    CHECK(add(table, 3, 1, 1));
    CHECK(add(table, 2, 1, 1));
    table.rollback();
    CHECK(sums_of(table) == rows{{10, 100}, {20, 200}});
    // The number is given again, and has no values left.
    table.begin();
    CHECK(add(table, 4, 5, 6));
    CHECK(table.find_or_add(key(4)) == 2);
    CHECK(table.find_or_add(key(3)) == 3);
    table.commit();
    CHECK(sums_of(table) == rows{{10, 100}, {20, 200}, {5, 6}, {0, 0}});
}

TEST_CASE("rollback takes back an entry that has got no values") {
    sum_table table = with_two();
    table.begin();
    CHECK(table.find_or_add(key(9)) == 2);
    table.rollback();
    CHECK(table.size() == 2);
    CHECK(sums_of(table) == rows{{10, 100}, {20, 200}});
}

TEST_CASE("a sum that does not fit is said, and can be taken back") {
    sum_table table = with_two();
    table.begin();
    CHECK(add(table, 1, most - 10, least));
    CHECK(add(table, 2, -20, 0));
    table.commit();
    CHECK(sums_of(table) == rows{{most, least + 100}, {0, 200}});
    table.begin();
    CHECK(add(table, 1, 0, -100));
    CHECK_FALSE(add(table, 1, 1, 0));
    table.rollback();
    CHECK_FALSE(add(table, 1, 0, -101));
    table.rollback();
    // Both values are looked at, whichever is too large.
    CHECK_FALSE(add(table, 1, 1, -101));
    table.rollback();
    CHECK(sums_of(table) == rows{{most, least + 100}, {0, 200}});
}

TEST_CASE("of levels the last or the largest are kept, of all that a profile has of an entry") {
    for (const bool largest : {false, true}) {
        sum_table table;
        table.configure(2, {1}, largest ? sum_table::keeping::largest : sum_table::keeping::last);
        CHECK(add(table, 1, 1, 10));
        CHECK(add(table, 2, 1, 20));
        CHECK(add(table, 1, 1, 15));
        table.commit();
        CHECK(sums_of(table) == rows{{2, 25}, {1, 20}});
        table.begin();
        CHECK(add(table, 1, 1, 30));
        CHECK(add(table, 3, 1, 5));
        CHECK(add(table, 3, 1, -6));
        table.commit();
        CHECK(sums_of(table) ==
              (largest ? rows{{3, 30}, {1, 20}, {2, 0}} : rows{{3, 30}, {1, 0}, {2, -1}}));
        const rows before = sums_of(table);
        table.begin();
        CHECK(add(table, 1, 1, 90));
        CHECK_FALSE(add(table, 1, most, 1));
        table.rollback();
        CHECK(sums_of(table) == before);
        // A profile from before the last one.
        table.begin();
        CHECK(add(table, 2, 1, 7));
        table.commit(false);
        CHECK(values_of(table, 1)[1] == (largest ? 20 : 0));
        CHECK(values_of(table, 0) == before[0]);
    }
}

TEST_CASE("a table that is configured anew is empty") {
    sum_table table = with_two();
    table.configure(1);
    CHECK(table.size() == 0);
    const std::int64_t one = 1;
    CHECK(table.find_or_add(key(2)) == 0);
    CHECK(table.add(0, &one));
    table.commit();
    CHECK(values_of(table, 0)[0] == 1);
}

TEST_CASE("without values there are entries all the same") {
    sum_table table;
    table.configure(0);
    CHECK(table.find_or_add(key(1)) == 0);
    CHECK(table.add(0, nullptr));
    table.commit();
    table.begin();
    CHECK(table.find_or_add(key(1)) == 0);
    CHECK(table.find_or_add(key(2)) == 1);
    CHECK(table.add(1, nullptr));
    table.rollback();
    CHECK(table.size() == 1);
}

// The table guesses that samples come in the order of the profile before.
TEST_CASE("the order of the profile before changes nothing but time") {
    std::mt19937 random{1};
    const auto pick = [&random](std::uint32_t below) {
        return static_cast<std::uint32_t>(random() % below);
    };
    sum_table table;
    table.configure(2);
    std::vector<std::int64_t> expected(50);
    for (int profile = 0; profile < 200; ++profile) {
        std::vector<std::int64_t> next = expected;
        table.begin();
        std::uint32_t number = 0;
        for (int i = 0; i < 50; ++i) {
            number = pick(3) == 0 ? pick(50) : (number + 1) % 50;
            table.prefetch(key(number));
            REQUIRE(add(table, number, i, -i));
            next[number] += i;
        }
        if (pick(2) == 0) {
            table.commit();
            expected = next;
        } else {
            table.rollback();
        }
    }
    table.begin();
    for (std::uint32_t number = 0; number < 50; ++number) {
        const std::uint32_t entry = table.find_or_add(key(number));
        REQUIRE(values_of(table, entry)[0] == expected[number]);
        REQUIRE(values_of(table, entry)[1] == -expected[number]);
    }
    CHECK(table.size() == 50);
}
