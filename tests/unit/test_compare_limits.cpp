// SPDX-License-Identifier: Apache-2.0
// Limits: which are crossed, what they need, and options that cannot be.
#include <pprofdelta/compare.hpp>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "catch.hpp"
#include "compare_captures.hpp"
#include "error_from.hpp"
#include "study_rows.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

namespace {

std::vector<std::int64_t> shuffled(std::int64_t around) {
    return {around + 35, around + 5,  around + 65, around + 15,
            around + 55, around + 25, around - 5,  around + 75};
}

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
    // By what is corrected: 4 + 4 have a p of 2/70, and there are two questions. But no other way
    // to call four of the captures the base has as much for either.
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
    profile_comparison by_holm{{.corrected = correction::holm}, limits({"each:space>+0"})};
    add(by_holm, base, before);
    add(by_holm, head, after);
    const compared_row grows = by_holm.judge()[0].functions[1];
    CHECK(grows.corrected_p == row(by_holm.rows(space).flat.rows, "grows").corrected_p);
    CHECK(found[0].row.base.values == c.totals().rows[space].base.values);
}

TEST_CASE("too few captures are told with the number that would do") {
    profile_comparison c{
        {}, limits({"space>+0", "flat:f:space>+0", "flat:g:space>+0", "each:space>+0", "space>5"})};
    add(c, base, {{"f", {100, 200, 300}}, {"g", {100, 300, 200}}});
    add(c, head, {{"f", {500, 700, 600}}, {"g", {700, 500, 600}}});
    const std::vector<compared_limit> found = c.judge();
    const auto one = found[0].too_few; // both types are in the same order
    REQUIRE(one);
    CHECK(one->questions == 1);
    CHECK(is_near(one->least_p, 0.1));
    CHECK(one->needed_p == 0.05);
    CHECK(one->enough == 4);
    CHECK(found[1].too_few->questions == 2);
    CHECK(found[1].too_few->enough == 5);
    CHECK(is_near(found[1].too_few->needed_p, 0.025));
    CHECK(found[3].too_few->questions == 2);
    CHECK(found[4].too_few->enough == 6); // for an interval of the median
    CHECK(is_near(found[4].too_few->least_p, 0.25));
    for (const compared_limit& l : found) {
        CHECK_FALSE(l.crossed);
    }
    CHECK(c.totals().too_few->enough == 4);
    const compared_rows rows = c.rows(space);
    REQUIRE(rows.flat.too_few);
    CHECK(rows.flat.too_few->enough == 5);
    CHECK(is_near(rows.flat.too_few->needed_p, 0.025)); // they are as large
    CHECK(rows.flat.rows[0].verdict == verdict::too_few);
    CHECK(rows.flat.rows[0].head.median == 600);
    CHECK_FALSE(rows.flat.rows[0].is_real());

    profile_comparison enough;
    add(enough, base, usual);
    add(enough, head, changed);
    CHECK_FALSE(enough.totals().too_few);
    CHECK_FALSE(enough.rows(space).flat.too_few);
    profile_comparison alone{{.corrected = correction::none}};
    add(alone, base, {{"f", {100, 200, 300, 400}}, {"g", {300, 100, 200, 400}}});
    add(alone, head, {{"f", {100, 200, 300, 400}}, {"g", {300, 100, 200, 400}}});
    CHECK_FALSE(alone.rows(space).flat.too_few);
    profile_comparison untested{{.is_tested = false}};
    add(untested, base, {{"f", {100}}});
    add(untested, head, {{"f", {200}}});
    CHECK_FALSE(untested.rows(space).flat.too_few);
    profile_comparison paired{{.are_paired = true}};
    add(paired, base, {{"f", {100, 200, 300, 400, 500}}});
    add(paired, head, {{"f", {200, 300, 400, 500, 600}}});
    CHECK(paired.totals().too_few->enough == 6); // 2/64
    CHECK(is_near(paired.totals().too_few->least_p, 2.0 / 32));
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
