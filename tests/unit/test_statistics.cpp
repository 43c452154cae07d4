// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/statistics.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <optional>
#include <random>
#include <vector>

#include "catch.hpp"
#include "near.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

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
