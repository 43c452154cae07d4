// SPDX-License-Identifier: Apache-2.0
// Draws trials from a pool of captures, and prints how the tests of `compare` judge them.
//
// usage: pool NAME [TRIALS [auto|ranks|moderated [COUNT...]]] < POOL
//
// NAME is the function that the head's captures have a regression in. COUNT captures (3 5 8 10) are
// drawn for each side of each of TRIALS (200), without replacement; with equal code both sides are
// of the base's captures. Of `off` trials one capture of the head has 1.3 times as much of all.
//
// A line of POOL is a row, with tabs: `flat` or `cum`, `base` or `head`, a function, and its value
// in each capture. Flat rows add up to the total.
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <iostream>
#include <map>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <pprofdelta/compare.hpp>
#include <pprofdelta/limits.hpp>
#include <pprofdelta/statistics.hpp>

#include "captures/study.hpp"

namespace {

using namespace pprofdelta;
using numbers = std::vector<double>;

struct pool_row {
    std::string name;
    numbers base;
    numbers head;
};

struct pool {
    std::vector<pool_row> flat;
    std::vector<pool_row> cum;
    pool_row total;
};

pool read_pool(std::istream& from) {
    std::map<std::string, pool_row> flat;
    std::map<std::string, pool_row> cum;
    for (std::string line; std::getline(from, line);) {
        std::istringstream words{line};
        std::string family;
        std::string side;
        std::string name;
        std::getline(std::getline(std::getline(words, family, '\t'), side, '\t'), name, '\t');
        pool_row& row = (family == "flat" ? flat : cum)[name];
        row.name = name;
        numbers& values = side == "base" ? row.base : row.head;
        for (double value = 0; words >> value;) {
            values.push_back(value);
        }
    }
    pool made;
    const auto put = [](std::map<std::string, pool_row>& rows, std::vector<pool_row>& to) {
        for (auto& [name, row] : rows) {
            to.push_back(std::move(row));
        }
    };
    put(flat, made.flat);
    put(cum, made.cum);
    for (const auto member : {&pool_row::base, &pool_row::head}) {
        numbers& total = made.total.*member;
        for (const pool_row& row : made.flat) {
            total.resize((row.*member).size());
            std::transform(total.begin(), total.end(), (row.*member).begin(), total.begin(),
                           std::plus<>{});
        }
    }
    return made;
}

// What is drawn for a trial.
struct draw {
    std::vector<std::size_t> base;
    std::vector<std::size_t> head;
    bool is_equal = true;
    double off = 1; // by which the first capture of the head is multiplied

    [[nodiscard]] compared_row of(const pool_row& row) const {
        compared_row made;
        made.name = row.name;
        for (const std::size_t i : base) {
            made.base.values.push_back(row.base[i]);
        }
        for (const std::size_t i : head) {
            made.head.values.push_back((is_equal ? row.base : row.head)[i]);
        }
        made.head.values[0] *= off;
        return made;
    }
};

double mean_of(const numbers& all) {
    return std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size());
}

struct count {
    std::size_t yes = 0;
    std::size_t all = 0;

    void add(bool is) {
        yes += is ? 1 : 0;
        ++all;
    }
    void print() const {
        if (all == 0) {
            std::printf("%8s", "-");
        } else {
            std::printf("%8.1f", 100 * static_cast<double>(yes) / static_cast<double>(all));
        }
    }
};

struct counts {
    count flat;
    count cum;
    count total;
    count gate; // that the total has not grown by 2 %
    count intervals;
};

bool has_real(const std::vector<compared_row>& rows, const std::string& name) {
    return std::any_of(rows.begin(), rows.end(), [&](const compared_row& row) {
        return row.is_real() && (name.empty() || row.name == name);
    });
}

// Of a row's change the truth is known, unless a capture is off.
void add_intervals(const std::vector<compared_row>& rows, const std::vector<pool_row>& of,
                   bool is_equal, count& to) {
    for (const compared_row& row : rows) {
        const auto found = std::find_if(of.begin(), of.end(),
                                        [&](const pool_row& p) { return p.name == row.name; });
        const double truth = is_equal ? 0 : mean_of(found->head) - mean_of(found->base);
        if (row.within) {
            to.add(row.within->low <= truth && truth <= row.within->high);
        }
    }
}

void judge(const pool& of, const draw& drawn, const compare_options& options,
           const std::string& name, counts& to) {
    const std::size_t base = drawn.base.size();
    const std::size_t head = drawn.head.size();
    family_test test{options, base, head};
    compared_row total = drawn.of(of.total);
    const auto large = [&](const std::vector<pool_row>& rows) {
        std::vector<compared_row> made;
        for (const pool_row& row : rows) {
            compared_row each = drawn.of(row);
            if (size_of(each) > 0 && size_of(each) >= options.min_share * size_of(total)) {
                made.push_back(std::move(each));
            }
        }
        return made;
    };
    std::vector<compared_row> flat = large(of.flat);
    std::vector<compared_row> cum = large(of.cum);
    std::vector<numbers> rows;
    for (const compared_row& row : flat) {
        numbers& values = rows.emplace_back(row.base.values);
        values.insert(values.end(), row.head.values.begin(), row.head.values.end());
    }
    const moderated_test moderated{base, head, rows};
    const auto estimate = [&](compared_row& row, bool is_total) {
        if (test.is_moderated()) {
            test.estimate(row, moderated, is_total);
        } else {
            test.estimate(row);
        }
    };
    for (std::vector<compared_row>* const family : {&flat, &cum}) {
        std::vector<compared_row*> all;
        for (compared_row& row : *family) {
            estimate(row, false);
            all.push_back(&row);
        }
        test.test(all, family_kind::rows);
    }
    estimate(total, true);
    test.test({&total}, family_kind::mixed);
    const bool is_grown =
        test.is_beyond(parse_limit("space>+2%"), {.type = "space", .unit = "bytes"}, total);
    to.flat.add(has_real(flat, name));
    to.cum.add(has_real(cum, name));
    to.total.add(total.is_real());
    to.gate.add(is_grown);
    if (drawn.off == 1) {
        add_intervals(flat, of.flat, drawn.is_equal, to.intervals);
        add_intervals(cum, of.cum, drawn.is_equal, to.intervals);
    }
}

void print(const char* what, const counts& of) {
    std::printf("  %s", what);
    for (const count* each : {&of.flat, &of.cum, &of.total, &of.gate, &of.intervals}) {
        each->print();
    }
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::cerr << "usage: pool NAME [TRIALS [auto|ranks|moderated [COUNT...]]] < POOL\n";
        return 2;
    }
    const std::vector<std::string> given{argv + 1, argv + argc};
    const int trials = given.size() > 1 ? std::stoi(given[1]) : 200;
    compare_options options;
    for (const test_kind each : {test_kind::ranks, test_kind::moderated}) {
        if (given.size() > 2 && given[2] == to_string(each)) {
            options.test = each;
        }
    }
    std::vector<std::size_t> sizes{3, 5, 8, 10};
    if (given.size() > 3) {
        sizes.clear();
        std::transform(given.begin() + 3, given.end(), std::back_inserter(sizes),
                       [](const std::string& size) { return std::stoul(size); });
    }
    const pool all = read_pool(std::cin);
    if (all.total.base.size() < 2 * sizes.back() || all.total.head.size() < sizes.back()) {
        std::cerr << "too few captures\n";
        return 2;
    }
    std::printf("%d trials each, in %% of them. Equal code: any row or the total found, the gate "
                "total>+2%% crossed;\nregression: %s found, the total, the gate. Intervals of 95 "
                "%% that have the true change.\n\n%15s  %-40s  %-40s\n%15s  %s%s\n",
                trials, given[0].c_str(), "", "equal code", "regression", "",
                "    flat     cum   total    gate  intervals",
                "  flat     cum   total    gate  intervals");
    for (const std::size_t size : sizes) {
        for (const double off : {1.0, 1.3}) {
            std::mt19937_64 random{size};
            counts equal;
            counts planted;
            for (int trial = 0; trial < trials; ++trial) {
                std::vector<std::size_t> order(
                    std::min(all.total.base.size(), all.total.head.size()));
                std::iota(order.begin(), order.end(), std::size_t{0});
                std::shuffle(order.begin(), order.end(), random);
                const auto some = [&](std::size_t from) {
                    const auto first = order.begin() + static_cast<std::ptrdiff_t>(from);
                    return std::vector<std::size_t>{first,
                                                    first + static_cast<std::ptrdiff_t>(size)};
                };
                judge(all, {some(0), some(size), true, off}, options, {}, equal);
                judge(all, {some(0), some(size), false, off}, options, given[0], planted);
            }
            std::printf("%3zu+%-3zu%9s", size, size, off == 1 ? "" : "one off");
            print("", equal);
            print("", planted);
            std::printf("\n");
            std::fflush(stdout);
        }
    }
    return 0;
}
