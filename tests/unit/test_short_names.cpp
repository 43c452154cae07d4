// SPDX-License-Identifier: Apache-2.0
#include "short_names.hpp"

#include <set>

#include "catch.hpp"

using namespace pprofdelta::tool;
using names = std::vector<std::string>;

TEST_CASE("what would control a terminal or is no UTF-8 is not printed") {
    CHECK(printable("main.f") == "main.f");
    CHECK(printable("\x1b[31mred\n\x7f") == "?[31mred??");
    CHECK(printable("gr\u00f6\u00dfe \u6f22 \U0001f600") == "gr\u00f6\u00dfe \u6f22 \U0001f600");
    CHECK(printable("\xc3") == "?");
    CHECK(printable("\xff\xc0\x80") == "???");
    CHECK(printable("\xed\xa0\x80") == "???");
    CHECK(printable("\xf4\x90\x80\x80") == "????");
    CHECK(printable("\xc2\x9b") == "??");
}

TEST_CASE("long names lose their middle") {
    CHECK(short_names({"short", "abcdefghijklmnop"}, 9) == names{"short", "abc...nop"});
    CHECK(short_names({"abcdefghi"}, 9) == names{"abcdefghi"});
    CHECK(short_names({"\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4"}, 9).at(0).size() <= 9);
}

TEST_CASE("no two names look alike") {
    names all;
    for (char c = 'a'; c <= 'z'; ++c) {
        all.push_back("a long start of " + std::string(1, c) + " and a long end");
    }
    all.insert(all.end(), {"\x01", "\x02", "?", ""});
    for (const std::size_t width : {0U, 1U, 5U, 12U, 20U, 100U}) {
        const names shown = short_names(all, width);
        CHECK(std::set<std::string>(shown.begin(), shown.end()).size() == all.size());
    }
    const names many(20000, std::string(100, 'x')); // which takes no time out of proportion
    const names shown = short_names(many, 20);
    CHECK(std::set<std::string>(shown.begin(), shown.end()).size() == many.size());
    CHECK(shown.back().size() <= 20);
}

// Each of these has another look, but the same one with a number.
TEST_CASE("many pairs that look alike take no time out of proportion") {
    names pairs;
    for (int i = 100'000; i < 200'000; ++i) {
        const std::string middle = "start" + std::to_string(i) + "end";
        pairs.insert(pairs.end(), {"\x01" + middle, "\x02" + middle});
    }
    for (const std::size_t width : {7U, 15U}) {
        const names shown = short_names(pairs, width);
        CHECK(std::set<std::string>(shown.begin(), shown.end()).size() == pairs.size());
    }
}
