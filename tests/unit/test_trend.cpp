// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <pprofdelta/trend.hpp>

#include "allocations.hpp"
#include "catch.hpp"
#include "error_from.hpp"
#include "profile_builder.hpp"
#include "study_rows.hpp"

using namespace pprofdelta;
using test::limits;
using test::row;

namespace {

constexpr std::int64_t minute = 60'000'000'000;

using values_by_name = std::map<std::string, std::int64_t>;

/// Functions that main calls, with their bytes in use. main allocates a byte a nanosecond.
test::profile heap_capture(const values_by_name& values, std::int64_t time) {
    test::profile p;
    p.types = {{"alloc_space", "bytes"}, {"inuse_space", "bytes"}};
    const std::uint64_t main = test::add_frame(p, "main");
    p.samples.push_back({{main}, {time, 0}});
    for (const auto& [name, value] : values) {
        p.samples.push_back({{test::add_frame(p, name), main}, {0, value}});
    }
    p.time = time;
    return p;
}

/// A capture every minute.
void add(profile_trend& to, const std::map<std::string, std::vector<std::int64_t>>& rows) {
    for (std::size_t i = 0; i < rows.begin()->second.size(); ++i) {
        values_by_name values;
        for (const auto& [name, all] : rows) {
            values[name] = all[i];
        }
        to.add(std::string_view{
            test::serialize(heap_capture(values, static_cast<std::int64_t>(i + 1) * minute))});
    }
}

std::vector<std::int64_t> growing(std::int64_t from, std::int64_t by, std::size_t captures = 12) {
    std::vector<std::int64_t> all;
    for (std::size_t i = 0; i < captures; ++i) {
        all.push_back(from + by * static_cast<std::int64_t>(i));
    }
    return all;
}

/// Up and down around a level.
std::vector<std::int64_t> noise(std::int64_t level, std::size_t captures = 12) {
    std::vector<std::int64_t> all;
    for (std::size_t i = 0; i < captures; ++i) {
        all.push_back(level + static_cast<std::int64_t>(i * 7 % 5) * level / 10);
    }
    return all;
}

} // namespace

TEST_CASE("growth in use is found, with its slope and its share") {
    profile_trend trend;
    add(trend, {{"leak", growing(1000, 60)}, {"cache", noise(5000)}});
    CHECK(trend.find_type({}) == 1);
    const trend_rows rows = trend.rows(1);
    REQUIRE(rows.flat.size() == 2);
    CHECK(rows.flat[0].name == "leak");
    CHECK(rows.flat[0].verdict == trend_verdict::grows);
    CHECK(rows.flat[0].slope.value == Approx(3600));
    CHECK(rows.flat[0].growth == Approx(660));
    CHECK(rows.flat[0].s == 66);
    CHECK(rows.flat[0].share == Approx(3600 / rows.total.slope.value));
    CHECK(rows.flat[0].values == std::vector<double>{1000, 1060, 1120, 1180, 1240, 1300, 1360, 1420,
                                                     1480, 1540, 1600, 1660});
    CHECK(rows.flat[1].verdict == trend_verdict::unsure);
    CHECK(row(rows.cum, "main").values == rows.total.values);
    // main's row has the order of the total, and those called by it their flat ones.
    CHECK(rows.hypotheses == 3);
    CHECK(row(rows.flat, "leak").corrected_p == Approx(3 * row(rows.flat, "leak").p));
}

TEST_CASE("growth comes from the chain of calls that has it, and callers stand before callees") {
    profile_trend trend;
    const std::vector<std::int64_t> leak = growing(1000, 60);
    const std::vector<std::int64_t> cache = noise(100);
    for (std::size_t i = 0; i < leak.size(); ++i) {
        test::profile p =
            heap_capture({{"other", 1000}}, static_cast<std::int64_t>(i + 1) * minute);
        const std::uint64_t main = test::add_frame(p, "main");
        const std::uint64_t page = test::add_frame(p, "page");
        const std::uint64_t allocate = test::add_frame(p, "allocate");
        p.samples.push_back({{allocate, test::add_frame(p, "remember"), page, main}, {0, leak[i]}});
        p.samples.push_back({{test::add_frame(p, "render"), page, main}, {0, cache[i]}});
        trend.add(std::string_view{test::serialize(p)});
    }
    const trend_causes found = trend.causes(1, 10);
    REQUIRE(found.causes.size() == 1);
    const change_cause<trend_causes::growth>& cause = found.causes.front();
    CHECK(cause.frames == std::vector<std::string>{"page", "remember", "allocate"});
    CHECK(cause.value.change == Approx(3600));
    CHECK(cause.value.row.verdict == trend_verdict::grows);
    CHECK(found.total == trend.rows(1).total.slope.value);
    const std::vector<trend_row> cum = trend.rows(1).cum;
    const auto place = [&](const char* name) {
        return std::ranges::find(cum, name, &trend_row::name) - cum.begin();
    };
    CHECK(place("allocate") == place("remember") + 1);
}

TEST_CASE("growth without stacks has no causes") {
    trend_options none;
    none.selection.focus = "no such function";
    profile_trend trend{none};
    for (std::int64_t i = 1; i < 9; ++i) {
        trend.add(std::string_view{test::serialize(heap_capture({{"f", 1000 * i}}, i * minute))});
    }
    CHECK(trend.rows(1).flat.empty());
    CHECK(trend.causes(1, 10).causes.empty());
}

TEST_CASE("a delta without a duration has no rate, and without samples too it is left out") {
    profile_trend trend;
    const auto add_delta = [&](std::int64_t minutes, std::int64_t duration, bool is_empty = false) {
        test::profile p = heap_capture({{"f", minutes}}, minutes * minute);
        p.duration = duration;
        if (is_empty) {
            p.samples.clear();
        }
        trend.add(std::string_view{test::serialize(p)});
    };
    add_delta(1, 0, true); // the first one
    add_delta(2, minute);
    add_delta(9, 0); // after a restart
    add_delta(10, minute);
    CHECK(trend.captures().size() == 3);
    CHECK(trend.captures().front().added == 1);
    CHECK(trend.rows(0).total.values == std::vector<double>{2e9, 10e9});
    CHECK(trend.rows(1).total.values == std::vector<double>{2, 9, 10});
}

TEST_CASE("a total without samples counts nothing so far") {
    profile_trend trend;
    for (std::int64_t i = 0; i < 20; ++i) {
        test::profile p = heap_capture({{"f", std::max<std::int64_t>(i - 9, 0)}}, (i + 1) * minute);
        if (i < 10) {
            p.samples.clear();
        }
        trend.add(std::string_view{test::serialize(p)});
    }
    CHECK(trend.captures().size() == 20);
    const trend_row total = trend.rows(1).total;
    CHECK(total.values.size() == 20);
    CHECK(total.verdict != trend_verdict::level);
}

TEST_CASE("without captures, or such a type, nothing can be said") {
    const auto is_refused = [](auto&& ask) {
        return test::fails_as(error_kind::invalid_argument, [&] { static_cast<void>(ask()); });
    };
    const profile_trend none;
    profile_trend some;
    add(some, {{"work", growing(1000, 10)}});
    CHECK(is_refused([&] { return none.find_type({}); }));
    CHECK(is_refused([&] { return none.captures(); }));
    CHECK(is_refused([&] { return none.judge(); }));
    CHECK(is_refused([&] { return none.lifetimes({}, row_order::flat); }));
    const auto refuses_all = [&](const profile_trend& of, std::size_t type) {
        CHECK(is_refused([&] { return of.is_rate(type); }));
        CHECK(is_refused([&] { return of.places(type); }));
        CHECK(is_refused([&] { return of.rows(type); }));
        CHECK(is_refused([&] { return of.causes(type, 1); }));
        CHECK(is_refused([&] { return of.too_few(type, 1); }));
    };
    refuses_all(none, 0);
    refuses_all(some, 2);
}

TEST_CASE("a jump is no growth") {
    profile_trend trend;
    add(trend, {{"jump", {100, 101, 99, 100, 101, 99, 300, 301, 299, 300, 301, 299}},
                {"level", growing(1000, 0)}});
    const trend_rows rows = trend.rows(1);
    CHECK(row(rows.flat, "jump").p < 0.05);
    CHECK(row(rows.flat, "jump").verdict != trend_verdict::grows);
    profile_trend longer;
    std::vector<std::int64_t> values(20, 100);
    std::fill(values.begin() + 9, values.end(), 300);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] += static_cast<std::int64_t>(i % 3);
    }
    add(longer, {{"jump", values}});
    const trend_row found = longer.rows(1).flat[0];
    CHECK(found.verdict == trend_verdict::steps);
    CHECK(found.step == 9);
    profile_trend exact;
    values.assign(20, 100);
    std::fill(values.begin() + 10, values.end(), 120);
    add(exact, {{"threads", values}});
    CHECK(exact.rows(1).flat[0].verdict == trend_verdict::steps);
    // It may be the first sample of a leak, which stays.
    profile_trend sampled;
    for (std::int64_t i = 1; i <= 20; ++i) {
        test::profile p = heap_capture({{"leak", i > 10 ? 1 << 20 : 0}}, i * minute);
        p.period_type = {"space", "bytes"};
        p.period = 1 << 19;
        sampled.add(std::string_view{test::serialize(p)});
    }
    CHECK(sampled.rows(1).flat[0].verdict == trend_verdict::unsure);
}

TEST_CASE("a series that levels off is not called growth, and one that hardly moves is level") {
    profile_trend trend;
    std::vector<std::int64_t> filling = growing(0, 1000, 8);
    for (const std::int64_t full : noise(2000, 12)) {
        filling.push_back(5000 + full);
    }
    add(trend, {{"cache", filling}, {"config", growing(100000, 1, 20)}});
    const trend_rows rows = trend.rows(1);
    CHECK(row(rows.flat, "cache").p < 0.05);
    CHECK(row(rows.flat, "cache").verdict == trend_verdict::levels_off);
    CHECK(row(rows.flat, "config").verdict == trend_verdict::level);
}

// The number of each verdict among a hundred leaks that a profiler sees a sample of at each second
// capture or so. The memory in use besides is `other`, at each capture.
std::map<trend_verdict, int> verdicts_of_leaks(const std::vector<std::int64_t>& other) {
    std::mt19937 random{23};
    std::map<std::string, std::vector<std::int64_t>> rows;
    for (int leak = 0; leak < 100; ++leak) {
        std::vector<std::int64_t>& values = rows["leak" + std::to_string(leak)];
        std::int64_t leaked = 0;
        for (const std::int64_t more : other) {
            leaked += random() % 100 < 45 ? 1 : 0;
            values.push_back((leaked + more) << 19);
        }
    }
    trend_options options;
    options.corrected = correction::none;
    options.min_share = 0;
    profile_trend trend{options};
    add(trend, rows);
    std::map<trend_verdict, int> found;
    for (const trend_row& row : trend.rows(1).flat) {
        CHECK(row.slope.within);
        ++found[row.verdict];
    }
    return found;
}

TEST_CASE("a leak of few samples is not said to step or to level off") {
    auto found = verdicts_of_leaks(std::vector<std::int64_t>(20, 5));
    CHECK(found[trend_verdict::grows] > 80);
    CHECK(found[trend_verdict::grows] + found[trend_verdict::unsure] >= 95);
    // A saw does not matter either, wherever it begins.
    for (const std::size_t begin : {0U, 3U, 7U}) {
        std::vector<std::int64_t> saw;
        for (std::size_t i = begin; i < begin + 40; ++i) {
            saw.push_back(static_cast<std::int64_t>(i % 10) * 2);
        }
        found = verdicts_of_leaks(saw);
        CHECK(found[trend_verdict::grows] + found[trend_verdict::unsure] >= 95);
    }
}

TEST_CASE("a series that may have a slope of 0 is not said to grow") {
    // It goes on growing, but it wanders by as much.
    profile_trend trend;
    add(trend, {{"cache", {200, 240, 290, 335, 305, 270, 250, 280, 330, 365,
                           340, 310, 350, 395, 445, 425, 395, 385, 430, 490}}});
    const trend_row found = trend.rows(1).total;
    CHECK(found.p < 0.001);
    REQUIRE(found.slope.within);
    CHECK(found.slope.within->low < 0);
    CHECK(found.verdict == trend_verdict::unsure);
}

TEST_CASE("a total that levels off grows through a row that does") {
    const auto judged = [](std::int64_t leak) {
        profile_trend trend{{}, limits({"inuse_space>+1MB/h", "inuse_space>+10kB/h"})};
        std::vector<std::int64_t> filling = growing(0, 2000, 7);
        const std::vector<std::int64_t> full = noise(10000, 13);
        filling.insert(filling.end(), full.begin(), full.end());
        add(trend, {{"cache", filling}, {"leak", growing(1000, leak, 20)}});
        return std::pair{trend.rows(1).total, trend.judge()};
    };
    const auto [total, found] = judged(200);
    CHECK(total.verdict == trend_verdict::grows);
    REQUIRE(total.through);
    CHECK(total.through->name == "leak");
    CHECK(total.through->per_hour == Approx(12000));
    CHECK(total.through->in_all == Approx(3800));
    CHECK_FALSE(found[0].crossed);
    CHECK(found[1].crossed);
    CHECK(found[1].row.through);
    // The growth has to exceed the limit itself.
    CHECK_FALSE(judged(100).second[1].crossed);
    const trend_row none = judged(0).first;
    CHECK(none.verdict == trend_verdict::levels_off);
    CHECK_FALSE(none.through);
}

TEST_CASE("a leak is found however often the process restarts") {
    for (const std::size_t length : {60U, 20U, 12U, 8U}) {
        profile_trend trend;
        for (std::size_t i = 0; i < 60; ++i) {
            const auto age = static_cast<std::int64_t>(i % length);
            test::profile p =
                heap_capture({{"leak", age * 100 + static_cast<std::int64_t>(i * 7 % 5) * 20},
                              {"noise", static_cast<std::int64_t>(i * 3 % 7) * 100}},
                             static_cast<std::int64_t>(i + 1) * minute);
            p.samples[0].values[0] = (age + 1) * 1000;
            trend.add(std::string_view{test::serialize(p)});
        }
        const trend_rows rows = trend.rows(1);
        CHECK(row(rows.flat, "leak").verdict == trend_verdict::grows);
        CHECK(row(rows.flat, "noise").verdict == trend_verdict::unsure);
    }
}

TEST_CASE("a process that scales by another period starts a run, and its memory is unsure") {
    // At the seventh capture, what was sampled once in 512 KiB counts as if it were once in 64.
    const auto captures_of = [](profile_trend& trend, std::int64_t address_of_later) {
        for (std::int64_t i = 0; i < 14; ++i) {
            const bool is_later = i >= 7;
            test::profile p =
                heap_capture({{"cache", is_later ? 200 + 100 * (i - 7) : 1000}}, (i + 1) * minute);
            p.samples[0].values[0] = is_later ? 1000 * (i + 1) / 8 : 1000 * (i + 1);
            p.period_type = {"space", "bytes"};
            p.period = is_later ? 1 << 16 : 1 << 19;
            const auto start = static_cast<std::uint64_t>(is_later ? address_of_later : 0x1000);
            p.mappings.push_back({1, start, start + 0x1000, 0, "[vdso]"});
            trend.add(std::string_view{test::serialize(p)});
        }
    };
    profile_trend same{{},
                       limits({"inuse_space>+1/h", "each:inuse_space>+1/h", "alloc_space>+1%"})};
    captures_of(same, 0x1000);
    CHECK(same.captures()[7].has_other_period);
    CHECK(std::ranges::count(same.captures(), true, &trend_capture::has_other_period) == 1);
    CHECK(same.captures().back().run == 1);
    CHECK(row(same.rows(1).flat, "cache").verdict == trend_verdict::unsure);
    CHECK(same.rows(0).total.values.size() == 12); // without the difference of two scales
    CHECK(same.rows(0).total.verdict != trend_verdict::unsure);
    const std::vector<trend_limit> judged = same.judge();
    CHECK((judged[0].has_other_periods && !judged[0].crossed));
    CHECK((judged[1].has_other_periods && !judged[1].crossed));
    CHECK_FALSE(judged[2].has_other_periods);
    CHECK(test::fails_as(error_kind::incompatible,
                         [&] { static_cast<void>(same.lifetimes({}, row_order::flat)); }));

    // Its deltas have what was in use as the process has it.
    profile_trend of_deltas{{}, limits({"inuse_space>+1/h"})};
    for (std::int64_t i = 0; i < 14; ++i) {
        test::profile p = heap_capture({{"cache", i < 7 ? 1000 : 100 * i}}, (i + 1) * minute);
        p.duration = minute;
        p.period_type = {"space", "bytes"};
        p.period = i < 7 ? 1 << 19 : 1 << 16;
        p.mappings.push_back({1, 0x1000, 0x2000, 0, "[vdso]"});
        of_deltas.add(std::string_view{test::serialize(p)});
    }
    CHECK(of_deltas.judge().front().has_other_periods);

    profile_trend restarted; // has nothing that was sampled before
    captures_of(restarted, 0x3000);
    CHECK(restarted.captures().back().run == 1);
    CHECK_FALSE(restarted.captures()[7].has_other_period);
    CHECK(row(restarted.rows(1).flat, "cache").verdict != trend_verdict::unsure);
}

TEST_CASE("a sample that is gone for a while is no restart of its process") {
    profile_trend trend;
    for (std::int64_t i = 0; i < 8; ++i) {
        test::profile p = heap_capture({{"cache", 10}}, (i + 1) * minute);
        p.samples[0].values[0] = 1000 * (i + 1);
        if (i != 4) {
            p.samples.push_back({{test::add_frame(p, "seldom")}, {500, 0}});
        }
        p.mappings.push_back({1, 0x7f0000000000, 0x7f0000001000, 0, "[vdso]"});
        trend.add(std::string_view{test::serialize(p)});
    }
    CHECK(trend.captures().back().run == 0);
}

TEST_CASE("a limit is crossed by a change below the minimal one") {
    for (const bool are_independent : {false, true}) {
        profile_trend trend{{.are_independent = are_independent},
                            limits({"inuse_space>+60/h", "each:inuse_space>+60/h"})};
        add(trend,
            {{"cache", are_independent ? std::vector<std::int64_t>{100000, 100001, 100002, 100003,
                                                                   100004, 100005, 101000, 101001,
                                                                   101002, 101003, 101004, 101005}
                                       : growing(100000, 10)}});
        CAPTURE(are_independent);
        CHECK(trend.rows(1).total.verdict == trend_verdict::level);
        for (const trend_limit& each : trend.judge()) {
            CAPTURE(each.limit);
            CHECK(each.crossed);
            const trend_row& found = each.functions.empty() ? each.row : each.functions.front();
            CHECK((found.verdict == trend_verdict::grows || found.verdict == trend_verdict::steps));
        }
    }
}

TEST_CASE("a limit on a total follows a row, however small both changes are") {
    profile_trend trend{{}, limits({"inuse_space>+3/h"})};
    std::vector<std::int64_t> cache = noise(5000, 24);
    std::fill(cache.begin(), cache.begin() + 5, 4000); // it fills, and hides what goes on
    add(trend, {{"cache", cache}, {"leak", growing(100000, 10, 24)}});
    CHECK(trend.rows(1).total.verdict != trend_verdict::grows);
    CHECK(row(trend.rows(1).flat, "leak").verdict == trend_verdict::level);
    const trend_limit found = trend.judge().front();
    CHECK(found.crossed);
    REQUIRE(found.row.through);
    CHECK(found.row.through->name == "leak");
}

TEST_CASE("captures of a process whose clock was set back are in the order of its counters") {
    struct moment {
        std::int64_t minutes; // as its clock says
        std::int64_t allocated;
    };
    const auto capture_all = [](profile_trend& trend, const std::vector<moment>& moments) {
        for (const auto& [minutes, allocated] : moments) {
            test::profile p = heap_capture({{"leak", allocated}}, minutes * minute);
            p.mappings.push_back({1, 0x7f0000000000, 0x7f0000001000, 0, "[vdso]"});
            p.samples[0].values[0] = allocated;
            trend.add(std::string_view{test::serialize(p)});
        }
    };
    // After 60 minutes by 35, so that most captures seem to take turns.
    std::vector<moment> set_back;
    for (std::int64_t i = 1; i <= 60; ++i) {
        set_back.push_back({2 * i - (i > 30 ? 35 : 0), 100 * i});
    }
    profile_trend trend;
    capture_all(trend, set_back);
    const std::vector<trend_capture>& all = trend.captures();
    CHECK(all.back().run == 1);
    CHECK(all[29].run == 0);
    CHECK(all[30].run == 1);
    CHECK(all[30].hours == all[29].hours);
    CHECK(all.back().hours == Approx(116.0 / 60));
    CHECK(std::ranges::is_sorted(all, {}, &trend_capture::added));
    CHECK(trend.rows(1).total.slope.value == Approx(3000));
    CHECK(trend.rows(0).total.values == std::vector<double>(58, 100.0 / 120));

    // Once is a reset of the profiler, which is no reason to change the order.
    profile_trend reset;
    std::vector<moment> from_zero;
    for (std::int64_t i = 1; i <= 12; ++i) {
        from_zero.push_back({i, i <= 6 ? 1000 + i : i});
    }
    capture_all(reset, from_zero);
    CHECK(std::ranges::is_sorted(reset.captures(), {}, &trend_capture::time_nanos));
    CHECK(reset.captures().back().run == 1);
}

TEST_CASE("a restart begins a run, and what both runs say counts together") {
    profile_trend trend;
    for (std::int64_t i = 1; i <= 12; ++i) {
        // alloc_space starts over with the seventh.
        test::profile p = heap_capture({{"leak", (i - 1) % 6 * 100}}, i * minute);
        p.samples[0].values[0] = ((i - 1) % 6 + 1) * 1000;
        trend.add(std::string_view{test::serialize(p)});
    }
    CHECK(trend.captures()[5].run == 0);
    CHECK(trend.captures()[6].run == 1);
    const trend_row total = trend.rows(1).total;
    CHECK(total.s == 30);
    CHECK(total.verdict == trend_verdict::grows);
    CHECK(total.slope.value == Approx(6000));
    CHECK(total.growth == Approx(1000));
    CHECK(trend.places(1).size() == 12);
    // Rates lack the first capture of each run.
    CHECK(trend.is_rate(0));
    CHECK(trend.places(0) == std::vector<std::size_t>{1, 2, 3, 4, 5, 7, 8, 9, 10, 11});
    CHECK(trend.rows(0).total.values == std::vector<double>(10, 1000.0 / 60));

    // A delta that counts from the start of a process begins one as well.
    profile_trend deltas;
    for (std::int64_t i = 0; i < 12; ++i) {
        test::profile p = heap_capture({{"leak", i % 6 * 100}}, (i + 1) * minute);
        p.duration = i % 6 == 0 ? 0 : minute;
        p.samples[0].values[0] = 1000;
        deltas.add(std::string_view{test::serialize(p)});
    }
    CHECK(deltas.captures()[5].run == 0);
    CHECK(deltas.captures()[6].run == 1);
    CHECK(deltas.rows(1).total.verdict == trend_verdict::grows);
    CHECK_FALSE(deltas.has_negative_use());
    deltas.add(std::string_view{test::serialize(heap_capture({{"leak", -1}}, 13 * minute))});
    CHECK(deltas.has_negative_use());

    trend_options options;
    options.are_independent = true;
    profile_trend apart{options};
    for (std::int64_t i = 1; i <= 3; ++i) {
        test::profile p = heap_capture({{"leak", 100}}, i * minute);
        p.samples[0].values[0] = 1000 / i;
        apart.add(std::string_view{test::serialize(p)});
    }
    CHECK_FALSE(apart.is_rate(0));
    CHECK(apart.captures()[2].run == 0);
    CHECK(apart.rows(0).total.values == std::vector<double>{1000, 500, 333});
}

TEST_CASE("memory is in proportion to what captures have, and not to all names in each of them") {
    const auto used_by = [](std::int64_t captures) {
        const std::size_t before = test::bytes_in_use();
        profile_trend t;
        for (std::int64_t i = 0; i < captures; ++i) {
            values_by_name values;
            for (int j = 0; j < 200; ++j) {
                values["f" + std::to_string(i) + "_" + std::to_string(j)] = 1;
            }
            t.add(std::string_view{test::serialize(heap_capture(values, i + 1))});
        }
        return test::bytes_in_use() - before;
    };
    // Tables that double may have room for twice as much.
    CHECK(used_by(80) < 16 * used_by(10));
}

TEST_CASE("a limit is crossed by what grows beyond it, really") {
    profile_trend trend{
        {},
        limits({"inuse_space>+3kB/h", "inuse_space>+4kB/h", "func:leak:inuse_space>+1kB/min",
                "each:inuse_space>+50%", "func:none:inuse_space>+1/s"})};
    add(trend, {{"leak", growing(1000, 60)}, {"cache", growing(50000, 0)}});
    const std::vector<trend_limit> found = trend.judge();
    REQUIRE(found.size() == 5);
    // 3.6 kB an hour, which is little of all.
    CHECK(trend.rows(1).total.verdict == trend_verdict::level);
    CHECK(found[0].row.verdict == trend_verdict::grows);
    CHECK(found[0].crossed);
    CHECK_FALSE(found[1].crossed);
    CHECK_FALSE(found[2].crossed);
    CHECK(found[3].crossed);
    REQUIRE(found[3].functions.size() == 1);
    CHECK(found[3].functions[0].name == "leak");
    CHECK_FALSE(found[4].has_match);

    trend_options exact;
    exact.min_change = 0;
    profile_trend strict{exact, limits({"inuse_space>+3kB/h", "inuse_space>+3600/h",
                                        "inuse_space>+659", "inuse_space>+660"})};
    add(strict, {{"leak", growing(1000, 60)}});
    const std::vector<trend_limit> judged = strict.judge();
    CHECK(judged[0].crossed);
    CHECK_FALSE(judged[1].crossed);
    CHECK(judged[2].crossed);
    CHECK_FALSE(judged[3].crossed);
}

TEST_CASE("five captures are too few, as nothing goes on for long enough") {
    // p would be small enough.
    profile_trend five;
    add(five, {{"leak", growing(1000, 600, 5)}});
    REQUIRE(five.too_few(1, 1));
    CHECK(five.too_few(1, 1)->least_p < five.too_few(1, 1)->needed_p);
    CHECK(five.rows(1).total.verdict == trend_verdict::too_few);
    profile_trend six;
    add(six, {{"leak", growing(1000, 600, 6)}});
    CHECK_FALSE(six.too_few(1, 1));
    CHECK(six.rows(1).total.verdict == trend_verdict::grows);
}

// Captures that have nothing to do with each other, such as those of nights.

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

TEST_CASE("the step up counts among several steps of independent captures") {
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
    CHECK(found({2000, 2020}).row.verdict == trend_verdict::steps);
    CHECK_FALSE(found({2000, 2020}).crossed);
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
