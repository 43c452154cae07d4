// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/statistics.hpp>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <random>
#include <vector>

#include "catch.hpp"
#include "near.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

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
