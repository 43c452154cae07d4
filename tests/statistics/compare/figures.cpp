// SPDX-License-Identifier: Apache-2.0
// Prints the library's statistics of cases, for a comparison with others. Each line of standard
// input is a case, and gives a line of output with all digits; "-" stands for an interval that is
// not there.
//
//     test ALPHA SIZE NUMBER...   U, p, the least p, the shift and its interval: the first SIZE
//                                 numbers are the base
//     median ALPHA NUMBER...      the median and its interval
//     correct P...                p corrected by Holm, and then by Benjamini and Hochberg
//     weigh COUNT P... WEIGHT...  p corrected by Benjamini and Hochberg with weights
//     permute BASE HEAD NUMBER... p and p corrected of each row, by a permutation test: a row is so
//                                 many numbers and a weight; of pairs if HEAD is 0
//     moderated BASE HEAD NUMBER...  rows of so many numbers, of which the last is their total: of
//                                 each t, the degrees of freedom and p of a moderated test
#include <cstddef>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include <pprofdelta/statistics.hpp>

namespace {

using pprofdelta::interval;
using numbers = std::vector<double>;

void print(double number) { std::printf("%.17g ", number); }

void print(const numbers& all) {
    for (const double number : all) {
        print(number);
    }
}

void print(const std::optional<interval>& within) {
    if (within) {
        print({within->low, within->high});
    } else {
        std::printf("- - ");
    }
}

void print_test(double alpha, std::size_t size, const numbers& all) {
    const auto base = std::span{all}.first(size);
    const auto head = std::span{all}.subspan(size);
    pprofdelta::u_test test{base.size(), head.size()};
    const auto result = test.test(base, head);
    const auto shift = test.estimate(base, head, alpha);
    print({result.u, result.p, test.least_p(), shift.value});
    print(shift.within);
}

void print_permutations(std::size_t base, std::size_t head, const numbers& all) {
    using pprofdelta::permutation_test;
    std::vector<numbers> rows;
    numbers weights;
    for (std::size_t i = 0; i + base + head < all.size(); i += base + head + 1) {
        const auto row = std::span{all}.subspan(i, base + head);
        rows.emplace_back(row.begin(), row.end());
        weights.push_back(all[i + base + head]);
    }
    const permutation_test test =
        head == 0 ? permutation_test::of_pairs(base) : permutation_test::of_sides(base, head);
    for (const permutation_test::result& each : test.test(rows, weights)) {
        print({each.p, each.corrected_p});
    }
}

void print_moderated(std::size_t base, std::size_t head, const numbers& all) {
    using pprofdelta::moderated_test;
    std::vector<numbers> rows;
    for (std::size_t i = 0; i + base + head <= all.size(); i += base + head) {
        const auto row = std::span{all}.subspan(i, base + head);
        rows.emplace_back(row.begin(), row.end());
    }
    const std::span<const numbers> without_total{rows.data(), rows.size() - 1};
    const moderated_test test{base, head, without_total};
    for (const numbers& row : rows) {
        const moderated_test::result found =
            &row == &rows.back() ? test.test_total(row) : test.test(row);
        print({found.t(), found.freedom, found.p});
    }
}

bool print_case(std::istringstream line) {
    const auto rest = [&] {
        return numbers{std::istream_iterator<double>{line}, std::istream_iterator<double>{}};
    };
    std::string what;
    line >> what;
    double alpha = 0;
    if (what == "test") {
        std::size_t size = 0;
        line >> alpha >> size;
        const numbers all = rest();
        if (size == 0 || size >= all.size()) {
            return false;
        }
        print_test(alpha, size, all);
    } else if (what == "median") {
        line >> alpha;
        const numbers all = rest();
        print(pprofdelta::median(all));
        print(pprofdelta::median_interval(all, alpha));
    } else if (what == "correct") {
        const numbers p = rest();
        print(pprofdelta::correct_by_holm(p));
        print(pprofdelta::correct_by_benjamini_hochberg(p));
    } else if (what == "weigh") {
        std::size_t count = 0;
        line >> count;
        const numbers all = rest();
        if (all.size() != 2 * count) {
            return false;
        }
        const std::span<const double> both = all;
        print(pprofdelta::correct_by_benjamini_hochberg(both.first(count), both.last(count)));
    } else if (what == "permute") {
        std::size_t base = 0;
        std::size_t head = 0;
        line >> base >> head;
        if (base == 0) {
            return false;
        }
        print_permutations(base, head, rest());
    } else if (what == "moderated") {
        std::size_t base = 0;
        std::size_t head = 0;
        line >> base >> head;
        if (base == 0 || head == 0 || base + head < 3) {
            return false;
        }
        print_moderated(base, head, rest());
    } else {
        return false;
    }
    std::printf("\n");
    return line.eof();
}

} // namespace

int main() {
    for (std::string line; std::getline(std::cin, line);) {
        if (!print_case(std::istringstream{line})) {
            std::cerr << "no case: " << line << '\n';
            return 2;
        }
    }
    return 0;
}
