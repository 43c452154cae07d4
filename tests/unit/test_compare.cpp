// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/compare.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "error_from.hpp"
#include "profile_builder.hpp"

using namespace pprofdelta;
using test::error_from;
using test::fails_as;

namespace {

constexpr compare_side base = compare_side::base;
constexpr compare_side head = compare_side::head;

using numbers = std::vector<double>;
using values_by_name = std::map<std::string, std::int64_t>;

// Functions that main calls, with their values in bytes; and as many objects as 10 bytes. The
// times make all of them different.
test::profile capture(const values_by_name& values, std::int64_t time) {
    test::profile p;
    p.types = {{"objects", "count"}, {"space", "bytes"}};
    const std::uint64_t main = test::add_frame(p, "main");
    for (const auto& [name, value] : values) {
        p.samples.push_back({{test::add_frame(p, name), main}, {value / 10, value}, {}, ""});
    }
    p.time = time;
    return p;
}

// By function a value for each capture; all are as many.
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
        to.add(of, test::serialize(capture(values, time)));
    }
}

std::vector<limit> limits(const std::vector<std::string>& texts) {
    std::vector<limit> all;
    std::transform(texts.begin(), texts.end(), std::back_inserter(all), parse_limit);
    return all;
}

const compared_row& row(const std::vector<compared_row>& rows, std::string_view name) {
    const auto found = std::find_if(rows.begin(), rows.end(),
                                    [&](const compared_row& r) { return r.name == name; });
    REQUIRE(found != rows.end());
    return *found;
}

std::string names(const std::vector<compared_row>& rows) {
    std::string all;
    for (const compared_row& r : rows) {
        all += r.name + " ";
    }
    return all;
}

bool is_near(double a, double b) { return std::fabs(a - b) <= 1e-12 * std::fabs(b); }

std::vector<std::int64_t> spread(std::int64_t around, std::size_t captures = 8) {
    std::vector<std::int64_t> all;
    for (std::size_t i = 0; i < captures; ++i) {
        all.push_back(around + 10 * static_cast<std::int64_t>(i * 3 % captures));
    }
    return all;
}

std::vector<std::int64_t> shuffled(std::int64_t around) {
    return {around + 35, around + 5,  around + 65, around + 15,
            around + 55, around + 25, around - 5,  around + 75};
}

const values_of_side usual{{"grows", spread(1000)},
                           {"falls", spread(5000)},
                           {"stays", {7000, 7001, 7002, 7003, 7004, 7005, 7006, 7007}},
                           {"noisy", {2000, 3000, 2500, 2400, 3100, 2200, 2900, 2700}}};
const values_of_side changed{{"grows", spread(1500)},
                             {"falls", spread(4000)},
                             {"stays", {7007, 7006, 7005, 7004, 7003, 7002, 7001, 7000}},
                             {"noisy", {2050, 2950, 2450, 2350, 3150, 2250, 2850, 2750}}};
constexpr std::size_t space = 1;

// Whether limits are crossed, as letters: - for those that are not.
std::string crossed(const std::vector<std::string>& texts, const values_of_side& from,
                    const values_of_side& to, const compare_options& options = {}) {
    profile_comparison c{options, limits(texts)};
    add(c, base, from);
    add(c, head, to);
    std::string all;
    for (const compared_limit& l : c.judge()) {
        all += l.crossed ? 'x' : '-';
        CHECK(l.limit == texts.at(all.size() - 1));
    }
    return all;
}

} // namespace

TEST_CASE("each row has its sums, medians, change, p and verdict") {
    profile_comparison c;
    add(c, base, usual);
    add(c, head, changed);
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
    CHECK(grows.is == verdict::grew);
    CHECK(grows.is_real());
    const compared_row& falls = row(rows.flat.rows, "falls");
    CHECK(falls.change == -1000);
    CHECK(falls.u == 0);
    CHECK(falls.is == verdict::fell);
    CHECK(row(rows.flat.rows, "stays").is == verdict::same);
    CHECK(row(rows.flat.rows, "noisy").is == verdict::unsure);
    CHECK_FALSE(row(rows.flat.rows, "noisy").is_real());

    // Nobody calls the four, so both tables have them, as one question each; and main is another.
    CHECK(names(rows.cum.rows) == "falls grows main noisy stays ");
    CHECK(rows.flat.questions == 5);
    CHECK(rows.cum.questions == 5);
    CHECK(is_near(grows.corrected_p, 5 * grows.p));
    CHECK(row(rows.cum.rows, "grows").corrected_p == grows.corrected_p);

    const compared_family totals = c.totals();
    REQUIRE(totals.rows.size() == 2);
    CHECK(totals.rows[space].base.values[0] == 1000 + 5000 + 7000 + 2000);
    CHECK(totals.rows[0].base.values[0] == 100 + 500 + 700 + 200);
    CHECK(totals.rows[0].name.empty());
}

TEST_CASE("captures without a row have zero there") {
    profile_comparison c{{.corrected = correction::none, .min_share = 0}};
    add(c, base, {{"old", {500, 0, 500, 500}}, {"all", spread(1000, 4)}, {"few", {0, 0, 80, 0}}});
    add(c, head, {{"new", {0, 70, 90, 80}}, {"all", spread(1000, 4)}});
    const compared_rows rows = c.rows(space);
    CHECK(row(rows.flat.rows, "new").base.values == numbers{0, 0, 0, 0});
    CHECK(row(rows.flat.rows, "new").head.values == numbers{0, 70, 90, 80});
    CHECK(row(rows.flat.rows, "old").base.values == numbers{500, 0, 500, 500});
    CHECK(row(rows.flat.rows, "old").head.values == numbers{0, 0, 0, 0});
    CHECK(row(rows.flat.rows, "few").base.values == numbers{0, 0, 80, 0});
    CHECK(row(rows.cum.rows, "new").base.values == numbers{0, 0, 0, 0});
    CHECK(row(rows.flat.rows, "new").u == 14);
    CHECK(is_near(row(rows.flat.rows, "new").p, 10.0 / 70));
}

TEST_CASE("rows are left out by their mean over both sides") {
    // Of 10000 a percent are 100.
    const values_of_side before{{"large", spread(10000, 4)},
                                {"gone", {200, 200, 200, 200}},
                                {"small", {190, 190, 190, 190}},
                                {"none", {0, 0, 0, 0}}};
    const values_of_side after{{"large", spread(9780, 4)}, {"small", {1, 2, 3, 4}}};
    for (const bool is_swapped : {false, true}) {
        profile_comparison c;
        add(c, base, is_swapped ? after : before);
        add(c, head, is_swapped ? before : after);
        const compared_rows rows = c.rows(space);
        CHECK(names(rows.flat.rows).find("small") == std::string::npos);
        CHECK(rows.flat.rows.size() == 1);
        CHECK(rows.left_out == 4); // gone and small, flat and cumulative
    }
    const auto flat_names = [&](const compare_options& options) {
        profile_comparison c{options};
        add(c, base, before);
        add(c, head, after);
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

TEST_CASE("swapped sides have the same rows and p, and the opposite verdicts") {
    profile_comparison one;
    add(one, base, usual);
    add(one, head, changed);
    profile_comparison other;
    add(other, base, changed);
    add(other, head, usual);
    const compared_rows rows = one.rows(space);
    const compared_rows back = other.rows(space);
    CHECK(rows.flat.questions == back.flat.questions);
    for (const auto family : {&compared_rows::flat, &compared_rows::cum}) {
        CHECK(names((rows.*family).rows) == names((back.*family).rows));
        for (std::size_t i = 0; i < (rows.*family).rows.size(); ++i) {
            const compared_row& a = (rows.*family).rows[i];
            const compared_row& b = (back.*family).rows[i];
            CAPTURE(a.name);
            CHECK(a.change == -b.change);
            REQUIRE((a.within && b.within));
            CHECK(a.within->low == -b.within->high);
            CHECK(is_near(a.p, b.p));
            CHECK(is_near(a.corrected_p, b.corrected_p));
            CHECK(a.u + b.u == 64);
            CHECK(a.is_real() == b.is_real());
            if (a.is_real()) {
                CHECK((a.is == verdict::grew) == (b.is == verdict::fell));
            } else {
                CHECK(a.is == b.is);
            }
        }
    }
}

TEST_CASE("rows in the same order are one question") {
    // Of the four and main, a and b have equal ranks, and c the same the other way around.
    profile_comparison c{{.min_share = 0}};
    add(c, base, {{"a", {10, 20, 30, 40}}, {"b", {100, 110, 190, 200}}, {"c", {80, 70, 60, 50}}});
    add(c, head, {{"a", {50, 60, 70, 80}}, {"b", {210, 290, 300, 310}}, {"c", {40, 30, 20, 10}}});
    const compared_rows rows = c.rows(space);
    CHECK(rows.flat.rows.size() == 3);
    CHECK(rows.cum.rows.size() == 4);
    // main has 190, 200, 280, 290, 300, 380, 390, 400.
    CHECK(rows.flat.questions == 2);
    for (const compared_row& r : rows.flat.rows) {
        CHECK(is_near(r.p, 2.0 / 70));
        CHECK(is_near(r.corrected_p, 4.0 / 70));
        CHECK(r.is == verdict::unsure);
    }
    // Objects are in the order of bytes.
    CHECK(c.totals().questions == 1);
    CHECK(c.totals().rows[space].is == verdict::grew);
}

TEST_CASE("a correction may be chosen") {
    const auto corrected_p = [](correction how) {
        profile_comparison c{{.corrected = how}};
        add(c, base, usual);
        add(c, head, changed);
        const compared_rows rows = c.rows(space);
        return row(rows.flat.rows, "grows").corrected_p / row(rows.flat.rows, "grows").p;
    };
    CHECK(is_near(corrected_p(correction::none), 1));
    CHECK(is_near(corrected_p(correction::holm), 5));
    CHECK(is_near(corrected_p(correction::benjamini_hochberg), 5.0 / 2)); // falls is as small
    CHECK(to_string(correction::none) == std::string{"none"});
    CHECK(to_string(correction::holm) == std::string{"holm"});
    CHECK(to_string(correction::benjamini_hochberg) == std::string{"bh"});
}

TEST_CASE("less than the least change is none, whatever the test says") {
    const auto verdict_of = [](double min_change) {
        profile_comparison c{{.min_change = min_change}};
        add(c, base, {{"f", spread(10000)}});
        add(c, head, {{"f", spread(10100)}});
        return c.totals().rows[space].is;
    };
    CHECK(verdict_of(0) == verdict::grew);
    CHECK(verdict_of(0.01) == verdict::grew);
    CHECK(verdict_of(0.02) == verdict::same); // the interval goes from 70 to 130
    // All zero is the same, too.
    profile_comparison c;
    add(c, base, {{"f", std::vector<std::int64_t>(8)}});
    add(c, head, {{"f", std::vector<std::int64_t>(8)}});
    CHECK(c.totals().rows[space].is == verdict::same);
    CHECK(c.totals().rows[space].p == 1);
    CHECK(c.rows(space).flat.rows.empty());
    CHECK(c.rows(space).left_out == 0);
}

TEST_CASE("a limit is crossed by a change that is beyond it and real") {
    CHECK(crossed({"space>+0", "space>+499", "space>+500", "space>+501"}, {{"f", spread(1000)}},
                  {{"f", spread(1500)}}) == "xx--");
    // Of the base's median of 1035.
    CHECK(crossed({"space>+48%", "space>+48.3%", "space>+48.4%", "space>+49%"},
                  {{"f", spread(1000)}}, {{"f", spread(1500)}}) == "xx--");
    CHECK(crossed({"space>+0", "space>+0%", "space>900B"}, {{"f", spread(1500)}},
                  {{"f", spread(1000)}}) == "--x");
    // Not real.
    CHECK(crossed({"space>+0", "space>+0%"}, {{"f", spread(1000)}}, {{"f", shuffled(1000)}}) ==
          "--");
    CHECK(crossed({"space>+0"}, {{"f", spread(1000, 3)}}, {{"f", spread(1500, 3)}}) == "-");
    // By what is corrected: 4 + 4 have a p of 2/70, and there are two questions.
    const values_of_side few{{"f", {100, 200, 300, 400}}, {"g", {100, 200, 300, 400}}};
    const values_of_side more{{"f", {500, 600, 700, 800}}, {"g", {800, 700, 600, 500}}};
    CHECK(crossed({"flat:f:space>+0"}, few, more) == "x");
    CHECK(crossed({"flat:f:space>+0", "flat:g:space>+0"}, few, more) == "--");
    CHECK(crossed({"flat:f:space>+0", "flat:g:space>+0"}, few, more,
                  {.corrected = correction::none}) == "xx");
    CHECK(crossed({"flat:f:space>+0", "flat:g:space>+0"}, few, more, {.alpha = 0.06}) == "xx");
}

TEST_CASE("a limit on a percentage is right for small numbers too") {
    // From 1.5 to 2.5 it is two thirds.
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

TEST_CASE("limits on functions are about theirs") {
    const std::vector<std::string> texts{
        "func:^grows$:space>+400", "flat:^grows$:space>+400",   "func:^main$:space>+0",
        "flat:^main$:space>+0",    "flat:grows|noisy:space>+0", "flat:nothing:space>+0",
        "flat:^falls$:space>+0",   "flat:^grows$:objects>+40",  "flat:^grows$:objects>+50"};
    profile_comparison c{{}, limits(texts)};
    add(c, base, usual);
    add(c, head, changed);
    const std::vector<compared_limit> found = c.judge();
    REQUIRE(found.size() == texts.size());
    std::string all;
    for (const compared_limit& l : found) {
        all += l.crossed ? 'x' : '-';
        CHECK_FALSE(l.too_few);
        CHECK(l.functions.empty());
    }
    CHECK(all == "xx-----x-");
    CHECK(found[0].row.base.values[0] == 1000);
    CHECK(found[2].row.base.values[0] == 15000);
    CHECK(found[3].row.base.values == numbers(8, 0));
    CHECK(found[4].row.base.values[1] == 4030);
    CHECK(found[3].has_match);
    CHECK_FALSE(found[5].has_match);
    CHECK(found[7].type.type == "objects");
    CHECK(found[0].on == limit::bound::growth);
}

TEST_CASE("limits on each function find those beyond, by the table's p") {
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
    const compared_rows rows = c.rows(space);
    CHECK(found[0].functions[1].corrected_p == row(rows.flat.rows, "grows").corrected_p);
    CHECK(found[0].row.base.values == c.totals().rows[space].base.values);
}

TEST_CASE("too few captures are told with the number that would do") {
    profile_comparison c{
        {}, limits({"space>+0", "flat:f:space>+0", "flat:g:space>+0", "each:space>+0", "space>5"})};
    add(c, base, {{"f", {100, 200, 300}}, {"g", {100, 300, 200}}});
    add(c, head, {{"f", {500, 700, 600}}, {"g", {700, 500, 600}}});
    const auto one = c.too_few(1);
    REQUIRE(one);
    CHECK(one->questions == 1);
    CHECK(is_near(one->least_p, 0.1));
    CHECK(one->needed_p == 0.05);
    CHECK(one->enough == 4);
    CHECK(c.too_few(2)->enough == 5);
    CHECK(is_near(c.too_few(2)->needed_p, 0.025));
    CHECK(c.too_few(100)->enough == 8); // of 7 it is 2/3432, and 0.0005 are needed
    const std::vector<compared_limit> found = c.judge();
    CHECK(found[0].too_few->enough == 4); // both types are in the same order
    CHECK(found[0].too_few->questions == 1);
    CHECK(found[1].too_few->questions == 2);
    CHECK(found[3].too_few->questions == 3);
    CHECK(found[4].too_few->enough == 6); // for an interval of the median
    CHECK(is_near(found[4].too_few->least_p, 0.25));
    for (const compared_limit& l : found) {
        CHECK_FALSE(l.crossed);
    }
    profile_comparison enough;
    add(enough, base, usual);
    add(enough, head, changed);
    CHECK_FALSE(enough.too_few(0));
    CHECK_FALSE(enough.too_few(1));
    CHECK_FALSE(enough.too_few(321));
    CHECK(enough.too_few(322));
    profile_comparison alone{{.corrected = correction::none}};
    add(alone, base, {{"f", {100, 200, 300, 400}}});
    add(alone, head, {{"f", {100, 200, 300, 400}}});
    CHECK_FALSE(alone.too_few(1000));
    profile_comparison untested{{.is_tested = false}};
    add(untested, base, {{"f", {100}}});
    add(untested, head, {{"f", {200}}});
    CHECK_FALSE(untested.too_few(1000));
}

TEST_CASE("without a test medians are compared") {
    profile_comparison c{
        {.is_tested = false},
        limits({"space>+99", "space>+100", "each:space>+9%", "space>199", "space>200"})};
    add(c, base, {{"f", {100}}});
    add(c, head, {{"f", {200}}});
    const compared_row total = c.totals().rows[space];
    CHECK(total.change == 100);
    CHECK_FALSE(total.within);
    CHECK(total.p == 1);
    CHECK(total.corrected_p == 1);
    CHECK(total.is == verdict::unsure);
    CHECK_FALSE(total.is_real());
    std::string all;
    for (const compared_limit& l : c.judge()) {
        all += l.crossed ? 'x' : '-';
    }
    CHECK(all == "x-xx-");
    // Of medians the difference, which is not that of the median difference.
    profile_comparison several{{.is_tested = false}};
    add(several, base, {{"f", {100, 200, 10000}}});
    add(several, head, {{"f", {300, 500}}});
    CHECK(several.totals().rows[space].change == 200);
    profile_comparison tested;
    add(tested, base, {{"f", {100, 200, 10000}}});
    add(tested, head, {{"f", {300, 500}}});
    CHECK(tested.totals().rows[space].change == 150);
}

TEST_CASE("captures are scaled to the head's median total") {
    profile_comparison c{{.normalized_by = normalization::total}, limits({"flat:f:space>+0"})};
    CHECK(c.factors(base, space).empty());
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

TEST_CASE("captures are scaled to the head's median duration") {
    profile_comparison c{{.normalized_by = normalization::duration}};
    std::int64_t time = 0;
    const auto add_one = [&](compare_side to, std::int64_t value, std::int64_t duration) {
        test::profile p = capture({{"f", value}}, ++time);
        p.duration = duration;
        c.add(to, test::serialize(p));
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
    as_they_are.add(base, test::serialize(capture({{"f", 1}}, 1)));
    CHECK(as_they_are.factors(base, space) == numbers{1});
}

TEST_CASE("a capture that was added before is refused") {
    profile_comparison c;
    const std::string first = test::serialize(capture({{"f", 100}}, 1));
    const std::string second = test::serialize(capture({{"f", 100}}, 2));
    c.add(base, first);
    c.add(base, second);
    for (const compare_side to : {base, head}) {
        const auto fault = error_from([&] { c.add(to, second); });
        REQUIRE(fault);
        CHECK(fault->kind() == error_kind::incompatible);
        CHECK(fault->what() ==
              std::string{"it is a copy of capture 2 of the base, and would count twice"});
    }
    CHECK(c.captures(base) == 2);
    CHECK(c.captures(head) == 0);
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

TEST_CASE("after a capture that cannot be added nothing has changed") {
    profile_comparison c;
    // Nor is the first that fails the one that others have to fit.
    test::profile strange = capture({{"strange", 100}}, 1);
    strange.types = {{"time", "nanoseconds"}, {"calls", "count"}};
    strange.samples.push_back({{77}, {1, 1}, {}, ""});
    CHECK(fails_as(error_kind::malformed, [&] { c.add(base, test::serialize(strange)); }));
    CHECK(c.types().empty());
    CHECK(c.captures(base) == 0);

    add(c, base, usual);
    add(c, head, changed);
    const compared_rows before = c.rows(space);
    strange.samples.pop_back();
    CHECK(fails_as(error_kind::incompatible, [&] { c.add(base, test::serialize(strange)); }));
    test::profile broken = capture({{"broken", 100000}}, 99);
    broken.samples.push_back({{77}, {1, 1}, {}, ""});
    CHECK(fails_as(error_kind::malformed, [&] { c.add(head, test::serialize(broken)); }));
    CHECK(fails_as(error_kind::malformed, [&] { c.add(head, "no profile"); }));
    test::profile fewer = capture({{"f", 1}}, 100);
    fewer.types.pop_back();
    fewer.samples[0].values.pop_back();
    CHECK(fails_as(error_kind::incompatible, [&] { c.add(head, test::serialize(fewer)); }));

    CHECK(c.captures(base) == 8);
    CHECK(c.captures(head) == 8);
    const compared_rows after = c.rows(space);
    CHECK(names(after.flat.rows) == names(before.flat.rows));
    CHECK(after.left_out == before.left_out);
    for (std::size_t i = 0; i < before.flat.rows.size(); ++i) {
        CHECK(after.flat.rows[i].head.values == before.flat.rows[i].head.values);
        CHECK(after.flat.rows[i].corrected_p == before.flat.rows[i].corrected_p);
    }
    // What failed may be added once it is right.
    broken.samples.pop_back();
    c.add(head, test::serialize(broken));
    CHECK(c.captures(head) == 9);
    CHECK(row(c.rows(space).flat.rows, "broken").head.values.back() == 100000);
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
    CHECK(is_refused({}, {"space>+1/s"}));
    CHECK(is_refused({.normalized_by = normalization::total}, {"space>+1"}));
    CHECK(is_refused({.normalized_by = normalization::total}, {"space>+1%"}));
    CHECK_FALSE(is_refused({.normalized_by = normalization::total},
                           {"space>1", "flat:f:space>+1", "each:space>+1%"}));
    CHECK_FALSE(is_refused({.normalized_by = normalization::duration}, {"space>+1"}));

    for (const std::string text : {"time>1", "space>+1ns", "flat:f:space/count>1"}) {
        profile_comparison c{{}, limits({text})};
        add(c, base, usual);
        add(c, head, changed);
        CAPTURE(text);
        CHECK(fails_as(error_kind::incompatible, [&] { (void)c.judge(); }));
    }

    profile_comparison without_rows{{.rows = "none"}, limits({"each:space>+1ns"})};
    add(without_rows, base, usual);
    add(without_rows, head, changed);
    CHECK(fails_as(error_kind::incompatible, [&] { (void)without_rows.judge(); }));
}

TEST_CASE("there are no rows before each side has a capture") {
    for (const compare_side only : {base, head}) {
        profile_comparison c{{}, limits({"space>1"})};
        c.add(only, test::serialize(capture({{"f", 100}}, 1)));
        CHECK(fails_as(error_kind::invalid_argument, [&] { (void)c.rows(space); }));
        CHECK(fails_as(error_kind::invalid_argument, [&] { (void)c.totals(); }));
        CHECK(fails_as(error_kind::invalid_argument, [&] { (void)c.judge(); }));
        CHECK(fails_as(error_kind::invalid_argument, [&] { (void)c.too_few(1); }));
        c.add(only == base ? head : base, test::serialize(capture({{"f", 200}}, 2)));
        CHECK(c.rows(space).flat.rows.size() == 1);
    }
}

TEST_CASE("a head that is older as a whole may be mixed up") {
    const auto is_older = [](const std::vector<std::int64_t>& of_base,
                             const std::vector<std::int64_t>& of_head) {
        profile_comparison c;
        std::int64_t value = 0;
        for (const std::int64_t time : of_base) {
            c.add(base, test::serialize(capture({{"f", ++value}}, time)));
        }
        for (const std::int64_t time : of_head) {
            c.add(head, test::serialize(capture({{"f", ++value}}, time)));
        }
        return c.is_head_older();
    };
    CHECK(is_older({30, 40}, {10, 20}));
    CHECK_FALSE(is_older({10, 20}, {30, 40}));
    CHECK_FALSE(is_older({10, 30}, {20, 40}));
    CHECK_FALSE(is_older({20, 30}, {10, 25}));
    CHECK_FALSE(is_older({20, 30}, {10, 20}));
    CHECK(is_older({30, 0}, {0, 10}));
    CHECK_FALSE(is_older({0, 0}, {10, 20}));
    CHECK_FALSE(is_older({30, 40}, {0, 0}));
    CHECK_FALSE(is_older({}, {10}));
}

TEST_CASE("captures tell which programs they are of, by the names of the files") {
    profile_comparison c;
    CHECK(c.programs(base).empty());
    std::int64_t time = 0;
    const auto add_one = [&](compare_side of, const std::string& file,
                             const values_by_name& values) {
        test::profile p = capture(values, ++time);
        p.mappings = {{1, 0x1000, 0x2000, 0, file, "", false, ""},
                      {2, 0x3000, 0x4000, 0, "/lib/libc.so", "", false, ""}};
        c.add(of, test::serialize(p));
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

TEST_CASE("rows may be packages, files or lines") {
    for (const auto& [by, name] :
         {std::pair{grouping::package, "net/http"}, std::pair{grouping::file, "server.go"}}) {
        profile_comparison c{{.by = by}};
        for (int i = 0; i < 2; ++i) {
            test::profile p;
            p.types = {{"space", "bytes"}};
            const auto one = test::add_frame(p, "net/http.Get", "server.go", 1);
            const auto other = test::add_frame(p, "net/http.(*Server).Serve", "server.go", 2);
            p.samples = {{{one, other}, {100 + i}, {}, ""}, {{other}, {10}, {}, ""}};
            c.add(i == 0 ? base : head, test::serialize(p));
        }
        const compared_rows rows = c.rows(0);
        REQUIRE(rows.flat.rows.size() == 1);
        CHECK(rows.flat.rows[0].name == name);
        CHECK(rows.flat.rows[0].base.values == numbers{110});
        CHECK(rows.cum.rows[0].head.values == numbers{111});
    }
    CHECK(to_string(base) == std::string{"base"});
    CHECK(to_string(head) == std::string{"head"});
    CHECK(to_string(verdict::grew) == std::string{"grew"});
    CHECK(to_string(verdict::fell) == std::string{"fell"});
    CHECK(to_string(verdict::same) == std::string{"same"});
    CHECK(to_string(verdict::unsure) == std::string{"unsure"});
}
