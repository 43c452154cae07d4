// SPDX-License-Identifier: Apache-2.0
#include "profile/writer.hpp"

#include <cstdint>
#include <string>

#include "catch.hpp"
#include "profile_builder.hpp"

using namespace pprofdelta;

TEST_CASE("records are numbered as they are used") {
    renumbering numbers;
    numbers.start({10, 0});
    CHECK(numbers.use(side::current, 7, {1, 1}) == 0);
    CHECK(numbers.use(side::current, 2, {2, 2}) == 1);
    CHECK(numbers.use(side::current, 7, {1, 1}) == 0);
    CHECK(numbers.number(side::current, 2) == 1);
    REQUIRE(numbers.order().size() == 2);
    CHECK(numbers.order()[0].place == 7);
    CHECK(numbers.order()[1].place == 2);
}

TEST_CASE("records of one identity share a number, and the first one stands for it") {
    renumbering numbers;
    numbers.start({3, 3});
    CHECK(numbers.use(side::current, 0, {1, 1}) == 0);
    CHECK(numbers.use(side::current, 2, {1, 1}) == 0);
    CHECK(numbers.use(side::previous, 0, {2, 2}) == 1);
    CHECK(numbers.use(side::previous, 1, {1, 1}) == 0);
    CHECK(numbers.use(side::current, 1, {2, 2}) == 1);
    REQUIRE(numbers.order().size() == 2);
    CHECK(numbers.order()[0].from == side::current);
    CHECK(numbers.order()[0].place == 0);
    CHECK(numbers.order()[1].from == side::previous);
    CHECK(numbers.number(side::previous, 1) == 0);
}

TEST_CASE("a new start forgets all numbers") {
    renumbering numbers;
    numbers.start({2, 0});
    numbers.use(side::current, 0, {1, 1});
    numbers.use(side::current, 1, {2, 2});
    numbers.start({2, 0});
    CHECK(numbers.order().empty());
    CHECK(numbers.use(side::current, 1, {2, 2}) == 0);
}

TEST_CASE("what the next profile has in common with those before keeps its number") {
    renumbering numbers;
    numbers.start({2, 0});
    CHECK(numbers.use(side::current, 0, {1, 1}) == 0);
    CHECK(numbers.use(side::current, 1, {2, 2}) == 1);
    numbers.keep();
    numbers.go_on({3, 0});
    CHECK(numbers.first() == 2);
    CHECK(numbers.order().empty());
    CHECK(numbers.use(side::current, 2, {2, 2}) == 1);
    CHECK(numbers.order().empty());
    CHECK(numbers.use(side::current, 0, {3, 3}) == 2);
    CHECK(numbers.use(side::current, 1, {4, 4}) == 3);
    CHECK(numbers.use(side::current, 0, {3, 3}) == 2);
    REQUIRE(numbers.order().size() == 2);
    CHECK(numbers.order()[0].place == 0);
    CHECK(numbers.order()[1].place == 1);
    CHECK(numbers.numbers(side::current)[2] == 1);
}

TEST_CASE("numbers that are taken back are given again") {
    renumbering numbers;
    numbers.start({2, 0});
    numbers.use(side::current, 0, {1, 1});
    numbers.keep();
    numbers.go_on({2, 0});
    CHECK(numbers.use(side::current, 0, {2, 2}) == 1);
    CHECK(numbers.use(side::current, 1, {1, 1}) == 0);
    numbers.take_back();
    numbers.go_on({2, 0});
    CHECK(numbers.first() == 1);
    CHECK(numbers.use(side::current, 0, {3, 3}) == 1);
    CHECK(numbers.use(side::current, 1, {2, 2}) == 2);
    REQUIRE(numbers.order().size() == 2);
    CHECK(numbers.order()[0].place == 0);
    // A first profile can be taken back as well.
    numbers.start({1, 0});
    numbers.use(side::current, 0, {1, 1});
    numbers.take_back();
    numbers.go_on({1, 0});
    CHECK(numbers.first() == 0);
    CHECK(numbers.use(side::current, 0, {2, 2}) == 0);
}

namespace {

// A profile of one mapping, with id 1.
std::string mapped_at(std::uint64_t start, const std::string& file) {
    test::profile p;
    p.types = {{"space", "bytes"}};
    p.mappings = {{1, start, start + 0x1000, 0, file, "", false, ""}};
    p.locations = {{1, 1, start + 0x10, {}, false, ""}};
    return test::serialize(p);
}

profile_index index_of(const std::string& bytes) {
    profile_index index;
    index.build(bytes, match_mode::exact);
    return index;
}

} // namespace

TEST_CASE("addresses of later profiles are those in the mapping that came first") {
    const std::string first_bytes = mapped_at(0x400000, "main");
    const std::string second_bytes = mapped_at(0x500000, "main");
    const std::string other_bytes = mapped_at(0x600000, "other");
    const profile_index first = index_of(first_bytes);
    const profile_index second = index_of(second_bytes);
    const profile_index other = index_of(other_bytes);
    references all;
    all.start(first, nullptr);
    CHECK(all.use_mapping(side::current, 1) == 1);
    all.keep();
    all.go_on(second);
    CHECK(all.use_mapping(side::current, 1) == 1);
    CHECK(all.mappings().order().empty());
    CHECK(all.rebase(side::current, 1, 0x500010) == 0x400010);
    CHECK(all.rebase(side::current, 1, 0) == 0);
    CHECK(all.use_location(side::current, 1) == 1);
    all.keep();
    // Taken back with the start of its mapping.
    all.go_on(other);
    CHECK(all.use_mapping(side::current, 1) == 2);
    CHECK(all.use_location(side::current, 1) == 2);
    CHECK(all.rebase(side::current, 1, 0x600010) == 0x600010);
    all.take_back();
    const std::string moved_bytes = mapped_at(0x700000, "other");
    const profile_index moved = index_of(moved_bytes);
    all.go_on(moved);
    CHECK(all.use_mapping(side::current, 1) == 2);
    CHECK(all.rebase(side::current, 1, 0x700010) == 0x700010);
    all.keep();
    all.go_on(other);
    CHECK(all.use_mapping(side::current, 1) == 2);
    CHECK(all.rebase(side::current, 1, 0x600010) == 0x700010);
    CHECK(all.use_location(side::current, 1) == 2);
}

TEST_CASE("the first mapping is that of the first profile which has one") {
    test::profile none;
    none.types = {{"space", "bytes"}};
    const std::string none_bytes = test::serialize(none);
    const std::string first_bytes = mapped_at(0x400000, "main");
    const std::string other_bytes = mapped_at(0x600000, "other");
    const profile_index without = index_of(none_bytes);
    const profile_index first = index_of(first_bytes);
    const profile_index other = index_of(other_bytes);
    references all;
    all.start(without, nullptr);
    CHECK(all.mappings().order().empty());
    all.keep();
    all.go_on(first);
    CHECK(all.mappings().order().size() == 1);
    all.take_back();
    all.go_on(other);
    CHECK(all.mappings().order().size() == 1);
    CHECK(all.rebase(side::current, 1, 0x600010) == 0x600010);
    all.keep();
    all.go_on(first);
    CHECK(all.mappings().order().empty());
    CHECK(all.use_mapping(side::current, 1) == 2);
}
