// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TREND_STATISTICS_HPP
#define PPROFDELTA_TREND_STATISTICS_HPP

#include <algorithm>
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

// What tells growth in time from noise, as <pprofdelta/statistics.hpp> does for two samples. The
// numbers are those of one or more runs, one run after the other and each in the order of its time.
// Numbers of different runs are not compared.

/// The two-sided test of Mann and Kendall for a trend: whether later numbers tend to be larger, or
/// smaller. Of one run it is the test of Kendall's tau; of several that of Hirsch and Slack, whose
/// seasons are the runs.
///
/// H. B. Mann, Nonparametric tests against trend, Econometrica 13 (1945); R. M. Hirsch, J. R.
/// Slack, R. A. Smith, Techniques of trend analysis for monthly water quality data, Water Resources
/// Research 18 (1982).
class trend_test {
public:
    struct result {
        double s = 0; ///< Of all pairs of a run, how many grow less how many fall.
        double p = 1; ///< How likely an S as far from zero is by chance alone.
    };

    /// @param runs how many numbers each has.
    explicit trend_test(std::vector<std::size_t> runs);

    /// Up to so many numbers in all p is exact: the share of all orders of these numbers, also of
    /// equal ones, in which S is as far from zero. Beyond it is that of the normal distribution,
    /// corrected for ties.
    static constexpr std::size_t largest_exact = 40;

    [[nodiscard]] bool is_exact() const noexcept { return m_count <= largest_exact; }

    /// Cost: n log n; if it is exact, the first time for numbers that are equal as often, n^3.
    [[nodiscard]] result test(std::span<const double> values);

    /// No result has a smaller p.
    [[nodiscard]] double least_p();

private:
    using tie_sizes = std::vector<std::uint32_t>;
    using distribution = std::vector<double>; // of how many pairs fall, as shares of 1

    // Like std::less, which in GCC 12 looks at a quarter of such numbers where their highest byte
    // comes first.
    struct by_numbers {
        bool operator()(const tie_sizes& a, const tie_sizes& b) const {
            return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
        }
        bool operator()(const std::vector<tie_sizes>& a, const std::vector<tie_sizes>& b) const {
            return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), *this);
        }
    };

    const distribution& distribution_of(const std::vector<tie_sizes>& of_runs);

    std::vector<std::size_t> m_runs;
    std::size_t m_count = 0;
    std::map<std::vector<tie_sizes>, distribution, by_numbers> m_known;
};

/// How fast numbers grow.
struct trend_slope {
    double value = 0; ///< Per unit of time: the median over all pairs of a run.
    /// What the true slope of independent numbers is in but for a chance of about alpha; empty if
    /// there are too few to tell.
    std::optional<interval> within;
};

/// The estimate of Theil and Sen, with Sen's interval, which is that of the normal distribution of
/// S.
///
/// P. K. Sen, Estimates of the regression coefficient based on Kendall's tau, Journal of the
/// American Statistical Association 63 (1968).
///
/// The median is that of all pairs, but not each is looked at: as J. Matousek, Randomized optimal
/// algorithm for slope selection, Information Processing Letters 39 (1991), with a sample that is
/// not random.
///
/// Cost: n log n, and memory in proportion to n.
/// @param times of the numbers, ascending in each run.
/// @param runs  as in trend_test.
[[nodiscard]] trend_slope estimate_slope(std::span<const double> times,
                                         std::span<const double> values,
                                         std::span<const std::size_t> runs, double alpha);

/// What numbers do whose noise is of both kinds: that of each number by itself, and steps of chance
/// that all later ones of the run keep, as those of memory that stays in use do. It is the local
/// level with a drift, whose interval holds the true slope where Sen's does not: numbers that
/// wander are not independent.
///
/// How much of the noise is of which kind is not known, so each of several shares is taken for as
/// likely as it makes the numbers, and the walk alone for half of all before that: it gives the
/// widest intervals. Both kinds are taken for normally distributed.
///
/// A. C. Harvey, Forecasting, Structural Time Series Models and the Kalman Filter (1989), chapter
/// 2.3; C. R. Rao, Linear Statistical Inference and Its Applications (1973), chapter 4a; D. L.
/// Wallace, Bounds on normal approximations to Student's and the chi-square distributions, Annals
/// of Mathematical Statistics 30 (1959).
class drift_model {
public:
    struct estimate {
        double value = 0;
        double deviation = 0; ///< Infinite if the numbers do not tell.
    };
    struct result {
        estimate slope; ///< Per unit of time.
        estimate extra; ///< How often the shape is in the numbers, besides.
    };

    /// @param times ascending in each run.
    /// @param runs  as in trend_test.
    drift_model(std::span<const double> times, std::span<const std::size_t> runs);

    /// Cost: linear.
    /// @param shape empty, or what the numbers may follow besides a line, at each time.
    [[nodiscard]] result fit(std::span<const double> values,
                             std::span<const double> shape = {}) const;

    /// How many deviations are on each side of an estimate in an interval that does not hold the
    /// true value but for a chance of `alpha`: those of Student's distribution, by Wallace's
    /// approximation.
    /// @param estimates how many a fit has, 1 or 2.
    [[nodiscard]] double reach(double alpha, std::size_t estimates = 1) const;

private:
    // Of one share of the noises: what makes changes independent of each other, and equally large.
    struct whitening {
        std::vector<double> of_change; ///< The factor of each,
        std::vector<double> of_before; ///< and of the one before, once that is independent.
        std::vector<double> time;      ///< The changes of time, made so.
        double weight = 0;             ///< The logarithm of the share's likelihood for no noise.
    };

    [[nodiscard]] std::vector<double> changes_of(std::span<const double> numbers) const;

    std::vector<std::size_t> m_runs;
    std::size_t m_changes = 0;
    std::vector<whitening> m_shares;
};

/// Where independent numbers, in the order of their times, begin to be larger, or smaller: the test
/// of Mann and Whitney for the numbers before a place and those from there on, at the place where U
/// is farthest from what it would be by chance, in units of its deviation, as Pettitt has it. p is
/// that of u_test, exact for up to 60 numbers, times the number of places, so it is never too
/// small.
///
/// For more changes than one, the numbers on both sides are tested in the same way, as Matteson and
/// James do.
///
/// A. N. Pettitt, A non-parametric approach to the change-point problem, Applied Statistics 28
/// (1979); D. S. Matteson, N. A. James, A nonparametric approach for multiple change point analysis
/// of multivariate data, Journal of the American Statistical Association 109 (2014).
class change_test {
public:
    struct result {
        std::size_t at = 0; ///< The first number after the change.
        double p = 1;       ///< How likely so large a change is anywhere, by chance alone.
    };

    /// So many numbers are on each side of a place.
    static constexpr std::size_t least_on_a_side = 3;

    /// Cost: that of sorting, and of one u_test. Not safe in several threads at once.
    [[nodiscard]] result test(std::span<const double> values);

    /// No result of so many numbers has a smaller p.
    [[nodiscard]] static double least_p(std::size_t count);

private:
    std::map<std::pair<std::size_t, std::size_t>, u_test> m_tests; // by the sizes of both sides
};

/// How likely it is that changes of these sizes add up to as much as they do, or more, if up and
/// down were equally likely for each: the one-sided test of R. A. Fisher's randomization. Numbers
/// that wander about, of which each is the one before and a bit, show a trend to trend_test by
/// chance alone; their changes do not show one here.
///
/// Exact for up to 16 changes that are not zero, by all their signs; else by the normal
/// distribution.
///
/// R. A. Fisher, The Design of Experiments (1935), chapter 3.
[[nodiscard]] double rise_by_chance(std::span<const double> changes);

} // namespace pprofdelta

#pragma GCC visibility pop

#endif // PPROFDELTA_TREND_STATISTICS_HPP
