// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <vector>

#include <pprofdelta/statistics.hpp>
#include <pprofdelta/trend_statistics.hpp>

#include "statistics/order.hpp"

#include "catch.hpp"
#include "near.hpp"

using namespace pprofdelta::test;
using namespace pprofdelta;

// Published examples, and what random cases do not show. tests/statistics computes thousands of
// those in other ways: tests of U, S, rises and changes, shifts, slopes, drifts, medians,
// corrections and permutations.
namespace {

u_test::result u_test_of(const numbers& from, const numbers& to) {
    return u_test{from.size(), to.size()}.test(from, to);
}

u_test::shift estimate(const numbers& from, const numbers& to, double alpha = 0.05) {
    return u_test{from.size(), to.size()}.estimate(from, to, alpha);
}

} // namespace

TEST_CASE("a median is the middle one, or the mean of two") {
    CHECK(median({}) == 0);
    CHECK(median(numbers{9, 1, 5}) == 5);
    CHECK(median(numbers{9, 1, 5, 6}) == 5.5);
    CHECK_FALSE(median_interval({}, 0.05));
}

TEST_CASE("a test without noise or rows is not moderated") {
    const moderated_test alone{3, 3, {}};
    CHECK(alone.test(numbers{7, 7, 7, 7, 7, 7}).p == 1);
    CHECK(alone.test(numbers{7, 7, 7, 8, 8, 8}).p == 1);        // nothing is known of the noise
    CHECK(alone.test(numbers{1, 4, 9, 4, 9, 16}).freedom == 4); // Student's
    // The variance is that of one of seven and a half events more or less in each: t is 1.221.
    CHECK(alone.test(numbers{7, 7, 7, 8, 8, 8}, 1 / 30.0).p == Approx(0.289).epsilon(0.01));
    CHECK(alone.test_total(numbers{7, 7, 7, 8, 8, 8}, 1 / 30.0).p == Approx(0.289).epsilon(0.01));
    CHECK(alone.test(numbers{1, 4, 9, 4, 9, 16}, 0.01).p ==
          alone.test(numbers{1, 4, 9, 4, 9, 16}).p);
    CHECK(alone.test(numbers{1, 2, 3, 4, 5, 6}).change_within(1e-300).high > 1e100);
}
TEST_CASE("U and p are those of published examples") {
    // M. Hollander, D. A. Wolfe, Nonparametric Statistical Methods, chapter 4: how permeable a
    // membrane is; and the first example of R's wilcox.test(), which has U = 35 and p = 0.1272 on
    // one side.
    const numbers at_term{0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46};
    const numbers early{1.15, 0.88, 0.90, 0.74, 1.21};
    const u_test::result membrane = u_test_of(early, at_term);
    CHECK(membrane.u == 35);
    CHECK(is_near(membrane.p, 764.0 / 3003)); // 0.2544
    CHECK(u_test_of(at_term, early).u == 15);
    CHECK(is_near(u_test_of(at_term, early).p, 764.0 / 3003));
    const u_test::shift later = estimate(early, at_term);
    CHECK(is_near(later.value, 0.305));
    REQUIRE(later.within);
    CHECK(is_near(later.within->low, -0.15));
    CHECK(is_near(later.within->high, 0.76));
}

TEST_CASE("p is approximated for more than 900 pairs") {
    CHECK(u_test{30, 30}.is_exact());
    CHECK(u_test{1, 900}.is_exact());
    CHECK(u_test{900, 1}.is_exact());
    CHECK_FALSE(u_test{30, 31}.is_exact());
    CHECK_FALSE(u_test{901, 1}.is_exact());
}

TEST_CASE("a test may be used again and again") {
    u_test tests{4, 4};
    const numbers base{1, 2, 3, 4};
    for (int i = 0; i < 1000; ++i) { // more ties than it remembers
        const numbers head{1.0 * (i % 6), 2.0 * (i % 5), 3, 1.0 * (i % 7)};
        CHECK(tests.test(base, head).p == u_test_of(base, head).p);
    }
    CHECK(is_near(tests.test(base, numbers{5, 6, 7, 8}).p, 2.0 / 70));
    CHECK(tests.test(base, base).p == 1);
}

TEST_CASE("a correction of no rows is none") {
    CHECK(correct_by_holm({}).empty());
    CHECK(correct_by_holm(numbers{1, 0}) == numbers{1, 0});
    CHECK(correct_by_benjamini_hochberg({}).empty());
}

TEST_CASE("the same of too many ways are drawn each time, with the observed one among them") {
    const permutation_test sides = permutation_test::of_sides(12, 12);
    CHECK_FALSE(sides.is_exact());
    numbers apart(24);
    std::iota(apart.begin(), apart.end(), 1.0);
    const auto first = sides.test(std::vector<numbers>{apart});
    CHECK(first[0].p >= sides.least_p());
    CHECK(first[0].p <= 3 * sides.least_p()); // chance alone would give 2 of 2.7 million
    CHECK(sides.test(std::vector<numbers>{apart})[0].p == first[0].p);
    // One of two equal halves is as far in every way.
    numbers even(24);
    for (std::size_t i = 0; i < even.size(); ++i) {
        even[i] = static_cast<double>(i / 2 % 2);
    }
    CHECK(sides.test(std::vector<numbers>{even})[0].p == 1);
    const permutation_test pairs = permutation_test::of_pairs(20);
    CHECK_FALSE(pairs.is_exact());
    CHECK(pairs.test(std::vector<numbers>{numbers(20, 1)})[0].p <= 3 * pairs.least_p());
    // A sign test: the exact p of 15 of 20 is 0.0414.
    numbers most(20, 1);
    std::fill_n(most.begin(), 5, -1);
    CHECK(std::fabs(pairs.test(std::vector<numbers>{most})[0].p - 0.0414) < 0.005);
}

namespace {

using sizes = std::vector<std::size_t>;

} // namespace
TEST_CASE("equal numbers have no trend, and neither have too few") {
    CHECK(trend_test{{5}}.test(numbers{3, 3, 3, 3, 3}).p == 1);
    CHECK(trend_test{{100}}.test(numbers(100, 1.0)).p == 1);
    CHECK(trend_test{{1}}.test(numbers{7}).p == 1);
    CHECK(trend_test{{1, 1}}.test(numbers{7, 9}).s == 0);
    CHECK(trend_test{{}}.test({}).p == 1);
    CHECK(is_near(trend_test{{5}}.least_p(), 2.0 / 120));
    CHECK(is_near((trend_test{{3, 3}}.least_p()), 2.0 / 36));
}

TEST_CASE("a step without noise has no slope, and growth beside it has") {
    numbers times;
    numbers values;
    numbers jump;
    for (int i = 0; i < 40; ++i) {
        times.push_back(i / 60.0);
        jump.push_back(i < 20 ? 0 : 1);
        values.push_back(7e7 * jump.back());
    }
    const drift_model model{times, sizes{40}};
    const drift_model::result step = model.fit(values, jump);
    CHECK(step.slope.value == 0);
    CHECK(step.extra.value == Approx(7e7));
    for (int i = 0; i < 40; ++i) {
        values[static_cast<std::size_t>(i)] += i;
    }
    CHECK(model.fit(values, jump).slope.value == Approx(60));
}

TEST_CASE("a drift that numbers cannot tell has an infinite interval") {
    const double infinite = std::numeric_limits<double>::infinity();
    CHECK(drift_model{numbers{0, 1}, sizes{2}}.fit(numbers{3, 4}).slope.deviation == infinite);
    CHECK(drift_model{numbers{0, 1, 2}, sizes{1, 1, 1}}.fit(numbers{3, 4, 8}).slope.deviation ==
          infinite);
    const numbers times{0, 1, 2, 3};
    CHECK(drift_model{times, sizes{4}}.fit(numbers{3, 4, 8, 1}, times).extra.deviation == infinite);
    CHECK(drift_model{numbers{0, 1}, sizes{2}}.reach(0.05) == infinite);
    // The quantiles of Student's distribution.
    CHECK(drift_model{numbers(20), sizes{20}}.reach(0.05) == Approx(2.110).epsilon(0.001));
    CHECK(drift_model{numbers(20), sizes{20}}.reach(0.01, 2) == Approx(2.921).epsilon(0.002));
    CHECK(drift_model{numbers(5), sizes{5}}.reach(0.05) == Approx(4.303).epsilon(0.05));
}
