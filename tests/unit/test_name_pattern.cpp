// SPDX-License-Identifier: Apache-2.0
#include "name_pattern.hpp"

#include <stdexcept>
#include <string>

#include "catch.hpp"

using pprofdelta::name_pattern;

TEST_CASE("a pattern is searched for, and can be tied to the ends") {
    CHECK(name_pattern{"round"}.is_in("main.(*service).round"));
    CHECK(name_pattern{R"(\(\*service\)\.)"}.is_in("main.(*service).round"));
    CHECK_FALSE(name_pattern{"^round"}.is_in("main.round"));
    CHECK(name_pattern{"^(a|b)+$"}.is_in("abba"));
    CHECK_FALSE(name_pattern{"^(a|b)+$"}.is_in("abbac"));
    CHECK_FALSE(name_pattern{"a"}.is_in(""));
    CHECK(name_pattern{"^$"}.is_in(""));
}

TEST_CASE("a name ends where it ends, whatever follows or is within") {
    const std::string_view text{"ab\0cd", 5};
    CHECK_FALSE(name_pattern{"b"}.is_in(text.substr(0, 1)));
    CHECK(name_pattern{"c"}.is_in(text));
    CHECK(name_pattern{"d$"}.is_in(text));
    CHECK(name_pattern{"b"}.is_in("\xff\xfe"
                                  "b"));
}

TEST_CASE("long names cost neither stack nor time: their ends are not looked at") {
    const std::string name = std::string(1 << 20, 'a') + "c";
    CHECK(name_pattern{"^(a|b)*"}.is_in(name));
    CHECK_FALSE(name_pattern{"a.*c"}.is_in(name));
    CHECK_FALSE(name_pattern{"a$"}.is_in(name));
    CHECK(name_pattern{"a$"}.is_in(name.substr(0, name_pattern::longest_name)));
}

TEST_CASE("what is no regular expression is refused") {
    for (const char* text : {"", "(", "a{2,1}", "[", "*)", "[[:none:]]"}) {
        CAPTURE(text);
        CHECK_THROWS_AS(name_pattern{text}, std::invalid_argument);
    }
    CHECK_THROWS_AS((name_pattern{std::string{"a\0b", 3}}), std::invalid_argument);
}
