// SPDX-License-Identifier: Apache-2.0
// The rows: values, changes, tests, corrections and verdicts.
#include <pprofdelta/compare.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "compare_captures.hpp"
#include "error_from.hpp"
#include "study_rows.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

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
    CHECK(grows.verdict == verdict::grew);
    CHECK(grows.is_real());
    const compared_row& falls = row(rows.flat.rows, "falls");
    CHECK(falls.change == -1000);
    CHECK(falls.u == 0);
    CHECK(falls.verdict == verdict::fell);
    CHECK(row(rows.flat.rows, "stays").verdict == verdict::same);
    CHECK(row(rows.flat.rows, "noisy").verdict == verdict::unsure);
    CHECK_FALSE(row(rows.flat.rows, "noisy").is_real());

    // Nobody but main calls the four, so both tables have them, as questions of their own.
    CHECK(names(rows.cum.rows) == "falls main grows noisy stays ");
    CHECK(rows.flat.questions == 4);
    CHECK(rows.cum.questions == 5);
    // Two of four have this p, and weigh as their means do. Among the callees of main it is the
    // third that is found.
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

TEST_CASE("by Holm each row counts the others of its table") {
    profile_comparison c{{.corrected = correction::holm}};
    add(c, base, usual);
    add(c, head, changed);
    const compared_rows rows = c.rows(space);
    CHECK(is_near(row(rows.flat.rows, "grows").corrected_p, 4 * 2.0 / 12870));
    CHECK(is_near(row(rows.cum.rows, "grows").corrected_p, 5 * 2.0 / 12870));
}

TEST_CASE("pairs find what changes less than the machine does from one to the next") {
    // Each pair has another load, and the head 5 % more than the base.
    values_of_side before{{"grows", {1000, 5000, 2000, 8000, 3000, 7000, 1500, 6000}},
                          {"stays", {2000, 9000, 4100, 16000, 6000, 14100, 3000, 12000}}};
    values_of_side after = before;
    for (std::int64_t& value : after["grows"]) {
        value += value / 20;
    }
    after["stays"] = {2001, 8990, 4110, 15990, 6010, 14090, 3001, 11990};
    const auto rows_of = [&](const compare_options& options) {
        profile_comparison c{options};
        add(c, base, before);
        add(c, head, after);
        return c.rows(space).flat.rows;
    };
    CHECK(row(rows_of({}), "grows").verdict == verdict::unsure);
    const std::vector<compared_row> paired = rows_of({.are_paired = true});
    const compared_row& grows = row(paired, "grows");
    CHECK(is_near(grows.p, 2.0 / 256));
    CHECK(grows.u == 0);
    CHECK(grows.change == 200); // of 50 to 400
    REQUIRE(grows.within);
    CHECK(grows.within->low == 50);
    CHECK(grows.within->high == 400);
    CHECK(grows.verdict == verdict::grew);
    CHECK(row(paired, "stays").verdict == verdict::same);
    std::swap(before, after);
    CHECK(row(rows_of({.are_paired = true}), "grows").verdict == verdict::fell);
    CHECK(row(rows_of({.are_paired = true}), "grows").p == grows.p);
}

TEST_CASE("a change that is detectable is found in four of five comparisons") {
    std::mt19937 random{7};
    std::normal_distribution<double> noise{0, 100};
    const auto captures_around = [&](double value) {
        std::vector<std::int64_t> all(10);
        std::generate(all.begin(), all.end(),
                      [&] { return static_cast<std::int64_t>(value + noise(random)); });
        return all;
    };
    for (const bool are_paired : {false, true}) {
        const auto total_of = [&](double shift) {
            profile_comparison c{{.min_change = 0, .are_paired = are_paired}};
            add(c, base, {{"f", captures_around(5000)}});
            add(c, head, {{"f", captures_around(5000 + shift)}});
            return c.totals().rows[space];
        };
        constexpr int rounds = 200;
        double detectable = 0;
        for (int round = 0; round < rounds; ++round) {
            detectable += total_of(0).detectable.value() / rounds;
        }
        // With a known deviation Student's test would need 125.
        CHECK(detectable > 125);
        CHECK(detectable < 140);
        int found = 0;
        for (int round = 0; round < rounds; ++round) {
            found += total_of(detectable).verdict == verdict::grew ? 1 : 0;
        }
        CAPTURE(are_paired, detectable, found);
        CHECK(found > rounds * 70 / 100);
        CHECK(found < rounds * 90 / 100);
    }
    profile_comparison few;
    add(few, base, {{"f", {1, 2, 3}}});
    add(few, head, {{"f", {4, 5, 6}}});
    CHECK_FALSE(few.totals().rows[space].detectable);
    CHECK(few.samples(base, space) == std::vector<std::size_t>{1, 1, 1});
    CHECK(few.samples(base, 0) == std::vector<std::size_t>{0, 0, 0}); // a tenth of a byte
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
                CHECK((a.verdict == verdict::grew) == (b.verdict == verdict::fell));
            } else {
                CHECK(a.verdict == b.verdict);
            }
        }
    }
}

TEST_CASE("rows in the same order are one question") {
    // Of the four and main, a and b have equal ranks, and c the same the other way around.
    profile_comparison c{{.corrected = correction::holm, .min_share = 0}};
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
        CHECK(r.verdict == verdict::too_few);
    }
    // Objects are in the order of bytes.
    CHECK(c.totals().questions == 1);
    CHECK(c.totals().rows[space].verdict == verdict::grew);
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
    CHECK(is_near(corrected_p(correction::holm), 4));
    CHECK(corrected_p(correction::benjamini_hochberg) < 4); // falls has as small a p
    CHECK(to_string(correction::none) == std::string{"none"});
    CHECK(to_string(correction::holm) == std::string{"holm"});
    CHECK(to_string(correction::benjamini_hochberg) == std::string{"bh"});
}

TEST_CASE("less than the least change is none, whatever the test says") {
    const auto verdict_of = [](double min_change) {
        profile_comparison c{{.min_change = min_change}};
        add(c, base, {{"f", spread(10000)}});
        add(c, head, {{"f", spread(10100)}});
        return c.totals().rows[space].verdict;
    };
    CHECK(verdict_of(0) == verdict::grew);
    CHECK(verdict_of(0.01) == verdict::grew);
    CHECK(verdict_of(0.02) == verdict::same); // the interval goes from 70 to 130
    // All zero is the same, too.
    profile_comparison c;
    add(c, base, {{"f", std::vector<std::int64_t>(8)}});
    add(c, head, {{"f", std::vector<std::int64_t>(8)}});
    CHECK(c.totals().rows[space].verdict == verdict::same);
    CHECK(c.totals().rows[space].p == 1);
    CHECK(c.rows(space).flat.rows.empty());
    CHECK(c.rows(space).left_out == 0);
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
    CHECK(total.verdict == verdict::unsure);
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
