// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/trend_statistics.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <random>
#include <vector>

#include "catch.hpp"
#include "near.hpp"
#include "statistics/order.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

namespace {

using sizes = std::vector<std::size_t>;

// Of the pairs within runs.
double s_of(const numbers& values, const sizes& runs) {
    double s = 0;
    std::size_t first = 0;
    for (const std::size_t count : runs) {
        for (std::size_t i = first; i < first + count; ++i) {
            for (std::size_t j = i + 1; j < first + count; ++j) {
                s += values[j] > values[i] ? 1 : values[j] < values[i] ? -1 : 0;
            }
        }
        first += count;
    }
    return s;
}

// All orders of the numbers of each run, by what S they give; of one run after the other.
void count_orders(numbers& values, const sizes& runs, std::size_t run, double least, double& as_far,
                  double& all) {
    if (run == runs.size()) {
        ++all;
        as_far += std::fabs(s_of(values, runs)) >= least ? 1 : 0;
        return;
    }
    const auto first =
        values.begin() +
        static_cast<std::ptrdiff_t>(std::accumulate(
            runs.begin(), runs.begin() + static_cast<std::ptrdiff_t>(run), std::size_t{0}));
    const auto last = first + static_cast<std::ptrdiff_t>(runs[run]);
    const numbers before{first, last};
    std::sort(first, last);
    do {
        count_orders(values, runs, run + 1, least, as_far, all);
    } while (std::next_permutation(first, last));
    std::copy(before.begin(), before.end(), first);
}

} // namespace

TEST_CASE("S and p of a trend are those of all orders of the numbers") {
    std::mt19937 random{20};
    for (int i = 0; i < 60; ++i) {
        const sizes runs = i % 3 == 0 ? sizes{6} : i % 3 == 1 ? sizes{3, 4} : sizes{2, 1, 4};
        numbers values;
        for (std::size_t n = std::accumulate(runs.begin(), runs.end(), std::size_t{0}); n > 0;
             --n) {
            values.push_back(static_cast<double>(random() % (i % 2 == 0 ? 4 : 1000)));
        }
        const trend_test::result found = trend_test{runs}.test(values);
        CHECK(found.s == s_of(values, runs));
        double as_far = 0;
        double all = 0;
        count_orders(values, runs, 0, std::fabs(found.s), as_far, all);
        CHECK(is_near(found.p, as_far / all));
    }
}

TEST_CASE("a trend of many numbers is tested by the normal distribution") {
    numbers values(41);
    std::iota(values.begin(), values.end(), 0.0);
    std::swap(values[0], values[40]);
    trend_test test{{values.size()}};
    CHECK_FALSE(test.is_exact());
    const trend_test::result found = test.test(values);
    CHECK(found.s == 820 - 2 * 79);
    CHECK(is_near(found.p, std::erfc(662 / std::sqrt(41.0 * 40 * 87 / 18) / std::sqrt(2.0))));
}

TEST_CASE("equal numbers have no trend, and neither have too few") {
    CHECK(trend_test{{5}}.test(numbers{3, 3, 3, 3, 3}).p == 1);
    CHECK(trend_test{{100}}.test(numbers(100, 1.0)).p == 1);
    CHECK(trend_test{{1}}.test(numbers{7}).p == 1);
    CHECK(trend_test{{1, 1}}.test(numbers{7, 9}).s == 0);
    CHECK(trend_test{{}}.test({}).p == 1);
    CHECK(is_near(trend_test{{5}}.least_p(), 2.0 / 120));
    CHECK(is_near((trend_test{{3, 3}}.least_p()), 2.0 / 36));
}

TEST_CASE("a slope is the median of those of all pairs") {
    const numbers times{0, 1, 2, 4, 8, 9};
    const numbers values{0, 3, 4, 8, 30, 18};
    const trend_slope found = estimate_slope(times, values, sizes{6}, 0.05);
    CHECK(found.value == Approx(28.0 / 13).epsilon(0.2));
    numbers slopes;
    for (std::size_t i = 0; i < 6; ++i) {
        for (std::size_t j = i + 1; j < 6; ++j) {
            slopes.push_back((values[j] - values[i]) / (times[j] - times[i]));
        }
    }
    std::sort(slopes.begin(), slopes.end());
    CHECK(found.value == slopes[7]);
    // 1.96 * sqrt(6 * 5 * 17 / 18) is 10.4: the places round((15 -+ 10.4) / 2), as Sen has them.
    REQUIRE(found.within);
    CHECK(found.within->low == slopes[1]);
    CHECK(found.within->high == slopes[13]);
}

TEST_CASE("slopes are those within runs") {
    const trend_slope found =
        estimate_slope(numbers{0, 1, 2, 3}, numbers{0, 1, 100, 103}, sizes{2, 2}, 0.05);
    CHECK(found.value == 2);
    CHECK_FALSE(found.within);
    CHECK(estimate_slope(numbers{5}, numbers{1}, sizes{1}, 0.05).value == 0);
}

TEST_CASE("slopes of many numbers are those of all pairs by their ranks") {
    std::mt19937 random{21};
    for (int kind = 0; kind < 10; ++kind) {
        const sizes runs = kind % 3 == 2 ? sizes{150, 1, 250} : sizes{300U + random() % 200};
        numbers times;
        numbers values;
        for (const std::size_t count : runs) {
            double walk = 0;
            for (std::size_t i = 0; i < count; ++i) {
                const auto noise = static_cast<double>(random() % 1000);
                times.push_back(kind < 5 ? static_cast<double>(i) / 60
                                         : static_cast<double>(i) + noise / 2000);
                walk += random() % 3 == 0 ? 524288 : 0;
                values.push_back(kind == 0   ? 7                                 // equal
                                 : kind == 1 ? 0.1 * static_cast<double>(i)      // a line
                                 : kind == 2 ? walk                              // stairs
                                 : kind == 3 ? static_cast<double>(random() % 4) // samples
                                 : kind == 4 ? (noise < 900 ? 0 : noise)         // mostly zeros
                                 : kind == 5 ? std::exp(noise / 100)             // any
                                 : kind == 6 ? 1e18 + noise * 256                // huge
                                 : kind == 7 ? (i < 200 ? 0 : 1e6)               // a step
                                 : kind == 8
                                     ? 3 * static_cast<double>(i) + noise // with noise
                                     : std::floor(static_cast<double>(i) / 10) - noise); // falls
            }
        }
        numbers slopes;
        std::size_t first = 0;
        for (const std::size_t count : runs) {
            for (std::size_t i = first; i < first + count; ++i) {
                for (std::size_t j = i + 1; j < first + count; ++j) {
                    slopes.push_back((values[j] - values[i]) / (times[j] - times[i]));
                }
            }
            first += count;
        }
        std::sort(slopes.begin(), slopes.end());
        slope_ranks found{times, values, runs};
        REQUIRE(found.count() == slopes.size());
        for (const std::size_t rank :
             {slopes.size() / 2, slopes.size() / 3, std::size_t{0}, std::size_t{1},
              slopes.size() - 1, slopes.size() * 9 / 10, slopes.size() / 2 + 1000}) {
            INFO(kind << " " << rank);
            CHECK(is_near(found.at(rank), slopes[rank]));
        }
        CHECK(estimate_slope(times, values, runs, 0.05).value ==
              Approx((slopes[(slopes.size() - 1) / 2] + slopes[slopes.size() / 2]) / 2));
        CHECK(trend_test{runs}.test(values).s == s_of(values, runs));
    }
}

TEST_CASE("changes that go one way are not there by chance") {
    CHECK(rise_by_chance(numbers{1, 1, 1, 1}) == 1.0 / 16);
    CHECK(rise_by_chance(numbers{1, 0, 2, 0, 4, 8}) == 1.0 / 16);
    CHECK(rise_by_chance(numbers{-1, 2, 4, 8}) == 2.0 / 16);
    CHECK(rise_by_chance(numbers{-8, 4}) == 3.0 / 4);
    CHECK(rise_by_chance({}) == 1);
    CHECK(rise_by_chance(numbers(17, 2.0)) ==
          Approx(std::erfc(std::sqrt(17.0) / std::sqrt(2.0)) / 2));
}

TEST_CASE("a change is where the numbers on both sides differ most") {
    change_test test;
    const numbers jumped{3, 1, 2, 5, 4, 13, 11, 12, 15, 14, 16};
    // Of 462 ways to choose five two are as far from the mean, and there are six places.
    CHECK(test.test(jumped).at == 5);
    CHECK(is_near(test.test(jumped).p, 2.0 / 462 * 6));
    CHECK(is_near(change_test::least_p(11), 2.0 / 462 * 6));
    CHECK(test.test(numbers(20, 7.0)).p == 1);
    CHECK(test.test(numbers{1, 2, 3, 4, 5}).p == 1);
    CHECK(test.test({}).p == 1);
    CHECK(change_test::least_p(5) == 1);
    // Never too small, of all orders of the numbers, also with equal ones.
    for (const numbers& sample :
         {numbers{1, 2, 3, 4, 5, 6, 7, 8}, numbers{1, 1, 1, 2, 2, 3, 4, 4}}) {
        std::vector<double> found;
        numbers order = sample;
        do {
            found.push_back(test.test(order).p);
        } while (std::next_permutation(order.begin(), order.end()));
        std::sort(found.begin(), found.end());
        for (std::size_t i = 0; i < found.size(); ++i) {
            const bool is_last = i + 1 == found.size() || found[i + 1] > found[i];
            if (is_last &&
                found[i] < static_cast<double>(i + 1) / static_cast<double>(found.size())) {
                CHECK(found[i] >= static_cast<double>(i + 1) / static_cast<double>(found.size()));
            }
        }
    }
}
