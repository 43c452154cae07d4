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

TEST_CASE("a pattern that would cost the C library much is refused") {
    for (const std::string& text : {
             std::string(30'000, '(') + "a" + std::string(30'000, ')'),
             std::string{"(a{1000}){1000}"},
             std::string{"((a{,99}b){99}c){99,}"},
             std::string{"a{99999999999999999999}"},
             std::string{R"((a*)(a*)\1\2)"},
             "a" + std::string(100, '+'),
             std::string{"a{99}*{99}"},
             std::string{"]{9}{9}{9}{9}{9}{9}"},
             std::string{"a{9,}?{999}*+"},
             std::string{"(a?b?c?d?e?f?g?h?){1000}"},
             std::string{"((((a{9}[(]){9}[])(]){9}[[:alpha:](]){9}){9}"},
         }) {
        CAPTURE(text.substr(0, 30));
        CHECK_THROWS_AS(name_pattern{text}, std::invalid_argument);
    }
    CHECK(name_pattern{"^(a{100}){10}$"}.is_in(std::string(1000, 'a')));
    CHECK(name_pattern{"^a+b+c+d+e+f+g+h+[+]+[{9999}]+$"}.is_in("abcdefgh++{9}"));
    CHECK(name_pattern{"^([]a]+[^]b]+[[:digit:]]){2}$"}.is_in("]x1ay2"));
    CHECK(name_pattern{R"(^\\1\{9}$)"}.is_in(R"(\1{9})"));
    CHECK(name_pattern{std::string(name_pattern::longest_pattern, 'a')}.is_in(
        std::string(name_pattern::longest_name, 'a')));
    CHECK_THROWS_AS(name_pattern{"a{"}, std::invalid_argument);
}
