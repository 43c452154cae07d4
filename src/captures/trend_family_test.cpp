// SPDX-License-Identifier: Apache-2.0
#include "captures/trend_family_test.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <span>
#include <utility>

#include "base/fitting.hpp"
#include "base/whole.hpp"
#include "captures/questions.hpp"
#include "captures/trend_step.hpp"
#include "limits/bounds.hpp"

namespace pprofdelta {

namespace {

constexpr std::int64_t nanos_per_hour = 3'600'000'000'000;

// So many changes one way, and none the other, are the least that is no chance.
constexpr unsigned least_changes = 4;

// Of a run that changes do not count in.
std::size_t first_third(std::size_t count) { return (count - 1) / 3; }

} // namespace

trend_family_test::trend_family_test(const trend_options& options, std::vector<double> hours,
                                     std::vector<std::size_t> runs)
    : m_options{options}, m_hours{std::move(hours)}, m_runs{std::move(runs)}, m_test{m_runs} {
    std::size_t first = 0;
    for (const std::size_t count : m_runs) {
        if (count > 0) {
            m_hours_of_runs += m_hours[first + count - 1] - m_hours[first];
        }
        first += count;
    }
}

std::size_t trend_family_test::run(const std::vector<trend_row*>& rows) {
    const answers<trend_test::result> found{
        rows, m_options.corrected, [](const trend_row& row) { return ranks(row.values, {}); },
        [&](const trend_row& row) { return m_test.test(row.values); }};
    for (std::size_t i = 0; i < rows.size(); ++i) {
        trend_row& row = *rows[i];
        row.s = found.of(i).s;
        row.p = found.of(i).p;
        row.corrected_p = found.corrected_p(i);
        estimate(row);
    }
    return found.questions();
}

void trend_family_test::estimate(trend_row& row) const {
    row.slope = estimate_slope(m_hours, row.values, m_runs, m_options.alpha);
    row.growth = row.slope.value * m_hours_of_runs;
    const double least = m_options.min_change * std::fabs(median(row.values));
    const auto is_small = [&](double slope) { return std::fabs(slope) * m_hours_of_runs <= least; };
    if (row.slope.within && is_small(row.slope.within->low) && is_small(row.slope.within->high)) {
        row.is = trend_verdict::level;
    } else if (row.corrected_p <= m_options.alpha) {
        if (goes_on(row)) {
            row.is = row.s > 0 ? trend_verdict::grows : trend_verdict::falls;
        } else if (const auto step = find_step(m_hours, row.values, m_runs, row.slope.value)) {
            row.is = trend_verdict::steps;
            row.step = step->at;
            row.before = step->before;
            row.after = step->after;
        }
    }
}

// Whether it grows, or falls, in the last two thirds of each run as well, and not only as what
// wanders about does. What levels off, such as a cache that fills, is no leak: a steady one has two
// thirds of its growth there, so that half is asked for.
bool trend_family_test::goes_on(const trend_row& row) const {
    const double sign = row.s > 0 ? 1 : -1;
    double early = 0;
    double late = 0;
    std::vector<std::span<const double>> ends;
    std::size_t count_of_ends = 0;
    std::size_t first = 0;
    for (const std::size_t count : m_runs) {
        if (count > 0) {
            const std::span<const double> run = std::span{row.values}.subspan(first, count);
            ends.push_back(run.subspan(first_third(count)));
            count_of_ends += ends.back().size();
            early += sign * (ends.back().front() - run.front());
            late += sign * (run.back() - ends.back().front());
        }
        first += count;
    }
    if (late < early) {
        return false;
    }
    // Noise of single captures hides growth, so that of many they are taken together.
    const std::size_t block = std::max<std::size_t>(count_of_ends / 8, 1);
    std::vector<double> changes;
    for (const std::span<const double> end : ends) {
        std::vector<double> sums; // of blocks
        for (std::size_t i = end.size() % block; i < end.size(); i += block) {
            const auto each = end.subspan(i, block);
            sums.push_back(std::accumulate(each.begin(), each.end(), 0.0));
        }
        for (std::size_t i = 1; i < sums.size(); ++i) {
            changes.push_back(sign * (sums[i] - sums[i - 1]));
        }
    }
    return rise_by_chance(changes) <= 1.0 / (1U << least_changes);
}

// Among independent captures a regression has the form of a step. In one process a step is no
// growth, but rather what a cache does when it is filled.
bool trend_family_test::is_beyond(const limit& l, const value_type& type,
                                  const trend_row& row) const {
    const bool jumped = m_options.are_independent && row.is == trend_verdict::steps;
    const std::int64_t growth = to_nearest(jumped ? row.after - row.before : row.growth);
    bool is_more = false;
    if (l.on == limit::bound::rate) {
        const std::int64_t per_hour =
            to_nearest(jumped ? (row.after - row.before) / m_hours_of_runs : row.slope.value);
        is_more = is_crossed(l, type, nanos_per_hour, {0, per_hour}, per_hour);
    } else {
        // Where the line begins that goes through the middle.
        const std::int64_t start = std::max<std::int64_t>(
            to_nearest(jumped ? row.before : median(row.values) - row.growth / 2), 0);
        is_more = is_crossed(l, type, 0, {start, fitting_add(start, growth)}, growth);
    }
    return is_more && (jumped || row.is == trend_verdict::grows);
}

std::optional<too_few_captures> trend_family_test::too_few(std::size_t questions) {
    const double needed = needed_p(m_options, questions);
    const double least = m_test.least_p();
    const auto changes_of = [](std::size_t count) {
        return count == 0 ? 0 : count - 1 - first_third(count);
    };
    std::size_t changes = 0;
    for (const std::size_t count : m_runs) {
        changes += changes_of(count);
    }
    if (least <= needed && changes >= least_changes) {
        return std::nullopt;
    }
    std::size_t enough = 1;
    while (trend_test{{enough}}.least_p() > needed || changes_of(enough) < least_changes) {
        ++enough;
    }
    return too_few_captures{questions, least, needed, enough};
}

} // namespace pprofdelta
