// SPDX-License-Identifier: Apache-2.0
#include "select/names.hpp"

#include <new>
#include <string>

#include "allocations.hpp"
#include "catch.hpp"
#include "error_from.hpp"

using namespace pprofdelta;
using test::fails_as;
namespace test = pprofdelta::test;

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

TEST_CASE("long names are searched to their end, in time linear in them") {
    const std::string name = std::string(1 << 20, 'a') + "c";
    CHECK(name_pattern{"^(a|b)*"}.is_in(name));
    CHECK(name_pattern{"a.*c"}.is_in(name));
    CHECK(name_pattern{"c$"}.is_in(name));
    CHECK_FALSE(name_pattern{"a$"}.is_in(name));
    CHECK_FALSE(name_pattern{"a.*b.*c.*d"}.is_in(name));
}

// What is not UTF-8 is U+FFFD for Go, one for each byte.
TEST_CASE("no byte keeps a name from being searched") {
    const auto found = [](const char* pattern, std::string_view name) {
        CAPTURE(pattern, name);
        return name_pattern{pattern}.is_in(name);
    };
    for (const char* name : {"a\xff"
                             "b",
                             "a\xc3"
                             "b",
                             "a\nb", "a\u00e9b", "a\u6f22b", "a\U0001f600b", "a\ufffdb"}) {
        CHECK(found("^a.b$", name));
        CHECK(found("^a[^x]b$", name));
        CHECK(found("^a.*b$", name));
        CHECK_FALSE(found("^ab$", name));
        CHECK_FALSE(found("^a..b$", name));
    }
    // Halves of pairs, too long, too large, cut off, out of place: no character, so a byte each.
    for (const char* name : {"\xed\xa0\x80", "\xe0\x80\x80", "\xe0\x9f\xbf", "\xe6\xbc\xe6",
                             "\xf5\x80\x80", "\xf0\x9f\x98", "\xc0\x80\xc1", "\x80\xbf\xfe"}) {
        CHECK(found("^\\x{fffd}{3}$", name));
    }
    CHECK(found("^\\x{fffd}{4}$", "\xf0\x8f\xbf\xbf"));
    CHECK(found("^\\x{fffd}{4}$", "\xf4\x90\x80\x80"));
    // The ends of what is one.
    for (const char* name :
         {"\u0080", "\u07ff", "\u0800", "\ud7ff", "\ue000", "\uffff", "\U00010000", "\U0010ffff"}) {
        CHECK(found("^[^\\x{fffd}]$", name));
    }
    // Where a word of eight bytes ends, too.
    for (std::size_t before = 0; before < 20; ++before) {
        const std::string name = std::string(before, 'a') + "\u6f22" + "\xff" + "main";
        CHECK(found("^a*\u6f22\\x{fffd}main$", name));
    }
    CHECK(found("gr\u00f6\u00dfe", "\xff gr\u00f6\u00dfe"));
    CHECK(found("(?i)GR\u00d6", "gr\u00f6"));
    CHECK(found("^[\u00e4\u00f6]{2}$", "\u00f6\u00e4"));
    CHECK(found("^$", {}));
}

TEST_CASE("the syntax is RE2's") {
    CHECK(name_pattern{R"((?i)\bMAIN\b)"}.is_in("a main b"));
    CHECK(name_pattern{R"(^\d+\s\w+?$)"}.is_in("12 ab"));
    CHECK(name_pattern{"^[[:alpha:]]+$"}.is_in("ab"));
    CHECK(name_pattern{R"(^\pL+$)"}.is_in("\u6f22"));
    CHECK(name_pattern{R"(^\Qa.b\E$)"}.is_in("a.b"));
    CHECK_FALSE(name_pattern{R"(^\Qa.b\E$)"}.is_in("axb"));
    CHECK(name_pattern{"(?P<what>a)"}.is_in("a"));
    CHECK(name_pattern{"^a{$"}.is_in("a{"));
    CHECK(name_pattern{"(?-s)a.b"}.is_in("a b"));
    CHECK_FALSE(name_pattern{"(?-s)a.b"}.is_in("a\nb"));
    CHECK_FALSE(name_pattern{"^b"}.is_in("a\nb"));
    CHECK(name_pattern{(std::string{"a\0b", 3})}.is_in({"xa\0b", 4}));
}

TEST_CASE("what is no regular expression is refused") {
    for (const char* text : {"", "(", "a{2,1}", "[", "*)", ")", "[[:none:]]", "a\\", "\xff",
                             R"((a*)\1)", "(?=a)", "(?!a)", "(?<=a)b", "a++"}) {
        CAPTURE(text);
        CHECK(fails_as(error_kind::invalid_argument, [&] { const name_pattern refused{text}; }));
    }
}

TEST_CASE("a pattern that would cost much is refused, and what is close to it is not") {
    const std::string most_parentheses = std::string(499, '(') + "aa" + std::string(499, ')');
    for (const std::string& text : {
             std::string(30'000, '(') + "a" + std::string(30'000, ')'),
             std::string(name_pattern::longest_pattern + 1, 'a'),
             std::string{"(a{1000}){1000}"},
             std::string{"a{1001}"},
             std::string{"((a{,99}b){99}c){99,}"},
             std::string{"a{99}*{99}"},
             std::string{"]{9}{9}{9}{9}{9}{9}"},
             std::string{"a{9,}?{999}*+"},
             std::string{"(a?b?c?d?e?f?g?h?){1000}"}, // its program is too long
             std::string{R"(\pL{300})"},              // the program does not fit
             std::string{"((((a{9}[(]){9}[])](]){9}[[:alpha:](]){9}){9}"},
         }) {
        CAPTURE(text.substr(0, 30));
        CHECK(fails_as(error_kind::invalid_argument, [&] { const name_pattern refused{text}; }));
    }
    CHECK(name_pattern{"^(a{100}){10}$"}.is_in(std::string(1000, 'a')));
    CHECK(name_pattern{"^a+b+c+d+e+f+g+h+[+]+[{9999}]+$"}.is_in("abcdefgh++{9}"));
    CHECK(name_pattern{"^([]a]+[^]b]+[[:digit:]]){2}$"}.is_in("]x1ay2"));
    CHECK(name_pattern{R"(^\\1\{9}$)"}.is_in(R"(\1{9})"));
    CHECK(name_pattern{std::string(name_pattern::longest_pattern, 'a')}.is_in(
        std::string(name_pattern::longest_pattern, 'a')));
    CHECK(name_pattern{most_parentheses}.is_in("aa"));
    CHECK(name_pattern{"a{99999999999999999999}"}.is_in("a{99999999999999999999}"));
}

// Of the states that this takes, 2^300, only some fit.
TEST_CASE("what does not fit into memory is searched without it") {
    const name_pattern pattern{"^(a|b)*a(a|b){300}c"};
    std::string name;
    unsigned state = 1;
    for (int i = 0; i < 20'000; ++i) {
        state = state * 1103515245 + 12345;
        name += (state >> 16U & 1U) == 0 ? 'a' : 'b';
    }
    name += 'b';
    CHECK_FALSE(pattern.is_in(name));
    const std::size_t before = test::bytes_in_use();
    CHECK_FALSE(pattern.is_in(name + "a" + std::string(299, 'b') + "c"));
    CHECK(pattern.is_in(name + "a" + std::string(300, 'b') + "c"));
    CHECK(test::bytes_in_use() <= before + (1U << 20U));
    CHECK(test::bytes_in_use() < (8U << 20U));
}

#ifndef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION // which does not ask for it
TEST_CASE("memory that is not there is an error before RE2 is asked") {
    // Its parser damages the heap if its own allocations fail in this.
    const std::string text = "x(y|z)+(foo|[a-c]{2,4})$";
    test::fail_allocation(0);
    CHECK_THROWS_AS(name_pattern{text}, std::bad_alloc);
    test::stop_failing();
    CHECK(name_pattern{text}.is_in("xyfoo"));
}

TEST_CASE("memory that is not there for a search is an error, and the next search is right") {
    const std::string name = std::string(3000, 'a') + "\xff" + "xyfoo"; // is copied first
    const name_pattern pattern{"x(y|z)+(foo|[a-c]{2,4})$"};
    for (const std::size_t failed : {0U, 1U}) {
        const std::size_t before = test::bytes_in_use();
        test::fail_allocation(failed);
        CHECK_THROWS_AS(pattern.is_in(name), std::bad_alloc);
        test::stop_failing();
        CHECK(test::bytes_in_use() == before);
        CHECK(pattern.is_in(name));
    }
}
#endif
