// SPDX-License-Identifier: Apache-2.0
// Prints the library's statistics of cases, for a comparison with others. Each line of standard
// input is a case, and gives a line of output with all digits; "-" stands for a number that is not
// there. RUNS is how many runs there are, followed by how many numbers each of them has.
//
//     u-test ALPHA SIZE NUMBER...    U, p, the least p, the shift and its interval: the first SIZE
//                                    numbers are the base
//     median ALPHA NUMBER...         the median and its interval
//     correct P...                   p corrected by Holm, and then by Benjamini and Hochberg
//     weigh COUNT P... WEIGHT...     p corrected by Benjamini and Hochberg with weights
//     permute BASE HEAD NUMBER...    p and p corrected of each row, by a permutation test: a row is
//                                    so many numbers and a weight; of pairs if HEAD is 0
//     moderated BASE HEAD NUMBER...  rows of so many numbers, of which the last is their total: of
//                                    each t, the degrees of freedom and p of a moderated test
//     trend RUNS VALUE...                S, p, whether p is exact, and the least p
//     slope ALPHA RUNS TIME... VALUE...  the slope and its interval
//     drift RUNS TIME... VALUE...        by drift_model: the slope, its deviation, and reach(0.05)
//     rise CHANGE...                     p
//     change VALUE...                    where, p, and the least p of so many
#include <cstddef>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include <pprofdelta/statistics.hpp>
#include <pprofdelta/trend_statistics.hpp>

namespace {

using namespace pprofdelta;
using numbers = std::vector<double>;
using run_sizes = std::vector<std::size_t>;

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

template <typename Number>
Number take(std::istringstream& line) {
    Number taken{};
    line >> taken;
    return taken;
}

numbers rest_of(std::istringstream& line) {
    return {std::istream_iterator<double>{line}, std::istream_iterator<double>{}};
}

run_sizes runs_of(std::istringstream& line) {
    const auto count = take<std::size_t>(line);
    run_sizes runs(line ? count : 0);
    for (std::size_t& size : runs) {
        line >> size;
    }
    return runs;
}

std::size_t size_of(const run_sizes& runs) {
    return std::accumulate(runs.begin(), runs.end(), std::size_t{0});
}

/// All numbers, in rows of so many; what is left of them is left out.
std::vector<numbers> rows_of(const numbers& all, std::size_t size) {
    std::vector<numbers> rows;
    for (std::size_t i = 0; i + size <= all.size(); i += size) {
        const auto row = std::span{all}.subspan(i, size);
        rows.emplace_back(row.begin(), row.end());
    }
    return rows;
}

// Each reads what follows its word, and is false if that is no case.

bool print_u_test(std::istringstream& line) {
    const auto alpha = take<double>(line);
    const auto size = take<std::size_t>(line);
    const numbers all = rest_of(line);
    if (size == 0 || size >= all.size()) {
        return false;
    }
    const auto base = std::span{all}.first(size);
    const auto head = std::span{all}.subspan(size);
    u_test test{base.size(), head.size()};
    const auto result = test.test(base, head);
    const auto shift = test.estimate(base, head, alpha);
    print({result.u, result.p, test.least_p(), shift.value});
    print(shift.within);
    return true;
}

bool print_median(std::istringstream& line) {
    const auto alpha = take<double>(line);
    const numbers all = rest_of(line);
    print(median(all));
    print(median_interval(all, alpha));
    return true;
}

bool print_corrections(std::istringstream& line) {
    const numbers p = rest_of(line);
    print(correct_by_holm(p));
    print(correct_by_benjamini_hochberg(p));
    return true;
}

bool print_weights(std::istringstream& line) {
    const auto count = take<std::size_t>(line);
    const numbers all = rest_of(line);
    if (all.size() != 2 * count) {
        return false;
    }
    const std::span<const double> both = all;
    print(correct_by_benjamini_hochberg(both.first(count), both.last(count)));
    return true;
}

bool print_permutations(std::istringstream& line) {
    const auto base = take<std::size_t>(line);
    const auto head = take<std::size_t>(line);
    std::vector<numbers> rows = rows_of(rest_of(line), base + head + 1);
    if (base == 0) {
        return false;
    }
    numbers weights;
    for (numbers& row : rows) {
        weights.push_back(row.back());
        row.pop_back();
    }
    const permutation_test test =
        head == 0 ? permutation_test::of_pairs(base) : permutation_test::of_sides(base, head);
    for (const permutation_test::result& each : test.test(rows, weights)) {
        print({each.p, each.corrected_p});
    }
    return true;
}

bool print_moderated(std::istringstream& line) {
    const auto base = take<std::size_t>(line);
    const auto head = take<std::size_t>(line);
    const std::vector<numbers> rows = rows_of(rest_of(line), base + head);
    if (base == 0 || head == 0 || base + head < 3 || rows.empty()) {
        return false;
    }
    const std::span<const numbers> without_total{rows.data(), rows.size() - 1};
    const moderated_test test{base, head, without_total};
    for (const numbers& row : rows) {
        const moderated_test::result found =
            &row == &rows.back() ? test.test_total(row) : test.test(row);
        print({found.t(), found.freedom, found.p});
    }
    return true;
}

bool print_trend(std::istringstream& line) {
    const run_sizes runs = runs_of(line);
    const numbers values = rest_of(line);
    if (values.empty() || values.size() != size_of(runs)) {
        return false;
    }
    trend_test test{runs};
    const auto result = test.test(values);
    print({static_cast<double>(result.s), result.p, test.is_exact() ? 1.0 : 0.0, test.least_p()});
    return true;
}

bool print_slope(std::istringstream& line) {
    const auto alpha = take<double>(line);
    const run_sizes runs = runs_of(line);
    const numbers all = rest_of(line);
    const std::size_t size = size_of(runs);
    if (all.empty() || all.size() != 2 * size) {
        return false;
    }
    const auto slope =
        estimate_slope(std::span{all}.first(size), std::span{all}.subspan(size), runs, alpha);
    print(slope.value);
    print(slope.within);
    return true;
}

bool print_drift(std::istringstream& line) {
    const run_sizes runs = runs_of(line);
    const numbers all = rest_of(line);
    const std::size_t size = size_of(runs);
    if (all.empty() || all.size() != 2 * size) {
        return false;
    }
    const drift_model model{std::span{all}.first(size), runs};
    const auto slope = model.fit(std::span{all}.subspan(size)).slope;
    print({slope.value, slope.deviation, model.reach(0.05)});
    return true;
}

bool print_rise(std::istringstream& line) {
    print(rise_by_chance(rest_of(line)));
    return true;
}

bool print_change(std::istringstream& line) {
    const numbers values = rest_of(line);
    const auto found = change_test{}.test(values);
    print({static_cast<double>(found.at), found.p, change_test::least_p(values.size())});
    return true;
}

using printer = bool (*)(std::istringstream&);

bool print_case(const std::map<std::string, printer>& printers, std::istringstream line) {
    const auto found = printers.find(take<std::string>(line));
    const bool is_good = found != printers.end() && found->second(line);
    std::printf("\n");
    return is_good && line.eof();
}

} // namespace

int main() {
    const std::map<std::string, printer> printers{
        {"u-test", print_u_test}, {"median", print_median},        {"correct", print_corrections},
        {"weigh", print_weights}, {"permute", print_permutations}, {"moderated", print_moderated},
        {"trend", print_trend},   {"slope", print_slope},          {"drift", print_drift},
        {"rise", print_rise},     {"change", print_change}};
    for (std::string line; std::getline(std::cin, line);) {
        if (!print_case(printers, std::istringstream{line})) {
            std::cerr << "no case: " << line << '\n';
            return 2;
        }
    }
    return 0;
}
