// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_CAPTURES_TREND_FAMILY_TEST_HPP
#define PPROFDELTA_SRC_CAPTURES_TREND_FAMILY_TEST_HPP

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <pprofdelta/limits.hpp>
#include <pprofdelta/trend.hpp>

namespace pprofdelta {

/// Tests rows together, of captures of the same times.
class trend_family_test {
public:
    /// @param runs as in trend_test.
    trend_family_test(const trend_options& options, std::vector<double> hours,
                      std::vector<std::size_t> runs);

    /// Computes all figures of rows that have their values.
    /// @returns how many different questions they are.
    std::size_t run(const std::vector<trend_row*>& rows);

    /// Whether a limit is crossed that is not on each function.
    /// @throws error incompatible if the limit's unit does not fit the type's.
    [[nodiscard]] bool is_beyond(const limit& l, const value_type& type,
                                 const trend_row& row) const;

    /// Whether none of so many questions could be answered.
    [[nodiscard]] std::optional<too_few_captures> too_few(std::size_t questions);

private:
    [[nodiscard]] double least_change(const trend_row& row) const;
    [[nodiscard]] bool is_level(const trend_row& row) const;
    void estimate_course(trend_row& row) const;
    void estimate_changes(trend_row& row, double needed);
    void find_changes(std::span<const double> values, std::size_t first, double needed,
                      std::vector<std::size_t>& places);
    [[nodiscard]] trend_verdict course_of(const trend_row& row) const;

    trend_options m_options;
    std::vector<double> m_hours;
    std::vector<std::size_t> m_runs;
    double m_hours_of_runs = 0; // added up
    trend_test m_test;
    change_test m_changes; // for independent captures
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_CAPTURES_TREND_FAMILY_TEST_HPP
