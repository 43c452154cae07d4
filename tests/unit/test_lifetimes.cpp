// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/lifetimes.hpp>

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/report.hpp>
#include <pprofdelta/sampling.hpp>
#include <pprofdelta/trend.hpp>

#include "catch.hpp"
#include "error_from.hpp"
#include "made_delta.hpp"
#include "profile_builder.hpp"

using namespace pprofdelta;
using test::fails_as;

namespace {

constexpr std::int64_t second = 1'000'000'000;

// A heap profile of functions that main calls, each with {alloc_objects, alloc_space,
// inuse_objects, inuse_space}.
test::profile heap(const std::vector<std::vector<std::int64_t>>& values, std::int64_t time_nanos) {
    test::profile p;
    p.types = test::heap_types();
    p.period_type = {"space", "bytes"};
    p.period = 1;
    p.time = time_nanos;
    test::add_frame(p, "main");
    for (std::size_t i = 0; i < values.size(); ++i) {
        p.samples.push_back({{test::add_frame(p, "f" + std::to_string(i)), 1}, values[i]});
    }
    return p;
}

lifetimes of(const test::profile& before, const test::profile& now,
             const report_options& options = {}) {
    const test::made_delta made{test::serialize(before), test::serialize(now)};
    return make_lifetimes(viewed_profiles{made.of}, options);
}

} // namespace

TEST_CASE("memory lives as long as what is in use takes to be freed") {
    // The profiles are 10 s apart: f0 has 300 bytes in use and frees 600; f1 frees nothing; f2 has
    // nothing in use.
    const test::profile before =
        heap({{10, 1000, 2, 200}, {5, 500, 5, 500}, {1, 10, 0, 0}, {1, 1, 0, 0}}, 100 * second);
    test::profile now =
        heap({{18, 1800, 4, 400}, {6, 600, 6, 600}, {3, 30, 0, 0}, {1, 1, 0, 0}}, 110 * second);
    const lifetimes found = of(before, now);
    CHECK(to_string(found.type) == "alloc_space/bytes");
    CHECK(found.duration_nanos == 10 * second);
    REQUIRE(found.rows.size() == 3);
    const lifetimes::row& turned_over = found.rows[0];
    CHECK(turned_over.name == "f0");
    CHECK(turned_over.value.allocated == 800);
    CHECK(turned_over.value.freed == 600);
    REQUIRE(turned_over.seconds);
    CHECK(*turned_over.seconds == Approx(5));
    // Three in use and six freed. The interval for three of nine events in use is 7.485 % to 70.07
    // %, as R's binom.test(3, 9) has it.
    REQUIRE(turned_over.within);
    CHECK(turned_over.within->low == Approx(10 * 0.07485463 / 0.92514537).epsilon(1e-5));
    CHECK(turned_over.within->high == Approx(10 * 0.7007049 / 0.2992951).epsilon(1e-5));
    const lifetimes::row& kept = found.rows[1];
    CHECK(kept.name == "f1");
    CHECK_FALSE(kept.seconds);
    CHECK_FALSE(kept.within); // longer than the interval, and nobody knows how much
    const lifetimes::row& garbage = found.rows[2];
    CHECK(garbage.name == "f2");
    CHECK(garbage.seconds == 0.0);
    REQUIRE(garbage.within);
    CHECK(garbage.within->low == 0);
    CHECK(found.total.value.allocated == 920);

    report_options by_count;
    by_count.sample_type.emplace("inuse_objects");
    by_count.order = row_order::cum;
    const lifetimes counted = of(before, now, by_count);
    CHECK(to_string(counted.type) == "alloc_objects/count");
    CHECK(counted.rows.front().name == "main");
    CHECK(counted.rows.front().value.allocated == 11);
    REQUIRE(counted.rows.front().within); // of 8.5 in use on average and 8 freed
    CHECK(counted.rows.front().within->low == Approx(10 * 0.26259 / 0.73741).epsilon(1e-3));
    now.period = 0;
    CHECK_FALSE(of(before, now).rows.front().within);
}

TEST_CASE("a few large blocks make the number of small ones no more certain") {
    constexpr std::int64_t rate = 1 << 19;
    // Blocks of 16 bytes, of which few are sampled, and, if `large` is not 0, as many of 10 MB,
    // which all are.
    const auto capture = [](std::int64_t allocated, std::int64_t in_use, std::int64_t large,
                            std::int64_t time) {
        const heap_sample all = scale_heap_sample({allocated, allocated * 16}, rate);
        const heap_sample rest = scale_heap_sample({in_use, in_use * 16}, rate);
        test::profile p = heap({{all.count, all.bytes, rest.count, rest.bytes}}, time);
        p.samples[0].labels = {{.key = "bytes", .num = 16, .unit = "bytes"}};
        if (large != 0) {
            constexpr std::int64_t size = 10'000'000;
            p.samples.push_back({p.samples[0].stack,
                                 {large, large * size, large / 10, large / 10 * size},
                                 {{.key = "bytes", .num = size, .unit = "bytes"}}});
        }
        p.period = rate;
        return p;
    };
    const report_options objects{.sample_type = value_type_pattern("alloc_objects")};
    const lifetimes small =
        of(capture(60, 30, 0, 100 * second), capture(360, 30, 0, 110 * second), objects);
    const lifetimes both =
        of(capture(60, 30, 1000, 100 * second), capture(360, 30, 2000, 110 * second), objects);
    REQUIRE(small.total.within);
    REQUIRE(both.total.within);
    CHECK(*small.total.seconds == Approx(1));
    CHECK(small.total.within->low == Approx(0.66).epsilon(0.05));
    CHECK(small.total.within->high == Approx(1.46).epsilon(0.05));
    CHECK(both.total.within->low == Approx(small.total.within->low).epsilon(0.001));
    CHECK(both.total.within->high == Approx(small.total.within->high).epsilon(0.001));
}

TEST_CASE("the largest numbers have lifetimes, too") {
    constexpr std::int64_t most = std::int64_t{1} << 62U;
    test::profile before = heap({{1, 100, 1, 100}}, 100 * second);
    test::profile now = heap({{most, most, most / 2, most / 2}}, 110 * second);
    before.period = now.period = 1 << 19;
    for (const char* type : {"alloc_objects", "alloc_space"}) {
        const lifetimes found = of(before, now, {.sample_type = value_type_pattern(type)});
        REQUIRE(found.total.within);
        CHECK(found.total.within->low <= *found.total.seconds);
        CHECK(found.total.within->high >= *found.total.seconds);
    }
}

TEST_CASE("profiles without lifetimes are refused") {
    const test::profile before = heap({{10, 1000, 2, 200}}, 100 * second);
    test::profile now = heap({{18, 1800, 4, 400}}, 110 * second);
    const auto refuses = [&] {
        return fails_as(error_kind::incompatible, [&] { static_cast<void>(of(before, now)); });
    };
    CHECK_FALSE(refuses());
    now.time = 0;
    CHECK(refuses());
    now = heap({{1, 100, 1, 100}}, 110 * second); // which is a restart
    CHECK(refuses());
    const std::string alone = test::serialize(before);
    CHECK(fails_as(error_kind::incompatible,
                   [&] { static_cast<void>(make_lifetimes(viewed_profiles{alone}, {})); }));
}

namespace {

// The lifetimes of a series of captures, 10 s apart.
lifetimes of_series(const std::vector<test::profile>& captures) {
    profile_trend series;
    for (const test::profile& each : captures) {
        series.add(std::string_view{test::serialize(each)});
    }
    return series.lifetimes({}, row_order::flat);
}

} // namespace

TEST_CASE("lifetimes of a series are those of two captures, by all of them") {
    const std::vector<std::vector<std::int64_t>> first{{10, 1000, 2, 200}, {5, 500, 5, 500}};
    const std::vector<std::vector<std::int64_t>> last{{30, 3000, 2, 200}, {7, 700, 7, 700}};
    const test::profile before = heap(first, 100 * second);
    const test::profile now = heap(last, 120 * second);
    const lifetimes two = of_series({before, now});
    const lifetimes expected = of(before, now);
    CHECK(two.type == expected.type);
    CHECK(two.duration_nanos == 20 * second);
    REQUIRE(two.rows.size() == 2);
    CHECK(two.rows[0].seconds == expected.rows[0].seconds);
    CHECK(two.rows[0].within->high == expected.rows[0].within->high);
    CHECK_FALSE(two.rows[1].seconds);

    // More was in use in between; then the process starts over, which allocates nothing.
    const test::profile middle = heap({{20, 2000, 8, 800}, {6, 600, 6, 600}}, 110 * second);
    const test::profile again = heap({{2, 200, 2, 200}}, 500 * second);
    const test::profile end = heap({{12, 1200, 2, 200}}, 520 * second);
    const lifetimes all = of_series({again, before, now, end, middle});
    CHECK(all.duration_nanos == 40 * second);
    CHECK(all.rows[0].name == "f0");
    CHECK(all.rows[0].value.allocated == 3000);
    CHECK(all.rows[0].value.freed == 3000);
    CHECK(all.rows[0].value.mean_in_use == Approx((500 * 20 + 200 * 20) / 40.0));
    CHECK(*all.rows[0].seconds == Approx(350.0 / 3000 * 40));

    // Deltas say what was allocated before each of them.
    std::vector<test::profile> deltas{heap({{9, 900, 2, 200}}, 110 * second),
                                      heap({{10, 1000, 4, 400}}, 120 * second)};
    for (test::profile& each : deltas) {
        each.duration = 10 * second;
    }
    const lifetimes of_deltas = of_series(deltas);
    CHECK(of_deltas.duration_nanos == 10 * second);
    CHECK(of_deltas.total.value.allocated == 1000);
    CHECK(of_deltas.total.value.freed == 800);

    CHECK(fails_as(error_kind::incompatible, [&] { of_series({before}); }));
    CHECK(fails_as(error_kind::incompatible, [&] {
        profile_trend apart{{.are_independent = true}};
        apart.add(std::string_view{test::serialize(before)});
        apart.add(std::string_view{test::serialize(now)});
        static_cast<void>(apart.lifetimes({}, row_order::flat));
    }));
}

// Blocks are sampled once in 64 KiB, and of a row half live a third as long as the mean of all, and
// half longer than that. Blocks that live shorter than the time between captures are seen in few of
// them, and those that live longer in many. The lifetimes of two captures are those of a delta.
TEST_CASE("the interval of a lifetime holds the truth in 95 of 100 rows", "[long][trials]") {
    constexpr std::int64_t rate = 1 << 16;
    constexpr std::int64_t size = 1024;
    constexpr double between = 10; // seconds
    std::mt19937_64 random{1};
    int missed = 0;
    for (const std::size_t count : {2U, 10U}) {
        for (const double lifetime : {3.0, 20.0, 200.0, 1000.0}) {
            std::vector<std::vector<std::vector<std::int64_t>>> values(count);
            for (int row = 0; row < 500; ++row) {
                const double in_use = 1 + row % 40; // sampled
                const double start = -20 * lifetime;
                const double end = between * static_cast<double>(count);
                std::vector<heap_sample> allocated(count);
                std::vector<heap_sample> alive(count);
                std::exponential_distribution<double> next{in_use / lifetime};
                for (double at = start + next(random); at < end; at += next(random)) {
                    const double mean = lifetime / 3 * (random() % 2 == 0 ? 1 : 5);
                    const double until =
                        at + std::exponential_distribution<double>{1 / mean}(random);
                    for (std::size_t i = 0; i < count; ++i) {
                        const auto taken = static_cast<double>(i) * between;
                        allocated[i].count += at <= taken ? 1 : 0;
                        alive[i].count += at <= taken && until > taken ? 1 : 0;
                    }
                }
                for (std::size_t i = 0; i < count; ++i) {
                    const auto scaled = [](std::int64_t events) {
                        return scale_heap_sample({events, events * size}, rate);
                    };
                    const heap_sample all = scaled(allocated[i].count);
                    const heap_sample rest = scaled(alive[i].count);
                    values[i].push_back({all.count, all.bytes, rest.count, rest.bytes});
                }
            }
            std::vector<test::profile> captures;
            for (std::size_t i = 0; i < count; ++i) {
                captures.push_back(
                    heap(values[i], (100 + static_cast<std::int64_t>(i) * 10) * second));
                captures.back().period = rate;
            }
            int judged = 0;
            int held = 0;
            for (const lifetimes::row& row : of_series(captures).rows) {
                if (row.within && row.name != "main") {
                    ++judged;
                    held += row.within->low <= lifetime && lifetime <= row.within->high ? 1 : 0;
                }
            }
            CAPTURE(count, lifetime, judged, held);
            // Of what lives much longer than is observed, nothing was freed in many rows.
            CHECK(judged > (lifetime > between * static_cast<double>(count) * 2 ? 150 : 450));
            CHECK(held >= judged * 95 / 100);
            missed += judged - held;
        }
    }
    CHECK(missed > 0); // or it would say nothing
}
