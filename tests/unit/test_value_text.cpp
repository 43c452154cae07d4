// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include <locale.h>

#include <pprofdelta/report.hpp>

#include "base/names.hpp"
#include "base/value_text.hpp"

#include "catch.hpp"

using namespace pprofdelta::tool;
using namespace pprofdelta;

TEST_CASE("values are printed in units that say what they mean") {
    CHECK(format_value(0, "bytes") == "0");
    CHECK(format_value(1023, "bytes") == "1023B");
    CHECK(format_value(1024, "bytes") == "1KiB");
    CHECK(format_value(1572864, "bytes") == "1.50MiB");
    CHECK(format_value(-1572864, "bytes") == "-1.50MiB");
    CHECK(format_value(2048, "kilobytes") == "2MiB");
    CHECK(format_value(12'300'000, "nanoseconds") == "12.30ms");
    CHECK(format_value(999, "nanoseconds") == "999ns");
    CHECK(format_value(90, "seconds") == "90s");
    CHECK(format_value(5'590'000'000, "nanoseconds") == "5.59s");
    CHECK(format_value(7200, "seconds") == "2hrs");
    CHECK(format_value(123456789, "count") == "123456789");
    CHECK(format_value(-5, "") == "-5");
    CHECK(format_value(std::numeric_limits<std::int64_t>::min(), "bytes") == "-8192PiB");
    CHECK(format_number(0.3, "bytes") == "0.30B");
    CHECK(format_number(-0.3, "seconds") == "-300ms");
    CHECK(format_number(12.4, "bytes") == "12B");
    CHECK(format_number(0.004, "bytes") == "0");
    CHECK(format_number(2.5, "count") == "3");
    CHECK(human_change(0.004, "bytes") == "0");
    CHECK(human_rate(9, 30'000'000'000, "bytes", rate_time::second) == "0.30B/s");
}

TEST_CASE("figures have as many digits as they say") {
    CHECK(fixed_text(1.0 / 3, 3) == "0.333");
    CHECK(fixed_text(-2.5, 0) == "-2");
    CHECK(fixed_text(-0.4, 0) == "0");
    CHECK(fixed_text(-0.0, 2) == "0.00");
    CHECK(fixed_text(-1e300, 2).size() == 305);
    CHECK(percent_text(3, 4) == "+33.33%");
    CHECK(percent_text(4, 3) == "-25.00%");
    CHECK(percent_text(1000000, 1000001) == "0%");
    CHECK(percent_text(1000001, 1000000) == "0%");
    CHECK(percent_text(0, 1) == "new");
    CHECK(percent_text(std::numeric_limits<std::int64_t>::min(), 0) == "+100.00%");
    CHECK(percent_text(-1, 0) == "+100.00%");
    CHECK(share_text(-8, -5) == "-160.00%");
    CHECK(share_text(3, -5) == "60.00%");
    CHECK(share_text(-1, 1000000) == "0.00%");
    CHECK(share_text(5, std::numeric_limits<std::int64_t>::max()) == "?"); // of more
    CHECK(factor_text(1.25) == "1.25");
    CHECK(factor_text(1.0 / 3) == "0.333333");
    CHECK(factor_text(1e10) == "1e+10");
}

TEST_CASE("growth by more than 1000 % is a factor") {
    CHECK(percent_text(100, 1100) == "+1000.00%");
    CHECK(percent_text(100, 1125) == "\u00d711.2");
    CHECK(percent_text(1, 35) == "\u00d735");
    CHECK(percent_text(72, 8500) == "\u00d7118");
    CHECK(percent_text(1, std::numeric_limits<std::int64_t>::max()) == "\u00d79223372036854775808");
    // A negative value has no multiple.
    CHECK(percent_text(-1, 34) == "+3500.00%");
    CHECK(percent_text(1, -34) == "-3500.00%");
}

TEST_CASE("rates are for a time, and small ones are not nothing") {
    CHECK(human_rate(1536, "bytes", rate_time::second) == "1.50KiB/s");
    CHECK(human_rate(1536, "bytes", rate_time::minute) == "90KiB/min");
    CHECK(human_rate(2e6, "nanoseconds", rate_time::second) == "2ms/s");
    CHECK(human_rate(0.25, "count", rate_time::second) == "0.25/s");
    CHECK(human_rate(0.01234, "count", rate_time::minute) == "0.74/min");
    CHECK(human_rate(99.96, "count", rate_time::second) == "100/s");
    CHECK(human_rate(-12.345, "count", rate_time::second) == "-12.3/s");
    CHECK(human_rate(1e-12, "count", rate_time::second) == "0/s");
    CHECK(human_rate(0, "count", rate_time::second) == "0/s");
    CHECK(human_rate(-0.0, "count", rate_time::second) == "0/s");
    CHECK(human_rate(-1e-12, "count", rate_time::second) == "0/s");
    CHECK(human_rate(20, 10'000'000'000, "count", rate_time::second) == "2/s");
}

TEST_CASE("changes have their sign, and more bits than values") {
    constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    CHECK(human_change({1024, 3072}, "bytes") == "+2KiB");
    CHECK(human_change({3072, 1024}, "bytes") == "-2KiB");
    CHECK(human_change({5, 5}, "bytes") == "0");
    CHECK(human_change({least, most}, "bytes") == "+18446744073709551615");
    CHECK(human_change({most, least}, "bytes") == "-18446744073709551615");
}

TEST_CASE("messages about limits are for people, and exact where rounding would mislead") {
    const auto message = [](const std::string& text, std::int64_t previous, std::int64_t current,
                            limit::bound on, std::uint64_t most) {
        judgement j;
        j.limit = text;
        j.type = {"space", "bytes"};
        j.previous = previous;
        j.current = current;
        j.change = static_cast<std::int64_t>(static_cast<std::uint64_t>(current) -
                                             static_cast<std::uint64_t>(previous));
        j.on = on;
        j.allowed = most;
        const std::string all = describe(j, std::nullopt);
        return all.substr(all.find("previous"));
    };
    constexpr auto value = limit::bound::value;
    constexpr auto growth = limit::bound::growth;
    // The two look alike.
    CHECK(message("space>+0", 2'000'000, 2'000'001, growth, 0) ==
          "previous 1.91MiB (2000000), current 1.91MiB (2000001), change +1B (+1) (0%)");
    // The value looks like its bound.
    CHECK(message("space>2MiB", 0, (2 << 20) + 1, value, 2 << 20) ==
          "previous 0, current 2MiB (2097153), change +2MiB (+2097153) (new)");
    // 2.45MB are less than 2.40MiB.
    CHECK(message("space>2.45MB", 0, 2'521'016, value, 2'450'000) ==
          "previous 0, current 2.40MiB (2521016), change +2.40MiB (+2521016) (new)");
}

// Hidden, as it needs a locale with a comma; the script comma-locale makes one and runs this.
TEST_CASE("figures have a point in every locale", "[.comma-locale]") {
    const locale_t comma = ::newlocale(LC_NUMERIC_MASK, "de_DE.UTF-8", nullptr);
    REQUIRE(comma != nullptr);
    const locale_t before = ::uselocale(comma);
    std::array<char, 8> text{};
    std::snprintf(text.data(), text.size(), "%.1f", 0.5);
    CHECK(text.data() == std::string{"0,5"});
    CHECK(format_value(1572864, "bytes") == "1.50MiB");
    CHECK(percent_text(3, 4) == "+33.33%");
    CHECK(factor_text(1.25) == "1.25");
    CHECK(fixed_text(0.5, 3) == "0.500");
    ::uselocale(before);
    ::freelocale(comma);
}

TEST_CASE("a name loses folders, arguments and what it is in, as far as it has to") {
    const auto shortened = [](const std::string& name, std::size_t room) {
        return distinct_names{{name}}.shortened(name, room);
    };
    CHECK(shortened("github.com/a/b.(*reader).parseEverything", 40) ==
          "b.(*reader).parseEverything");
    CHECK(shortened("b.(*reader).parseEverything", 26) == "(*reader).parseEverything");
    CHECK(shortened("b.(*reader).parseEverything", 20) == "parseEverything");
    CHECK(shortened("b.(*reader).parseEverything", 6) == "pars\u2026g");
    CHECK(shortened("std::vector<std::string>::at(unsigned long)", 16) ==
          "vector<\u2026>::at(\u2026)");
    CHECK(shortened("b.(*reader).parseEverything", 27) == "b.(*reader).parseEverything");
    CHECK(shortened("a::f<int>(long, long)", 12) == "a::f<int>(\u2026)");
    CHECK(shortened("std::vector<std::string>::at(unsigned long)", 15) == "at(\u2026)");
    CHECK(shortened("a.f[b.T].run", 8) == "a.f.run");
    CHECK(shortened("a.f[b.T].run", 6) == "f.run");
    CHECK(shortened("a.f[c/d.T]", 10) == "a.f[c/d.T]");
    CHECK(shortened("f /src/a.cc:12", 14) == "f /src/a.cc:12");
    CHECK(shortened("f file.go:12", 10) == "f file\u2026:12");
}

TEST_CASE("names that can be written in very many ways take bounded memory") {
    std::string scopes;
    for (int i = 0; i < 240; ++i) {
        scopes += "a.";
    }
    std::vector<std::string> all;
    for (int i = 0; i < 1300; ++i) {
        all.push_back("f" + std::to_string(i) + "." + scopes + "g(x)");
    }
    const distinct_names names{all};
    CHECK(names.forms(all.front()).texts.size() > 1);
    CHECK(names.forms(all.back()).texts == std::vector{all.back()});
}

TEST_CASE("folders of services stay where there is room") {
    const distinct_names names{{"shop/cart", "bank/pay"}, true};
    CHECK(names.shortened("shop/cart", 9) == "shop/cart");
    CHECK(names.shortened("shop/cart", 8) == "cart");
}

TEST_CASE("a short name is not one that another name can have") {
    const distinct_names names{{"main.a.func1", "main.b.func1", "x/log.Print", "y/log.Print"}};
    CHECK(names.shortened("main.a.func1", 8) == "a.func1");
    CHECK(names.shortened("main.a.func1", 6) == "a.fu\u20261");
    CHECK(distinct_names{{"main.Builder.grow", "main.page.grow"}}.shortened("main.Builder.grow",
                                                                            9) == "Buil\u2026grow");
    const distinct_names generic{{"main.Sort[go.shape.int]", "main.Sort[go.shape.string]"}};
    CHECK(generic.shortened("main.Sort[go.shape.int]", 10) == "main.Sort");
    CHECK(names.shortened("x/log.Print", 11) == "x/log.Print");
    CHECK(names.shortened("x/log.Print", 9) == "x/l\u2026Print");
}

TEST_CASE("a short name has no more characters than there is room for, and none in halves") {
    const std::vector<std::string> all{"((((", "a::", ".....", "\u65e5\u672c\u8a9e::\u51e6\u7406",
                                       std::string(500, 'a')};
    const distinct_names names{all};
    for (const std::string& name : all) {
        for (std::size_t room = 2; room < 12; ++room) {
            const std::string text = names.shortened(name, room);
            CHECK(count_characters(text) <= room);
            CHECK(!text.empty());
            CHECK_FALSE(is_continuation(text.front()));
        }
    }
}

using names = std::vector<std::string>;

TEST_CASE("a long name is shown by its start and its end") {
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

TEST_CASE("bytes that would control a terminal or are no UTF-8 are escaped") {
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

TEST_CASE("characters that turn the direction of writing or end a line are escaped") {
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

TEST_CASE("names that would look alike are cut where they are equal") {
    CHECK(short_names({"shop/127.0.0.1:7001/debug/allocs", "shop/127.0.0.1:7003/debug/allocs"},
                      12) == names{"sho\u20267001\u2026ocs", "sho\u20267003\u2026ocs"});
    CHECK(short_names({"a/long/folder/x.go", "b/long/folder/x.go"}, 10) ==
          names{"a\u2026er/x.go", "b\u2026er/x.go"});
    CHECK(
        short_names({"\u00e4\u00e4\u00e4\u00e4\u00e4a \u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4",
                     "\u00e4\u00e4\u00e4\u00e4\u00e4b \u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4"},
                    5)
            .front()
            .size() <= std::size_t{5} * 3);
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
    for (int i = 100'000; i < 120'000; ++i) {
        const std::string middle = "start" + std::to_string(i) + "end";
        pairs.insert(pairs.end(), {"\x01" + middle, "\x02" + middle});
    }
    for (const std::size_t width : {7U, 15U}) {
        const names shown = short_names(pairs, width);
        CHECK(std::set<std::string>(shown.begin(), shown.end()).size() == pairs.size());
    }
}
