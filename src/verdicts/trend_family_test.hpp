// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <pprofdelta/limits.hpp>
#include <pprofdelta/trend.hpp>
#include <pprofdelta/trend_statistics.hpp>

namespace pprofdelta {

/// Tests rows together, of captures of the same times.
class trend_family_test {
public:
    /// @param runs       are those of trend_test.
    /// @param is_sampled whether only some events count, so that rows without noise have few.
    /// @param is_known   whether values are what they say; otherwise every row is unsure.
    trend_family_test(const trend_options& options, std::vector<double> hours,
                      std::vector<std::size_t> runs, bool is_sampled, bool is_known);

    /// Computes all figures of rows that have their values.
    /// @returns the number of different questions.
    std::size_t run(const std::vector<trend_row*>& rows);

    /// The duration of all runs.
    [[nodiscard]] double hours() const noexcept { return m_hours_of_runs; }

    /// Whether a limit is crossed that is not on each function.
    /// @throws error incompatible if the limit's unit does not fit the type's.
    [[nodiscard]] bool is_beyond(const limit& l, const value_type& type,
                                 const trend_row& row) const;

    /// Whether none of so many questions could be answered.
    [[nodiscard]] std::optional<too_few_captures> too_few(std::size_t hypotheses);

private:
    [[nodiscard]] bool is_level(const trend_row& row) const;
    void estimate_course(trend_row& row) const;
    void estimate_changes(trend_row& row, double needed);
    void find_changes(std::span<const double> values, std::size_t first, double needed,
                      std::vector<std::size_t>& places);
    // The reach beyond which a shape with so many possible places is no chance.
    [[nodiscard]] double reach_of_shape(std::size_t places) const;
    // Whether a row jumps once, at that place.
    [[nodiscard]] bool is_jump(const trend_row& row, std::size_t at) const;
    // Tells whether a row grows, falls, or levels off.
    [[nodiscard]] trend_verdict course_of(const trend_row& row) const;

    trend_options m_options;
    std::vector<double> m_hours;
    std::vector<std::size_t> m_runs;
    bool m_is_sampled;
    bool m_is_known;
    double m_hours_of_runs = 0; // added up
    trend_test m_test;
    drift_model m_model;
    std::vector<double> m_early_hours; // those of each run, but no more than at its first third
    change_test m_changes;             // for independent captures
};

} // namespace pprofdelta
