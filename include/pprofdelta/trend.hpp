// SPDX-License-Identifier: Apache-2.0
#pragma once

// Example:
//
//     profile_trend trend{{.are_independent = true, .seconds_between = 60}};
//     trend.add(previous); // and further captures
//     trend.add(current);
//     const trend_row total = trend.rows(trend.find_type({})).total;
//     std::cout << total.slope.value << " an hour: " << to_string(total.verdict) << '\n';

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <pprofdelta/calls.hpp>
#include <pprofdelta/compare.hpp>
#include <pprofdelta/lifetimes.hpp>
#include <pprofdelta/limits.hpp>
#include <pprofdelta/local.hpp>
#include <pprofdelta/report.hpp>
#include <pprofdelta/statistics.hpp>
#include <pprofdelta/trend_statistics.hpp>
#include <pprofdelta/value_type.hpp>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

/// Most callers set `are_independent` or nothing. They leave the test alone: `alpha`, `corrected`
/// and `min_change`.
struct trend_options {
    grouping by = grouping::function;
    std::string by_label{}; ///< The key, as in report_options.
    /// The samples of the rows, as in report_options. Totals, and limits on them, are over all
    /// samples.
    stack_selection selection{};
    /// A regular expression in the syntax of RE2; only rows with a match in their names are tested.
    /// Empty for all rows.
    std::string rows{};
    /// The significance level, between 0 and 1. Intervals have the nominal confidence 1 - alpha.
    double alpha = 0.05;
    correction corrected = correction::holm;
    double min_change = 0.05; ///< The minimal change over the whole time, as a part of the median.
    /// The smallest mean of a row, as in compare_options; smaller rows are left out.
    std::optional<amount> min_amount{};
    double min_share = 0.01; ///< The smallest mean, as in compare_options.
    /// The types that are cumulative, those that are gauges, and those of intervals, as in
    /// delta_options.
    std::vector<value_type_pattern> cumulative{};
    std::vector<value_type_pattern> gauge{};
    std::vector<value_type_pattern> interval{};
    /// Whether each capture is from a process of its own, such as one of every night. There are
    /// then no restarts, and the values of cumulative types are used as they are.
    bool are_independent = false;
    /// If set, the time between captures, in seconds. Captures are then in the order of their
    /// addition, and their own times are ignored.
    std::optional<double> seconds_between{};
};

/// The time of a capture.
struct trend_capture {
    std::size_t added = 0;       ///< The place in the order of addition.
    std::int64_t time_nanos = 0; ///< Nanoseconds since 1970; 0 if unknown.
    /// Hours since the first capture. Where the clock was set back, they go on from the capture
    /// before, as the time in between is unknown.
    double hours = 0;
    /// The number of restarts before, of times the clock was set back, and of changes of the
    /// sampling period.
    std::size_t run = 0;
    /// Whether the process is the same as before and its sampling period another one, by which all
    /// that it ever counted is scaled anew.
    bool has_other_period = false;
};

/// The result of the tests of a row. A change is significant if its corrected p is at most alpha.
enum class trend_verdict : std::uint8_t {
    /// A significant trend: the confidence interval of the slope is above 0, and the growth
    /// continues in the last two thirds.
    grows,
    falls, ///< The same for a decline.
    /// The confidence interval of the change over the whole time lies within the minimal change or,
    /// if captures are independent, the largest step does.
    level,
    /// A significant change, but at one time, by more than chance explains, and no trend otherwise.
    steps,
    /// A significant change, but more in the first third of the runs than after it, by more than
    /// chance explains.
    levels_off,
    unsure,  ///< None of these: the change, or its continuation, may be chance.
    too_few, ///< The same as `unsure`, but with so few captures, no change can be significant.
};

/// Returns "grows", "falls", "level", "steps", "levels off", "unsure" or "too few".
[[nodiscard]] const char* to_string(trend_verdict found) noexcept;

/// A row through which a total grows.
struct trend_growth {
    std::string name;    ///< Any bytes.
    double per_hour = 0; ///< The slope of the row, per hour, in the unit of trend_row.
    double in_all = 0;   ///< The growth of the row over all runs, in that unit.
};

/// The values of a row over time, in the unit of the sample type; of a rate, per second.
struct trend_row {
    std::string name;           ///< Any bytes; empty for a total.
    std::vector<double> values; ///< One for each of profile_trend::places().
    trend_slope slope;          ///< Per hour.
    double growth = 0;          ///< The slope times the duration of all runs.
    double s = 0;               ///< The statistic of trend_test.
    double p = 1;               ///< The uncorrected p, from 0 to 1.
    double corrected_p = 1;     ///< Corrected for all rows tested together.
    trend_verdict verdict = trend_verdict::unsure;
    /// The form of a significant change, however small: never `level`. Limits go by it, as they
    /// say themselves what matters.
    trend_verdict course = trend_verdict::unsure;
    /// The slope as a part of the total's, which is 1, unless that is zero.
    std::optional<double> share{};
    /// The row through which a total with a significant increase grows, if it grows only because a
    /// row does: the row of its type with the largest growth, a flat one if any grows.
    std::optional<trend_growth> through{};
    // The course `steps` sets these:
    std::size_t step = 0; ///< The place in `values` of the first value after the step.
    /// The median before the step, from the previous step or the start of the run.
    double before = 0;
    double after = 0; ///< The median after the step, up to the next step or the end of the run.

    [[nodiscard]] double first() const { return values.empty() ? 0 : values.front(); }
    [[nodiscard]] double last() const { return values.empty() ? 0 : values.back(); }
};

/// Rows that were tested together. Rows in which all captures have the same order are one question,
/// as in compared_family.
struct trend_rows {
    trend_row total;
    // Growing rows first, then by descending slope.
    std::vector<trend_row> flat; ///< The samples whose innermost frame is in the row.
    /// The samples with a frame in the row. Of rows with equal values a caller is before its
    /// callee.
    std::vector<trend_row> cum;
    std::size_t hypotheses = 0; ///< The number of distinct questions.
    std::size_t left_out = 0;   ///< The number of rows that are too small, flat and cum.
    /// The number in all captures, as in report.
    std::size_t folded_functions = 0;
};

/// Where the growth of a total comes from, or its step: the fewest places in the tree of stacks
/// that account for it, found as compared_causes are. A part counts if its change is significant,
/// whether or not it is known to go on.
struct trend_causes {
    struct growth {
        /// The slope, per hour; for a total that steps, the change of the medians at that step.
        double change = 0;
        trend_row row; ///< Tested together with all places that are not too small.
    };

    std::vector<change_cause<growth>> causes{}; ///< Each before its parts; the larger ones first.
    double total = 0;                           ///< The change of the total, in the unit of these.
};

/// The result of a limit for one sample type.
struct trend_limit {
    std::string limit; ///< The text of the limit.
    value_type type;
    limit::scope of = limit::scope::all;
    limit::bound on = limit::bound::rate;
    trend_row row; ///< The samples of the limit; all samples for a limit on each function.
    /// Whether the course is `grows` and the growth is beyond the limit; for trend_row::through,
    /// that of both the total and the row. A step up beyond the limit crosses it as well if
    /// captures are independent.
    bool crossed = false;
    bool has_match = true; ///< Whether a function or label of any capture matches.
    /// Whether the type is in use at a time, and the sampling period of a process changed: what was
    /// sampled before is scaled by the new one until it is freed, so nothing is known.
    bool has_other_periods = false;
    /// The first most_crossing functions of a limit on each function that cross it, the fastest
    /// first.
    std::vector<trend_row> functions;
    std::size_t functions_left_out = 0; ///< The number of further functions that cross it.
    /// Why nothing could have crossed the limit.
    std::optional<too_few_captures> too_few;
};

/// Finds growth over many captures, such as a memory leak, by tests that assume nothing about the
/// distribution of the noise; see trend_test.
///
/// Captures of one process are not independent, since memory in use a minute ago is likely to be in
/// use still. A growing row must therefore pass rise_by_chance() as well, with a p of at most 1/16,
/// in the last two thirds of each run: for the changes between eight or more blocks of captures
/// there. The growth in that part must be at least half of all, as growth that levels off is no
/// leak.
///
/// A sampling profiler sees a steady leak as a sum of random increments, which sometimes looks like
/// steps, or grows less at the end. The verdicts `steps` and `levels_off` therefore require more
/// than that, by drift_model, which also gives the confidence intervals of slopes. The intervals of
/// independent captures are estimate_slope()'s.
///
/// Captures are ordered by their times. A restart of the process begins a new run; it is found as
/// in delta_computer, from rows in place of samples. The captures of each run are only compared
/// with each other, and the results of all runs are combined.
///
/// The clock may have been set back. If the totals of counters of one process, known by its
/// addresses, fall more often in the order of times than times go back in the order of counters,
/// the latter is taken, and a new run begins wherever times go back.
///
/// The values of a cumulative type are rates per second: the increase since the previous capture,
/// so the first capture of a run has none. The values of captures with a duration, such as deltas,
/// are those values divided by that duration.
///
/// Memory: two numbers, flat and cum, for each sample type of each row of each capture, one for
/// each stack, and that of one profile while it is added.
class profile_trend {
public:
    /// @param limits the limits for judge(), on growth: by a rate, in total, or in percent. They
    ///               must be known before the first capture.
    /// @throws error invalid_argument for invalid options or limits.
    explicit profile_trend(const trend_options& options = {}, std::vector<limit> limits = {});
    ~profile_trend();
    profile_trend(const profile_trend&) = delete;
    profile_trend& operator=(const profile_trend&) = delete;

    /// Adds one profile. It keeps only the sums. Unchanged after an exception.
    ///
    /// Cost: time linear in the profile.
    /// @throws error malformed, too_large; incompatible for sample types that differ from the first
    ///         capture's, for a profile without a time, and for a copy of a capture.
    ///
    /// @param name the name of the capture, for errors; by default its number.
    void add(const viewed_profiles& capture, std::string name = {});

    /// Returns the sample types of the first capture; empty before.
    [[nodiscard]] const std::vector<value_type>& types() const noexcept;
    /// Returns the place of the type that `pattern` matches. The default is that of inuse_space, or
    /// else of the type that make_report() chooses for the first capture.
    /// @throws error incompatible unless exactly one type matches; invalid_argument without a
    ///         capture.
    [[nodiscard]] std::size_t find_type(const std::optional<value_type_pattern>& pattern) const;

    /// Returns the names of the program files in the captures, without folders, each once. More
    /// than one may be a mistake.
    [[nodiscard]] std::vector<std::string> programs() const;

    /// Whether some sample has less than nothing in use (`inuse_space` and the like): captures then
    /// have what changed in an interval, as Go's `heap?seconds=N` has, and no level.
    [[nodiscard]] bool has_negative_use() const;

    // The results below need a capture, and a type is a place in types(), or invalid_argument is
    // thrown. They are computed when they are first asked for, in the time of trend_test and
    // estimate_slope for each row, and kept until another capture is added; so several threads must
    // not use one object at once.

    /// Returns whether the values of a type are rates.
    [[nodiscard]] bool is_rate(std::size_t type) const;

    /// Returns the captures in the order of their times, or of counters if the clock was set back.
    /// @throws error incompatible for two captures with the same time, one after the other.
    [[nodiscard]] const std::vector<trend_capture>& captures() const;

    /// Returns the captures that the values of a type's rows are from, as places in captures().
    [[nodiscard]] std::vector<std::size_t> places(std::size_t type) const;

    /// Returns the total of a type, and the rows that the options select and that are not zero.
    [[nodiscard]] trend_rows rows(std::size_t type) const;

    /// Returns the causes of the growth or the step of a total, or for a total without a
    /// significant change, the places that changed all the same.
    /// @param most the largest number of causes. If there are more, only larger ones are returned.
    [[nodiscard]] trend_causes causes(std::size_t type, std::size_t most) const;

    /// Judges all limits in their order, each for every sample type that it names. Limits on each
    /// function are corrected with all rows, and the other limits on a type together.
    /// @throws error incompatible for a type that does not exist, a unit that does not fit it, or a
    ///         limit that is not in percent on a type whose values are rates.
    [[nodiscard]] std::vector<trend_limit> judge() const;

    /// Returns how long memory lives, as make_lifetimes() does of two profiles, by all captures.
    ///
    /// Memory allocated and freed is that between each capture and the one before in its run, and
    /// memory in use is the mean over time. Intervals are those of two profiles with that mean: it
    /// is taken for one sample, since captures share what lives longer than the time between them.
    /// @param type  either type of a pair, as in make_lifetimes().
    /// @param order whether an amount belongs to the row of the innermost frame, or to all rows.
    /// @throws error incompatible without such a pair of types or without an interval, and for
    ///         independent captures.
    [[nodiscard]] pprofdelta::lifetimes lifetimes(const std::optional<value_type_pattern>& type,
                                                  row_order order) const;

    /// Returns why there are too few captures: for a number of questions about a type, or, if
    /// `least_p` is at most `needed_p`, to tell growth from fluctuation. Empty if there are enough.
    [[nodiscard]] std::optional<too_few_captures> too_few(std::size_t type,
                                                          std::size_t hypotheses) const;

private:
    class PPROFDELTA_LOCAL impl;
    std::unique_ptr<impl> m_impl;
};

} // namespace pprofdelta

#pragma GCC visibility pop
