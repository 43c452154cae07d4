// SPDX-License-Identifier: Apache-2.0
#include "profile/references.hpp"

#include "catch.hpp"

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
