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

// The beginning of a run of so many captures, in which changes do not count.
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
        [&](const trend_row& row) {
            trend_test::result result = m_test.test(row.values);
            if (m_options.are_independent) {
                result.p = m_changes.test(row.values).p;
            }
            return result;
        }};
    const double needed = needed_p(m_options, found.questions());
    const bool has_too_few = too_few(found.questions()).has_value();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        trend_row& row = *rows[i];
        row.s = found.of(i).s;
        row.p = found.of(i).p;
        row.corrected_p = found.corrected_p(i);
        row.slope = estimate_slope(m_hours, row.values, m_runs, m_options.alpha);
        row.growth = row.slope.value * m_hours_of_runs;
        const bool is_real = row.corrected_p <= m_options.alpha;
        if (is_real && m_options.are_independent) {
            estimate_changes(row, std::max(needed, row.p));
        } else if (is_level(row)) {
            row.is = trend_verdict::level;
        } else if (is_real) {
            estimate_course(row);
        }
        if (row.is == trend_verdict::wanders && has_too_few) {
            row.is = trend_verdict::too_few;
        }
    }
    return found.questions();
}

double trend_family_test::least_change(const trend_row& row) const {
    return m_options.min_change * std::fabs(median(row.values));
}

bool trend_family_test::is_level(const trend_row& row) const {
    const auto is_small = [&](double slope) {
        return std::fabs(slope) * m_hours_of_runs <= least_change(row);
    };
    return row.slope.within && is_small(row.slope.within->low) && is_small(row.slope.within->high);
}

void trend_family_test::estimate_course(trend_row& row) const {
    row.is = course_of(row);
    if (row.is == trend_verdict::grows || row.is == trend_verdict::falls) {
        return;
    }
    if (const auto step = find_step(m_hours, row.values, m_runs, row.slope.value)) {
        row.is = trend_verdict::steps;
        row.step = step->at;
        row.before = step->before;
        row.after = step->after;
    }
}

// Looks for more changes on both sides of each that is found.
void trend_family_test::find_changes(std::span<const double> values, std::size_t first,
                                     double needed, std::vector<std::size_t>& places) {
    const change_test::result found = m_changes.test(values);
    if (found.p <= needed) {
        find_changes(values.first(found.at), first, needed, places);
        places.push_back(first + found.at);
        find_changes(values.subspan(found.at), first + found.at, needed, places);
    }
}

// What goes on growing is described at least as well by a line as by steps. Of several steps that
// which is most up is a regression, whatever fell besides.
void trend_family_test::estimate_changes(trend_row& row, double needed) {
    const std::span<const double> values{row.values};
    std::vector<std::size_t> places{0};
    find_changes(values, 0, needed, places);
    places.push_back(values.size());
    double jump = 0;
    double from_steps = spread(values.subspan(0, places[1]));
    for (std::size_t i = 1; i + 1 < places.size(); ++i) {
        const auto next = values.subspan(places[i], places[i + 1] - places[i]);
        const double before = median(values.subspan(places[i - 1], places[i] - places[i - 1]));
        const double after = median(next);
        from_steps += spread(next);
        if (after - before > std::max(jump, 0.0) || (jump <= 0 && after - before < jump)) {
            jump = after - before;
            row.step = places[i];
            row.before = before;
            row.after = after;
        }
    }
    const trend_verdict course = course_of(row);
    if ((course == trend_verdict::grows || course == trend_verdict::falls) &&
        spread_from_line(m_hours, values, row.slope.value) <= from_steps) {
        row.is = course;
    } else {
        row.is = std::fabs(jump) > least_change(row) ? trend_verdict::steps : trend_verdict::level;
    }
}

// Whether it grows, or falls, in the last two thirds of each run as well, and not only as what
// wanders about does. What levels off, such as a cache that fills, is no leak: a steady one has two
// thirds of its growth there, so that half is asked for.
trend_verdict trend_family_test::course_of(const trend_row& row) const {
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
        return trend_verdict::levels_off;
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
    if (rise_by_chance(changes) > 1.0 / (1U << least_changes)) {
        return trend_verdict::wanders;
    }
    return row.s > 0 ? trend_verdict::grows : trend_verdict::falls;
}

// Among independent captures a regression has the form of a step. In one process a step is no
// growth, but rather what a cache does when it is filled.
bool trend_family_test::is_beyond(const limit& l, const value_type& type,
                                  const trend_row& row) const {
    const bool jumped = m_options.are_independent && row.is == trend_verdict::steps;
    const double grown = row.through ? std::min(row.growth, row.through->in_all) : row.growth;
    const double slope =
        row.through ? std::min(row.slope.value, row.through->per_hour) : row.slope.value;
    const std::int64_t growth = to_nearest(jumped ? row.after - row.before : grown);
    bool is_more = false;
    if (l.on == limit::bound::rate) {
        const std::int64_t per_hour =
            to_nearest(jumped ? (row.after - row.before) / m_hours_of_runs : slope);
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
    const double least =
        m_options.are_independent ? change_test::least_p(m_hours.size()) : m_test.least_p();
    const auto changes_of = [](std::size_t count) {
        return count == 0 ? 0 : count - 1 - first_third(count);
    };
    std::size_t changes = 0;
    for (const std::size_t count : m_runs) {
        changes += changes_of(count);
    }
    if (least <= needed && (m_options.are_independent || changes >= least_changes)) {
        return std::nullopt;
    }
    std::size_t enough = 1;
    const auto can_be_told = [&](std::size_t count) {
        return m_options.are_independent
                   ? change_test::least_p(count) <= needed
                   : trend_test{{count}}.least_p() <= needed && changes_of(count) >= least_changes;
    };
    while (!can_be_told(enough)) {
        ++enough;
    }
    return too_few_captures{questions, least, needed, enough};
}

} // namespace pprofdelta
