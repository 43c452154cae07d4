// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <pprofdelta/compare.hpp>

#include "catch.hpp"
#include "error_from.hpp"
#include "letter_stacks.hpp"
#include "profile_builder.hpp"
#include "study_rows.hpp"

using namespace pprofdelta::test;
using namespace pprofdelta;

namespace {

constexpr compare_side base = compare_side::base;
constexpr compare_side head = compare_side::head;

using numbers = std::vector<double>;
using values_by_name = std::map<std::string, std::int64_t>;

/// Functions that main calls, with their values in bytes; and as many objects as 10 bytes. The
/// times make all of them different.
profile capture(const values_by_name& values, std::int64_t time) {
    profile p;
    p.types = {{"objects", "count"}, {"space", "bytes"}};
    const std::uint64_t main = add_frame(p, "main");
    for (const auto& [name, value] : values) {
        p.samples.push_back({{add_frame(p, name), main}, {value / 10, value}});
    }
    p.time = time;
    return p;
}

/// The type of bytes in `capture`.
constexpr std::size_t space = 1;

/// A value for each capture, by function; all have the same number.
using values_of_side = std::map<std::string, std::vector<std::int64_t>>;

void add(profile_comparison& to, compare_side of, const values_of_side& side) {
    for (std::size_t i = 0; i < side.begin()->second.size(); ++i) {
        values_by_name values;
        for (const auto& [name, all] : side) {
            if (all.at(i) != 0) {
                values[name] = all[i];
            }
        }
        const std::int64_t time =
            static_cast<std::int64_t>(to.captures(base) + to.captures(head)) + 1;
        to.add(of, std::string_view{serialize(capture(values, time))});
    }
}

/// A comparison that has both sides.
struct compared : profile_comparison {
    compared(const values_of_side& of_base, const values_of_side& of_head,
             const compare_options& options = {}, const std::vector<std::string>& texts = {})
        : profile_comparison{options, limits(texts)} {
        ::add(*this, base, of_base);
        ::add(*this, head, of_head);
    }
};

std::vector<std::int64_t> spread(std::int64_t around, std::size_t captures = 8) {
    std::vector<std::int64_t> all;
    for (std::size_t i = 0; i < captures; ++i) {
        all.push_back(around + 10 * static_cast<std::int64_t>(i * 3 % captures));
    }
    return all;
}

const values_of_side usual{{"grows", spread(1000)},
                           {"falls", spread(5000)},
                           {"stays", {7000, 7001, 7002, 7003, 7004, 7005, 7006, 7007}},
                           {"noisy", {2000, 3000, 2500, 2400, 3100, 2200, 2900, 2700}}};
const values_of_side changed{{"grows", spread(1500)},
                             {"falls", spread(4000)},
                             {"stays", {7007, 7006, 7005, 7004, 7003, 7002, 7001, 7000}},
                             {"noisy", {2050, 2950, 2450, 2350, 3150, 2250, 2850, 2750}}};

} // namespace

// The rows: values, changes, tests, corrections and verdicts.

TEST_CASE("each row has its sums, medians, change, p and verdict") {
    compared c{usual, changed};
    CHECK(c.captures(base) == 8);
    CHECK(c.captures(head) == 8);
    REQUIRE(c.types().size() == 2);
    CHECK(c.types()[space].type == "space");
    CHECK(c.find_type({}) == space);
    CHECK(c.find_type(value_type_pattern("objects")) == 0);
    CHECK(
        fails_as(error_kind::incompatible, [&] { (void)c.find_type(value_type_pattern("time")); }));

    const compared_rows rows = c.rows(space);
    CHECK(names(rows.flat.rows) == "falls grows noisy stays ");
    CHECK(rows.left_out == 0);
    const compared_row& grows = row(rows.flat.rows, "grows");
    CHECK(grows.base.values == numbers{1000, 1030, 1060, 1010, 1040, 1070, 1020, 1050});
    CHECK(grows.head.values == numbers{1500, 1530, 1560, 1510, 1540, 1570, 1520, 1550});
    CHECK(grows.base.median == 1035);
    CHECK(grows.head.median == 1535);
    REQUIRE(grows.base.within);
    CHECK(grows.base.within->low == 1000);
    CHECK(grows.base.within->high == 1070);
    CHECK(grows.change == 500);
    REQUIRE(grows.within);
    CHECK(grows.within->low == 470);
    CHECK(grows.within->high == 530);
    CHECK(grows.u == 64);
    CHECK(is_near(grows.p, 2.0 / 12870));
    CHECK(grows.verdict == verdict::grew);
    CHECK(grows.is_significant());
    const compared_row& falls = row(rows.flat.rows, "falls");
    CHECK(falls.change == -1000);
    CHECK(falls.u == 0);
    CHECK(falls.verdict == verdict::fell);
    CHECK(row(rows.flat.rows, "stays").verdict == verdict::same);
    CHECK(row(rows.flat.rows, "noisy").verdict == verdict::unsure);
    CHECK_FALSE(row(rows.flat.rows, "noisy").is_significant());

    // Nobody but main calls the four, so both tables have them, as questions of their own.
    CHECK(names(rows.cum.rows) == "falls main grows noisy stays ");
    CHECK(rows.flat.hypotheses == 4);
    CHECK(rows.cum.hypotheses == 5);
    // Two of four have this p, and weigh as their means do. The third of the callees of main is the
    // one that is found.
    const auto weight = [](double mean) { return std::sqrt(mean); };
    const double all = weight(1285) + weight(4535) + weight(7003.5) + weight(2600);
    CHECK(is_near(grows.corrected_p, grows.p * all / weight(1285) / 2));
    CHECK(is_near(falls.corrected_p, std::min(grows.corrected_p, falls.p * all / weight(4535))));
    CHECK(row(rows.cum.rows, "grows").corrected_p > grows.corrected_p);

    const compared_family totals = c.totals();
    REQUIRE(totals.rows.size() == 2);
    CHECK(totals.rows[space].base.values[0] == 1000 + 5000 + 7000 + 2000);
    CHECK(totals.rows[0].base.values[0] == 100 + 500 + 700 + 200);
    CHECK(totals.rows[0].name.empty());
}

TEST_CASE("a change that is detectable is found in four of five comparisons") {
    std::mt19937 random{7};
    std::normal_distribution<double> noise{0, 1};
    struct design {
        std::size_t captures;
        bool are_paired;
        double absolute; // noise, which is the same for all values
        double relative; // and what grows along with them
    };
    for (const auto& [captures, are_paired, absolute, relative] :
         {design{10, false, 100, 0}, {10, true, 100, 0}, {8, false, 0, 0.1}, {5, false, 0, 0.1}}) {
        const auto captures_around = [&, count = captures, part = relative,
                                      same = absolute](double value) {
            std::vector<std::int64_t> all(count);
            std::generate(all.begin(), all.end(), [&] {
                const double of_run = value * std::exp(part * noise(random));
                return static_cast<std::int64_t>(of_run + same * noise(random));
            });
            return all;
        };
        const auto total_of = [&, pairs = are_paired](double shift) {
            compared c{{{"f", captures_around(5000)}},
                       {{"f", captures_around(5000 + shift)}},
                       {.min_change = 0, .are_paired = pairs}};
            return c.totals().rows[space];
        };
        constexpr std::size_t rounds = 120;
        std::vector<double> changes;
        for (std::size_t round = 0; round < rounds; ++round) {
            changes.push_back(total_of(0).detectable.value());
        }
        std::ranges::sort(changes);
        const double detectable = changes[rounds / 2];
        if (relative == 0) { // Student's test would need 125 with a known deviation.
            CHECK(detectable > 130);
            CHECK(detectable < 165);
        }
        std::size_t found = 0;
        for (std::size_t round = 0; round < rounds; ++round) {
            found += total_of(detectable).verdict == verdict::grew ? 1 : 0;
        }
        CAPTURE(captures, are_paired, relative, detectable, found);
        CHECK(found > rounds * 74 / 100);
        CHECK(found < rounds * 92 / 100);
    }
    compared few{{{"f", {1, 2, 3}}}, {{"f", {4, 5, 6}}}, {.test = test_kind::ranks}};
    CHECK_FALSE(few.totals().rows[space].detectable);
    CHECK(few.samples(base, space) == std::vector<std::size_t>{1, 1, 1});
    CHECK(few.samples(base, 0) == std::vector<std::size_t>{0, 0, 0}); // a tenth of a byte
}

TEST_CASE("a row of exactly the least part is not left out") {
    // A hundredth of 100 / 12 is more than 1 / 12 in doubles.
    compared c{{{"rest", {8, 9, 9, 9, 8, 8}}, {"edge", {1, 0, 0, 0, 0, 0}}},
               {{"rest", {8, 8, 8, 8, 8, 8}}}};
    CHECK(names(c.rows(space).flat.rows).find("edge") != std::string::npos);
}

TEST_CASE("rows are left out by their mean over both sides") {
    // A percent of 10000 is 100.
    const values_of_side before{{"large", spread(10000, 4)},
                                {"gone", {200, 200, 200, 200}},
                                {"small", {190, 190, 190, 190}},
                                {"none", {0, 0, 0, 0}}};
    const values_of_side after{{"large", spread(9780, 4)}, {"small", {1, 2, 3, 4}}};
    for (const bool is_swapped : {false, true}) {
        compared c{is_swapped ? after : before, is_swapped ? before : after};
        const compared_rows rows = c.rows(space);
        CHECK(names(rows.flat.rows).find("small") == std::string::npos);
        CHECK(rows.flat.rows.size() == 1);
        CHECK(rows.left_out == 4); // gone and small, flat and cumulative
    }
    const auto flat_names = [&](const compare_options& options) {
        compared c{before, after, options};
        return names(c.rows(space).flat.rows);
    };
    CHECK(flat_names({.min_amount = parse_amount("100")}) == "large gone ");
    CHECK(flat_names({.min_amount = parse_amount("0.1kB")}) == "large gone ");
    CHECK(flat_names({.min_amount = parse_amount("101B")}) == "large ");
    CHECK(flat_names({.min_amount = parse_amount("1ns"), .min_share = 0.009}) ==
          "large gone small ");
    CHECK(flat_names({.min_share = 0}) == "large gone small ");
    CHECK(flat_names({.rows = "o", .min_share = 0}) == "gone ");
    CHECK(flat_names({.rows = "^m", .min_share = 0}).empty());
    CHECK(flat_names({.min_share = 2}).empty());
}

TEST_CASE("rows in the same order are one question") {
    // The rows a and b, of the four and main, have equal ranks, and c the same the other way
    // around.
    compared c{{{"a", {10, 20, 30, 40}}, {"b", {100, 110, 190, 200}}, {"c", {80, 70, 60, 50}}},
               {{"a", {50, 60, 70, 80}}, {"b", {210, 290, 300, 310}}, {"c", {40, 30, 20, 10}}},
               {.corrected = correction::holm, .min_share = 0, .test = test_kind::ranks}};
    const compared_rows rows = c.rows(space);
    CHECK(rows.flat.rows.size() == 3);
    CHECK(rows.cum.rows.size() == 4);
    // main has 190, 200, 280, 290, 300, 380, 390, 400.
    CHECK(rows.flat.hypotheses == 2);
    for (const compared_row& r : rows.flat.rows) {
        CHECK(is_near(r.p, 2.0 / 70));
        CHECK(is_near(r.corrected_p, 4.0 / 70));
        CHECK(r.verdict == verdict::too_few);
    }
    // Objects are in the order of bytes.
    CHECK(c.totals().hypotheses == 1);
    CHECK(c.totals().rows[space].verdict == verdict::grew);
}

TEST_CASE("a time that is a multiple of its samples is no other question") {
    // As Go writes samples and nanoseconds of processor time. Digits of doubles differ.
    std::mt19937_64 random{1};
    for (int round = 0; round < 100; ++round) {
        for (const compare_options& options :
             {compare_options{.are_paired = true}, compare_options{.test = test_kind::ranks},
              compare_options{.test = test_kind::moderated}}) {
            profile_comparison both{options, {}};
            for (std::int64_t i = 0; i < 12; ++i) {
                profile p;
                p.types = {{"samples", "count"}, {"cpu", "nanoseconds"}};
                p.period_type = {"cpu", "nanoseconds"};
                p.period = 10'000'000;
                const std::uint64_t main = add_frame(p, "main");
                const auto count = static_cast<std::int64_t>(1000 + random() % 500);
                p.samples.push_back({{main}, {count, count * p.period}});
                p.time = i + 1;
                both.add(i % 2 == 0 ? base : head, std::string_view{serialize(p)});
            }
            const compared_family totals = both.totals();
            CAPTURE(round, options.are_paired);
            REQUIRE(totals.hypotheses == 1);
            REQUIRE(totals.rows[0].corrected_p == Approx(totals.rows[1].corrected_p));
        }
    }
}

TEST_CASE("what is found is enough, also of many rows that rise together") {
    values_of_side low;
    values_of_side high;
    for (const char* name : {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"}) {
        low[name] = spread(1000 + 100 * name[0]);
        high[name] = spread(1300 + 130 * name[0]);
    }
    const compare_options paired{.are_paired = true};
    compared c{low, high, paired, {"each:space>+5%"}};
    const compared_limit found = c.judge().front();
    CHECK(found.crossed);
    CHECK_FALSE(found.too_few);
    compared none{low, low, paired, {"each:space>+5%"}};
    CHECK_FALSE(none.judge().front().crossed);
}

TEST_CASE("what grew in a few captures alone is undecided") {
    std::vector<std::int64_t> none(15);
    std::vector<std::int64_t> few(15);
    std::fill(few.begin(), few.begin() + 7, 5000);
    const std::vector<std::int64_t> rest(15, 100000);
    const std::vector<std::string> texts{"flat:^seldom$:space>+5%", "each:space>+5%",
                                         "flat:^rest$:space>+5%", "flat:^seldom$:space>+1MB"};
    compared c{{{"seldom", none}, {"rest", rest}}, {{"seldom", few}, {"rest", rest}}, {}, texts};
    const std::vector<compared_limit> all = c.judge();
    REQUIRE(all.size() == 4);
    for (const compared_limit& each : all) {
        CAPTURE(each.limit);
        const bool is_about_it = &each < &all[2];
        CHECK_FALSE(each.crossed);
        CHECK(each.is_rare == is_about_it);
        CHECK(each.is_undecided == is_about_it);
    }
}

TEST_CASE("what is seldom sampled is rare in pairs and with a mean below one, too") {
    std::vector<std::int64_t> none(30);
    std::vector<std::int64_t> few(30);
    std::fill(few.begin(), few.begin() + 12, 10); // as many bytes as one object has
    const std::vector<std::int64_t> rest(30, 100000);
    for (const bool are_paired : {false, true}) {
        compared c{{{"seldom", none}, {"rest", rest}},
                   {{"seldom", few}, {"rest", rest}},
                   {.are_paired = are_paired},
                   {"flat:^seldom$:space>+10%", "flat:^seldom$:objects>+10%"}};
        for (const compared_limit& each : c.judge()) {
            CAPTURE(are_paired, each.limit);
            CHECK(each.is_rare);
        }
    }
}

TEST_CASE("less than the least change is none, whatever the test says") {
    const auto verdict_of = [](double min_change) {
        compared c{{{"f", spread(10000)}}, {{"f", spread(10100)}}, {.min_change = min_change}};
        return c.totals().rows[space].verdict;
    };
    CHECK(verdict_of(0) == verdict::grew);
    CHECK(verdict_of(0.01) == verdict::grew);
    CHECK(verdict_of(0.02) == verdict::same); // the interval goes from 70 to 130
    // All zero is the same, too.
    compared c{{{"f", std::vector<std::int64_t>(8)}}, {{"f", std::vector<std::int64_t>(8)}}};
    CHECK(c.totals().rows[space].verdict == verdict::same);
    CHECK(c.totals().rows[space].p == 1);
    CHECK(c.rows(space).left_out == 0);
}

TEST_CASE("medians are compared without a test") {
    compared c{{{"f", {100}}},
               {{"f", {200}}},
               {.is_tested = false},
               {"space>+99", "space>+100", "each:space>+9%", "space>199", "space>200"}};
    const compared_row total = c.totals().rows[space];
    CHECK(total.change == 100);
    CHECK_FALSE(total.within);
    CHECK(total.p == 1);
    CHECK(total.corrected_p == 1);
    CHECK(total.verdict == verdict::unsure);
    CHECK_FALSE(total.is_significant());
    std::string all;
    for (const compared_limit& l : c.judge()) {
        all += l.crossed ? 'x' : '-';
    }
    CHECK(all == "x-xx-");
    // The change of medians is their difference, which is not the median difference.
    compared several{{{"f", {100, 200, 10000}}}, {{"f", {300, 500}}}, {.is_tested = false}};
    CHECK(several.totals().rows[space].change == 200);
    compared tested{{{"f", {100, 200, 10000}}}, {{"f", {300, 500}}}, {.test = test_kind::ranks}};
    CHECK(tested.totals().rows[space].change == 150);
}

// The captures of each side: which may be added, and how they are scaled.

TEST_CASE("captures are scaled to the head's median total") {
    profile_comparison c{{.normalized_by = normalization::total}, limits({"flat:f:space>+0"})};
    add(c, base, {{"f", {1000, 0, 3000}}, {"g", {1000, 0, 3000}}});
    add(c, head, {{"f", {3000, 300, 30}}, {"g", {1000, 100, 10}}});
    // The head has 4000, 400 and 40: all have 400 then.
    CHECK(c.factors(base, 0) == numbers{0.2, 0, 40.0 / 600});
    CHECK(c.factors(base, space) == numbers{0.2, 0, 400.0 / 6000});
    CHECK(c.factors(head, space) == numbers{0.1, 1, 10});
    CHECK(c.totals().rows[space].base.values == numbers{400, 0, 400});
    CHECK(c.totals().rows[space].head.values == numbers{400, 400, 400});
    const compared_rows rows = c.rows(space);
    CHECK(row(rows.flat.rows, "f").base.values == numbers{200, 0, 200});
    CHECK(row(rows.flat.rows, "f").head.values == numbers{300, 300, 300});
    CHECK(c.judge()[0].row.head.values == numbers{300, 300, 300});
}

TEST_CASE("what is scaled to less than a half in each stack counts in a tree") {
    profile_comparison c{{.normalized_by = normalization::total}};
    add(c, base, {{"f", {10, 10, 10}}, {"g", {10, 10, 10}}, {"h", {10, 10, 10}}});
    add(c, head, {{"f", {10, 10, 10}}});
    // Each stack of the base is a third of ten bytes, and of one object.
    const compared_tree tree = c.tree(0);
    REQUIRE_FALSE(tree.nodes.empty());
    CHECK(tree.nodes.front().cum.base.values == numbers{1, 1, 1});
    CHECK(tree.nodes.front().cum.head.values == numbers{1, 1, 1});
}

TEST_CASE("captures are scaled to the head's median duration") {
    profile_comparison c{{.normalized_by = normalization::duration}};
    std::int64_t time = 0;
    const auto add_one = [&](compare_side to, std::int64_t value, std::int64_t duration) {
        test::profile p = capture({{"f", value}}, ++time);
        p.types.at(space) = {"alloc_space", "bytes"}; // and no gauge, which has no duration
        p.duration = duration;
        c.add(to, std::string_view{test::serialize(p)});
    };
    add_one(base, 100, 5);
    add_one(base, 150, 15);
    add_one(head, 70, 10);
    add_one(head, 60, 8);
    add_one(head, 51, 30);
    CHECK(c.factors(base, space) == numbers{2, 10.0 / 15});
    CHECK(c.totals().rows[space].base.values == numbers{200, 100});
    CHECK(c.totals().rows[space].head.values == numbers{70, 75, 17});
    CHECK(fails_as(error_kind::incompatible, [&] { add_one(head, 60, 0); }));
    CHECK(fails_as(error_kind::incompatible, [&] { add_one(head, 60, -1); }));
    CHECK(c.captures(head) == 3);
    profile_comparison as_they_are;
    as_they_are.add(base, std::string_view{test::serialize(capture({{"f", 1}}, 1))});
    as_they_are.add(head, std::string_view{test::serialize(capture({{"f", 2}}, 2))});
    CHECK(as_they_are.factors(base, space) == numbers{1});
}

TEST_CASE("two runs without a time can be alike in all bytes") {
    profile_comparison c;
    const std::string untimed = test::serialize(capture({{"f", 100}}, 0));
    c.add(base, untimed);
    c.add(base, untimed);
    c.add(head, untimed);
    CHECK(c.captures(base) == 2);
    CHECK(c.captures(head) == 1);
}

TEST_CASE("a side that is older as a whole was not taken in turn with the other") {
    const auto older = [](const std::vector<std::int64_t>& of_base,
                          const std::vector<std::int64_t>& of_head) {
        profile_comparison c;
        std::int64_t value = 0;
        for (const std::int64_t time : of_base) {
            c.add(base, std::string_view{test::serialize(capture({{"f", ++value}}, time))});
        }
        for (const std::int64_t time : of_head) {
            c.add(head, std::string_view{test::serialize(capture({{"f", ++value}}, time))});
        }
        return c.older_side();
    };
    CHECK(older({30, 40}, {10, 20}) == head);
    CHECK(older({10, 20}, {30, 40}) == base);
    CHECK_FALSE(older({10, 30}, {20, 40}));
    CHECK_FALSE(older({20, 30}, {10, 25}));
    CHECK_FALSE(older({20, 30}, {10, 20}));
    CHECK_FALSE(older({10, 20}, {20, 30}));
    CHECK(older({30, 0}, {0, 10}) == head);
    CHECK(older({0, 10}, {20, 0, 15}) == base);
    CHECK_FALSE(older({0, 0}, {10, 20}));
    CHECK_FALSE(older({30, 40}, {0, 0}));
    CHECK_FALSE(older({}, {10}));
}

TEST_CASE("a limit on a time is undecided where all captures of one side are older") {
    const auto judged = [](const char* type, const char* unit, bool is_in_turn, bool is_trusted) {
        profile_comparison c{{.trusts_order = is_trusted},
                             {parse_limit(std::string{type} + ">+5%")}};
        for (std::int64_t i = 0; i < 8; ++i) {
            for (const compare_side side : {base, head}) {
                test::profile p;
                p.types = {{type, unit}};
                p.time = 1 + (is_in_turn ? 2 * i : i + (side == head ? 100 : 0));
                p.samples = {{{add_frame(p, "f")}, {(side == base ? 1000 : 2000) + i}}};
                c.add(side, std::string_view{test::serialize(p)});
            }
        }
        const compared_limit found = c.judge().at(0);
        return std::pair{found.crossed, found.is_undecided};
    };
    CHECK(judged("cpu", "nanoseconds", false, false) == std::pair{false, true});
    CHECK(judged("cpu", "nanoseconds", false, true) == std::pair{true, false});
    CHECK(judged("cpu", "nanoseconds", true, false) == std::pair{true, false});
    CHECK(judged("wall", "milliseconds", false, false) == std::pair{false, true});
    CHECK(judged("alloc_space", "bytes", false, false) == std::pair{true, false});
    CHECK(judged("samples", "count", false, false) == std::pair{true, false}); // of what?
}

TEST_CASE("captures tell which programs they are of, by the names of the files") {
    profile_comparison c;
    CHECK(c.programs(base).empty());
    std::int64_t time = 0;
    const auto add_one = [&](compare_side of, const std::string& file,
                             const values_by_name& values) {
        test::profile p = capture(values, ++time);
        p.mappings = {{1, 0x1000, 0x2000, 0, file}, {2, 0x3000, 0x4000, 0, "/lib/libc.so"}};
        c.add(of, std::string_view{test::serialize(p)});
    };
    const values_by_name values{{"a", 10}, {"b", 20}, {"c", 30}};
    add_one(base, "/opt/v1/server", values);
    add_one(base, "/opt/v2/server (deleted)", values); // it was replaced while it ran
    add_one(base, "", values);
    CHECK(c.programs(base) == std::vector<std::string>{"server"});
    add_one(head, "server", {{"d", 1}, {"e", 1}, {"f", 1}});
    CHECK_FALSE(c.is_head_foreign()); // it has the same name
    add_one(head, "client", {{"d", 1}, {"e", 1}, {"f", 1}});
    CHECK(c.programs(head) == std::vector<std::string>{"server", "client"});
    CHECK(c.is_head_foreign());
    add_one(head, "client", values);
    CHECK_FALSE(c.is_head_foreign()); // it has the same functions
}

// Limits: which are crossed, what they need, and options that cannot be.

namespace {

std::vector<std::int64_t> shuffled(std::int64_t around) {
    return {around + 35, around + 5,  around + 65, around + 15,
            around + 55, around + 25, around - 5,  around + 75};
}

// Whether limits are crossed, as letters: - for those that are not. The test is by ranks.
std::string crossed(const std::vector<std::string>& texts, const values_of_side& from,
                    const values_of_side& to, compare_options options = {}) {
    options.test = test_kind::ranks;
    compared c{from, to, options, texts};
    std::string all;
    for (const compared_limit& l : c.judge()) {
        all += l.crossed ? 'x' : '-';
        CHECK(l.limit == texts.at(all.size() - 1));
    }
    return all;
}

} // namespace

TEST_CASE("a limit is crossed by a change that is beyond it and real") {
    CHECK(crossed({"space>+0", "space>+499", "space>+500", "space>+501"}, {{"f", spread(1000)}},
                  {{"f", spread(1500)}}) == "xx--");
    // The percentage is of the base's median of 1035.
    CHECK(crossed({"space>+48%", "space>+48.3%", "space>+48.4%", "space>+49%"},
                  {{"f", spread(1000)}}, {{"f", spread(1500)}}) == "xx--");
    CHECK(crossed({"space>+0", "space>+0%", "space>900B"}, {{"f", spread(1500)}},
                  {{"f", spread(1000)}}) == "--x");
    // The difference is not significant.
    CHECK(crossed({"space>+0", "space>+0%"}, {{"f", spread(1000)}}, {{"f", shuffled(1000)}}) ==
          "--");
    CHECK(crossed({"space>+0"}, {{"f", spread(1000, 3)}}, {{"f", spread(1500, 3)}}) == "-");
    // The correction decides: 4 + 4 have a p of 2/70, and there are two questions. No other way to
    // call four of the captures the base has as much for either, though.
    const values_of_side few{{"f", {100, 200, 300, 400}}, {"g", {100, 200, 300, 400}}};
    const values_of_side more{{"f", {500, 600, 700, 800}}, {"g", {800, 700, 600, 500}}};
    const compare_options by_holm{.corrected = correction::holm};
    CHECK(crossed({"flat:f:space>+0"}, few, more, by_holm) == "x");
    CHECK(crossed({"flat:f:space>+0", "flat:g:space>+0"}, few, more, by_holm) == "--");
    CHECK(crossed({"flat:f:space>+0", "flat:g:space>+0"}, few, more) == "xx");
    CHECK(crossed({"flat:f:space>+0", "flat:g:space>+0"}, few, more,
                  {.corrected = correction::none}) == "xx");
    CHECK(crossed({"flat:f:space>+0", "flat:g:space>+0"}, few, more,
                  {.alpha = 0.06, .corrected = correction::holm}) == "xx");
}

TEST_CASE("a limit on a percentage is right for small numbers too") {
    // The growth from 1.5 to 2.5 is two thirds.
    const values_of_side before{{"f", {1, 2, 1, 2, 1, 2, 1, 2}}};
    const values_of_side after{{"f", {2, 3, 2, 3, 2, 3, 2, 3}}};
    CHECK(crossed({"space>+60%", "space>+70%"}, before, after, {.is_tested = false}) == "x-");
    CHECK(crossed({"space>+60%", "space>+70%"}, before, after) == "x-");
}

TEST_CASE("a limit on a value is crossed if the interval of the median is beyond") {
    const values_of_side before{{"f", spread(100)}};
    const values_of_side after{{"f", {1010, 1020, 1030, 1040, 1050, 1060, 1070, 1080}}};
    CHECK(crossed({"space>1009", "space>1010", "space>1.009kB", "space>1044"}, before, after) ==
          "x-x-");
    CHECK(crossed({"space>1044", "space>1045"}, before, after, {.is_tested = false}) == "x-");
    // Whatever the base has.
    CHECK(crossed({"space>1009"}, {{"f", {9000}}}, after) == "x");
    CHECK(crossed({"space>1000", "flat:f:space>1000"}, before, {{"f", {2000, 2000, 2000, 2000}}}) ==
          "--");
}

TEST_CASE("limits on each function find those beyond, by what is strict among these") {
    profile_comparison c{{},
                         limits({"each:space>+0", "each:cum:space>+0", "each:space>+600",
                                 "each:space>4000", "each:space>+10%"})};
    values_of_side before = usual;
    values_of_side after = changed;
    before["rises"] = spread(900);
    after["rises"] = shuffled(3300);
    add(c, base, before);
    add(c, head, after);
    const std::vector<compared_limit> found = c.judge();
    REQUIRE(found.size() == 5);
    CHECK(names(found[0].functions) == "rises grows ");
    CHECK(found[0].crossed);
    CHECK(names(found[1].functions) == "rises main grows ");
    CHECK(names(found[2].functions) == "rises ");
    CHECK(names(found[3].functions) == "stays "); // of falls the interval begins at 4000
    CHECK(names(found[4].functions) == "rises grows ");
    // Other rows, which are larger, are as important in some more ways.
    CHECK(found[0].functions[1].corrected_p > found[0].functions[1].p);
    CHECK(found[0].functions[1].corrected_p <= 0.05);
    compared by_holm{before, after, {.corrected = correction::holm}, {"each:space>+0"}};
    const compared_row grows = by_holm.judge()[0].functions[1];
    CHECK(grows.corrected_p == row(by_holm.rows(space).flat.rows, "grows").corrected_p);
    CHECK(found[0].row.base.values == c.totals().rows[space].base.values);
}

TEST_CASE("a limit knows whether its functions are in the base only") {
    values_of_side without = changed;
    without.erase("falls");
    compared c{
        usual, without, {}, {"func:falls:space>+5%", "func:grows:space>+5%", "func:x:space>+5%"}};
    const std::vector<compared_limit> found = c.judge();
    CHECK(found[0].is_gone);
    CHECK(found[0].has_match);
    CHECK_FALSE(found[1].is_gone);
    CHECK_FALSE(found[2].is_gone);
    CHECK_FALSE(found[2].has_match);
}

TEST_CASE("three captures are enough, also if one is off") {
    const auto sides = [](double grown, double off) {
        const auto values = [&](double around, double by) {
            const double noise = around / 100;
            return std::vector<std::int64_t>{static_cast<std::int64_t>((around * by + noise) * off),
                                             static_cast<std::int64_t>(around * by),
                                             static_cast<std::int64_t>(around * by - noise)};
        };
        values_of_side all{{"f", {}}, {"g", {}}, {"h", {}}, {"i", {}}, {"j", {}}};
        double around = 10000;
        for (auto& [name, numbers] : all) {
            numbers = values(around, name == "g" ? grown : 1);
            around *= 1.5;
        }
        return all;
    };
    for (const double off : {1.0, 1.3}) {
        compared c{
            sides(1, 1), sides(2, off), {}, {"flat:g:space>+10%", "flat:h:space>+0", "space>1"}};
        CHECK(c.test() == test_kind::moderated);
        const compared_rows rows = c.rows(space);
        const compared_row& grown = row(rows.flat.rows, "g");
        CHECK(grown.verdict == verdict::grew);
        CHECK_FALSE(row(rows.flat.rows, "h").is_significant());
        REQUIRE(grown.moderated);
        CHECK(grown.moderated->p == grown.p);
        REQUIRE(grown.within);
        CHECK(grown.within->low > 0);
        CHECK(grown.within->low <= grown.change);
        CHECK(grown.change <= grown.within->high);
        CHECK(grown.detectable.value() > 0);
        const std::vector<compared_limit> found = c.judge();
        CHECK_FALSE(found[0].too_few);
        CHECK(found[0].crossed);
        CHECK_FALSE(found[1].crossed);
        CHECK(found[2].crossed);
    }
    compared many{usual, changed};
    CHECK(many.test() == test_kind::ranks);
    compared single{{{"f", {1}}}, {{"f", {2}}}};
    CHECK(single.test() == test_kind::ranks); // there is no noise to see
}

namespace {

// Knuth's. Those of the standard library differ from one to the next.
std::int64_t poisson(std::mt19937_64& random, double mean) {
    const double least = std::exp(-mean);
    double product = 1;
    std::int64_t count = -1;
    while (product > least) {
        product *= (static_cast<double>(random() >> 11U) + 0.5) / 9007199254740992.0;
        ++count;
    }
    return count;
}

struct share_of_trials {
    int total = 0;
    int row = 0;
    int crossed = 0;
};

constexpr int trials = 200;

/// How many of so many comparisons of counted events take the last row, or the total, for changed.
/// @param make gives a profile of so many events of each row.
template <typename Make>
share_of_trials run_trials(std::size_t captures_of_base, std::size_t captures_of_head,
                           std::size_t rows, double events, double grown, const char* type_name,
                           const Make& make) {
    share_of_trials found;
    std::mt19937_64 random{static_cast<std::uint64_t>(events) + captures_of_base};
    for (int trial = 0; trial < trials; ++trial) {
        compare_options options;
        options.corrected = correction::none;
        profile_comparison c{options, limits({std::string{"flat:^f0$:"} + type_name + ">+0"})};
        std::int64_t time = 0;
        for (const auto& [side, captures] :
             {std::pair{base, captures_of_base}, std::pair{head, captures_of_head}}) {
            for (std::size_t i = 0; i < captures; ++i) {
                std::vector<std::int64_t> counts;
                for (std::size_t row = 0; row < rows; ++row) {
                    counts.push_back(
                        poisson(random, row == 0 && side == head ? events * grown : events));
                }
                profile p = make(counts);
                p.time = ++time;
                c.add(side, std::string_view{serialize(p)});
            }
        }
        const std::size_t type = c.types().size() - 1;
        const std::vector<compared_row> flat = c.rows(type).flat.rows;
        const auto is_first = [](const compared_row& each) { return each.name == "f0"; };
        const auto at = std::ranges::find_if(flat, is_first);
        found.row += at != flat.end() && at->p <= options.alpha ? 1 : 0;
        found.total += c.totals().rows[type].p <= options.alpha ? 1 : 0;
        found.crossed += c.judge().back().crossed ? 1 : 0;
    }
    return found;
}

} // namespace

TEST_CASE("equally many events are no change, however few captures there are", "[long][trials]") {
    const auto with = [](const std::vector<std::int64_t>& counts, std::vector<value_type> types,
                         const value_type& period_type, std::int64_t period,
                         const std::vector<std::int64_t>& each) {
        profile p;
        p.types = std::move(types);
        p.period_type = period_type;
        p.period = period;
        for (std::size_t i = 0; i < counts.size(); ++i) {
            std::vector<std::int64_t> values = each;
            std::ranges::transform(values, values.begin(),
                                   [&](std::int64_t value) { return value * counts[i]; });
            p.samples.push_back({{add_frame(p, "f" + std::to_string(i))}, values});
        }
        return p;
    };
    const std::vector<value_type> of_time{{"samples", "count"}, {"cpu", "nanoseconds"}};
    const std::vector<value_type> of_heap{{"alloc_objects", "count"}, {"alloc_space", "bytes"}};
    const auto cpu = [&](const std::vector<std::int64_t>& counts) {
        return with(counts, of_time, {"cpu", "nanoseconds"}, 10'000'000, {1, 10'000'000});
    };
    // The blocks have 1 KiB each, of which one in 512 or so is sampled.
    const auto heap = [&](const std::vector<std::int64_t>& counts) {
        return with(counts, of_heap, {"space", "bytes"}, 524'288, {512, 524'800});
    };
    // Counted exactly, and of an unknown kind; so the spread has to tell.
    const auto exact = [&](const std::vector<std::int64_t>& counts) {
        return with(counts, of_heap, {"space", "bytes"}, 1, {1, 1024});
    };
    const auto unknown = [&](const std::vector<std::int64_t>& counts) {
        return with(counts, {{"widgets", "weight"}}, {}, 0, {1000});
    };
    const auto run = [&](std::size_t of_base, std::size_t of_head, std::size_t rows, double events,
                         double grown, int kind) {
        return kind == 0   ? run_trials(of_base, of_head, rows, events, grown, "cpu", cpu)
               : kind == 1 ? run_trials(of_base, of_head, rows, events, grown, "alloc_space", heap)
               : kind == 2 ? run_trials(of_base, of_head, rows, events, grown, "alloc_space", exact)
                           : run_trials(of_base, of_head, rows, events, grown, "widgets", unknown);
    };
    for (const auto& [of_base, of_head] :
         {std::pair{std::size_t{1}, std::size_t{2}}, std::pair{std::size_t{2}, std::size_t{2}},
          std::pair{std::size_t{3}, std::size_t{3}}}) {
        for (const double events : {5.0, 15.0, 50.0}) {
            for (const std::size_t rows : {std::size_t{1}, std::size_t{20}}) {
                for (int kind = 0; kind < 4; ++kind) {
                    INFO(of_base << "+" << of_head << ", " << events << " events, " << rows
                                 << " rows, kind " << kind);
                    const share_of_trials found = run(of_base, of_head, rows, events, 1, kind);
                    // The spread alone is Student's test, of which 5 of 100 are false but for two
                    // standard errors of so many trials.
                    const int most = kind < 2 ? 5 : 8;
                    CHECK(found.total * 100 <= most * trials);
                    CHECK(found.row * 100 <= most * trials);
                    CHECK(found.crossed * 100 <= 1 * trials); // a gate promises more
                }
            }
        }
    }
    for (int kind = 0; kind < 4; ++kind) {
        const share_of_trials found = run(3, 3, 20, 50, 2, kind);
        CHECK(found.row * 100 >= 90 * trials);
    }
}

TEST_CASE("without captures on both sides, or such a type, nothing can be said") {
    const auto is_refused = [](auto&& ask) {
        return fails_as(error_kind::invalid_argument, [&] { static_cast<void>(ask()); });
    };
    profile_comparison none;
    CHECK(is_refused([&] { return none.find_type({}); }));
    CHECK(is_refused([&] { return none.find_type(value_type_pattern{"space"}); }));
    profile_comparison one;
    add(one, base, {{"f", spread(1000)}});
    CHECK(one.find_type({}) == space);
    const compared both{{{"f", spread(1000)}}, {{"f", spread(2000)}}};
    for (const auto& each :
         {std::pair<const profile_comparison*, std::size_t>{&none, 0}, {&one, space}, {&both, 2}}) {
        const profile_comparison* const of = each.first; // a lambda cannot hold parts of a pair
        const std::size_t type = each.second;
        CAPTURE(type);
        CHECK(is_refused([&] { return of->rows(type); }));
        CHECK(is_refused([&] { return of->callers(type); }));
        CHECK(is_refused([&] { return of->callees(type); }));
        CHECK(is_refused([&] { return of->tree(type); }));
        CHECK(is_refused([&] { return of->paths(type, 1); }));
        CHECK(is_refused([&] { return of->causes(type, 1); }));
        CHECK(is_refused([&] { return of->samples(base, type); }));
        CHECK(is_refused([&] { return of->factors(base, type); }));
        CHECK(is_refused([&] { return of->flame_graph(type); }));
        CHECK(is_refused([&] { return of->totals(); }) == (of != &both));
        CHECK(is_refused([&] { return of->judge(); }) == (of != &both));
    }
}

TEST_CASE("options and limits that cannot be are refused") {
    const auto is_refused = [](const compare_options& options,
                               const std::vector<std::string>& texts = {}) {
        return fails_as(error_kind::invalid_argument, [&] {
            profile_comparison{options, limits(texts)};
        });
    };
    CHECK(is_refused({.alpha = 0}));
    CHECK(is_refused({.alpha = 1}));
    CHECK(is_refused({.alpha = -0.1}));
    CHECK(is_refused({.alpha = std::nan("")}));
    CHECK_FALSE(is_refused({.alpha = 0.999}));
    CHECK(is_refused({.min_change = -0.01}));
    CHECK(is_refused({.min_change = std::nan("")}));
    CHECK(is_refused({.min_share = -0.01}));
    CHECK(is_refused({.rows = "("}));
    CHECK(is_refused({.are_paired = true, .test = test_kind::moderated}));
    CHECK(is_refused({}, {"space>+1/s"}));
    CHECK(is_refused({.normalized_by = normalization::total}, {"space>+1"}));
    CHECK(is_refused({.normalized_by = normalization::total}, {"space>+1%"}));
    CHECK_FALSE(is_refused({.normalized_by = normalization::total},
                           {"space>1", "flat:f:space>+1", "each:space>+1%"}));
    CHECK_FALSE(is_refused({.normalized_by = normalization::duration}, {"space>+1"}));

    for (const std::string text : {"time>1", "space>+1ns", "flat:f:space/count>1"}) {
        compared c{usual, changed, {}, {text}};
        CAPTURE(text);
        CHECK(fails_as(error_kind::incompatible, [&] { (void)c.judge(); }));
    }
}

namespace {

// Each stack is the letters of its functions, outermost first.
using stack_values = test::letter_stacks<std::int64_t>;

// Eight captures of each side, of which each has a little more than the one before.
void add_sides(profile_comparison& to, const stack_values& of_base, const stack_values& of_head) {
    for (std::int64_t i = 0; i < 8; ++i) {
        for (const auto& [side, given] :
             {std::pair{compare_side::base, &of_base}, {compare_side::head, &of_head}}) {
            stack_values values = *given;
            for (auto& [stack, value] : values) {
                value += i;
            }
            to.add(side, std::string_view{stacks(values)});
        }
    }
}

// The text is like "b 1000:2000 grew", of the first captures.
std::string text(const std::string& name, const compared_row& row) {
    return name + " " + std::to_string(static_cast<std::int64_t>(row.base.values.front())) + ":" +
           std::to_string(static_cast<std::int64_t>(row.head.values.front())) + " " +
           to_string(row.verdict);
}

// The text is like "b 1:2 grew < a 1:2 grew".
std::string text(const compared_calls& calls) {
    std::string all;
    for (const compared_calls::function& f : calls.functions) {
        all += text(f.cum.name, f.cum);
        for (const compared_row& edge : f.edges) {
            all += " < " + text(edge.name, edge);
        }
        all += f.left_out == 0 ? "\n" : " + " + std::to_string(f.left_out) + "\n";
    }
    return all;
}

} // namespace

TEST_CASE("callers and callees have verdicts of their own", "[compare]") {
    profile_comparison c{{.callers_of = "^c$", .callees_of = "^a$"}};
    add_sides(c, {{"abc", 1000}, {"adc", 3000}, {"ab", 5000}}, {{"abc", 2000}, {"adc", 3000}});
    const compared_calls callers = c.callers(0);
    CHECK(text(callers) == "c 4000:5000 grew < b 1000:2000 grew < d 3000:3000 same\n");
    // c and b grow in the same order, and what is together is c alone.
    CHECK(callers.hypotheses == 2);
    CHECK(text("", callers.together) == " 4000:5000 grew");
    CHECK(text(c.callees(0)) == "a 9000:5000 fell < b 6000:2000 fell < d 3000:3000 same\n");
}

TEST_CASE("a sample counts once for a call, and what calls itself is no call", "[compare]") {
    profile_comparison c{{.callers_of = "b"}};
    add_sides(c, {{"abbab", 100}, {"b", 50}}, {{"abbab", 100}, {"b", 50}});
    CHECK(text(c.callers(0)) == "b 150:150 unsure < a 100:100 unsure\n");
}

TEST_CASE("small calls are left out, by the total, and counted", "[compare]") {
    profile_comparison c{{.callers_of = "[bx]", .min_share = 0.1}};
    const stack_values values{{"ab", 1000}, {"cb", 10}, {"db", 10}, {"ax", 20}};
    add_sides(c, values, values);
    const compared_calls callers = c.callers(0);
    CHECK(text(callers) == "b 1020:1020 same < a 1000:1000 same + 2\n");
    CHECK(callers.left_out == 1);
    CHECK(text("", callers.together) == " 1040:1040 same");
}

namespace {

// The frames as letters.
std::string letters(const std::vector<std::string>& frames) {
    std::string all;
    for (const std::string& frame : frames) {
        all += frame;
    }
    return all;
}

std::string text_of(const compared_tree& tree) {
    std::string all;
    for (const stack_node<compared_row>& node : tree.nodes) {
        all += std::string(node.depth, ' ') + text(letters(node.frames), node.cum) + "\n";
    }
    return all;
}

std::string text_of(const compared_paths& paths) {
    std::string all;
    for (const stack_path<compared_row>& path : paths.paths) {
        all += text(letters(path.frames), path.value) + "\n";
    }
    return all;
}

std::string pair_text(const compared_row& row) {
    return " " + std::to_string(static_cast<std::int64_t>(row.base.median)) + ":" +
           std::to_string(static_cast<std::int64_t>(row.head.median)) + "\n";
}

} // namespace

TEST_CASE("nodes of a tree have verdicts of their own", "[compare]") {
    profile_comparison c;
    add_sides(c, {{"abc", 1000}, {"ad", 3000}, {"ae", 5000}},
              {{"abc", 2000}, {"ad", 3000}, {"ae", 3000}});
    const compared_tree tree = c.tree(0);
    CHECK(text_of(tree) == "a 9000:8000 fell\n"
                           " e 5000:3000 fell\n"
                           " bc 1000:2000 grew\n"
                           " d 3000:3000 same\n");
    // Falling values have the same order.
    CHECK(tree.hypotheses == 3);
    CHECK(tree.coverage.base == 1);
    CHECK(tree.left_out == 0);
    CHECK(tree.too_small == 0);
}

TEST_CASE("the stacks that really changed come first", "[compare]") {
    profile_comparison c;
    add_sides(c, {{"abc", 1000}, {"abd", 3000}, {"a", 6000}},
              {{"abc", 1500}, {"abd", 3001}, {"a", 4000}});
    CHECK(text_of(c.paths(0, 9)) == "a 6000:4000 fell\n"
                                    "abc 1000:1500 grew\n"
                                    "abd 3000:3001 same\n");
    const compared_paths first = c.paths(0, 1);
    CHECK(text_of(first) == "a 6000:4000 fell\n");
    CHECK(first.left_out == 2);
    CHECK(first.hypotheses == 3);
    // The coverage is of medians, which are 3.5 larger for each stack.
    CHECK(first.coverage.base == 6003.5 / 10010.5);
    CHECK(first.coverage.head == 4003.5 / 8511.5);
}

namespace {

// The rest is included, without a verdict. All go through m.
std::string causes_of(const stack_values& of_base, const stack_values& of_head,
                      std::size_t most = 12) {
    profile_comparison c;
    add_sides(c, of_base, of_head);
    const compared_causes of = c.causes(0, most);
    std::string all;
    for (const change_cause<compared_row>& each : of.causes) {
        all += std::string(each.depth, ' ') + letters(each.frames) + " " + to_string(each.of) +
               (each.previous_name.empty() ? "" : " " + each.previous_name) + pair_text(each.value);
    }
    return all + "rest" + pair_text(of.rest);
}

const stack_values renamed{{"mbx", 2000}, {"mby", 1000}, {"mf", 1000}};
const stack_values three{{"ma", 4000}, {"mb", 4000}, {"mc", 4000}};

} // namespace

// Medians are 3.5 larger for each stack, and rounded down.
TEST_CASE("causes of a change", "[compare]") {
    struct example {
        const char* what;
        stack_values before;
        stack_values after;
        const char* causes;
    };
    for (const auto& [what, before, after, causes] : {
             example{"a chain goes up to where its change splits",
                     {{"mabcd", 1000}, {"mabce", 1000}, {"mf", 9000}},
                     {{"mabcd", 3000}, {"mabce", 2000}, {"mf", 9000}},
                     "abc stacks 2007:5007\n d stacks 1003:3003\n e stacks 1003:2003\n"
                     "rest 9003:9003\n"},
             example{"what a function does itself is beside its callees",
                     {{"mab", 1000}, {"mf", 9000}},
                     {{"mab", 2000}, {"ma", 4000}, {"mf", 9000}},
                     "a stacks 1003:6007\n a itself 0:4003\n b stacks 1003:2003\n"
                     "rest 9003:9003\n"},
             example{"what grows and what falls below one caller are causes of their own",
                     {{"mab", 4000}, {"mac", 4000}, {"mf", 1000}},
                     {{"mab", 8000}, {"mac", 2000}, {"mf", 1000}},
                     "a stacks 8007:10007\n b stacks 4003:8003\n c stacks 4003:2003\n"
                     "rest 1003:1003\n"},
             example{"what moves from one to the other is no change of their caller",
                     {{"mab", 4000}, {"mac", 4000}, {"mf", 1000}},
                     {{"mab", 6000}, {"mac", 2000}, {"mf", 1100}},
                     "ab stacks 4003:6003\nac stacks 4003:2003\nf stacks 1003:1103\nrest 0:0\n"},
             example{"a function with the values and callees of one that went was perhaps renamed",
                     renamed,
                     {{"mcx", 2000}, {"mcy", 1000}, {"mf", 3000}},
                     "c renamed b 3007:3007\nf stacks 1003:3003\nrest 0:0\n"},
             example{"also below another",
                     {{"mabx", 2000}, {"maby", 1000}, {"mf", 1000}},
                     {{"macx", 2000}, {"macy", 1000}, {"mf", 3000}},
                     "ac renamed b 3007:3007\nf stacks 1003:3003\nrest 0:0\n"},
             example{"without a change there is none", three, three, "rest 12010:12010\n"},
             example{"nor of nothing", {}, {}, "rest 0:0\n"},
         }) {
        CAPTURE(what);
        CHECK(causes_of(before, after) == causes);
    }
    // No name is new with other callees, or with half as much again.
    for (const stack_values& after : {stack_values{{"mcx", 2000}, {"mcz", 1000}, {"mf", 3000}},
                                      stack_values{{"mcx", 3000}, {"mcy", 1500}, {"mf", 3000}}}) {
        CHECK(causes_of(renamed, after).find("renamed") == std::string::npos);
    }
    CHECK(causes_of(three, {{"ma", 6000}, {"mb", 5000}, {"mc", 4800}}, 2) ==
          "a stacks 4003:6003\nb stacks 4003:5003\nrest 4003:4803\n");
}

TEST_CASE("a function that many call is a cause, whoever calls it", "[compare]") {
    stack_values before;
    stack_values after;
    for (char caller = 'a'; caller < 'z'; ++caller) {
        before.emplace_back(std::string{"m"} + caller + "z", 1000);
        after.emplace_back(std::string{"m"} + caller + "z", 1050);
    }
    CHECK(causes_of(before, after) == "z function 25087:26337\n"
                                      "rest 0:0\n");
}

TEST_CASE("small nodes and stacks are left out, by the total, and counted", "[compare]") {
    profile_comparison c{{.min_share = 0.1}};
    const stack_values values{{"ab", 1000}, {"ac", 10}, {"ade", 10}, {"f", 20}};
    add_sides(c, values, values);
    const compared_tree tree = c.tree(0);
    CHECK(text_of(tree) == "a 1020:1020 same\n b 1000:1000 same\n");
    CHECK(tree.too_small == 3);
    CHECK(tree.coverage.head == 1003.5 / 1054);
    const compared_paths paths = c.paths(0, 9);
    CHECK(text_of(paths) == "ab 1000:1000 same\n");
    CHECK(paths.too_small == 3);
}

TEST_CASE("limits of a tree do not change what is found", "[compare]") {
    profile_comparison c;
    add_sides(c, {{"abc", 1000}, {"abd", 100}, {"ae", 50}, {"f", 500}},
              {{"abc", 2000}, {"abd", 100}, {"ae", 50}, {"f", 500}});
    const compared_tree all = c.tree(0);
    CHECK(all.nodes.size() == 6);
    const compared_tree flat = c.tree(0, {.deepest = 1});
    CHECK(text_of(flat) == "a 1150:2150 grew\nf 500:500 same\n");
    CHECK(flat.left_out == 4);
    CHECK(flat.coverage.head == 1);
    CHECK(flat.hypotheses == all.hypotheses);
    const compared_tree large = c.tree(0, {.most_nodes = 4});
    CHECK(text_of(large) == "a 1150:2150 grew\n b 1100:2100 grew\n  c 1000:2000 grew\n"
                            "f 500:500 same\n");
    CHECK(large.left_out == 2);
    CHECK(large.coverage.head == 2507.0 / 2664);
    CHECK(c.tree(0, {.most_nodes = 0}).coverage.head == 0);
}

TEST_CASE("samples without a stack are a node", "[compare]") {
    profile_comparison c{{.min_share = 0.1}};
    add_sides(c, {{"", 700}, {"a", 1000}}, {{"", 900}, {"a", 1000}});
    CHECK(text_of(c.tree(0)) == "(no stack) 700:900 grew\na 1000:1000 same\n");
    CHECK(text_of(c.paths(0, 1)) == "(no stack) 700:900 grew\n");
}

TEST_CASE("stacks are asked for again when there are more captures", "[compare]") {
    profile_comparison c;
    c.add(compare_side::base, std::string_view{stacks({{"a", 1000}})});
    c.add(compare_side::head, std::string_view{stacks({{"a", 1000}})});
    CHECK(c.tree(0).nodes.front().cum.head.values.size() == 1);
    CHECK(c.paths(0, 1).paths.front().value.head.values.size() == 1);
    c.add(compare_side::head, std::string_view{stacks({{"ab", 1000}})});
    CHECK(c.tree(0).nodes.size() == 2);
    CHECK(c.paths(0, 9).paths.size() == 2);
}

TEST_CASE("a function with a new name is told if nothing else is like it", "[compare]") {
    const auto compare = [](std::int64_t was, std::int64_t is, const values_of_side& others = {}) {
        values_of_side before{{"stays", spread(7000)}, {"was", spread(was)}};
        before.insert(others.begin(), others.end());
        compared c{before, {{"stays", spread(7000)}, {"is", spread(is)}}, {}, {"each:space>+5%"}};
        const compared_rows rows = c.rows(space);
        const bool is_crossed = c.judge().front().crossed;
        CHECK(is_crossed == row(rows.flat.rows, "is").other_name.empty());
        return row(rows.flat.rows, "is").other_name + "," + row(rows.flat.rows, "was").other_name;
    };
    CHECK(compare(3000, 3000) == "was,is");
    CHECK(compare(3000, 4000) == ",");
    CHECK(compare(3000, 3000, {{"other", spread(3000)}}) == ",");
    CHECK(compare(3000, 3000, {{"other", spread(9000)}}) == "was,is");
}

TEST_CASE("benchmarks of Go are known by their names", "[compare]") {
    CHECK(benchmark_name("example.org/textkit.BenchmarkTokens") == "BenchmarkTokens");
    CHECK(benchmark_name("example.org/textkit.BenchmarkTokens.func1") == "BenchmarkTokens.func1");
    CHECK(benchmark_name("example.org/textkit.Benchmark") == "Benchmark");
    CHECK(benchmark_name("example.org/textkit.Benchmarks").empty());
    CHECK(benchmark_name("example.org/textkit.BenchmarkSet.Add").empty());
    CHECK(benchmark_name("BenchmarkTokens").empty());
    CHECK(benchmark_name("mod.Benchmark\u00c4rger") == "Benchmark\u00c4rger");
    CHECK(benchmark_name("mod.Benchmark@team").empty());
}

TEST_CASE("a limit that is less than what would be found is too noisy", "[compare]") {
    const values_of_side noisy{{"noisy", {2000, 3000, 2500, 2400, 3100, 2200, 2900, 2700}}};
    const auto judged = [&](const std::string& limit) {
        return compared{noisy, noisy, {.trusts_order = true}, {limit}}.judge().front();
    };
    const compared_limit small = judged("space>+5%");
    CHECK(small.is_too_noisy);
    CHECK_FALSE(small.crossed);
    REQUIRE(small.detectable_part);
    CHECK(*small.detectable_part > 0.05);
    CHECK_FALSE(judged("space>+90%").is_too_noisy);
    CHECK_FALSE(judged("space>1").is_too_noisy);
}
