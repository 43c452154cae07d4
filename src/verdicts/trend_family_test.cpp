// SPDX-License-Identifier: Apache-2.0
#include "verdicts/trend_family_test.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>

#include "base/numbers.hpp"
#include "statistics/order.hpp"
#include "verdicts/family_test.hpp"
#include "views/limits.hpp"

namespace pprofdelta {

namespace {

/// A jump in numbers of one or more runs, and the medians of its run on both sides of it.
struct step_change {
    std::size_t at = 0; ///< The first number after the jump.
    double before = 0;
    double after = 0;
};

constexpr std::size_t least_on_a_side = 3;
constexpr double far_better = 0.6; // of the distance from the line

// The distances of the first numbers from the one in their middle, all added up, for each count of
// them. If two are in the middle, either gives the same.
std::vector<double> spreads(std::span<const double> numbers) {
    std::priority_queue<double> lower; // half of them, and the one in the middle
    std::priority_queue<double, std::vector<double>, std::greater<>> upper;
    double difference = 0; // of what the upper ones and the lower ones add up to
    std::vector<double> result{0};
    for (const double number : numbers) {
        lower.push(number);
        upper.push(lower.top());
        difference += 2 * lower.top() - number;
        lower.pop();
        if (upper.size() > lower.size()) {
            lower.push(upper.top());
            difference -= 2 * upper.top();
            upper.pop();
        }
        result.push_back(difference + (lower.size() > upper.size() ? lower.top() : 0));
    }
    return result;
}

// The distances of numbers from the one in the middle, added up. O(n log n)
double spread(std::span<const double> numbers) { return spreads(numbers).back(); }

// The distances of numbers from a line of that slope, which has as many above it as below.
double spread_from_line(std::span<const double> times, std::span<const double> values,
                        double slope) {
    std::vector<double> without_line;
    without_line.reserve(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        without_line.push_back(values[i] - slope * times[i]);
    }
    return spread(without_line);
}

// Finds where the numbers of one or more runs jump once, if a jump describes them far better than a
// line of that slope. Each side has three numbers or more.
//
// A line and a jump are told apart by how far the numbers are from each, added up. Neither is
// better if noise is large beside the growth, and so it is no jump.
//
// Cost: n log n.
std::optional<step_change> find_step(std::span<const double> times, std::span<const double> values,
                                     std::span<const std::size_t> runs, double slope) {
    double from_line = 0;
    double from_levels = 0; // of each run
    double most_saved = 0;  // by a jump
    std::size_t best = 0;
    std::span<const double> before;
    std::span<const double> after;
    std::size_t first = 0;
    for (const std::size_t count : runs) {
        const std::span<const double> run = values.subspan(first, count);
        from_line += spread_from_line(times.subspan(first, count), run, slope);
        const std::vector<double> from_start = spreads(run);
        const std::vector<double> from_end = spreads(std::vector<double>{run.rbegin(), run.rend()});
        const double level = from_start.back();
        from_levels += level;
        for (std::size_t i = least_on_a_side; i + least_on_a_side <= count; ++i) {
            const double saved = level - from_start[i] - from_end[count - i];
            if (saved > most_saved) {
                most_saved = saved;
                best = first + i;
                before = run.first(i);
                after = run.subspan(i);
            }
        }
        first += count;
    }
    if (most_saved > 0 && from_levels - most_saved < far_better * from_line) {
        return step_change{best, median(before), median(after)};
    }
    return std::nullopt;
}

constexpr std::int64_t nanos_per_hour = 3'600'000'000'000;

// A run of this many changes one way, and none the other, is the shortest that is no chance.
constexpr unsigned least_changes = 4;

// The beginning of a run of so many captures, in which changes do not count.
std::size_t first_third(std::size_t count) { return (count - 1) / 3; }

// Noise of single captures hides growth, so that of many they are taken together: as many as leave
// seven changes between the blocks of one run, or of several runs together, which have fewer each.
//
// @param count of the captures in all runs.
std::size_t size_of_blocks(const std::vector<std::span<const double>>& runs, std::size_t count) {
    constexpr std::size_t needed_changes = 7;
    const auto has_changes = [&](std::size_t block) {
        std::size_t changes = 0;
        for (const std::span<const double> run : runs) {
            changes += std::max<std::size_t>(run.size() / block, 1) - 1;
        }
        return changes >= needed_changes;
    };
    std::size_t block = std::max<std::size_t>(count / (needed_changes + 1), 1);
    while (block > 1 && !has_changes(block)) {
        --block;
    }
    return block;
}

} // namespace

trend_family_test::trend_family_test(const trend_options& options, std::vector<double> hours,
                                     std::vector<std::size_t> runs, bool is_sampled, bool is_known)
    : m_options{options}, m_hours{std::move(hours)}, m_runs{std::move(runs)},
      m_is_sampled{is_sampled}, m_is_known{is_known}, m_test{m_runs}, m_model{m_hours, m_runs} {
    for_each_run(m_runs, std::span{m_hours}, [&](std::span<const double> run) {
        m_hours_of_runs += run.empty() ? 0 : run.back() - run.front();
        for (const double hour : run) {
            m_early_hours.push_back(std::min(hour, run[first_third(run.size())]));
        }
    });
}

std::size_t trend_family_test::run(const std::vector<trend_row*>& rows) {
    const std::vector<std::uint32_t> question_of =
        number_questions(rows, [](const trend_row& row) { return ranks(row.values, {}); });
    std::vector<trend_test::result> found; // by question, as the next
    std::vector<double> p;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (question_of[i] == found.size()) {
            const std::vector<double>& values = rows[i]->values;
            found.push_back(m_test.test(values));
            p.push_back(m_options.are_independent ? m_changes.test(values).p : found.back().p);
        }
    }
    const std::vector<double> corrected = correct(p, m_options.corrected);
    const double needed = needed_p(m_options, found.size());
    const bool has_too_few = too_few(found.size()).has_value();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        trend_row& row = *rows[i];
        row.s = found[question_of[i]].s;
        row.p = p[question_of[i]];
        row.corrected_p = corrected[question_of[i]];
        row.slope = estimate_slope(m_hours, row.values, m_runs, m_options.alpha);
        if (row.slope.within && !m_options.are_independent) {
            // The median of all slopes is nearly as good for what wanders, and better for what
            // is far off once. The interval covers both where they differ.
            const auto [value, deviation] = m_model.fit(row.values).slope;
            const double reach = m_model.reach(m_options.alpha) * deviation;
            row.slope.within.reset();
            if (std::isfinite(reach)) {
                row.slope.within = {std::min(value - reach, row.slope.value),
                                    std::max(value + reach, row.slope.value)};
            }
        }
        row.growth = row.slope.value * m_hours_of_runs;
        row.course = trend_verdict::unsure;
        if (m_is_known && row.corrected_p <= m_options.alpha) {
            if (m_options.are_independent) {
                estimate_changes(row, std::max(needed, row.p));
            } else {
                estimate_course(row);
            }
        }
        row.verdict = m_is_known && is_level(row) ? trend_verdict::level : row.course;
        if (row.verdict == trend_verdict::unsure && has_too_few) {
            row.verdict = trend_verdict::too_few;
        }
    }
    return found.size();
}

// A regression among independent captures has the form of a step. A step within one process is no
// growth, but rather the filling of a cache.
bool trend_family_test::is_beyond(const limit& l, const value_type& type,
                                  const trend_row& row) const {
    const bool jumped = m_options.are_independent && row.course == trend_verdict::steps;
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
        // The start of the line that goes through the middle.
        const std::int64_t start = std::max<std::int64_t>(
            to_nearest(jumped ? row.before : median(row.values) - row.growth / 2), 0);
        is_more = is_crossed(l, type, 0, {start, fitting_add(start, growth)}, growth);
    }
    return is_more && (jumped || row.course == trend_verdict::grows);
}

std::optional<too_few_captures> trend_family_test::too_few(std::size_t hypotheses) {
    const double needed = needed_p(m_options, hypotheses);
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
    const auto can_be_told = [&](std::size_t count) {
        return m_options.are_independent
                   ? change_test::least_p(count) <= needed
                   : trend_test{{count}}.least_p() <= needed && changes_of(count) >= least_changes;
    };
    return too_few_captures{hypotheses, least, needed, fewest(can_be_told)};
}

bool trend_family_test::is_level(const trend_row& row) const {
    const double least = m_options.min_change * std::fabs(median(row.values));
    if (m_options.are_independent && row.course != trend_verdict::unsure) {
        return row.course == trend_verdict::steps && std::fabs(row.after - row.before) <= least;
    }
    const auto is_small = [&](double slope) { return std::fabs(slope) * m_hours_of_runs <= least; };
    return row.slope.within && is_small(row.slope.within->low) && is_small(row.slope.within->high);
}

void trend_family_test::estimate_course(trend_row& row) const {
    row.course = course_of(row);
    if (row.course == trend_verdict::grows || row.course == trend_verdict::falls) {
        return;
    }
    const auto step = find_step(m_hours, row.values, m_runs, row.slope.value);
    if (step && is_jump(row, step->at)) {
        row.course = trend_verdict::steps;
        row.step = step->at;
        row.before = step->before;
        row.after = step->after;
    }
}

// Values that go on growing are described at least as well by a line as by steps. The regression
// among several steps is the one that goes up most, whatever fell besides.
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
        row.course = course;
    } else if (jump != 0) {
        row.course = trend_verdict::steps;
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

// A fifth of alpha, as what is good news must not be so by the noise of few samples, which is not
// normal.
double trend_family_test::reach_of_shape(std::size_t places) const {
    return m_model.reach(m_options.alpha / 5 / static_cast<double>(places), 2);
}

// It does if what changes between two captures is more than any change of chance between others,
// and nothing is seen to grow besides. A leak of few samples looks like steps, too, and if it has
// one so far, like a step without noise.
bool trend_family_test::is_jump(const trend_row& row, std::size_t at) const {
    std::vector<double> after(row.values.size());
    std::fill(after.begin() + static_cast<std::ptrdiff_t>(at), after.end(), 1.0);
    const drift_model::result found = m_model.fit(row.values, after);
    if (m_is_sampled && found.extra.deviation == 0) {
        return false;
    }
    return std::fabs(found.extra.value) >
               reach_of_shape(row.values.size()) * found.extra.deviation &&
           std::fabs(found.slope.value) <=
               m_model.reach(m_options.alpha, 2) * found.slope.deviation;
}

// It grows, or falls, in the last two thirds of each run as well, and not only as what wanders
// about does. Growth that levels off, such as a cache that fills, is no leak: a steady one has two
// thirds of its growth there, so that half is asked for.
trend_verdict trend_family_test::course_of(const trend_row& row) const {
    const double sign = row.s > 0 ? 1 : -1;
    double early = 0;
    double late = 0;
    std::vector<std::span<const double>> ends;
    std::size_t count_of_ends = 0;
    for_each_run(m_runs, std::span{row.values}, [&](std::span<const double> run) {
        if (!run.empty()) {
            ends.push_back(run.subspan(first_third(run.size())));
            count_of_ends += ends.back().size();
            early += sign * (ends.back().front() - run.front());
            late += sign * (run.back() - ends.back().front());
        }
    });
    if (late < early) {
        // Steady growth does less there as well by chance.
        const auto [value, deviation] = m_model.fit(row.values, m_early_hours).extra;
        return sign * value > reach_of_shape(1) * deviation ? trend_verdict::levels_off
                                                            : trend_verdict::unsure;
    }
    const std::size_t block = size_of_blocks(ends, count_of_ends);
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
    // A growth whose slope may also be 0 is not reported.
    const bool may_be_level =
        row.slope.within && row.slope.within->low <= 0 && row.slope.within->high >= 0;
    if (may_be_level || rise_by_chance(changes) > 1.0 / (1U << least_changes)) {
        return trend_verdict::unsure;
    }
    return row.s > 0 ? trend_verdict::grows : trend_verdict::falls;
}

} // namespace pprofdelta
