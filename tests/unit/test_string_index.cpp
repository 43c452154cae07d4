// SPDX-License-Identifier: Apache-2.0
#include "profile/index.hpp"

#include <limits>
#include <string>

#include "catch.hpp"
#include "error_from.hpp"
#include "message_builder.hpp"

using namespace pprofdelta;
using test::message_builder;

TEST_CASE("strings and their hashes, by place") {
    const std::string bytes =
        message_builder{}.bytes(6, "").bytes(6, "main").bytes(6, "main").bytes(6, "f").str();
    profile_view view;
    view.parse(bytes);
    string_index strings;
    strings.build(view);
    REQUIRE(strings.size() == 4);
    CHECK(strings.text(0).empty());
    CHECK(strings.text(1) == "main");
    CHECK(strings.text(3) == "f");
    CHECK(strings.hash(1) == strings.hash(2));
    CHECK(strings.hash(1) == hash_bytes("main"));
    CHECK_FALSE(strings.hash(1) == strings.hash(3));
    CHECK(strings.hash(0) == hash_bytes(""));
}

TEST_CASE("strings with any byte in them") {
    const std::string odd{"a\0b\xff\n", 5};
    const std::string bytes = message_builder{}.bytes(6, "").bytes(6, odd).str();
    profile_view view;
    view.parse(bytes);
    string_index strings;
    strings.build(view);
    CHECK(strings.text(1) == odd);
}

TEST_CASE("a string number out of range is refused with its record's place") {
    const std::string bytes = message_builder{}.bytes(6, "").bytes(6, "x").number(9, 5).str();
    profile_view view;
    view.parse(bytes);
    string_index strings;
    strings.build(view);
    CHECK(strings.check(0, view.bytes()) == 0);
    CHECK(strings.check(1, view.bytes()) == 1);
    const std::uint64_t wrong[] = {2, std::uint64_t{1} << 32U,
                                   std::numeric_limits<std::uint64_t>::max()};
    for (const std::uint64_t number : wrong) {
        const auto fault =
            test::error_from([&] { (void)strings.check(number, view.bytes().substr(2, 3)); });
        REQUIRE(fault);
        CHECK(fault->kind() == error_kind::malformed);
        CHECK(fault->offset() == std::uint64_t{2});
    }
}

TEST_CASE("building again replaces the strings") {
    const std::string first = message_builder{}.bytes(6, "").bytes(6, "x").bytes(6, "y").str();
    const std::string second = message_builder{}.bytes(6, "").bytes(6, "z").str();
    profile_view view;
    string_index strings;
    view.parse(first);
    strings.build(view);
    view.parse(second);
    strings.build(view);
    CHECK(strings.size() == 2);
    CHECK(strings.text(1) == "z");
}
