// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_CAPTURES_FAMILY_TEST_HPP
#define PPROFDELTA_SRC_CAPTURES_FAMILY_TEST_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <pprofdelta/compare.hpp>
#include <pprofdelta/limits.hpp>
#include <pprofdelta/statistics.hpp>

namespace pprofdelta {

/// What is tested together. For all but `rows` alpha is the chance of any difference where there is
/// none, unless nothing is corrected.
enum class family_kind : std::uint8_t {
    rows,        ///< Those of a table, by the correction that the options have for these.
    judged_rows, ///< Those that a limit on each function is about.
    mixed,       ///< Such as totals, which can have different units, so that none is larger.
};

/// The mean over the captures of both sides together.
[[nodiscard]] double size_of(const compared_row& row);

/// Real changes first, and then the larger ones; equal ones by name.
[[nodiscard]] bool is_larger_change(const compared_row& a, const compared_row& b);

/// Tests rows together, of so many captures on each side.
class family_test {
public:
    /// @throws error invalid_argument for a side without captures, and for pairs if one side has
    ///         more.
    family_test(const compare_options& options, std::size_t base, std::size_t head);

    /// Computes the figures of a row that has its values which do not depend on other rows.
    void estimate(compared_row& row);

    /// What is known of rows that were tested together.
    struct family {
        std::size_t questions = 0;
        std::optional<too_few_captures> too_few{};
    };

    /// Tests rows that have been estimated together.
    family test(const std::vector<compared_row*>& rows, family_kind kind) const;

    /// Whether a limit is crossed that is not on each function.
    [[nodiscard]] bool is_beyond(const limit& l, const value_type& type,
                                 const compared_row& row) const;

    /// Whether the head has too few captures for an interval of its median.
    [[nodiscard]] std::optional<too_few_captures> too_few_for_value() const;

private:
    [[nodiscard]] double least_p(std::size_t base, std::size_t head) const;
    [[nodiscard]] std::optional<too_few_captures> too_few(std::size_t questions,
                                                          double needed) const;
    [[nodiscard]] std::vector<double> scores_of(const compared_row& row) const;
    [[nodiscard]] std::optional<double> detectable(const compared_row& row, double p) const;
    [[nodiscard]] verdict verdict_of(const compared_row& row, bool are_too_few) const;

    compare_options m_options;
    std::size_t m_base;
    std::size_t m_head;
    u_test m_test;
    permutation_test m_permutations;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_CAPTURES_FAMILY_TEST_HPP
