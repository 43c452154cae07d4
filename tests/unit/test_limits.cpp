// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/limits.hpp>

#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "catch.hpp"
#include "error_from.hpp"
#include "profile_builder.hpp"

using namespace pprofdelta;
using test::fails_as;

namespace {

// A profile with one sample of one stack.
std::string one(std::int64_t value, const std::string& unit = "bytes") {
    test::profile p;
    p.types = {{"space", unit}};
    const auto f = test::add_frame(p, "main.f");
    const auto g = test::add_frame(p, "main.g");
    p.samples = {{{f, g, f}, {value}, {}, ""}};
    return test::serialize(p);
}

bool crosses(const std::string& text, std::int64_t previous, std::int64_t current,
             const std::string& unit = "bytes") {
    const auto all = judge({parse_limit(text)}, one(previous, unit), one(current, unit));
    REQUIRE(all.size() == 1);
    CHECK(all[0].limit == text);
    CHECK(all[0].previous == previous);
    CHECK(all[0].current == current);
    return all[0].crossed;
}

std::string fault(const std::string& text) {
    try {
        static_cast<void>(parse_limit(text));
    } catch (const std::invalid_argument& e) {
        return e.what();
    }
    return "none";
}

} // namespace

TEST_CASE("a limit is read with all its parts") {
    const limit l = parse_limit("  func:a::b>c:alloc_space/bytes > +1.50 MiB\t");
    CHECK(l.text == "func:a::b>c:alloc_space/bytes > +1.50 MiB");
    CHECK(l.of == limit::scope::through);
    CHECK(l.functions == "a::b>c");
    CHECK(l.type.text() == "alloc_space/bytes");
    CHECK(l.on == limit::bound::growth);
    CHECK(l.digits == 150);
    CHECK(l.decimals == 2);
    CHECK(l.unit == "MiB");
    CHECK(parse_limit("flat:f:x>1").of == limit::scope::leaf);
    CHECK(parse_limit("x>+1%").on == limit::bound::percent);
    CHECK(parse_limit("x>1").on == limit::bound::value);
}

TEST_CASE("what is no limit is refused") {
    for (const char* text : {"",
                             "x",
                             "x>",
                             ">1",
                             "x>+",
                             "x>%",
                             "x>5%",
                             "x>-5",
                             "x>+-5",
                             "x>1e3",
                             "x>.",
                             "x>1.2.3",
                             "x>5PB",
                             "x>5mb",
                             "x>5 5",
                             "x>nan",
                             "x>inf",
                             "x>0x10",
                             "x>1234567890123456789",
                             "func:f>1",
                             "func::x>1",
                             "func:(:x>1",
                             "flat:f:>1",
                             "flat:*:[:x>1",
                             "x<5",
                             "x=5"}) {
        CAPTURE(text);
        CHECK(fault(text) != "none");
    }
    CHECK(fault("x>y") == "'x>y': what follows '>' is not a number");
}

TEST_CASE("a limit is crossed by more, not by as much") {
    CHECK_FALSE(crosses("space>10", 0, 10));
    CHECK(crosses("space>10", 0, 11));
    CHECK_FALSE(crosses("space>+10", 5, 15));
    CHECK(crosses("space>+10", 5, 16));
    CHECK_FALSE(crosses("space>+10%", 1000, 1100));
    CHECK(crosses("space>+10%", 1000, 1101));
    CHECK_FALSE(crosses("space>+29%", 100, 129)); // 0.29 · 100 < 29 in binary
    CHECK_FALSE(crosses("space>+0.1%", 1000, 1001));
    CHECK(crosses("space>+0.1%", 1000, 1002));
    CHECK_FALSE(crosses("space>+0%", 7, 7));
    CHECK(crosses("space>+0%", 7, 8));
    CHECK_FALSE(crosses("space>+1000%", 7, 3));
}

TEST_CASE("of nothing any growth is more than any percentage") {
    CHECK(crosses("space>+1000000%", 0, 1));
    CHECK_FALSE(crosses("space>+0%", 0, 0));
    CHECK_FALSE(crosses("space>+0%", 0, -1));
    CHECK(crosses("space>+50%", -10, 0));
    CHECK_FALSE(crosses("space>+50%", -10, -5));
}

TEST_CASE("the ends of the range are judged right") {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
    CHECK(crosses("space>+1", least, most));
    CHECK(crosses("space>999999999999999999", 0, most));
    CHECK_FALSE(crosses("space>+0", most, least));
    CHECK(crosses("space>+0%", most - 1, most));
    // Here the bound is so close that floating-point numbers round to the other side.
    CHECK_FALSE(crosses("space>+99.867%", 4225453175133970594, 8445286497545013007));
    CHECK(crosses("space>+52.457%", 4075834947802999531, 6213895686372018995));
    CHECK_FALSE(crosses("space>0.00000000000000001GiB", 0, 0));
    CHECK(crosses("space>0.00000000000000001GiB", 0, 1));
}

TEST_CASE("units are those of the type, or fit them") {
    CHECK_FALSE(crosses("space>1KiB", 0, 1024));
    CHECK(crosses("space>1kB", 0, 1001));
    CHECK(crosses("space>0.5MiB", 0, 524289));
    CHECK_FALSE(crosses("space>1GiB", 0, 1 << 30));
    CHECK_FALSE(crosses("space>1TB", 0, 1'000'000'000'000));
    CHECK(crosses("space>1TB", 0, 1'000'000'000'001));
    CHECK_FALSE(crosses("space>+1TiB", 0, std::int64_t{1} << 40));
    CHECK(crosses("space>+1TiB", 0, (std::int64_t{1} << 40) + 1));
    CHECK_FALSE(crosses("space>+999999999999999999TiB", 0, 1 << 30));
    CHECK(crosses("space>2s", 0, 2'000'000'001, "nanoseconds"));
    CHECK_FALSE(crosses("space>2ms", 0, 2000, "microseconds"));
    CHECK(crosses("space>1MiB", 0, 1025, "kilobytes"));
    CHECK(crosses("space>5", 0, 6, "count"));
    for (const char* unit : {"count", "nanoseconds", ""}) {
        CHECK(fails_as(error_kind::incompatible, [&] { crosses("space>1kB", 0, 5, unit); }));
    }
    CHECK(fails_as(error_kind::incompatible, [] { crosses("space>1ms", 0, 5); }));
}

TEST_CASE("what keeps a limit is told with it, in the type's unit") {
    const auto most = [](const char* text, std::int64_t previous) {
        const auto found = judge({parse_limit(text)}, one(previous), one(1)).at(0);
        CHECK(found.on == parse_limit(text).on);
        return found.most;
    };
    CHECK(most("space>2.5KiB", 7) == 2560);
    CHECK(most("space>+1.9", 7) == 1);
    CHECK(most("space>+50%", -1001) == 500);
    CHECK(most("space>+50%", 0) == 0);
    CHECK(most("space>999999999999999999TiB", 0) == std::numeric_limits<std::uint64_t>::max());
}

TEST_CASE("a type that is not there is an error, and one in two units is two") {
    CHECK(fails_as(error_kind::incompatible, [] { crosses("spac>1", 0, 5); }));
    CHECK(fails_as(error_kind::incompatible, [] { crosses("space/count>1", 0, 5); }));
    test::profile p;
    p.types = {{"wait", "count"}, {"wait", "nanoseconds"}};
    p.samples = {{{}, {1, 20}, {}, ""}, {{}, {2, 30}, {}, ""}};
    const std::string bytes = test::serialize(p);
    const auto all = judge({parse_limit("wait>10")}, bytes, bytes);
    REQUIRE(all.size() == 2);
    CHECK(all[0].current == 3);
    CHECK_FALSE(all[0].crossed);
    CHECK(all[1].current == 50);
    CHECK(all[1].crossed);
    CHECK(totals(bytes) == std::vector<std::int64_t>{3, 50});
}

TEST_CASE("profiles that do not go together are not judged") {
    CHECK(fails_as(error_kind::incompatible, [] {
        static_cast<void>(judge({parse_limit("space>1")}, one(1), one(1, "count")));
    }));
    CHECK(fails_as(error_kind::malformed,
                   [] { static_cast<void>(judge({parse_limit("space>1")}, one(1), "x")); }));
}

TEST_CASE("a stack counts once for a function, however often that is in it") {
    test::profile p;
    p.types = {{"space", "bytes"}};
    const auto leaf = test::add_frame(p, "leaf");
    const auto recursive = test::add_frame(p, "recursive");
    const auto inlining = test::add_frame(p, "inlined");
    const auto outer = test::add_frame(p, "outer");
    p.locations[2].lines.push_back(p.locations[3].lines[0]);
    p.locations.push_back({9, 0, 0x10, {}, false, ""}); // without a name
    p.samples = {{{leaf, recursive, recursive}, {1}, {}, ""},
                 {{inlining, recursive}, {10}, {}, ""},
                 {{outer}, {100}, {}, ""},
                 {{}, {1000}, {}, ""},
                 {{9}, {10000}, {}, ""}};
    const std::string now = test::serialize(p);
    const auto current = [&](const char* text) {
        return judge({parse_limit(text)}, now, now).at(0).current;
    };
    CHECK(current("space>0") == 11111);
    CHECK(current("func:^recursive$:space>0") == 11);
    CHECK(current("flat:recursive:space>0") == 0);
    CHECK(current("flat:leaf:space>0") == 1);
    CHECK(current("flat:inlined:space>0") == 10);
    CHECK(current("flat:outer:space>0") == 100);
    CHECK(current("func:outer:space>0") == 110);
    CHECK(current("func:l(eaf|ined):space>0") == 11);
}

TEST_CASE("a limit for functions that are not there says so") {
    const auto all = judge(
        {parse_limit("func:h:space>1"), parse_limit("flat:g:space>1"), parse_limit("space>1")},
        one(1), one(2));
    REQUIRE(all.size() == 3);
    CHECK_FALSE(all[0].has_match);
    CHECK(all[1].has_match);
    CHECK(all[2].has_match);
}
