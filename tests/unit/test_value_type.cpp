// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/value_type.hpp>

#include "catch.hpp"

using pprofdelta::value_type;
using pprofdelta::value_type_pattern;

TEST_CASE("a value type as text") {
    CHECK(to_string(value_type{"alloc_space", "bytes"}) == "alloc_space/bytes");
    CHECK(to_string(value_type{"", ""}) == "/");
}

TEST_CASE("value types are equal in type and unit") {
    const value_type a{"delay", "nanoseconds"};
    CHECK(a == value_type{"delay", "nanoseconds"});
    CHECK_FALSE(a == value_type{"delay", "seconds"});
    CHECK_FALSE(a == value_type{"wait", "nanoseconds"});
}

TEST_CASE("a pattern with a unit takes that unit only") {
    const value_type_pattern pattern{"delay/nanoseconds"};
    CHECK(pattern.text() == "delay/nanoseconds");
    CHECK(pattern.matches({"delay", "nanoseconds"}));
    CHECK_FALSE(pattern.matches({"delay", "seconds"}));
    CHECK_FALSE(pattern.matches({"delay", ""}));
}

TEST_CASE("a pattern without a unit takes any") {
    const value_type_pattern pattern{"delay"};
    CHECK(pattern.matches({"delay", "nanoseconds"}));
    CHECK(pattern.matches({"delay", ""}));
    CHECK_FALSE(pattern.matches({"delays", "nanoseconds"}));
    CHECK_FALSE(pattern.matches({"dela", "y"}));
    CHECK_FALSE(pattern.matches({"DELAY", "nanoseconds"}));
}

TEST_CASE("types and units with slashes can be named") {
    CHECK(value_type_pattern{"a/b"}.matches({"a/b", "count"}));
    CHECK(value_type_pattern{"a/b/count"}.matches({"a/b", "count"}));
    CHECK(value_type_pattern{"io/bytes/s"}.matches({"io", "bytes/s"}));
    CHECK_FALSE(value_type_pattern{"io/bytes"}.matches({"io", "bytes/s"}));
}

TEST_CASE("an empty pattern takes only the type without a name") {
    CHECK(value_type_pattern{""}.matches({"", "count"}));
    CHECK_FALSE(value_type_pattern{""}.matches({"x", ""}));
}
