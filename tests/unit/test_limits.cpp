// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/info.hpp>
#include <pprofdelta/limits.hpp>

#include <limits>
#include <string>
#include <vector>

#include "catch.hpp"
#include "error_from.hpp"
#include "letter_stacks.hpp"
#include "made_delta.hpp"
#include "profile_builder.hpp"

using namespace pprofdelta;
using test::error_from;
using test::fails_as;

namespace {

// A profile with one sample of one stack.
std::string one(std::int64_t value, const std::string& unit = "bytes") {
    test::profile p;
    p.types = {{"space", unit}};
    const auto f = test::add_frame(p, "main.f");
    const auto g = test::add_frame(p, "main.g");
    p.samples = {{{f, g, f}, {value}}};
    return test::serialize(p);
}

bool crosses(const std::string& text, std::int64_t previous, std::int64_t current,
             const std::string& unit = "bytes") {
    const auto all = judge({parse_limit(text)}, {std::string_view{one(previous, unit)},
                                                 std::string_view{one(current, unit)}});
    REQUIRE(all.size() == 1);
    CHECK(all[0].limit == text);
    CHECK(all[0].previous == previous);
    CHECK(all[0].current == current);
    return all[0].crossed;
}

std::string fault(const std::string& text) {
    const auto found = error_from([&] { (void)parse_limit(text); });
    return found && found->kind() == error_kind::invalid_argument ? found->what() : "none";
}

} // namespace

TEST_CASE("a limit is read with all its parts") {
    const limit l = parse_limit("  func:a::b>c:alloc_space/bytes > +1.50 MiB\t");
    CHECK(l.text == "func:a::b>c:alloc_space/bytes > +1.50 MiB");
    CHECK(l.of == limit::scope::through);
    CHECK(l.functions == "a::b>c");
    CHECK(l.type.text() == "alloc_space/bytes");
    CHECK(l.on == limit::bound::growth);
    CHECK(l.threshold.digits == 150);
    CHECK(l.threshold.decimals == 2);
    CHECK(l.threshold.unit == "MiB");
    CHECK(parse_limit("flat:f:x>1").of == limit::scope::leaf);
    CHECK(parse_limit("x>+1%").on == limit::bound::percent);
    CHECK(parse_limit("x>1").on == limit::bound::value);
}

TEST_CASE("an invalid limit is refused") {
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
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
    constexpr std::int64_t tebi = std::int64_t{1} << 40;
    struct example {
        const char* limit;
        std::int64_t previous;
        std::int64_t current;
        bool is_crossed;
        const char* unit = "bytes";
    };
    for (const auto& [limit, previous, current, is_crossed, unit] : {
             example{"space>10", 0, 10, false},
             example{"space>10", 0, 11, true},
             example{"space>+10", 5, 15, false},
             example{"space>+10", 5, 16, true},
             example{"space>+10%", 1000, 1100, false},
             example{"space>+10%", 1000, 1101, true},
             example{"space>+29%", 100, 129, false}, // 0.29 · 100 < 29 in binary
             example{"space>+0.1%", 1000, 1001, false},
             example{"space>+0.1%", 1000, 1002, true},
             example{"space>+0%", 7, 7, false},
             example{"space>+0%", 7, 8, true},
             example{"space>+1000%", 7, 3, false},
             // Any growth from 0 is more than any percentage.
             example{"space>+1000000%", 0, 1, true},
             example{"space>+0%", 0, -1, false},
             example{"space>+50%", -10, 0, true},
             example{"space>+50%", -10, -5, false},
             // The ends of the range, and bounds so close that doubles round to the other side.
             example{"space>+1", least, most, true},
             example{"space>999999999999999999", 0, most, true},
             example{"space>+0", most, least, false},
             example{"space>+99.867%", 4225453175133970594, 8445286497545013007, false},
             example{"space>+52.457%", 4075834947802999531, 6213895686372018995, true},
             example{"space>0.00000000000000001GiB", 0, 1, true},
             // Units of the type, or that fit it.
             example{"space>1KiB", 0, 1024, false},
             example{"space>1kB", 0, 1001, true},
             example{"space>1TB", 0, 1'000'000'000'000, false},
             example{"space>+1TiB", 0, tebi, false},
             example{"space>+1TiB", 0, tebi + 1, true},
             example{"space>+999999999999999999TiB", 0, tebi, false},
             example{"space>2s", 0, 2'000'000'001, true, "nanoseconds"},
             example{"space>2ms", 0, 2000, false, "microseconds"},
             example{"space>1MiB", 0, 1025, true, "kilobytes"},
         }) {
        CAPTURE(limit, previous, current);
        CHECK(crosses(limit, previous, current, unit) == is_crossed);
    }
    for (const char* unit : {"count", "nanoseconds", ""}) {
        CHECK(fails_as(error_kind::incompatible, [&] { crosses("space>1kB", 0, 5, unit); }));
    }
}

TEST_CASE("the largest value that keeps a limit is reported with it, in the type's unit") {
    const auto most = [](const char* text, std::int64_t previous) {
        const auto found =
            judge({parse_limit(text)}, {std::string_view{one(previous)}, std::string_view{one(1)}})
                .at(0);
        CHECK(found.on == parse_limit(text).on);
        return found.allowed;
    };
    CHECK(most("space>2.5KiB", 7) == 2560);
    CHECK(most("space>+1.9", 7) == 1);
    CHECK(most("space>+50%", -1001) == 500);
    CHECK(most("space>+50%", 0) == 0);
    CHECK(most("space>999999999999999999TiB", 0) == std::numeric_limits<std::uint64_t>::max());
}

TEST_CASE("a type that is not there is an error, and one in two units is two") {
    test::profile p;
    p.types = {{"wait", "count"}, {"wait", "nanoseconds"}};
    p.samples = {{{}, {1, 20}}, {{}, {2, 30}}};
    const std::string bytes = test::serialize(p);
    const auto all = judge({parse_limit("wait>10")}, {bytes, bytes});
    REQUIRE(all.size() == 2);
    CHECK(all[0].current == 3);
    CHECK_FALSE(all[0].crossed);
    CHECK(all[1].current == 50);
    CHECK(all[1].crossed);
    CHECK(read_totals(bytes) == std::vector<std::int64_t>{3, 50});
}

TEST_CASE("a stack counts once for a function, however often that is in it") {
    test::profile p;
    p.types = {{"space", "bytes"}};
    const auto leaf = test::add_frame(p, "leaf");
    const auto recursive = test::add_frame(p, "recursive");
    const auto inlining = test::add_frame(p, "inlined");
    const auto outer = test::add_frame(p, "outer");
    p.locations[2].lines.push_back(p.locations[3].lines[0]);
    p.locations.push_back({9, 0, 0x10}); // without a name
    p.samples = {{{leaf, recursive, recursive}, {1}},
                 {{inlining, recursive}, {10}},
                 {{outer}, {100}},
                 {{}, {1000}},
                 {{9}, {10000}}};
    const std::string now = test::serialize(p);
    const auto current = [&](const char* text) {
        return judge({parse_limit(text)}, {now, now}).at(0).current;
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

TEST_CASE("a percentage without a plus is a share of all samples, now") {
    const std::string now = test::stacks({{"gf", 30}, {"g", 50}, {"f", 20}});
    const auto judged = [&](const char* text) {
        return judge({parse_limit(text)}, viewed_profiles{now}).at(0);
    };
    for (const auto& [text, crossed] : {std::pair{"cum:^g$:space>79.9%", true},
                                        {"cum:^g$:space>80%", false},
                                        {"func:^g$:space>79.9%", true},
                                        {"flat:^f$:space>49.9%", true},
                                        {"flat:^f$:space>50%", false},
                                        {"each:space>50%", false},
                                        {"each:cum:space>79%", true}}) {
        CAPTURE(text);
        const judgement found = judged(text);
        CHECK(found.crossed == crossed);
        CHECK(found.on == limit::bound::share);
        CHECK(found.whole == 100);
    }
    CHECK(judged("cum:^g$:space>80%").allowed == 80);
    CHECK(judged("each:cum:space>79%").functions.at(0).name == "g");
    CHECK(fault("space>80%") == "'space>80%': a percentage of a total needs a '+', as in >+10%; a "
                                "share is of some samples, as in func:REGEX:TYPE>10%");
}

namespace {

// A heap with two functions that have allocated so much, and hold `held` together.
std::string heap(std::int64_t f, std::int64_t g, std::int64_t held, std::int64_t seconds) {
    test::profile p;
    p.types = {{"alloc_space", "bytes"}, {"inuse_space", "bytes"}};
    const auto in_f = test::add_frame(p, "f");
    const auto in_g = test::add_frame(p, "g");
    const auto main = test::add_frame(p, "main");
    p.samples = {{{in_f, main}, {f, held}}, {{in_g, main}, {g, 0}}};
    p.time = seconds * 1'000'000'000;
    return test::serialize(p);
}

enum class known { pair, state };

// Judges one limit on the delta of two profiles.
judgement judge_delta(const std::string& text, const std::string& previous,
                      const std::string& current, known what = known::pair) {
    test::made_delta made{previous, current};
    if (what == known::state) {
        made.of.previous.reset();
    }
    const auto all = judge({parse_limit(text)}, made.of);
    REQUIRE(all.size() == 1);
    return all[0];
}

} // namespace

TEST_CASE("a limit on a delta is about what the delta has") {
    const std::string before = heap(100, 900, 50, 10);
    const std::string now = heap(160, 950, 60, 20);
    for (const known what : {known::pair, known::state}) {
        CHECK(judge_delta("alloc_space>+109", before, now, what).crossed);
        CHECK_FALSE(judge_delta("alloc_space>+110", before, now, what).crossed);
        CHECK(judge_delta("alloc_space>+10.9%", before, now, what).crossed);
        CHECK_FALSE(judge_delta("alloc_space>+11%", before, now, what).crossed);
        CHECK(judge_delta("func:f:alloc_space>+59%", before, now, what).crossed);
        CHECK_FALSE(judge_delta("func:f:alloc_space>+60%", before, now, what).crossed);
        // 110 bytes in 10 seconds.
        CHECK(judge_delta("alloc_space>+10.9/s", before, now, what).crossed);
        CHECK_FALSE(judge_delta("alloc_space>+11/s", before, now, what).crossed);
        const judgement j = judge_delta("alloc_space>+1", before, now, what);
        CHECK(j.has_previous);
        CHECK(j.previous == 1000);
        CHECK(j.current == 1110);
        CHECK(j.change == 110);
    }
    CHECK(judge_delta("alloc_space>+1/s", before, heap(160, 950, 60, 10)).unknown ==
          "the duration is unknown");
    // What was counted with the period before is scaled with the one now.
    test::made_delta made{before, now};
    made.of.summary.is_rescaled = true;
    const auto found = judge({parse_limit("alloc_space>+1"), parse_limit("inuse_space>+1%"),
                              parse_limit("inuse_space>1")},
                             made.of);
    CHECK(found.at(0).unknown == "the sampling period changed in between");
    CHECK_FALSE(found.at(0).crossed);
    CHECK_FALSE(found.at(1).unknown.empty());
    CHECK(found.at(2).crossed);
}

TEST_CASE(
    "a limit on a function that is hidden has no match, and is unknown where two are compared") {
    const std::string before = one(100);
    const std::string now = one(200);
    const auto found = [&](const char* text, const stack_selection& frames) {
        return judge({parse_limit(text)}, {before, now}, {}, frames).at(0);
    };
    CHECK(found("func:main.f:space>+5%", {}).crossed);
    const stack_selection hidden{.hide = "^main.f$"};
    for (const char* text : {"func:main.f:space>+5%", "flat:main.f:space>+5%"}) {
        const judgement j = found(text, hidden);
        CHECK_FALSE(j.has_match);
        CHECK(j.unknown == "no function matches in the frames that are left");
        CHECK_FALSE(j.crossed);
    }
    CHECK(found("func:main.g:space>+5%", hidden).crossed);
    CHECK(found("func:h:space>+5%", {}).unknown == "no function matches");
    CHECK(found("label:a=b:space>+5%", {}).unknown == "no label matches");
    CHECK_FALSE(
        found("func:main.g:space>+5%", {.show_from = "^main.f$", .renames = {"g=h"}}).has_match);
}

TEST_CASE("a limit on each function names those that cross it, the largest change first") {
    const std::string before = test::stacks({{"mf", 1000}, {"mg", 100}, {"mh", 10}});
    const std::string now = test::stacks({{"mf", 1040}, {"mg", 106}, {"mh", 30}});
    const auto names = [&](const char* text, const char* least = "0") {
        const auto all = judge({parse_limit(text)}, {before, now}, parse_amount(least));
        std::string found;
        for (const judgement::function& each : all.at(0).functions) {
            found += each.name + " ";
        }
        CHECK(all[0].crossed == !found.empty());
        return found;
    };
    CHECK(names("each:space>+5%") == "h g ");
    CHECK(names("each:space>+5%", "100") == "g ");
    CHECK(names("each:space>+5%", "30B") == "h g ");
    CHECK(names("each:space>+5%", "31B") == "g ");
    CHECK(names("each:space>+5%", "1s") == "h g "); // is about other types
    CHECK(names("each:space>+6%") == "h ");
    CHECK(names("each:space>+19") == "f h ");
    CHECK(names("each:space>100") == "f g ");
    CHECK(names("each:cum:space>100") == "m f g ");
    CHECK(names("each:cum:space>+5%") == "m h g ");
    CHECK(names("each:space>+1GiB").empty());
}

TEST_CASE("the first of many functions that cross a limit on each are reported") {
    test::profile p;
    p.types = {{"space", "bytes"}};
    for (std::int64_t i = 1; i <= 250; ++i) {
        p.samples.push_back({{test::add_frame(p, "f" + std::to_string(i))}, {i}});
    }
    const std::string all = test::serialize(p);
    const judgement found = judge({parse_limit("each:space>10")}, viewed_profiles{all}).at(0);
    REQUIRE(found.functions.size() == most_crossing);
    CHECK(found.functions.front().name == "f250");
    CHECK(found.functions.back().name == "f151");
    CHECK(found.functions_left_out == 140);
}

TEST_CASE("a limit on a function that is no longer there is told apart from one on nothing") {
    const auto with = [](const std::vector<std::string>& names) {
        test::profile p;
        p.types = {{"space", "bytes"}};
        for (const std::string& name : names) {
            p.samples.push_back({{test::add_frame(p, name)}, {10}});
        }
        return test::serialize(p);
    };
    const std::string before = with({"f", "g"});
    const std::string now = with({"f"});
    const auto judged = [&](const char* text) {
        return judge({parse_limit(text)}, {before, now}).at(0);
    };
    CHECK(judged("func:g:space>+5%").is_gone);
    CHECK(judged("func:g:space>+5%").has_match);
    CHECK_FALSE(judged("func:f:space>+5%").is_gone);
    CHECK_FALSE(judged("func:x:space>+5%").is_gone);
    CHECK_FALSE(judged("func:x:space>+5%").has_match);
    CHECK(judged("func:x:space>+5%").are_compared);
    // A function that is not in a delta may just not have run.
    CHECK_FALSE(
        judge_delta("func:g:alloc_space>+1", heap(1, 2, 3, 1), heap(1, 2, 3, 2)).are_compared);
}

TEST_CASE("an amount is a number with a unit") {
    CHECK(parse_amount(" 1.5 MiB ").digits == 15);
    CHECK(parse_amount("1.5MiB").decimals == 1);
    CHECK(parse_amount("1.5MiB").unit == "MiB");
    CHECK(parse_amount("7").unit.empty());
    for (const char* text : {"", "MiB", "-1", "1 parsec", "1%"}) {
        CHECK(
            fails_as(error_kind::invalid_argument, [&] { static_cast<void>(parse_amount(text)); }));
    }
}
