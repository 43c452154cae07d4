// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <random>
#include <vector>

#include <pprofdelta/statistics.hpp>
#include <pprofdelta/trend_statistics.hpp>

#include "statistics/order.hpp"

#include "catch.hpp"
#include "near.hpp"

using namespace pprofdelta::test;
using namespace pprofdelta;

namespace {

u_test::result u_test_of(const numbers& from, const numbers& to) {
    return u_test{from.size(), to.size()}.test(from, to);
}

u_test::shift estimate(const numbers& from, const numbers& to, double alpha = 0.05) {
    return u_test{from.size(), to.size()}.estimate(from, to, alpha);
}

bool is(const std::optional<interval>& found, double low, double high) {
    return found && found->low == low && found->high == high;
}

numbers from_to(double first, double last) {
    numbers all(static_cast<std::size_t>(last - first) + 1);
    std::iota(all.begin(), all.end(), first);
    return all;
}

// So many numbers of each side, all different, in whose pairs the head is larger `u` times.
struct sides {
    numbers base;
    numbers head;
};
sides with_u(std::size_t base, std::size_t head, std::size_t u) {
    sides s{from_to(1, static_cast<double>(base)), {}};
    for (std::size_t i = 0; i < head; ++i) {
        const std::size_t larger_than = std::min(base, u);
        u -= larger_than;
        s.head.push_back(static_cast<double>(larger_than) + 0.5 - static_cast<double>(i) / 1000);
    }
    REQUIRE(u == 0);
    return s;
}

} // namespace

TEST_CASE("the median is the middle one, or the mean of two") {
    CHECK(median({}) == 0);
    CHECK(median(numbers{7}) == 7);
    CHECK(median(numbers{9, 1, 5}) == 5);
    CHECK(median(numbers{9, 1, 5, 6}) == 5.5);
    CHECK(median(numbers{-3, -3, 8, -3}) == -3);
}

TEST_CASE("a median has an interval from 6 numbers on") {
    const auto of = [](std::size_t count, double alpha) {
        numbers all = from_to(1, static_cast<double>(count));
        std::reverse(all.begin(), all.end());
        return median_interval(all, alpha);
    };
    CHECK_FALSE(median_interval({}, 0.05));
    CHECK_FALSE(median_interval(numbers{1}, 0.5));
    CHECK_FALSE(of(5, 0.05));       // 2/32
    CHECK(is(of(6, 0.05), 1, 6));   // 2/64
    CHECK(is(of(8, 0.05), 1, 8));   // 2/256, and with the next 18/256
    CHECK(is(of(9, 0.05), 2, 8));   // 20/512
    CHECK(is(of(10, 0.05), 2, 9));  // 22/1024, and with the next 112/1024
    CHECK(is(of(20, 0.05), 6, 15)); // as tables have it
    CHECK(is(of(30, 0.05), 10, 21));
    CHECK(is(of(30, 0.01), 8, 23));
    CHECK_FALSE(of(7, 0.01));     // 2/128
    CHECK(is(of(8, 0.01), 1, 8)); // 2/256
    CHECK(is(of(2000, 0.05), 956, 1045));
    CHECK(is(median_interval(numbers{4, 4, 4, 4, 4, 4}, 0.05), 4, 4));
}

// As numpy and scipy have it, by moderated() of tests/statistics/compare/statistics.
TEST_CASE("a moderated test is by the noise of all rows") {
    const std::vector<numbers> rows{{1000, 1100, 950, 1500, 1620, 1490},
                                    {5000, 5200, 4900, 5100, 5050, 5300},
                                    {400, 380, 430, 410, 395, 420},
                                    {20, 30, 10, 25, 15, 30},
                                    {9000, 9400, 8800, 9300, 9100, 9500}};
    const moderated_test test{3, 3, rows};
    const auto is = [](const moderated_test::result& found, double t, double freedom, double p) {
        return is_near(found.t(), t, 1e-9) && is_near(found.freedom, freedom, 1e-9) &&
               is_near(found.p, p, 1e-9);
    };
    CHECK(is(test.test(rows[0]), 8.75625927, 8.041252637, 2.194915889e-05));
    CHECK(is(test.test(rows[1]), 0.9528650519, 4.800478391, 0.3861335792));
    CHECK(is(test.test(rows[2]), 0.2274089051, 7.668744096, 0.8260507859));
    CHECK(is(test.test(rows[3]), 0.5412142807, 5.682064028, 0.6089050487));
    numbers total(6);
    for (const numbers& row : rows) {
        std::transform(row.begin(), row.end(), total.begin(), total.begin(), std::plus<>{});
    }
    CHECK(is(test.test_total(total), 2.548177101, 4, 0.06342794219));

    // An interval has 0 only if p is larger than alpha.
    const moderated_test::result found = test.test(rows[0]);
    CHECK(found.change_within(found.p * 1.001).low > 0);
    CHECK(found.change_within(found.p * 0.999).low < 0);
    CHECK(found.within(found.head, 0.05).low > found.within(found.base, 0.05).high);

    // Without noise or rows there is nothing to moderate.
    const moderated_test alone{3, 3, {}};
    CHECK(alone.test(numbers{7, 7, 7, 7, 7, 7}).p == 1);
    CHECK(alone.test(numbers{0, 0, 0, 0, 0, 0}).p == 1);
    CHECK(alone.test(numbers{7, 7, 7, 8, 8, 8}).p == 0);
    CHECK(alone.test(numbers{1, 4, 9, 4, 9, 16}).freedom == 4); // Student's
}

TEST_CASE("an interval of the median may have a chance of just alpha") {
    for (int count = 2; count <= 50; ++count) {
        CAPTURE(count);
        const numbers all = from_to(1, count);
        const double alpha = 2 * std::ldexp(1.0, -count);
        CHECK(is(median_interval(all, alpha), 1, count));
        CHECK_FALSE(median_interval(all, alpha * 0.999));
    }
}

TEST_CASE("equal numbers share the mean of their ranks") {
    CHECK(ranks({}, {}).empty());
    CHECK(ranks(numbers{5}, numbers{3}) == numbers{2, 1});
    CHECK(ranks(numbers{3, 1, 2}, numbers{0, 9}) == numbers{4, 2, 3, 1, 5});
    CHECK(ranks(numbers{1, 2}, numbers{2, 3}) == numbers{1, 2.5, 2.5, 4});
    CHECK(ranks(numbers{7, 7}, numbers{7}) == numbers{2, 2, 2});
    CHECK(ranks(numbers{0, 5, 0, 0}, numbers{5, -1}) == numbers{3, 5.5, 3, 3, 5.5, 1});
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

    // The tests of golang.org/x/perf's library, that benchstat uses.
    CHECK(u_test_of({2, 1, 3, 5}, {12, 11, 13, 15}).u == 16);
    CHECK(is_near(u_test_of({2, 1, 3, 5}, {12, 11, 13, 15}).p, 2.0 / 70));
    CHECK(is_near(u_test_of({2, 1, 3, 5}, {0, 4, 6, 7}).p, 34.0 / 70));

    // Aesop's tortoise and hare: in which order six of each came in.
    const numbers tortoises{12, 6, 5, 4, 3, 2};
    const numbers hares{11, 10, 9, 8, 7, 1};
    CHECK(u_test_of(hares, tortoises).u == 11);
    CHECK(is_near(u_test_of(hares, tortoises).p, 286.0 / 924));
}

TEST_CASE("p is at most 0.05 up to the U of tables") {
    struct entry {
        std::size_t base;
        std::size_t head;
        std::size_t u;
    };
    // Of two-sided tests, as in S. Siegel, Nonparametric Statistics for the Behavioral Sciences,
    // table K.
    for (const auto& [base, head, u] :
         {entry{4, 4, 0}, entry{5, 5, 2}, entry{6, 6, 5}, entry{7, 7, 8}, entry{8, 8, 13},
          entry{9, 9, 17}, entry{10, 10, 23}, entry{12, 12, 37}, entry{15, 15, 64},
          entry{20, 20, 127}, entry{3, 5, 0}, entry{8, 10, 17}, entry{5, 20, 20}}) {
        CAPTURE(base, head);
        const sides just_real = with_u(base, head, u);
        const sides not_real = with_u(base, head, u + 1);
        CHECK(u_test_of(just_real.base, just_real.head).u == static_cast<double>(u));
        CHECK(u_test_of(just_real.base, just_real.head).p <= 0.05);
        CHECK(u_test_of(not_real.base, not_real.head).p > 0.05);
        CHECK(is_near(u_test_of(just_real.head, just_real.base).p,
                      u_test_of(just_real.base, just_real.head).p));
    }
}

TEST_CASE("with equal numbers p is the share of all ways to call some the base") {
    // U of the 6 ways: 3.5 twice, 2 twice, 0.5 twice.
    CHECK(u_test_of({1, 2}, {2, 3}).u == 3.5);
    CHECK(is_near(u_test_of({1, 2}, {2, 3}).p, 4.0 / 6));
    // The head is one of {1, 2}, {1, 3} in which the 2 is one of three, or {2, 2}, {2, 3}.
    CHECK(u_test_of({1, 2}, {2, 2, 3}).u == 5);
    CHECK(is_near(u_test_of({1, 2}, {2, 2, 3}).p, 6.0 / 10));
    // All zeros on one side, and a zero on the other. U of the head is 14 or more if the zeros of
    // the head are at most one, and then 5 ways of 126 choose it, and 1 has none: ties of 5 zeros.
    CHECK(u_test_of({0, 0, 0, 0}, {0, 1, 2, 3}).u == 14);
    CHECK(is_near(u_test_of({0, 0, 0, 0}, {0, 1, 2, 3}).p, 10.0 / 70));
    CHECK(is_near(u_test_of({0, 0, 0, 0}, {1, 1, 1, 1}).p, 2.0 / 70));
    // The distribution need not be symmetric: the two ones are both in the head in 1 way of 10,
    // and one of them in 6.
    CHECK(u_test_of({0, 0, 0}, {1, 1}).u == 6);
    CHECK(is_near(u_test_of({0, 0, 0}, {1, 1}).p, 2.0 / 10));
    CHECK(u_test_of({0, 0, 1}, {0, 1}).u == 3.5);
    CHECK(u_test_of({0, 0, 1}, {0, 1}).p == 1);
    CHECK(u_test_of({0, 1, 1}, {0, 0}).u == 1);
    CHECK(is_near(u_test_of({0, 1, 1}, {0, 0}).p, 6.0 / 10));
}

TEST_CASE("equal numbers on both sides are no difference") {
    for (const std::size_t size : {1U, 4U, 30U, 31U, 60U}) {
        CAPTURE(size);
        const numbers all(size, 7.5);
        CHECK(u_test_of(all, all).u == static_cast<double>(size * size) / 2);
        CHECK(u_test_of(all, all).p == 1);
        CHECK(estimate(all, all).value == 0);
        CHECK(is(estimate(all, all).within, 0, 0) == (size > 1));
        const numbers others = from_to(1, static_cast<double>(size));
        CHECK(u_test_of(others, others).p == 1);
        CHECK(estimate(others, others).value == 0);
    }
}

TEST_CASE("one capture on each side tells nothing") {
    CHECK(u_test_of({1}, {2}).u == 1);
    CHECK(u_test_of({2}, {1}).u == 0);
    CHECK(u_test_of({1}, {2}).p == 1);
    CHECK(estimate({1}, {5}).value == 4);
    CHECK_FALSE(estimate({1}, {5}).within);
    CHECK(u_test{1, 1}.least_p() == 1);
    CHECK_FALSE(estimate({1, 2, 3}, {4, 5, 6}).within);
    CHECK(is(estimate({1, 2, 3}, {4, 5, 6}, 0.1).within, 1, 5));
}

TEST_CASE("from more than 900 pairs on p is approximated") {
    CHECK(u_test{30, 30}.is_exact());
    CHECK(u_test{1, 900}.is_exact());
    CHECK(u_test{900, 1}.is_exact());
    CHECK_FALSE(u_test{30, 31}.is_exact());
    CHECK_FALSE(u_test{901, 1}.is_exact());
    // Of R: wilcox.test(exact = FALSE). The tests of golang.org/x/perf's library have them, too.
    numbers base(500);
    numbers head(600);
    for (std::size_t i = 0; i < head.size(); ++i) {
        head[i] = static_cast<double>(i) * 2 - 41;
        if (i < base.size()) {
            base[i] = static_cast<double>(i) * 2;
        }
    }
    CHECK(u_test_of(head, base).u == 135250);
    CHECK(is_near(u_test_of(head, base).p, 0.0049335360814172224));
    std::copy(base.begin(), base.begin() + 30, head.begin());
    CHECK(u_test_of(head, base).u == 134845);
    CHECK(is_near(u_test_of(head, base).p, 0.0038703814239617884));
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

TEST_CASE("the shift is the median of all differences") {
    CHECK(estimate({0, 10}, {5, 16}).value == 5.5); // -5, 5, 6, 16
    CHECK(estimate({1, 2, 100}, {3, 5}).value == 1.5);
    CHECK(estimate({3, 5}, {1, 2, 100}).value == -1.5);
    // 8 + 8: the table's 13, so the 14th smallest and largest of 64 differences.
    const u_test::shift shift = estimate(from_to(1, 8), from_to(101, 108));
    CHECK(shift.value == 100);
    CHECK(is(shift.within, 97, 103)); // 1, 2, 3, 4 times 93, 94, 95, 96, and then 5 times 97
}

TEST_CASE("the interval has zero in it where the test finds nothing") {
    std::mt19937 random{1};
    std::normal_distribution<double> noise{0, 1};
    int real = 0;
    for (int round = 0; round < 600; ++round) {
        const std::size_t base_size = 4 + random() % 12;
        const std::size_t head_size = round % 20 == 0 ? 80 + random() % 10 : 4 + random() % 12;
        const double alpha = round % 2 == 0 ? 0.05 : 0.2;
        numbers base(base_size);
        numbers head(head_size);
        std::generate(base.begin(), base.end(), [&] { return noise(random); });
        std::generate(head.begin(), head.end(), [&] { return noise(random) + round % 4 * 0.5; });
        u_test tests{base_size, head_size};
        const u_test::shift shift = tests.estimate(base, head, alpha);
        const double p = tests.test(base, head).p;
        CAPTURE(base_size, head_size, alpha, p);
        REQUIRE(shift.within.has_value() == (tests.least_p() <= alpha));
        const bool has_zero = !shift.within || (shift.within->low < 0 && shift.within->high > 0);
        REQUIRE(has_zero == (p > alpha));
        if (shift.within) {
            REQUIRE(shift.within->low <= shift.value);
            REQUIRE(shift.value <= shift.within->high);
            // With the base moved to either end, p is about alpha: just not real inside.
            numbers moved = base;
            const double inside = shift.within->low + 1e-9;
            std::for_each(moved.begin(), moved.end(), [&](double& n) { n += inside; });
            REQUIRE(tests.test(moved, head).p > alpha);
            std::for_each(moved.begin(), moved.end(), [](double& n) { n -= 2e-9; });
            REQUIRE(tests.test(moved, head).p <= alpha);
        }
        real += has_zero ? 0 : 1;
    }
    CHECK(real > 100);
    CHECK(real < 500);
}

TEST_CASE("the sides may be swapped") {
    std::mt19937 random{2};
    for (int round = 0; round < 300; ++round) {
        numbers base(3 + random() % 6);
        numbers head(3 + random() % 6);
        const auto few = [&] { return static_cast<double>(random() % 6); };
        std::generate(base.begin(), base.end(), few);
        std::generate(head.begin(), head.end(), few);
        const u_test::result one = u_test_of(base, head);
        const u_test::result other = u_test_of(head, base);
        REQUIRE(one.u + other.u == static_cast<double>(base.size() * head.size()));
        REQUIRE(is_near(one.p, other.p));
        const u_test::shift shift = estimate(base, head, 0.3);
        const u_test::shift back = estimate(head, base, 0.3);
        REQUIRE(shift.value == -back.value);
        REQUIRE(shift.within.has_value() == back.within.has_value());
        REQUIRE((!shift.within || is(back.within, -shift.within->high, -shift.within->low)));
    }
}

TEST_CASE("no p is smaller than the least") {
    CHECK(is_near(u_test{3, 3}.least_p(), 0.1));
    CHECK(is_near(u_test{4, 4}.least_p(), 2.0 / 70));
    CHECK(is_near(u_test{8, 8}.least_p(), 2.0 / 12870));
    CHECK(is_near(u_test{2, 3}.least_p(), 0.2));
    CHECK(is_near(u_test{30, 30}.least_p(), 2.0 / 118264581564861424));
    for (const std::size_t size : {2U, 5U, 10U, 30U, 40U}) {
        const sides all = with_u(size, size + 1, 0);
        CAPTURE(size);
        CHECK(is_near(u_test{size, size + 1}.least_p(), u_test_of(all.base, all.head).p));
    }
}

namespace {

using rows_of = std::vector<numbers>;

} // namespace

TEST_CASE("Holm's correction is that of known examples") {
    // R: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm")
    CHECK(are_near(correct_by_holm(numbers{0.01, 0.04, 0.03, 0.005}), {0.03, 0.06, 0.06, 0.02}));
    CHECK(are_near(correct_by_holm(numbers{0.5, 0.2, 0.001, 0.9}), {1, 0.6, 0.004, 1}));
    CHECK(are_near(correct_by_holm(numbers{0.02, 0.02, 0.02}), {0.06, 0.06, 0.06}));
    CHECK(correct_by_holm(numbers{0.04}) == numbers{0.04});
    CHECK(correct_by_holm({}).empty());
    CHECK(correct_by_holm(numbers{1, 0}) == numbers{1, 0});
}

TEST_CASE("Benjamini and Hochberg's correction is that of known examples") {
    // R: p.adjust(c(0.01, 0.04, 0.03, 0.005), "BH")
    CHECK(are_near(correct_by_benjamini_hochberg(numbers{0.01, 0.04, 0.03, 0.005}),
                   {0.02, 0.04, 0.04, 0.02}));
    // The 15 of their article, of which at 0.05 four are found.
    const numbers article{0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
                          0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0};
    const numbers corrected = correct_by_benjamini_hochberg(article);
    CHECK(std::count_if(corrected.begin(), corrected.end(), [](double p) { return p <= 0.05; }) ==
          4);
    CHECK(is_near(corrected[0], 0.0015));
    CHECK(is_near(corrected[3], 0.035625));
    CHECK(is_near(corrected[4], 0.0603));
    CHECK(is_near(corrected[14], 1));
    // By Holm's it is three.
    const numbers by_holm = correct_by_holm(article);
    CHECK(std::count_if(by_holm.begin(), by_holm.end(), [](double p) { return p <= 0.05; }) == 3);
    CHECK(correct_by_benjamini_hochberg(numbers{0.04}) == numbers{0.04});
    CHECK(correct_by_benjamini_hochberg({}).empty());
    CHECK(correct_by_benjamini_hochberg(numbers{0.9, 0.95}) == numbers{0.95, 0.95});
}

TEST_CASE("a weight of a test makes its p so much smaller, and that of others larger") {
    // By Genovese, Roeder and Wasserman p is divided by the weight as a part of the mean one.
    const numbers p{0.01, 0.02, 0.5};
    CHECK(are_near(correct_by_benjamini_hochberg(p, numbers{1, 1, 1}),
                   correct_by_benjamini_hochberg(p)));
    CHECK(are_near(correct_by_benjamini_hochberg(p, numbers{7, 7, 7}),
                   correct_by_benjamini_hochberg(p)));
    // 0.01 * 2 / 1 is 0.02, 0.02 * 2 / 4 is 0.01, and 0.5 * 2 / 1 is 1.
    CHECK(are_near(correct_by_benjamini_hochberg(p, numbers{1, 4, 1}), {0.03, 0.03, 1}));
    CHECK(are_near(correct_by_benjamini_hochberg(numbers{0.04}, numbers{3}), {0.04}));
}

TEST_CASE("rows that are tested together by permutations count as often as they differ") {
    const permutation_test sides = permutation_test::of_sides(4, 4);
    CHECK(sides.is_exact());
    CHECK(is_near(sides.least_p(), 2.0 / 70));
    const numbers apart{1, 2, 3, 4, 5, 6, 7, 8};
    const numbers mixed{1, 3, 5, 7, 2, 4, 6, 8};
    const numbers none(8, 3);
    const auto corrected = [&](const std::vector<numbers>& rows, const numbers& weights = {}) {
        numbers all;
        for (const permutation_test::result& each : sides.test(rows, weights)) {
            all.push_back(each.corrected_p);
        }
        return all;
    };
    CHECK(are_near(corrected({apart}), {2.0 / 70}));
    CHECK(are_near(corrected({apart, apart, apart}), {2.0 / 70, 2.0 / 70, 2.0 / 70}));
    CHECK(are_near(corrected({none, apart}), {1, 2.0 / 70}));
    // Each of two orders is that of two of the 70 ways.
    CHECK(are_near(corrected({mixed, apart}), {sides.test(rows_of{mixed})[0].p, 4.0 / 70}));
    CHECK(
        are_near(corrected({mixed, apart}, {1, 100}), {sides.test(rows_of{mixed})[0].p, 2.0 / 70}));
    CHECK(corrected({}).empty());

    const permutation_test pairs = permutation_test::of_pairs(5);
    CHECK(is_near(pairs.least_p(), 2.0 / 32));
    const auto results = pairs.test(std::vector<numbers>{{1, 2, 3, 4, 5}, {-9, -9, -9, -9, 1}});
    CHECK(is_near(results[0].p, 2.0 / 32));
    CHECK(is_near(results[1].p, 4.0 / 32));           // the 1 may have any sign
    CHECK(is_near(results[0].corrected_p, 4.0 / 32)); // the two signs of all, and those of four
}

TEST_CASE("of too many ways the same are drawn each time, with what is so among them") {
    const permutation_test sides = permutation_test::of_sides(12, 12);
    CHECK_FALSE(sides.is_exact());
    numbers apart(24);
    std::iota(apart.begin(), apart.end(), 1.0);
    const auto first = sides.test(rows_of{apart});
    CHECK(first[0].p >= sides.least_p());
    CHECK(first[0].p <= 3 * sides.least_p()); // chance alone would give 2 of 2.7 million
    CHECK(sides.test(rows_of{apart})[0].p == first[0].p);
    // One of two equal halves is as far in every way.
    numbers even(24);
    for (std::size_t i = 0; i < even.size(); ++i) {
        even[i] = static_cast<double>(i / 2 % 2);
    }
    CHECK(sides.test(rows_of{even})[0].p == 1);
    const permutation_test pairs = permutation_test::of_pairs(20);
    CHECK_FALSE(pairs.is_exact());
    CHECK(pairs.test(rows_of{numbers(20, 1)})[0].p <= 3 * pairs.least_p());
    // A sign test: the exact p of 15 of 20 is 0.0414.
    numbers most(20, 1);
    std::fill_n(most.begin(), 5, -1);
    CHECK(std::fabs(pairs.test(rows_of{most})[0].p - 0.0414) < 0.005);
}

TEST_CASE("a correction keeps the order, and makes nothing smaller") {
    std::mt19937 random{3};
    std::uniform_real_distribution<double> any{0, 1};
    for (int round = 0; round < 200; ++round) {
        numbers p(1 + random() % 30);
        std::generate(p.begin(), p.end(), [&] { return std::pow(any(random), 1 + round % 8); });
        p.push_back(p[0]);
        const numbers by_holm = correct_by_holm(p);
        const numbers by_bh = correct_by_benjamini_hochberg(p);
        REQUIRE(by_holm.size() == p.size());
        REQUIRE(by_bh.size() == p.size());
        for (std::size_t i = 0; i < p.size(); ++i) {
            REQUIRE(p[i] <= by_bh[i] * (1 + 1e-12));
            REQUIRE(by_bh[i] <= by_holm[i] * (1 + 1e-12));
            REQUIRE(by_holm[i] <= 1);
            for (std::size_t j = 0; j < p.size(); ++j) {
                REQUIRE((p[i] > p[j] || by_holm[i] <= by_holm[j]));
                REQUIRE((p[i] > p[j] || by_bh[i] <= by_bh[j]));
            }
        }
    }
}

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

TEST_CASE("a drift of numbers without noise is exact, and so is what is added to it") {
    const numbers times{0, 1, 3, 4, 0, 2, 3};
    const numbers jump{0, 0, 1, 1, 0, 0, 0};
    const numbers values{5, 7, 21, 23, 100, 104, 106};
    const drift_model::result found = drift_model{times, sizes{4, 3}}.fit(values, jump);
    CHECK(found.slope.value == Approx(2));
    CHECK(found.slope.deviation == 0);
    CHECK(found.extra.value == Approx(10));
    CHECK(found.extra.deviation == 0);
    const drift_model::estimate level = drift_model{times, sizes{4, 3}}.fit(numbers(7, 3.0)).slope;
    CHECK(level.value == 0);
    CHECK(level.deviation == 0);
}

TEST_CASE("what numbers cannot tell of a drift has no end") {
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

TEST_CASE("an interval by a drift holds the slope of walks and of lines, where Sen's does not") {
    std::mt19937 random{22};
    const auto is_so = [&](unsigned percent) { return random() % 100 < percent; };
    constexpr int series = 400;
    for (const bool is_walk : {true, false}) {
        int held = 0;
        int held_by_sen = 0;
        for (int i = 0; i < series; ++i) {
            numbers times;
            numbers values;
            double time = 0;
            double sum = 0;
            for (int j = 0; j < 40; ++j) {
                for (auto ticks = 1 + random() % (i % 2 == 0 ? 1 : 10); ticks > 0; --ticks) {
                    time += 1;
                    sum += is_walk ? (is_so(45) ? 1 : 0) : 0.45;
                }
                times.push_back(time);
                values.push_back(sum + (is_walk ? 0.0 : static_cast<double>(random() % 10)));
            }
            const drift_model model{times, sizes{40}};
            const drift_model::estimate slope = model.fit(values).slope;
            held += std::fabs(slope.value - 0.45) <= model.reach(0.05) * slope.deviation ? 1 : 0;
            const auto sen = estimate_slope(times, values, sizes{40}, 0.05).within;
            held_by_sen += sen->low <= 0.45 && sen->high >= 0.45 ? 1 : 0;
        }
        INFO(held << " " << held_by_sen);
        CHECK(held >= series * 9 / 10);
        CHECK((held_by_sen < series / 2) == is_walk);
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
