// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TREND_STATISTICS_HPP
#define PPROFDELTA_TREND_STATISTICS_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
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
    /// What the true slope is in but for a chance of about alpha; empty if there are too few
    /// numbers to tell.
    std::optional<interval> within;
};

/// The estimate of Theil and Sen, with Sen's interval, which is that of the normal distribution of
/// S.
///
/// P. K. Sen, Estimates of the regression coefficient based on Kendall's tau, Journal of the
/// American Statistical Association 63 (1968).
///
/// Of all pairs, but without a look at each: as J. Matousek, Randomized optimal algorithm for slope
/// selection, Information Processing Letters 39 (1991), with a sample that is not random.
///
/// Cost: n log n, and memory in proportion to n.
/// @param times of the numbers, ascending in each run.
/// @param runs  as in trend_test.
[[nodiscard]] trend_slope estimate_slope(std::span<const double> times,
                                         std::span<const double> values,
                                         std::span<const std::size_t> runs, double alpha);

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
