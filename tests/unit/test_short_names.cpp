// SPDX-License-Identifier: Apache-2.0
#include "base/names.hpp"

#include <set>

#include "catch.hpp"

using namespace pprofdelta;
using namespace pprofdelta::tool;
using names = std::vector<std::string>;

TEST_CASE("of a long name people see its start and its end") {
    CHECK(cut_name(std::string(4096, 'x')) == std::string(4096, 'x'));
    const std::string name =
        std::string(2000, 'a') + std::string(1'000'000, 'b') + "\u00e9" + std::string(1999, 'c');
    const std::string cut = cut_name(name);
    CHECK(cut.size() < 4096);
    CHECK(cut.starts_with(std::string(2000, 'a') + "\u2026"));
    CHECK(cut.ends_with("\u2026" + std::string(1999, 'c'))); // no half of a character
    CHECK(cut_name(cut) == cut);
    CHECK(cut_name(name + "d") != cut_name("d" + name));
    std::string other = name;
    other[500'000] = 'd';
    CHECK(cut_name(other) != cut);
    CHECK(cut_name(std::string(5000, '\x80')).size() < 4096);
}

TEST_CASE("what would control a terminal or is no UTF-8 is escaped") {
    CHECK(printable("main.f") == "main.f");
    CHECK(printable("\x1b[31mred\n\x7f") == R"(\x1b[31mred\x0a\x7f)");
    CHECK(printable(std::string_view{"a\0b", 3}) == R"(a\x00b)");
    CHECK(printable("gr\u00f6\u00dfe \u6f22 \U0001f600") == "gr\u00f6\u00dfe \u6f22 \U0001f600");
    CHECK(printable("\xc3") == R"(\xc3)");
    CHECK(printable("\xff\xc0\x80") == R"(\xff\xc0\x80)");
    CHECK(printable("\xe0\x9f\xbf") == R"(\xe0\x9f\xbf)");
    CHECK(printable("\xed\xa0\x80") == R"(\xed\xa0\x80)");
    CHECK(printable("\xf0\x8f\xbf\xbf") == R"(\xf0\x8f\xbf\xbf)");
    CHECK(printable("\xf4\x90\x80\x80") == R"(\xf4\x90\x80\x80)");
    CHECK(printable("\xc2\x9b\xc2\x85") == R"(\u009b\u0085)");
}

TEST_CASE("what turns the direction of writing or ends a line is escaped") {
    CHECK(printable("a\u202eb\u202c") == R"(a\u202eb\u202c)");
    CHECK(printable("\u2066\u2069\u200e\u200f\u061c") == R"(\u2066\u2069\u200e\u200f\u061c)");
    CHECK(printable("\u2028\u2029\ufeff") == R"(\u2028\u2029\ufeff)");
    CHECK(printable("\xef\xbf\xbe\xef\xbf\xbf\xef\xbf\xbd") == "\\ufffe\\uffff\ufffd");
    CHECK(printable("\u05d0\u0627") == "\u05d0\u0627"); // which is written from right to left
}

TEST_CASE("names are no workflow commands") {
    CHECK(printable("::stop-commands::x") == R"(\x3a:stop-commands::x)");
    CHECK(printable(" \u00a0\u3000::error::x") == " \u00a0\u3000\\x3a:error::x");
    CHECK(printable("std::vector::f") == "std::vector::f");
    CHECK(printable("a##[error]x") == R"(a\x23#[error]x)");
    CHECK(printable("###vso[x]##teamcity[x]") == R"(#\x23#vso[x]\x23#teamcity[x])");
    CHECK(printable("##x ##1[ #[x] ##") == "##x ##1[ #[x] ##");
}

TEST_CASE("what is printable stays as it is") {
    for (const char* text : {"\x1b::", "::a##[b\u202e\xff", R"(C:\x1b)", "####[::"}) {
        CHECK(printable(printable(text)) == printable(text));
    }
}

TEST_CASE("long names lose their start, and keep the function") {
    CHECK(short_names({"short", "abcdefghijklmnop"}, 9) == names{"short", "\u2026ijklmnop"});
    CHECK(short_names({"abcdefghi"}, 9) == names{"abcdefghi"});
    CHECK(short_names({"\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4"}, 4).at(0) ==
          "\u2026\u00e4\u00e4\u00e4");
    CHECK(shortened("github.com/a/profile.(*merger).mapSample", 19) == "\u2026*merger).mapSample");
    CHECK(shortened("main.f", 0) == "\u2026");
}

TEST_CASE("arguments and folders go before any part of a function's own name") {
    const std::string method = "void a::b::f<std::vector<int>, c>(d (*)(e), g) const";
    CHECK(shortened(method, method.size()) == method);
    CHECK(shortened(method, 49) == "void a::b::f<std::vector<int>, c>(\u2026) const");
    CHECK(shortened(method, 34) == "void a::b::f<\u2026>(\u2026) const");
    CHECK(shortened(method, 14) == "\u2026f<\u2026>(\u2026) const");
    CHECK(shortened("a::T<int, long>::get()", 15) == "a::T<\u2026>::get()");
    CHECK(shortened("a::T<b->c>::get(long)", 20) == "a::T<b->c>::get(\u2026)");
    CHECK(shortened("<alloc::Vec<T, A> as Drop>::drop", 29) ==
          "<alloc::Vec<\u2026> as Drop>::drop");
    CHECK(shortened("f(((", 3) == "f(\u2026");
    CHECK(shortened("main.f /home/user/src/main.go:12", 29) == "main.f \u2026/main.go:12");
    CHECK(shortened("main.long.name /src/main.go:12", 16) == "\u2026me \u2026/main.go:12");
    CHECK(shortened("operator new (x) 12", 16) == "\u2026ator new (x) 12");
}

TEST_CASE("no two names look alike") {
    names all;
    for (char c = 'a'; c <= 'z'; ++c) {
        all.push_back("a long start of " + std::string(1, c) + " and a long end");
    }
    all.insert(all.end(), {"\x01", "\x02", R"(\x01)", ""});
    for (const std::size_t width : {0U, 1U, 5U, 12U, 20U, 100U}) {
        const names shown = short_names(all, width);
        CHECK(std::set<std::string>(shown.begin(), shown.end()).size() == all.size());
    }
    names many; // which takes no time out of proportion
    for (int i = 0; i < 20000; ++i) {
        many.push_back(std::to_string(i) + std::string(100, 'x'));
    }
    const names shown = short_names(many, 20);
    CHECK(std::set<std::string>(shown.begin(), shown.end()).size() == many.size());
    CHECK(shown.back().size() <= 20 + 4);
}

TEST_CASE("equal names are shown equal, and each has the room of its place") {
    const std::string long_name = "abcdefghijklmnop";
    const names all{long_name, "Xbcdefghijklmnop", long_name, long_name, ""};
    const names shown = short_names(all, [](std::size_t i) { return i == 3 ? 100 : 9; });
    CHECK(shown[0] == shown[2]);
    CHECK(shown[0] != shown[1]);
    CHECK(shown[3] == long_name);
}

// Each of these has another look, but the same one with a number.
TEST_CASE("many pairs that look alike take no time out of proportion", "[long]") {
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
