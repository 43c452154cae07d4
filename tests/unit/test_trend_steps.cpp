// SPDX-License-Identifier: Apache-2.0
// Captures that have nothing to do with each other, such as those of nights.
#include <pprofdelta/trend.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "catch.hpp"
#include "study_rows.hpp"
#include "trend_captures.hpp"

using namespace pprofdelta;
using test::add;
using test::growing;
using test::limits;
using test::noise;

TEST_CASE("among independent captures a step up crosses a limit, from median to median") {
    std::vector<std::int64_t> values = noise(100, 16);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] += i < 8 ? 900 : 1200; // 1020 and 1315 in the middle
    }
    const std::vector<std::string> texts{
        "inuse_space>+28%",   "inuse_space>+29%",     "inuse_space>+294",    "inuse_space>+295",
        "inuse_space>+1kB/h", "inuse_space>+1.2kB/h", "each:inuse_space>+5%"};
    const auto crossed = [&](bool are_independent, const std::vector<std::int64_t>& all) {
        trend_options options;
        options.are_independent = are_independent;
        profile_trend trend{options, limits(texts)};
        add(trend, {{"night", all}});
        std::vector<bool> found;
        for (const trend_limit& limit : trend.judge()) {
            CHECK(limit.row.verdict == trend_verdict::steps);
            found.push_back(limit.crossed);
        }
        return found;
    };
    CHECK(crossed(true, values) == std::vector<bool>{true, false, true, false, true, false, true});
    CHECK(crossed(false, values) == std::vector<bool>(texts.size(), false));
    std::reverse(values.begin(), values.end());
    CHECK(crossed(true, values) == std::vector<bool>(texts.size(), false));
}

TEST_CASE("of several steps among independent captures that up is the one") {
    trend_options options;
    options.are_independent = true;
    const auto found = [&](const std::vector<std::int64_t>& levels) {
        std::vector<std::int64_t> values = noise(10, levels.size() * 12);
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] += levels[i / 12];
        }
        profile_trend trend{options, limits({"inuse_space>+10%"})};
        add(trend, {{"night", values}});
        return trend.judge()[0];
    };
    const trend_limit both = found({2000, 1000, 1200});
    CHECK(both.row.verdict == trend_verdict::steps);
    CHECK(both.row.step == 24);
    CHECK(both.row.before == Approx(1012));
    CHECK(both.row.after == Approx(1212));
    CHECK(both.crossed);
    CHECK(found({1000, 1200, 600}).row.step == 12);
    CHECK_FALSE(found({2000, 1000}).crossed);
    CHECK(found({2000, 1000}).row.step == 12);
    // Real, and of no account.
    CHECK(found({2000, 2020}).row.verdict == trend_verdict::level);
    CHECK(found({2000}).row.verdict == trend_verdict::level);
}

TEST_CASE("independent captures that go on growing do not step") {
    trend_options options;
    options.are_independent = true;
    profile_trend trend{options};
    add(trend, {{"drift", growing(1000, 60, 20)}});
    CHECK(trend.rows(1).total.verdict == trend_verdict::grows);
    CHECK(trend.rows(1).total.s == 190);
    profile_trend few{options};
    add(few, {{"night", {1, 2, 3, 104, 105, 106}}});
    CHECK(few.rows(1).total.verdict == trend_verdict::too_few);
    CHECK(few.too_few(1, 1)->enough == 10);
}
