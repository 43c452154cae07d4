// SPDX-License-Identifier: Apache-2.0
// Prints the library's statistics of trends, for a comparison with others. Each line of standard
// input is a case, and gives a line of output with all digits; "-" stands for an interval that is
// not there. RUNS is how many runs there are, followed by how many numbers each of them has.
//
//     test RUNS VALUE...                 S, p, whether p is exact, and the least p
//     slope ALPHA RUNS TIME... VALUE...  the slope and its interval
//     drift RUNS TIME... VALUE...        by drift_model, the slope, its deviation, and reach(0.05)
//     rise CHANGE...                     p
//     change VALUE...                    where, p, and the least p of so many
#include <cstddef>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <numeric>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <pprofdelta/trend_statistics.hpp>

namespace {

using numbers = std::vector<double>;
using run_sizes = std::vector<std::size_t>;

void print(double number) { std::printf("%.17g ", number); }

run_sizes read_runs(std::istringstream& line) {
    std::size_t count = 0;
    line >> count;
    run_sizes runs(line ? count : 0);
    for (std::size_t& size : runs) {
        line >> size;
    }
    return runs;
}

numbers read_rest(std::istringstream& line) {
    return {std::istream_iterator<double>{line}, std::istream_iterator<double>{}};
}

std::size_t size_of(const run_sizes& runs) {
    return std::accumulate(runs.begin(), runs.end(), std::size_t{0});
}

bool print_test(std::istringstream& line) {
    const run_sizes runs = read_runs(line);
    const numbers values = read_rest(line);
    if (values.empty() || values.size() != size_of(runs)) {
        return false;
    }
    pprofdelta::trend_test test{runs};
    const auto result = test.test(values);
    print(result.s);
    print(result.p);
    print(test.is_exact() ? 1 : 0);
    print(test.least_p());
    return true;
}

bool print_slope(std::istringstream& line) {
    double alpha = 0;
    line >> alpha;
    const run_sizes runs = read_runs(line);
    const numbers all = read_rest(line);
    const std::size_t size = size_of(runs);
    if (all.empty() || all.size() != 2 * size) {
        return false;
    }
    const auto times = std::span{all}.first(size);
    const auto slope = pprofdelta::estimate_slope(times, std::span{all}.subspan(size), runs, alpha);
    print(slope.value);
    if (slope.within) {
        print(slope.within->low);
        print(slope.within->high);
    } else {
        std::printf("- - ");
    }
    return true;
}

bool print_drift(std::istringstream& line) {
    const run_sizes runs = read_runs(line);
    const numbers all = read_rest(line);
    const std::size_t size = size_of(runs);
    if (all.empty() || all.size() != 2 * size) {
        return false;
    }
    const pprofdelta::drift_model model{std::span{all}.first(size), runs};
    const auto slope = model.fit(std::span{all}.subspan(size)).slope;
    print(slope.value);
    print(slope.deviation);
    print(model.reach(0.05));
    return true;
}

bool print_case(std::istringstream line) {
    std::string what;
    line >> what;
    bool is_good = false;
    if (what == "test") {
        is_good = print_test(line);
    } else if (what == "slope") {
        is_good = print_slope(line);
    } else if (what == "drift") {
        is_good = print_drift(line);
    } else if (what == "rise") {
        print(pprofdelta::rise_by_chance(read_rest(line)));
        is_good = true;
    } else if (what == "change") {
        const numbers values = read_rest(line);
        const auto found = pprofdelta::change_test{}.test(values);
        print(static_cast<double>(found.at));
        print(found.p);
        print(pprofdelta::change_test::least_p(values.size()));
        is_good = true;
    }
    std::printf("\n");
    return is_good && line.eof();
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
