// SPDX-License-Identifier: Apache-2.0
// The values of sums and means: weights, rounding, levels, and what does not fit.
#include <pprofdelta/merge.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "catch.hpp"
#include "error_from.hpp"
#include "message_builder.hpp"
#include "profile_builder.hpp"
#include "sums.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

TEST_CASE("a weight is a factor, and halves are rounded away from zero") {
    profile_sum sum;
    add(sum, with_values({{1, 10}, {-1, 11}, {-3, -10}, {2, 4}}), 0.5);
    CHECK(values_of(written(sum)) == values{{1, 5}, {-1, 6}, {-2, -5}, {1, 2}});
    add(sum, with_values({{1, 10}}), 3);
    CHECK(values_of(written(sum)) == values{{4, 35}, {-1, 6}, {-2, -5}, {1, 2}});
    // What is rounded to nothing is left out.
    profile_sum small;
    add(small, with_values({{1, 2}, {10, 0}}), 0.1);
    const profile found = written(small);
    CHECK(values_of(found) == values{{1, 0}});
    CHECK(found.functions.size() == 1);
}

TEST_CASE("a whole weight is exact, however large the value is") {
    constexpr std::int64_t odd = (std::int64_t{1} << 60) + 1; // no double
    profile_sum sum;
    add(sum, with_values({{odd, -odd}}), 3);
    CHECK(values_of(written(sum)) == values{{3 * odd, -3 * odd}});
}

TEST_CASE("a weight that is not positive and finite is refused") {
    profile_sum sum;
    const double infinity = std::numeric_limits<double>::infinity();
    for (const double weight : {0.0, -1.0, infinity, std::numeric_limits<double>::quiet_NaN()}) {
        CHECK(fails_as(error_kind::invalid_argument, [&] {
            add(sum, with_values({{1, 1}}), weight);
        }));
    }
    CHECK(sum.size() == 0);
}

TEST_CASE("a mean is divided exactly, and halves are rounded away from zero") {
    profile_sum sum;
    profile p = with_values({{1, -1}, {most, least}, {2, -2}});
    p.duration = 5;
    add(sum, p);
    CHECK(mean_of(sum) == written(sum));
    p = with_values({{0, 0}, {0, 0}, {1, -1}});
    p.duration = 2;
    add(sum, p);
    const profile halved = mean_of(sum);
    CHECK(values_of(halved) ==
          values{{1, -1}, {(std::int64_t{1} << 62), -(std::int64_t{1} << 62)}, {2, -2}});
    CHECK(halved.duration == 4);
    std::string bytes;
    CHECK(sum.write_mean(bytes).duration_nanos == 4);
}

TEST_CASE("the duration of a mean is that of a profile, whatever the weights") {
    profile p = with_values({{4, 8}});
    p.duration = 10;
    profile_sum sum;
    add(sum, p, 2);
    add(sum, p, 0.5);
    CHECK(mean_of(sum).duration == 10);
    CHECK(values_of(mean_of(sum)) == values{{4, 8}});
    CHECK(written(sum).duration == 20);
    p.duration = 20;
    add(sum, p, 2.5);
    CHECK(mean_of(sum).duration == 15);
    p.duration = longest;
    add(sum, p, 1000); // fits only where durations are not multiplied
    CHECK(written(sum).duration == longest + 40);
    CHECK(fails_as(error_kind::too_large, [&] { mean_of(sum); }));
}

TEST_CASE("what a mean rounds to nothing goes with all that only it refers to") {
    profile_sum sum;
    profile p = with_values({{1, 1}, {9, 9}});
    p.samples[0].labels = {{"only here", "a text", 0, "", ""}};
    p.comments = {"one", "two"};
    p.unknown = message_builder{}.number(100, 7).str();
    p.mappings = {{1, 0x1000, 0x2000, 0, "/bin/main", "", false, ""}};
    add(sum, p);
    for (int i = 0; i < 2; ++i) {
        add(sum, with_values({}));
    }
    CHECK(values_of(written(sum)) == values{{1, 1}, {9, 9}});
    const profile mean = mean_of(sum);
    CHECK(values_of(mean) == values{{3, 3}});
    CHECK(mean.functions.size() == 1);
    CHECK(mean.comments == p.comments);
    CHECK(mean.unknown == p.unknown);
    CHECK(mean.mappings.size() == 1);
    std::string bytes;
    CHECK(sum.write_mean(bytes).samples_out == 1);
    CHECK(bytes.find("only here") == std::string::npos);
}

TEST_CASE("a mean of small weights can be too large") {
    profile_sum sum;
    add(sum, with_values({{most / 2, 1}}), 1e-18);
    CHECK(values_of(written(sum)) == values{{5, 0}});
    CHECK(values_of(mean_of(sum)) == values{{5'000'000'000'000'000'000, 0}});
    add(sum, with_values({{0, 0}, {2, 0}}), 1e-300);
    CHECK(values_of(mean_of(sum)) == values{{5'000'000'000'000'000'000, 0}});
    profile_sum half;
    add(half, with_values({{least, 0}}), 0.5);
    CHECK(values_of(mean_of(half)) == values{{least, 0}});
    profile_sum up;
    add(up, with_values({{std::int64_t{1} << 62, 0}}), 0x1p-63); // a half, which is rounded to 1
    CHECK(values_of(written(up)) == values{{1, 0}});
    std::string bytes;
    CHECK(fails_as(error_kind::too_large, [&] { up.write_mean(bytes); }));
}

TEST_CASE("a sum that does not fit is refused, and what was there stays") {
    profile_sum sum;
    add(sum, with_values({{1, most - 5}, {0, least + 5}}));
    const profile before = written(sum);
    for (const auto& next : {with_values({{3, 6}}), with_values({{3, 0}, {3, -6}}),
                             with_values({{3, 5}, {3, -5}, {4, 4}, {most, 0}, {1, 6}})}) {
        profile p = next;
        if (p.samples.size() == 5) { // new ones before the one that is too much
            p.samples[4].stack = p.samples[3].stack;
        }
        CHECK(fails_as(error_kind::too_large, [&] { add(sum, p); }));
        CHECK(sum.size() == 1);
        CHECK(written(sum) == before);
    }
    CHECK(fails_as(error_kind::too_large, [&] { add(sum, with_values({{2, 0}}), 0x1p62); }));
    CHECK(fails_as(error_kind::too_large, [&] { add(sum, with_values({{2, 0}}), 1e300); }));
    CHECK(written(sum) == before);
    add(sum, with_values({{0, 5}, {0, -5}}));
    CHECK(values_of(written(sum)) == values{{1, most}, {0, least}});
}

TEST_CASE("a duration that does not fit is refused") {
    profile p = with_values({{1, 1}});
    p.duration = longest;
    profile_sum sum;
    for (int i = 0; i < 9; ++i) {
        add(sum, p);
    }
    CHECK(fails_as(error_kind::too_large, [&] { add(sum, p); }));
    CHECK(written(sum).duration == 9 * longest);
}

TEST_CASE("the time since 1970 is no duration, and is left out") {
    profile p = with_values({{1, 1}});
    profile_sum sum;
    p.duration = longest + 1;
    for (int i = 0; i < 10; ++i) {
        add(sum, p);
    }
    p.duration = 22;
    add(sum, p);
    std::string bytes;
    const merge_summary summary = sum.write(bytes);
    CHECK(summary.profiles == 11);
    CHECK(summary.without_duration == 10);
    CHECK(summary.duration_nanos == 22);
    CHECK(written(sum).duration == 22);
    CHECK(mean_of(sum).duration == 2);
}

TEST_CASE("samples of zeros are left out with what only they refer to") {
    profile p = with_values({{0, 0}, {1, 0}, {0, 0}});
    p.samples[0].labels = {{"only here", "a text", 0, "", ""}};
    const profile sum = sum_of({p});
    CHECK(values_of(sum) == values{{1, 0}});
    CHECK(sum.functions.size() == 1);
    CHECK(sum.locations.size() == 1);
}

TEST_CASE("samples that cancel out are left out with what only they refer to") {
    profile_sum sum;
    add(sum, with_values({{1, 10}, {2, 20}}));
    add(sum, with_values({{-1, -10}}));
    const profile found = written(sum);
    CHECK(values_of(found) == values{{2, 20}});
    CHECK(found.functions.size() == 1);
    std::string bytes;
    const merge_summary summary = sum.write(bytes);
    CHECK(summary.samples_in == 3);
    CHECK(summary.samples_out == 1);
    // They are counted on from there.
    add(sum, with_values({{5, 5}}));
    CHECK(values_of(written(sum)) == values{{5, 5}, {2, 20}});
}

TEST_CASE("of gauges there is the sum, the last, the mean or the most, and of counters the sum") {
    const auto at = [](std::int64_t time, const values& rows) {
        profile p = with_values(rows);
        p.types = {{"alloc_space", "bytes"}, {"inuse_space", "bytes"}};
        p.time = time;
        return p;
    };
    // The second one is the latest; the last sample is gone there, or zero.
    const std::vector<profile> series{at(1, {{1, 10}, {2, 20}, {0, 30}}), at(3, {{4, 15}, {0, 2}}),
                                      at(2, {{0, 12}, {3, 40}, {0, 60}})};
    const auto found = [&](level_policy levels, const char* cumulative = nullptr) {
        merge_options options;
        options.levels = levels;
        if (cumulative != nullptr) {
            options.cumulative.emplace_back(cumulative);
        }
        return values_of(sum_of(series, options));
    };
    CHECK(found(level_policy::sum) == values{{5, 37}, {5, 62}, {0, 90}});
    CHECK(found(level_policy::last) == values{{5, 15}, {5, 2}});
    CHECK(found(level_policy::mean) == values{{5, 12}, {5, 21}, {0, 30}});
    CHECK(found(level_policy::max) == values{{5, 15}, {5, 40}, {0, 60}});
    CHECK(found(level_policy::max, "inuse_space") == found(level_policy::sum));
    CHECK(fails_as(error_kind::incompatible, [&] { found(level_policy::max, "other"); }));
}

TEST_CASE("without times the last levels are those of the profile that is added last") {
    merge_options options;
    options.levels = level_policy::last;
    profile_sum sum{options};
    for (const std::int64_t time : {5, 0, 1}) {
        profile p = with_values({{10 + time, 20 + time}});
        p.time = time;
        add(sum, p, 2);
    }
    CHECK(values_of(written(sum)) == values{{22, 42}});
    CHECK(values_of(mean_of(sum)) == values{{22, 42}});
}
