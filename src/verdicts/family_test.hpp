// SPDX-License-Identifier: Apache-2.0
// The tests of rows that are looked at together.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <pprofdelta/compare.hpp>
#include <pprofdelta/limits.hpp>
#include <pprofdelta/statistics.hpp>

#include "base/errors.hpp"
#include "base/hash128.hpp"
#include "base/key_table.hpp"
#include "captures/rows.hpp"

namespace pprofdelta {

/// p of many tests, corrected.
[[nodiscard]] std::vector<double> correct(const std::vector<double>& p, correction correct);

/// Numbers the questions that rows ask when they are tested together. Those whose captures have the
/// same scores, such as the same order, ask one, which is tested once. So do those with
/// proportional ones, as of samples and their time, but for the last digits, which the standard
/// library decides.
/// @returns numbers from 0 on, in the order of the rows that are the first to ask.
template <typename Row, typename ScoresOf>
[[nodiscard]] std::vector<std::uint32_t> number_questions(const std::vector<Row*>& rows,
                                                          ScoresOf&& scores_of) {
    constexpr double digits = 1e6;
    key_table known;
    std::vector<std::uint32_t> numbers;
    std::vector<std::int64_t> asked;
    for (const Row* const row : rows) {
        const std::vector<double> scores = scores_of(*row);
        double largest = 0;
        for (const double score : scores) {
            largest = std::max(largest, std::fabs(score));
        }
        asked.clear();
        for (const double score : scores) {
            asked.push_back(largest == 0 ? 0 : std::llround(score / largest * digits));
        }
        numbers.push_back(
            known.find_or_add(hash_bytes(asked.data(), asked.size() * sizeof asked[0])));
    }
    return numbers;
}

/// The level that the smallest p has to reach for anything to be found among so many questions.
template <typename Options>
[[nodiscard]] double needed_p(const Options& options, std::size_t hypotheses) {
    return options.corrected == correction::none || hypotheses == 0
               ? options.alpha
               : options.alpha / static_cast<double>(hypotheses);
}

/// The smallest number for which `is_enough(number)`, which is true from there on.
template <typename IsEnough>
[[nodiscard]] std::size_t fewest(IsEnough&& is_enough) {
    std::size_t number = 1;
    while (!is_enough(number)) {
        ++number;
    }
    return number;
}

/// The rows that are tested together. Alpha is the chance of any difference where there is none,
/// except for `rows`, and unless nothing is corrected.
enum class family_kind : std::uint8_t {
    rows,        ///< Those of a table, by the correction that the options have for these.
    judged_rows, ///< Those that a limit on each function is about.
    mixed,       ///< Totals are an example: they can have different units, so that none is larger.
};

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
    /// The same by a moderated test.
    /// @param rows      share the sample type of `row`.
    /// @param least_variance is that of the roots.
    /// @param is_total  whether they add up to this one.
    void estimate(compared_row& row, const moderated_test& rows, double least_variance,
                  bool is_total) const;

    /// The outcome of a test of several rows together.
    struct family {
        std::size_t hypotheses = 0;
        std::optional<too_few_captures> too_few{};
    };

    /// Tests rows that have been estimated together.
    /// @param times multiplies each corrected p: the number of other families.
    family test(const std::vector<compared_row*>& rows, family_kind kind, double times = 1) const;

    /// Whether a limit is crossed that is not on each function.
    [[nodiscard]] bool is_beyond(const limit& l, const value_type& type,
                                 const compared_row& row) const;

    /// Whether a row grew for certain, and its mean beyond a limit on growth, but not its middle:
    /// most captures are as before.
    [[nodiscard]] bool is_rare_growth(const limit& l, const value_type& type,
                                      const compared_row& row) const;

    [[nodiscard]] bool is_moderated() const noexcept { return m_is_moderated; }

    /// Whether the head has too few captures for an interval of its median.
    [[nodiscard]] std::optional<too_few_captures> too_few_for_value() const;

private:
    [[nodiscard]] double least_p(std::size_t base, std::size_t head) const;
    [[nodiscard]] std::optional<too_few_captures> too_few(std::size_t hypotheses,
                                                          double needed) const;
    [[nodiscard]] std::vector<double> scores_of(const compared_row& row) const;
    [[nodiscard]] std::optional<double> detectable(const compared_row& row, double p) const;
    // The p that a limit needs.
    [[nodiscard]] double gate_alpha() const noexcept {
        return m_options.alpha * (m_is_moderated ? compare_options::gate_share : 1);
    }
    [[nodiscard]] verdict verdict_of(const compared_row& row, bool are_too_few) const;

    compare_options m_options;
    std::size_t m_base;
    std::size_t m_head;
    bool m_is_moderated;
    u_test m_test;
    permutation_test m_permutations;
};

} // namespace pprofdelta
