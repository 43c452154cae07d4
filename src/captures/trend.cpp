// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <queue>
#include <span>
#include <utility>

#include <pprofdelta/error.hpp>
#include <pprofdelta/trend.hpp>

#include "base/numbers.hpp"
#include "captures/captures.hpp"
#include "captures/study.hpp"
#include "delta/restart.hpp"
#include "delta/series.hpp"
#include "profile/index.hpp"
#include "select/viewed_profiles.hpp"
#include "statistics/order.hpp"
#include "views/causes.hpp"
#include "views/lifetimes.hpp"
#include "views/limits.hpp"

namespace pprofdelta {

namespace {

constexpr double nanos_per_second = 1e9;
constexpr double seconds_per_hour = 3600;

// The captures are in the order of their times, which can be farther apart than a signed number
// says.
double seconds_between(const trend_capture& before, const trend_capture& after) {
    return static_cast<double>(static_cast<std::uint64_t>(after.time_nanos) -
                               static_cast<std::uint64_t>(before.time_nanos)) /
           nanos_per_second;
}

/// The captures in the course of time.
class capture_series {
public:
    capture_series(trend_options options, std::vector<limit> limits)
        : m_options{std::move(options)}, m_reader{m_options, std::move(limits), true} {}

    /// See profile_trend::add().
    void add(const profile_index& index, std::string name) {
        if (name.empty()) {
            name = "capture " + std::to_string(count() + 1);
        }
        const bool is_first = m_reader.is_empty();
        std::vector<value_kind> kinds = m_kinds;
        std::size_t type = 0;
        if (is_first) {
            delta_options chosen;
            chosen.cumulative = m_options.cumulative;
            chosen.gauge = m_options.gauge;
            chosen.interval = m_options.interval;
            kinds = plan_subtraction(index.types, chosen).kinds;
            const std::vector<value_type>& types = index.types.sample_types;
            const auto in_use =
                std::ranges::find(types, std::string_view{"inuse_space"}, &value_type::type);
            type = in_use == types.end() ? choose_type(index, {})
                                         : static_cast<std::size_t>(in_use - types.begin());
        }
        m_reader.require_types_of(index);
        if (!m_options.seconds_between && index.view.time_nanos == 0) {
            throw error{error_kind::incompatible,
                        "the profile has no time, and the interval between captures is not given"};
        }
        m_names.push_back(name);
        try {
            m_reader.read(index, type, name, m_captures);
        } catch (...) {
            m_names.pop_back();
            throw;
        }
        m_kinds = std::move(kinds);
        m_period = index.view.period;
    }

    [[nodiscard]] std::size_t count() const noexcept { return m_captures.all().size(); }
    /// The period of the capture that was added last.
    [[nodiscard]] std::int64_t period() const noexcept { return m_period; }
    [[nodiscard]] bool is_rate(std::size_t type) const {
        return !m_options.are_independent &&
               (m_kinds[type] == value_kind::cumulative ||
                (m_kinds[type] == value_kind::interval && has_durations()));
    }

    /// Its usual type is inuse_space, or that which a report would be about.
    [[nodiscard]] const capture_reader& reader() const noexcept { return m_reader; }

    /// Returns the captures by time and run, without deltas that say nothing.
    /// @throws error incompatible for two captures of one time.
    [[nodiscard]] std::vector<trend_capture> in_time() const {
        std::vector<trend_capture> all;
        const bool are_deltas =
            !m_options.are_independent && !m_options.seconds_between && has_durations() &&
            std::ranges::any_of(m_kinds, [](value_kind kind) { return kind != value_kind::gauge; });
        for (std::size_t i = 0; i < count(); ++i) {
            const capture& each = m_captures.all()[i];
            // The first delta of a series can be empty. A total without samples counts nothing so
            // far, as that of mutexes while nothing waits.
            if (!are_deltas || each.duration_nanos != 0 || !each.is_empty) {
                all.push_back({.added = i, .time_nanos = each.time_nanos});
            }
        }
        if (!m_options.seconds_between) {
            std::ranges::stable_sort(all, {}, &trend_capture::time_nanos);
        }
        constexpr std::size_t enough_without = 3;
        if (!m_options.are_independent && all.size() > enough_without &&
            has_levels(all[all.size() - 2]) && !has_levels(all.back())) {
            all.pop_back(); // what a process writes when it has freed all, at its exit
        }
        const std::vector<bool> are_new_runs = find_restarts(all);
        for (std::size_t i = 1; i < all.size(); ++i) {
            if (m_options.seconds_between) {
                all[i].hours =
                    static_cast<double>(i) * *m_options.seconds_between / seconds_per_hour;
            } else if (all[i].time_nanos == all[i - 1].time_nanos) {
                throw error{error_kind::incompatible, m_names[all[i - 1].added] + " and " +
                                                          m_names[all[i].added] +
                                                          " have the same time"};
            } else {
                all[i].hours = seconds_between(all[0], all[i]) / seconds_per_hour;
            }
            all[i].run = all[i - 1].run + (are_new_runs[i] ? 1 : 0);
        }
        return all;
    }

    [[nodiscard]] const capture_list& captures() const noexcept { return m_captures; }
    /// How many callers each row has at least, in any stack.
    [[nodiscard]] std::vector<std::uint32_t> depths_of_rows() const {
        std::vector<std::uint32_t> depths(m_reader.names().size(), stack_frames::none);
        for (std::uint32_t stack = 0; stack < m_reader.stacks().size(); ++stack) {
            stack_frames frames = m_reader.frames(stack);
            std::uint32_t depth = 0;
            for (std::uint32_t row = frames.take(); row != stack_frames::none;
                 row = frames.take()) {
                depths[row] = std::min(depths[row], depth++);
            }
        }
        return depths;
    }
    /// Whether a function of any capture matches a limit on functions by name.
    [[nodiscard]] bool has_match(std::size_t limit) const { return m_captures.has_match(limit); }

    /// Makes the values of a type what a row of it has.
    struct measured_values {
        struct value {
            std::size_t now = 0;    ///< Places in the order in which captures were added.
            std::size_t before = 0; ///< The same without one.
            double seconds = 1;
        };

        std::vector<value> values;
        std::vector<std::size_t> places; ///< Their captures, in the order of their times.
        std::vector<double> hours;       ///< Since the first capture.
        std::vector<std::size_t> runs;   ///< The number of them in each run.

        /// @param all is the result of in_time().
        measured_values(const capture_series& series, const std::vector<trend_capture>& all,
                        std::size_t type) {
            const bool are_differences = series.is_rate(type) && !series.has_durations();
            runs.resize(all.back().run + 1);
            for (std::size_t i = 0; i < all.size(); ++i) {
                value added{.now = all[i].added, .before = all[i].added};
                if (are_differences) {
                    if (i == 0 || all[i].run != all[i - 1].run) {
                        continue;
                    }
                    added.before = all[i - 1].added;
                    // The seconds are not computed from the hours: equal numbers have to stay
                    // equal.
                    added.seconds = series.m_options.seconds_between
                                        ? *series.m_options.seconds_between
                                        : seconds_between(all[i - 1], all[i]);
                } else if (series.is_rate(type)) {
                    const std::int64_t nanos = series.m_captures.all()[added.now].duration_nanos;
                    if (nanos <= 0) {
                        continue;
                    }
                    added.seconds = static_cast<double>(nanos) / nanos_per_second;
                }
                values.push_back(added);
                places.push_back(i);
                hours.push_back(all[i].hours);
                ++runs[all[i].run];
            }
        }

        /// @param sums stand in the order in which captures were added.
        [[nodiscard]] std::vector<double> of(const std::vector<double>& sums) const {
            std::vector<double> result;
            result.reserve(values.size());
            for (const value& each : values) {
                const double before = each.before == each.now ? 0 : sums[each.before];
                result.push_back((sums[each.now] - before) / each.seconds);
            }
            return result;
        }
    };

private:
    [[nodiscard]] bool has_levels(const trend_capture& each) const {
        const std::vector<std::int64_t>& totals = m_captures.all()[each.added].totals;
        for (std::size_t type = 0; type < m_kinds.size(); ++type) {
            if (m_kinds[type] == value_kind::gauge && totals[type] != 0) {
                return true;
            }
        }
        return false;
    }
    // Whether the process was another one than that of the capture before.
    [[nodiscard]] std::vector<bool> find_restarts(const std::vector<trend_capture>& in_time) const {
        std::vector<bool> are_restarts(in_time.size());
        if (m_options.are_independent || has_durations()) {
            return are_restarts;
        }
        std::vector<counter_changes> changes(in_time.size());
        for (counter_changes& each : changes) {
            each.begin(m_kinds.size());
        }
        for (std::uint32_t row = 0; row < m_reader.names().size(); ++row) {
            std::vector<bool> was_there(in_time.size());
            for (std::size_t type = 0; type < m_kinds.size(); ++type) {
                if (m_kinds[type] != value_kind::cumulative) {
                    continue;
                }
                const std::vector<std::int64_t> sums = m_captures.flat_sums(type, row);
                for (std::size_t i = 1; i < in_time.size(); ++i) {
                    const std::int64_t before = sums[in_time[i - 1].added];
                    was_there[i] = was_there[i] || before != 0;
                    changes[i].add(type, before, sums[in_time[i].added]);
                }
            }
            for (std::size_t i = 1; i < in_time.size(); ++i) {
                changes[i].end_sample(was_there[i], true);
            }
        }
        const std::vector<capture>& all = m_captures.all();
        for (std::size_t i = 1; i < in_time.size(); ++i) {
            const process_relation process =
                relation_of(all[in_time[i - 1].added].process, all[in_time[i].added].process);
            are_restarts[i] = changes[i].find_reset({process}) != reset_reason::none;
        }
        return are_restarts;
    }

    // Deltas have one, but for those after a restart, whose rates nobody knows.
    [[nodiscard]] bool has_durations() const {
        return std::ranges::any_of(m_captures.all(),
                                   [](const capture& each) { return each.duration_nanos > 0; });
    }

    trend_options m_options;
    std::vector<value_kind> m_kinds;
    std::int64_t m_period = 0;
    capture_reader m_reader;
    capture_list m_captures;
    std::vector<std::string> m_names; // of captures, in the order of addition
};

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

/// Tests rows together, of captures of the same times.
class trend_family_test {
public:
    /// @param runs are those of trend_test.
    trend_family_test(const trend_options& options, std::vector<double> hours,
                      std::vector<std::size_t> runs)
        : m_options{options}, m_hours{std::move(hours)}, m_runs{std::move(runs)}, m_test{m_runs},
          m_model{m_hours, m_runs} {
        for_each_run(m_runs, std::span{m_hours}, [&](std::span<const double> run) {
            m_hours_of_runs += run.empty() ? 0 : run.back() - run.front();
            for (const double hour : run) {
                m_early_hours.push_back(std::min(hour, run[first_third(run.size())]));
            }
        });
    }

    /// Computes all figures of rows that have their values.
    /// @returns the number of different questions.
    std::size_t run(const std::vector<trend_row*>& rows) {
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
            const bool is_significant = row.corrected_p <= m_options.alpha;
            if (is_significant && m_options.are_independent) {
                estimate_changes(row, std::max(needed, row.p));
            } else if (is_level(row)) {
                row.verdict = trend_verdict::level;
            } else if (is_significant) {
                estimate_course(row);
            }
            if (row.verdict == trend_verdict::unsure && has_too_few) {
                row.verdict = trend_verdict::too_few;
            }
        }
        return found.size();
    }

    /// The duration of all runs.
    [[nodiscard]] double hours() const noexcept { return m_hours_of_runs; }

    /// Whether a limit is crossed that is not on each function.
    /// @throws error incompatible if the limit's unit does not fit the type's.
    // A regression among independent captures has the form of a step. A step within one process is
    // no growth, but rather the filling of a cache.
    [[nodiscard]] bool is_beyond(const limit& l, const value_type& type,
                                 const trend_row& row) const {
        const bool jumped = m_options.are_independent && row.verdict == trend_verdict::steps;
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
        return is_more && (jumped || row.verdict == trend_verdict::grows);
    }

    /// Whether none of so many questions could be answered.
    [[nodiscard]] std::optional<too_few_captures> too_few(std::size_t hypotheses) {
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
            return m_options.are_independent ? change_test::least_p(count) <= needed
                                             : trend_test{{count}}.least_p() <= needed &&
                                                   changes_of(count) >= least_changes;
        };
        return too_few_captures{hypotheses, least, needed, fewest(can_be_told)};
    }

private:
    [[nodiscard]] double least_change(const trend_row& row) const {
        return m_options.min_change * std::fabs(median(row.values));
    }

    [[nodiscard]] bool is_level(const trend_row& row) const {
        const auto is_small = [&](double slope) {
            return std::fabs(slope) * m_hours_of_runs <= least_change(row);
        };
        return row.slope.within && is_small(row.slope.within->low) &&
               is_small(row.slope.within->high);
    }

    void estimate_course(trend_row& row) const {
        row.verdict = course_of(row);
        if (row.verdict == trend_verdict::grows || row.verdict == trend_verdict::falls) {
            return;
        }
        const auto step = find_step(m_hours, row.values, m_runs, row.slope.value);
        if (step && is_jump(row, step->at)) {
            row.verdict = trend_verdict::steps;
            row.step = step->at;
            row.before = step->before;
            row.after = step->after;
        }
    }

    // Values that go on growing are described at least as well by a line as by steps. The
    // regression among several steps is the one that goes up most, whatever fell besides.
    void estimate_changes(trend_row& row, double needed) {
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
            row.verdict = course;
        } else {
            row.verdict =
                std::fabs(jump) > least_change(row) ? trend_verdict::steps : trend_verdict::level;
        }
    }

    // Looks for more changes on both sides of each that is found.
    void find_changes(std::span<const double> values, std::size_t first, double needed,
                      std::vector<std::size_t>& places) {
        const change_test::result found = m_changes.test(values);
        if (found.p <= needed) {
            find_changes(values.first(found.at), first, needed, places);
            places.push_back(first + found.at);
            find_changes(values.subspan(found.at), first + found.at, needed, places);
        }
    }

    // The reach beyond which a shape with so many possible places is no chance. A fifth of alpha,
    // as what is good news must not be so by the noise of few samples, which is not normal.
    [[nodiscard]] double reach_of_shape(std::size_t places) const {
        return m_model.reach(m_options.alpha / 5 / static_cast<double>(places), 2);
    }

    // Whether what changes between two captures is more than any change of chance between others,
    // and nothing is seen to grow besides. A leak of few samples looks like steps, too.
    [[nodiscard]] bool is_jump(const trend_row& row, std::size_t at) const {
        std::vector<double> after(row.values.size());
        std::fill(after.begin() + static_cast<std::ptrdiff_t>(at), after.end(), 1.0);
        const drift_model::result found = m_model.fit(row.values, after);
        return std::fabs(found.extra.value) >
                   reach_of_shape(row.values.size()) * found.extra.deviation &&
               std::fabs(found.slope.value) <=
                   m_model.reach(m_options.alpha, 2) * found.slope.deviation;
    }

    // Whether it grows, or falls, in the last two thirds of each run as well, and not only as what
    // wanders about does. Growth that levels off, such as a cache that fills, is no leak: a steady
    // one has two thirds of its growth there, so that half is asked for.
    [[nodiscard]] trend_verdict course_of(const trend_row& row) const {
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
        // A growth whose slope may also be 0 is not reported.
        const bool may_be_level =
            row.slope.within && row.slope.within->low <= 0 && row.slope.within->high >= 0;
        if (may_be_level || rise_by_chance(changes) > 1.0 / (1U << least_changes)) {
            return trend_verdict::unsure;
        }
        return row.s > 0 ? trend_verdict::grows : trend_verdict::falls;
    }

    trend_options m_options;
    std::vector<double> m_hours;
    std::vector<std::size_t> m_runs;
    double m_hours_of_runs = 0; // added up
    trend_test m_test;
    drift_model m_model;
    std::vector<double> m_early_hours; // those of each run, but no more than at its first third
    change_test m_changes;             // for independent captures
};

void check(const trend_options& options, const std::vector<limit>& limits) {
    check_test(options);
    if (options.seconds_between && !(*options.seconds_between > 0)) {
        refuse("the interval between captures must be more than 0");
    }
    for (const limit& l : limits) {
        if (limit::is_of_value(l.on)) {
            refuse(about_limit(l) + "a limit on a trend needs a '+', as in inuse_space>+1MiB/h");
        }
    }
}

/// The sums of stacks over time, as make_tree_of_stacks() asks for them.
struct trend_sums {
    const capture_series& captures;
    const capture_series::measured_values& measured;
    std::size_t type;

    [[nodiscard]] trend_row of_stack(std::uint32_t stack) const {
        trend_row row;
        row.values = captures.captures().values(type, {sample_group::kind::stack, stack});
        return row;
    }
    [[nodiscard]] trend_row scaled(trend_row sums) const {
        sums.values = measured.of(sums.values);
        return sums;
    }
    // A row without values is one of zeros.
    static void add(trend_row& to, const trend_row& more) {
        to.values.resize(std::max(to.values.size(), more.values.size()));
        std::ranges::transform(more.values, to.values, to.values.begin(), std::plus{});
    }
    static void subtract(trend_row& from, const trend_row& less) {
        std::ranges::transform(from.values, less.values, from.values.begin(), std::minus{});
    }
    [[nodiscard]] static bool are_equal(const trend_row& a, const trend_row& b) {
        return a.values == b.values;
    }
};

// Real growth is what is looked for.
bool grows_more(const trend_row& a, const trend_row& b) {
    if ((a.verdict == trend_verdict::grows) != (b.verdict == trend_verdict::grows)) {
        return a.verdict == trend_verdict::grows;
    }
    return a.slope.value > b.slope.value;
}

} // namespace

class profile_trend::impl final : public study<capture_series, trend_rows, trend_limit> {
public:
    impl(const trend_options& options, std::vector<limit> limits)
        : study{options, std::move(limits)}, m_options{options} {}

    const std::vector<trend_capture>& in_time() {
        if (captures().count() == 0) {
            refuse("a trend needs captures");
        }
        if (m_in_time.empty()) {
            m_in_time = captures().in_time();
        }
        return m_in_time;
    }

    const std::vector<std::size_t>& places(std::size_t type) { return of(type).values.places; }

    std::vector<trend_limit> judge() {
        for_each_named_type(limits(), types(), [&](std::size_t number, std::size_t type) {
            const limit& l = limits()[number];
            if (captures().is_rate(type) && l.on != limit::bound::percent) {
                throw error{error_kind::incompatible,
                            about_limit(l) + "the values of " + to_string(types()[type]) +
                                " are rates, so their growth needs a limit in percent"};
            }
        });
        return study::judge();
    }

    std::optional<too_few_captures> too_few(std::size_t type, std::size_t hypotheses) {
        return of(type).test.too_few(hypotheses);
    }

    trend_causes causes(std::size_t type, std::size_t most) {
        constexpr double least_part = 0.05; // of the total's change
        const trend_row& total = rows(type).total;
        const double least_row = least_size(type, total);
        const tree_of_stacks<trend_row> stacks = make_tree_of_stacks<trend_row>(
            captures().reader(), least_row, trend_sums{captures(), of(type).values, type});
        std::vector<trend_row> values; // of the tree's changes
        std::ranges::transform(stacks.nodes, std::back_inserter(values),
                               [](const auto& node) { return node.cum; });
        const auto untested = [](const trend_row& row) {
            trend_row made;
            made.values = row.values;
            return made;
        };
        std::ranges::move(own_rows<trend_row>(stacks.nodes, untested, trend_sums::subtract),
                          std::back_inserter(values));
        std::vector<trend_row*> tested;
        for (std::size_t i = 1; i < values.size(); ++i) {
            const bool has_frames = i >= stacks.nodes.size() || !stacks.nodes[i].rows.empty();
            if (has_frames && size_of(values[i]) > 0 && size_of(values[i]) >= least_row) {
                tested.push_back(&values[i]);
            }
        }
        of(type).test.run(tested);
        trend_causes made{.total = change_of(total, total)};
        const double hours = of(type).test.hours();
        const double least = made.total != 0 ? least_part * std::fabs(made.total)
                             : total.verdict == trend_verdict::steps || hours == 0
                                 ? least_row
                                 : least_row / hours;
        if (least == 0) {
            return made;
        }
        const auto change = [&](const trend_row& row) {
            const std::span<const double> all{row.values};
            return change_tree::change{
                row.values.empty() ? 0 : median(all.first((all.size() + 1) / 2)),
                row.values.empty() ? 0 : median(all.subspan(all.size() / 2)),
                row.corrected_p <= m_options.alpha ? change_of(row, total) : 0};
        };
        change_tree tree;
        for (const auto& each : stacks.nodes) {
            tree.nodes.push_back({each.parent, each.rows});
        }
        std::ranges::transform(values, std::back_inserter(tree.changes), change);
        const auto functions = [&] {
            std::vector<double> changes;
            for (const trend_row& each : rows(type).flat) {
                values.push_back(each);
                changes.push_back(change(each).by);
            }
            return changes;
        };
        for (const found_cause& each : find_causes(tree, change(total), functions, least, most)) {
            const trend_row& row = values[each.place];
            made.causes.push_back({.of = each.of,
                                   .frames = each.of == cause_kind::function
                                                 ? std::vector{row.name}
                                                 : names_of(each.rows, captures().reader()),
                                   .previous_name = each.of == cause_kind::renamed
                                                        ? values[each.gone].name
                                                        : std::string{},
                                   .depth = each.depth,
                                   .change = change_of(row, total),
                                   .row = row});
        }
        return made;
    }

    pprofdelta::lifetimes lifetimes(const std::optional<value_type_pattern>& type,
                                    row_order order) {
        const lifetime_maker maker{captures().reader().all_types(), captures().period(), type};
        const std::size_t allocated = maker.types().front().allocated;
        double seconds = 0;
        if (std::ranges::all_of(maker.types(), [this](const heap_pair& each) {
                return captures().is_rate(each.allocated);
            })) {
            for_each_interval(allocated, [&](std::size_t /*i*/, std::size_t /*before*/,
                                             const auto& now) { seconds += now.seconds; });
        }
        if (!(seconds > 0)) {
            throw error{error_kind::incompatible,
                        "no lifetimes: they need two captures of one process, and what was counted "
                        "in between"};
        }
        const auto row_of = [&](std::string name, const sample_group& samples) {
            std::vector<lifetimes::amount> all;
            for (const heap_pair& each : maker.types()) {
                all.push_back(amount_of(each, samples, seconds));
            }
            return maker.row(std::move(name), all, seconds);
        };
        pprofdelta::lifetimes made{.type = types()[allocated],
                                   .duration_nanos = to_nearest(seconds * nanos_per_second),
                                   .time_nanos = in_time().back().time_nanos,
                                   .total = row_of("", {})};
        const row_names& names = captures().reader().names();
        const sample_group::kind of =
            order == row_order::flat ? sample_group::kind::flat : sample_group::kind::cum;
        for (std::uint32_t i = 0; i < names.size(); ++i) {
            if (is_asked(names.name(i))) {
                made.rows.push_back(row_of(names.name(i), {of, i}));
            }
        }
        put_in_order(made.rows);
        return made;
    }

private:
    // The slope, or for a total that steps, the change of a row at that step. What jumped once is
    // no part of what grows.
    static double change_of(const trend_row& row, const trend_row& total) {
        if (total.verdict == trend_verdict::steps) {
            const std::span<const double> all{row.values};
            return &row == &total ? total.after - total.before
                   : all.size() <= total.step
                       ? 0
                       : median(all.subspan(total.step)) - median(all.first(total.step));
        }
        return row.verdict == trend_verdict::steps || row.verdict == trend_verdict::level
                   ? 0
                   : row.slope.value;
    }

    // Calls `visit` with each value of a rate and the capture before it, of one run.
    template <typename Visit>
    void for_each_interval(std::size_t type, Visit&& visit) {
        const capture_series::measured_values& measured = of(type).values;
        for (std::size_t i = 0; i < measured.places.size(); ++i) {
            if (measured.places[i] != 0) { // a delta has what was before, which nobody knows
                visit(i, in_time()[measured.places[i] - 1].added, measured.values[i]);
            }
        }
    }

    lifetimes::amount amount_of(const heap_pair& types, const sample_group& samples,
                                double seconds) {
        const std::vector<double> in_use = captures().captures().values(types.in_use, samples);
        const std::vector<double> rates = row_of(types.allocated, samples).values;
        double allocated = 0;
        double grown = 0;
        double mean = 0;
        for_each_interval(types.allocated, [&](std::size_t i, std::size_t before, const auto& now) {
            allocated += std::round(rates[i] * now.seconds);
            grown += in_use[now.now] - in_use[before];
            mean += (in_use[before] + in_use[now.now]) / 2 * (now.seconds / seconds);
        });
        return make_amount(to_nearest(allocated), allocated - grown,
                           {to_nearest(in_use[in_time().front().added]),
                            to_nearest(in_use[in_time().back().added])},
                           mean);
    }

    // The parts that are the same for all rows of a type.
    struct type_test {
        type_test(const capture_series& captures, const std::vector<trend_capture>& in_time,
                  std::size_t type, const trend_options& options)
            : values{captures, in_time, type}, test{options, values.hours, values.runs} {}

        capture_series::measured_values values;
        trend_family_test test;
    };

    type_test& of(std::size_t type) {
        auto found = m_types.find(type);
        if (found == m_types.end()) {
            found = m_types.try_emplace(type, captures(), in_time(), type, m_options).first;
        }
        return found->second;
    }

    void forget() noexcept override {
        m_in_time.clear();
        m_types.clear();
    }

    trend_row row_of(std::size_t type, const sample_group& samples) override {
        trend_row made;
        made.values = of(type).values.of(captures().captures().values(type, samples));
        return made;
    }

    trend_rows test_rows(std::size_t type) override {
        trend_rows result;
        result.total = row_of(type, {});
        std::vector<trend_row*> together =
            add_rows(type, result.total, result.flat, result.cum, result.left_out);
        together.push_back(&result.total);
        result.hypotheses = of(type).test.run(together);
        follow_rows(result.total, result);
        for (trend_row* const row : together) {
            if (result.total.slope.value != 0) {
                row->share = row->slope.value / result.total.slope.value;
            }
        }
        std::ranges::sort(result.flat, {}, &trend_row::name);
        put_in_call_order(result.cum);
        std::ranges::stable_sort(result.flat, grows_more);
        std::ranges::stable_sort(result.cum, grows_more);
        return result;
    }

    // The outer ones first, and else by name.
    void put_in_call_order(std::vector<trend_row>& rows) const {
        const std::vector<std::uint32_t> depths = captures().depths_of_rows();
        std::map<std::string_view, std::uint32_t> by_name;
        for (std::uint32_t row = 0; row < depths.size(); ++row) {
            by_name[captures().reader().names().name(row)] = depths[row];
        }
        std::ranges::sort(rows, {}, [&](const trend_row& row) {
            return std::pair{by_name[row.name], std::string_view{row.name}};
        });
    }

    // Those of a type, on totals and on named functions, are what was asked for, so they are tested
    // together.
    void test_limits(const std::vector<place>& places, std::vector<trend_limit>& all) override {
        std::map<std::size_t, std::vector<trend_limit*>> by_type;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const auto [number, type] = places[i];
            all[i].row = row_of(type, is_of_some(limits()[number])
                                          ? sample_group{sample_group::kind::limit, number}
                                          : sample_group{});
            by_type[type].push_back(&all[i]);
        }
        for (const auto& [type, found] : by_type) {
            std::vector<trend_row*> together;
            std::ranges::transform(found, std::back_inserter(together),
                                   [](trend_limit* each) { return &each->row; });
            const std::size_t hypotheses = of(type).test.run(together);
            for (trend_limit* const each : found) {
                each->too_few = of(type).test.too_few(hypotheses);
                if (each->of == limit::scope::all && is_in_doubt(each->row)) {
                    follow_rows(each->row, rows(type));
                }
            }
        }
    }

    // Whether a total really changed, upwards, and does not show that it goes on.
    [[nodiscard]] bool is_in_doubt(const trend_row& total) const {
        return !m_options.are_independent && total.s > 0 && total.corrected_p <= m_options.alpha &&
               (total.verdict == trend_verdict::steps ||
                total.verdict == trend_verdict::levels_off ||
                total.verdict == trend_verdict::unsure);
    }

    // All other rows are noise in a total, and what fills up hides what goes on. Hence it grows as
    // well if a row does: a flat one, or else one that grows in several places.
    void follow_rows(trend_row& total, const trend_rows& all) const {
        if (!is_in_doubt(total)) {
            return;
        }
        for (const std::vector<trend_row>* const rows : {&all.flat, &all.cum}) {
            if (total.through) {
                break;
            }
            for (const trend_row& row : *rows) {
                if (row.verdict == trend_verdict::grows &&
                    (!total.through || row.growth > total.through->in_all)) {
                    total.verdict = trend_verdict::grows;
                    total.through = {row.name, row.slope.value, row.growth};
                }
            }
        }
    }

    bool is_beyond(const limit& l, std::size_t type, const trend_row& row) override {
        return of(type).test.is_beyond(l, types()[type], row);
    }

    const std::vector<trend_row>& rows_of_each(std::size_t type, trend_limit& found) override {
        const trend_rows& all = rows(type);
        found.too_few = of(type).test.too_few(all.hypotheses);
        return found.of == limit::scope::each_leaf ? all.flat : all.cum;
    }

    trend_options m_options;
    // These are kept until another capture is added.
    std::vector<trend_capture> m_in_time;
    std::map<std::size_t, type_test> m_types;
};

const char* to_string(trend_verdict found) noexcept {
    constexpr std::array names{"grows",      "falls",  "level",  "steps",
                               "levels off", "unsure", "too few"};
    return names[static_cast<std::size_t>(found)];
}

profile_trend::profile_trend(const trend_options& options, std::vector<limit> limits) {
    check(options, limits);
    m_impl = std::make_unique<impl>(options, std::move(limits));
}

profile_trend::~profile_trend() = default;

void profile_trend::add(const viewed_profiles& capture, std::string name) {
    m_impl->add(capture.content().main().whole_as(m_impl->types()), std::move(name));
}

const std::vector<value_type>& profile_trend::types() const noexcept { return m_impl->types(); }

bool profile_trend::is_rate(std::size_t type) const { return m_impl->captures().is_rate(type); }

std::vector<std::string> profile_trend::programs() const {
    return m_impl->captures().captures().programs();
}

std::size_t profile_trend::find_type(const std::optional<value_type_pattern>& pattern) const {
    return m_impl->find_type(pattern);
}

const std::vector<trend_capture>& profile_trend::captures() { return m_impl->in_time(); }

std::vector<std::size_t> profile_trend::places(std::size_t type) { return m_impl->places(type); }

pprofdelta::lifetimes profile_trend::lifetimes(const std::optional<value_type_pattern>& type,
                                               row_order order) {
    return m_impl->lifetimes(type, order);
}

trend_rows profile_trend::rows(std::size_t type) { return m_impl->rows(type); }

trend_causes profile_trend::causes(std::size_t type, std::size_t most) {
    return m_impl->causes(type, most);
}

std::vector<trend_limit> profile_trend::judge() { return m_impl->judge(); }

std::optional<too_few_captures> profile_trend::too_few(std::size_t type, std::size_t hypotheses) {
    return m_impl->too_few(type, hypotheses);
}

} // namespace pprofdelta
