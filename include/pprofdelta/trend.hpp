// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TREND_HPP
#define PPROFDELTA_TREND_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/compare.hpp>
#include <pprofdelta/limits.hpp>
#include <pprofdelta/local.hpp>
#include <pprofdelta/report.hpp>
#include <pprofdelta/statistics.hpp>
#include <pprofdelta/trend_statistics.hpp>
#include <pprofdelta/value_type.hpp>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

struct trend_options {
    grouping by = grouping::function;
    std::string by_label{};      ///< As in report_options, as the next.
    stack_selection selection{}; ///< Of the rows. Totals and limits on totals are of all samples.
    /// Regular expression of RE2's syntax: only rows whose name it is found in; empty for all.
    std::string rows{};
    double alpha = 0.05; ///< Between 0 and 1. The nominal confidence of intervals is 1 minus this.
    correction corrected = correction::holm;
    double min_change = 0.05; ///< Less than this part of the median, over all the time, is level.
    /// Rows with a smaller mean are left out; as in compare_options.
    std::optional<amount> min_amount{};
    double min_share = 0.01;
    /// Which types are cumulative, as in delta_options.
    std::vector<value_type_pattern> cumulative{};
    std::vector<value_type_pattern> gauge{};
    /// Captures of a process each, such as one of every night: there are no restarts, and values of
    /// cumulative types are as they are.
    bool are_independent = false;
    /// From one capture to the next, in the order in which they are added, whatever times they
    /// have.
    std::optional<double> seconds_between{};
};

/// When a capture was taken.
struct trend_capture {
    std::size_t added = 0;       ///< Its place in the order in which captures were added.
    std::int64_t time_nanos = 0; ///< Since 1970; 0 if it is not known.
    double hours = 0;            ///< Since the first one.
    std::size_t run = 0;         ///< After how many restarts.
};

/// What is known of a row.
enum class trend_verdict : std::uint8_t {
    grows,      ///< Really: p, corrected, is at most alpha, the interval of the slope is above 0,
                ///< and the last two thirds go on growing.
    falls,      ///< Really, in the same way.
    level,      ///< The change over all the time is at most the minimal one, as its interval is.
    steps,      ///< It really changed, but once, by more than chance does at any other time.
    levels_off, ///< It really changed, and more in the first third of its runs than after that,
                ///< which is no chance either.
    unsure,     ///< It is none of these: what it does in all, or does after that, may be chance.
    too_few,    ///< As that, but no row could be found to change with so few captures.
};

/// "grows", "falls", "level", "steps", "levels off", "unsure" or "too few".
[[nodiscard]] const char* to_string(trend_verdict of) noexcept;

/// A row that a total grows through.
struct trend_growth {
    std::string name;    ///< Any bytes.
    double per_hour = 0; ///< Its slope.
    double in_all = 0;   ///< What that comes to over all runs.
};

/// The values of a row in time, in the unit of the sample type; those of a rate per second.
struct trend_row {
    std::string name;           ///< Any bytes; empty for a total.
    std::vector<double> values; ///< One for each of profile_trend::places().
    trend_slope slope;          ///< Per hour.
    /// What the slope comes to over all runs.
    double growth = 0;
    double s = 0;           ///< As trend_test has it.
    double p = 1;           ///< By itself.
    double corrected_p = 1; ///< Among all that were tested together.
    trend_verdict verdict = trend_verdict::unsure;
    std::optional<double> share{}; ///< Of the total's slope, unless that is zero.
    /// Why a total grows that really changed, upwards, and would not be said to grow by itself:
    /// the row of its type that grows most, a flat one if any does.
    std::optional<trend_growth> through{};
    // If it steps:
    std::size_t step = 0; ///< The place in `values` of the first one after that.
    double before = 0;    ///< The median of its run before the step,
    double after = 0;     ///< and from there on.

    [[nodiscard]] double first() const { return values.empty() ? 0 : values.front(); }
    [[nodiscard]] double last() const { return values.empty() ? 0 : values.back(); }
};

/// What was tested together. Rows in which all captures have the same order are one question, as in
/// compared_family.
struct trend_rows {
    trend_row total;
    // Those that grow first, and then the steeper ones.
    std::vector<trend_row> flat; ///< Of samples whose innermost frame is in the row.
    std::vector<trend_row> cum;  ///< Of samples with a frame in the row.
    std::size_t questions = 0;
    std::size_t left_out = 0; ///< Rows that are too small, flat and cum.
};

/// A limit as it was found for one sample type.
struct trend_limit {
    std::string limit; ///< Its text.
    value_type type;
    limit::scope of = limit::scope::all;
    limit::bound on = limit::bound::rate;
    trend_row row; ///< Of the samples that it is about, which for each function are all.
    /// Whether it grows by more than the limit, and really, as the row does that a total grows
    /// through; of independent captures also whether it steps up by more than that.
    bool crossed = false;
    bool has_match = true;
    /// For a limit on each function those that cross it, the fastest first.
    std::vector<trend_row> functions;
    /// Why nothing could have crossed it.
    std::optional<too_few_captures> too_few;
};

/// Finds what grows over many captures, as memory that leaks does, by tests that assume nothing of
/// how the noise is distributed; see trend_test. Captures of one process are not independent, as
/// what was in use a minute ago is likely to be in use still. So a row has to pass rise_by_chance()
/// as well, with a p of at most 1/16, in the last two thirds of each run: for the changes between
/// eight or more blocks of captures there. At least half of the growth has to lie in that part, as
/// what levels off is no leak.
///
/// What a sampling profiler sees of a steady leak is a sum of chance, so it looks like steps at
/// times, or does less in the end. What steps or levels off has to do so by more than that, by
/// drift_model, which has the intervals of slopes as well. Only those of independent captures are
/// estimate_slope()'s.
///
/// Captures are put in the order of their times. A restart of the process begins a new run; it is
/// found as in delta_computer, by rows in place of samples. Only captures of one run are compared,
/// and what all runs say counts together.
///
/// The values of a cumulative type are rates per second: what was added since the capture before,
/// so that the first capture of a run has none. If a capture has a duration, as a delta does, it is
/// what the capture has, over that duration.
///
/// Memory: two numbers, flat and cum, for each sample type of each row that a capture has,
/// and that of one profile while it is added.
class profile_trend {
public:
    /// @param limits for judge(), on growth: by a rate, in all, or in percent. They have to be
    /// known
    ///               before the first capture.
    /// @throws error invalid_argument for options or limits that make no sense.
    explicit profile_trend(const trend_options& options = {}, std::vector<limit> limits = {});
    ~profile_trend();
    profile_trend(const profile_trend&) = delete;
    profile_trend& operator=(const profile_trend&) = delete;

    /// Adds up an uncompressed profile, of which nothing is kept but sums.
    ///
    /// @returns false for a delta that says nothing and is left out: of counters, in a series with
    ///          times, it has neither samples nor a duration, as the first of a series can be.
    ///
    /// Cost: time linear in the profile. After an exception nothing has changed.
    /// @throws error malformed, too_large; incompatible for sample types other than those of the
    ///         first capture, for one without a time, and for a copy of a capture.
    bool add(std::string_view profile);

    /// Those of the first capture; empty before.
    [[nodiscard]] const std::vector<value_type>& types() const noexcept;
    /// Whether the values of a type are rates.
    [[nodiscard]] bool is_rate(std::size_t type) const;
    /// The place of the type that `pattern` asks for; without one inuse_space if there is such a
    /// type, else that which make_report() would take for the first capture.
    /// @throws error incompatible unless there is one type like that, and one alone.
    [[nodiscard]] std::size_t find_type(const std::optional<value_type_pattern>& pattern) const;

    /// The files of the programs that captures say they are of, without their folders, each once.
    /// More than one may be a mistake.
    [[nodiscard]] std::vector<std::string> programs() const;

    // For all that follows there has to be a capture, or invalid_argument is thrown. Time is that
    // of trend_test and estimate_slope for each row, once until another capture is added.

    /// In the order of their times.
    /// @throws error incompatible for two captures of one time.
    [[nodiscard]] const std::vector<trend_capture>& captures();

    /// Which captures the values of a type's rows are of, as places in captures().
    [[nodiscard]] std::vector<std::size_t> places(std::size_t type);

    /// The total of a type, and the rows that options have not left out and that are not zero.
    [[nodiscard]] trend_rows rows(std::size_t type);

    /// All limits in their order, each for every sample type that it names. Those on each function
    /// are corrected with all rows, all others of a type together.
    /// @throws error incompatible for a type that is not there, a unit that does not fit it, or a
    ///         limit in the unit of a type whose values are rates.
    [[nodiscard]] std::vector<trend_limit> judge();

    /// Whether there are too few captures for so many questions about a type, or to tell growth
    /// from what wanders about: if the least p is small enough, it is that.
    [[nodiscard]] std::optional<too_few_captures> too_few(std::size_t type, std::size_t questions);

private:
    class PPROFDELTA_LOCAL impl;
    std::unique_ptr<impl> m_impl;
};

} // namespace pprofdelta

#pragma GCC visibility pop

#endif // PPROFDELTA_TREND_HPP
