// SPDX-License-Identifier: Apache-2.0
#pragma once

// Example:
//
//     const std::vector<double> values{1, 2, 4, 3, 5, 6};
//     const std::vector<double> times{0, 1, 2, 3, 4, 5}; // in any unit
//     const std::vector<std::size_t> runs{6};
//     std::cout << "p " << trend_test{runs}.test(values).p << ", slope "
//               << estimate_slope(times, values, runs, 0.05).value << '\n';

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <pprofdelta/statistics.hpp>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

// Tests of growth over time, as <pprofdelta/statistics.hpp> has them for two samples. Numbers are
// those of one or more runs, one run after the other, each in the order of time. Numbers of
// different runs are not compared. There must be as many of them as the runs say, and a time for
// each; nothing checks that, and more or fewer are undefined behavior.

/// The two-sided test of Mann and Kendall for a trend: whether later numbers tend to be larger, or
/// smaller. The test of one run is that of Kendall's tau; the test of several is that of Hirsch and
/// Slack, with runs as seasons.
///
/// H. B. Mann, Nonparametric tests against trend, Econometrica 13 (1945); R. M. Hirsch, J. R.
/// Slack, R. A. Smith, Techniques of trend analysis for monthly water quality data, Water Resources
/// Research 18 (1982).
class trend_test {
public:
    struct result {
        double s = 0; ///< The number of pairs within runs that increase, minus those that decrease.
        double p = 1; ///< The probability of an S at least as far from zero by chance.
    };

    /// @param runs the number of values of each run.
    explicit trend_test(std::vector<std::size_t> runs);

    /// The largest number of values for which p is exact: the share of all orders of these values,
    /// also of equal ones, in which S is at least as far from zero. The p of more values is that of
    /// the normal distribution, corrected for ties.
    static constexpr std::size_t largest_exact = 40;

    [[nodiscard]] bool is_exact() const noexcept { return m_count <= largest_exact; }

    /// Tests the values of all runs.
    /// Cost: n log n; for an exact p, also n^3 the first time for each pattern of equal values.
    /// Several threads must not use it at once.
    [[nodiscard]] result test(std::span<const double> values) const;

    /// Returns the smallest p of any result.
    [[nodiscard]] double least_p() const;

private:
    using tie_sizes = std::vector<std::int32_t>; // signed, as those of u_test
    using distribution = std::vector<double>; // of the number of decreasing pairs, as shares of 1

    const distribution& distribution_of(const std::vector<tie_sizes>& runs) const;

    std::vector<std::size_t> m_runs;
    std::size_t m_count = 0;
    mutable std::map<std::vector<tie_sizes>, distribution> m_known;
};

/// The growth of numbers over time.
struct trend_slope {
    double value = 0; ///< Per unit of time: the median over all pairs of a run.
    /// The confidence interval of the slope of independent numbers, with about 1 - alpha; empty if
    /// there are too few.
    std::optional<interval> within;
};

/// Returns the estimate of Theil and Sen, with Sen's interval, from the normal distribution of S.
///
/// P. K. Sen, Estimates of the regression coefficient based on Kendall's tau, Journal of the
/// American Statistical Association 63 (1968).
///
/// The median is that of all pairs, but not every pair is computed, as in J. Matousek, Randomized
/// optimal algorithm for slope selection, Information Processing Letters 39 (1991), with a sample
/// that is not random.
///
/// Cost: n log n, and memory linear in n.
/// @param times the times of the values, ascending in each run.
/// @param runs  the runs, as in trend_test.
[[nodiscard]] trend_slope estimate_slope(std::span<const double> times,
                                         std::span<const double> values,
                                         std::span<const std::size_t> runs, double alpha);

/// A local level model with a drift, for numbers with two kinds of noise: that of each number by
/// itself, and random steps that all later numbers of the run keep, like those of memory that stays
/// in use. Its interval contains the true slope where Sen's does not, since fluctuating numbers are
/// not independent.
///
/// The shares of the two kinds are unknown. Several shares are therefore averaged, weighted by
/// their likelihoods; the random walk alone, which gives the widest intervals, has half of the
/// prior weight. The two kinds are assumed to be normally distributed.
///
/// A. C. Harvey, Forecasting, Structural Time Series Models and the Kalman Filter (1989), chapter
/// 2.3; C. R. Rao, Linear Statistical Inference and Its Applications (1973), chapter 4a; D. L.
/// Wallace, Bounds on normal approximations to Student's and the chi-square distributions, Annals
/// of Mathematical Statistics 30 (1959).
class drift_model {
public:
    struct estimate {
        double value = 0; ///< In the unit of the numbers, for a slope per unit of time.
        /// The standard deviation, in the same unit; infinite if the numbers do not determine it.
        double deviation = 0;
    };
    struct result {
        estimate slope; ///< Per unit of time.
        estimate extra; ///< The coefficient of the shape.
    };

    /// @param times ascending in each run.
    /// @param runs  the runs, as in trend_test.
    drift_model(std::span<const double> times, std::span<const std::size_t> runs);

    /// Fits the model to values.
    /// Cost: linear.
    /// @param shape empty, or a value for each time that the numbers may follow in addition to a
    ///              line.
    [[nodiscard]] result fit(std::span<const double> values,
                             std::span<const double> shape = {}) const;

    /// Returns half the width of the confidence interval of an estimate, in standard deviations,
    /// for the confidence 1 - alpha: by Student's distribution, in Wallace's approximation.
    /// @param estimates the number of estimates of a fit, 1 or 2.
    [[nodiscard]] double reach(double alpha, std::size_t estimates = 1) const;

private:
    // One share of the noises, which makes changes independent of each other, with equal variances.
    struct whitening {
        std::vector<double> of_change; ///< The factor of each change.
        std::vector<double> of_before; ///< The factor of the previous change, once independent.
        std::vector<double> time;      ///< The changes of time, whitened.
        /// The part of the log likelihood that is the same for all values.
        double weight = 0;
    };

    [[nodiscard]] std::vector<double> changes_of(std::span<const double> numbers) const;

    std::vector<std::size_t> m_runs;
    std::size_t m_changes = 0;
    std::vector<whitening> m_shares;
};

/// A test of where independent numbers, in the order of time, begin to be larger, or smaller: the
/// Mann-Whitney test of the numbers before a place against those from there on, at the place where
/// U is farthest from its mean, in standard deviations, as in Pettitt's test. p is that of u_test,
/// exact for up to 60 numbers, times the number of places, so it is never too small.
///
/// Several changes are found by testing the numbers on both sides of a change in the same way, as
/// Matteson and James do.
///
/// A. N. Pettitt, A non-parametric approach to the change-point problem, Applied Statistics 28
/// (1979); D. S. Matteson, N. A. James, A nonparametric approach for multiple change point analysis
/// of multivariate data, Journal of the American Statistical Association 109 (2014).
class change_test {
public:
    struct result {
        std::size_t at = 0; ///< The first number after the change.
        /// The probability of a change at least as large, at any place, by chance.
        double p = 1;
    };

    /// The smallest number of values on each side of a place.
    static constexpr std::size_t least_on_a_side = 3;

    /// Tests values in the order of time. Cost: that of sorting, and of one u_test. Several threads
    /// must not use it at once.
    [[nodiscard]] result test(std::span<const double> values);

    /// Returns the smallest p of any result for a number of values.
    [[nodiscard]] static double least_p(std::size_t count);

private:
    std::map<std::pair<std::size_t, std::size_t>, u_test> m_tests; // by the sizes of both sides
};

/// Returns the probability that changes of these sizes add up to at least their sum, if up and down
/// were equally likely for each: R. A. Fisher's one-sided randomization test. Fluctuating numbers,
/// each the previous one and a small change, show a trend to trend_test by chance; their changes do
/// not show one here.
///
/// Exact for up to 16 changes that are not zero, by all combinations of signs; otherwise by the
/// normal distribution.
///
/// R. A. Fisher, The Design of Experiments (1935), chapter 3.
[[nodiscard]] double rise_by_chance(std::span<const double> changes);

} // namespace pprofdelta

#pragma GCC visibility pop
