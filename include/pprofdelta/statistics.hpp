// SPDX-License-Identifier: Apache-2.0
#pragma once

// Example:
//
//     const std::vector<double> base{10, 11, 12, 11, 10, 12};
//     const std::vector<double> head{14, 15, 13, 16, 15, 14};
//     u_test test{base.size(), head.size()};
//     std::cout << "p " << test.test(base, head).p << ", shift "
//               << test.estimate(base, head, 0.05).value << '\n';

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

// Tests of changes: for many captures without an assumption about the distribution of the noise,
// and for few captures with one. They work on plain numbers, which must not be NaN, as it has no
// rank. There must be as many of them as a constructor was told; nothing checks that, and more or
// fewer are undefined behavior.

/// Both ends are in the unit of the numbers, or of the seconds or slopes, that it is about.
struct interval {
    double low = 0;
    double high = 0;
};

/// Returns the middle number, or the mean of the two in the middle; 0 for none.
[[nodiscard]] double median(std::span<const double> numbers);

/// Returns a confidence interval for the median of the distribution that the numbers were drawn
/// from, with a confidence of at least 1 - alpha: from the j-th smallest to the j-th largest
/// number, by the binomial distribution. Empty if there are too few numbers; 6 are enough for an
/// alpha of 0.05.
///
/// W. J. Conover, Practical Nonparametric Statistics, chapter 3.2.
[[nodiscard]] std::optional<interval> median_interval(std::span<const double> numbers,
                                                      double alpha);

/// Returns the ranks of all numbers, from 1, those of `base` first. Equal numbers share the mean of
/// their ranks.
[[nodiscard]] std::vector<double> ranks(std::span<const double> base, std::span<const double> head);

/// The two-sided Mann-Whitney U test, also known as the Wilcoxon rank sum test, and the estimate
/// that belongs to it, for two samples of fixed sizes.
///
/// H. B. Mann, D. R. Whitney, On a test of whether one of two random variables is stochastically
/// larger than the other, Annals of Mathematical Statistics 18 (1947).
class u_test {
public:
    struct result {
        double u = 0; ///< The number of pairs in which the head is larger; equal pairs count half.
        double p = 1; ///< The probability, from 0 to 1, of a difference this large by chance.
    };
    struct shift {
        /// The estimate of Hodges and Lehmann, in the unit of the numbers: the median of all
        /// differences.
        double value = 0;
        /// The confidence interval of the shift, with at least 1 - alpha; empty if there are too
        /// few numbers.
        std::optional<interval> within;
    };

    /// @param base, head the sizes of the samples, at least 1.
    u_test(std::size_t base, std::size_t head);

    /// The largest product of the sizes for which p is exact: twice the share of all divisions of
    /// the numbers into base and head in which U is at least as far on this side. The p of larger
    /// samples is that of the normal distribution, corrected for ties and for continuity.
    static constexpr std::size_t largest_exact = 900;

    [[nodiscard]] bool is_exact() const noexcept { return m_base * m_head <= largest_exact; }

    /// Tests two samples. The exact distribution of equal numbers is that of these numbers, by the
    /// recurrence of Y. K. Cheung, J. H. Klotz, The Mann Whitney Wilcoxon distribution using linked
    /// lists, Statistica Sinica 7 (1997).
    ///
    /// Cost: that of sorting; for an exact p, also (b + h) * b * b * h for b and h numbers, the
    /// first time for each pattern of equal numbers. Several threads must not use it at once.
    [[nodiscard]] result test(std::span<const double> base, std::span<const double> head);

    /// Estimates the head minus the base. The interval is that of the test for distinct numbers;
    /// with equal ones it is a little wider than necessary.
    ///
    /// J. L. Hodges, E. L. Lehmann, Estimates of location based on rank tests, Annals of
    /// Mathematical Statistics 34 (1963).
    ///
    /// Cost: that of sorting, and of about 200 passes over all numbers.
    [[nodiscard]] shift estimate(std::span<const double> base, std::span<const double> head,
                                 double alpha);

    /// Returns the smallest p of any result.
    [[nodiscard]] double least_p() const;

private:
    // The sizes by number, the smallest first. Signed, as std::less in GCC 12 compares only a
    // quarter of unsigned numbers on big-endian processors.
    using tie_sizes = std::vector<std::int32_t>;
    using distribution = std::vector<double>; // of twice U, as shares of 1

    const distribution& distribution_of(const tie_sizes& ties);
    [[nodiscard]] double normal_tail(double distance, double ties) const;
    std::size_t ranks_outside(double alpha);

    std::size_t m_base;
    std::size_t m_head;
    std::map<tie_sizes, distribution> m_known;
};

/// A moderated t test of square roots, for rows of numbers from a few captures, such as three on
/// each side, where ranks cannot be significant. The noise of the roots of counted samples does not
/// depend on their size.
///
/// Three numbers tell little about the noise of a row, but all rows together tell much. The
/// variance of a row is therefore moderated: drawn towards that of rows of its size.
///
/// G. K. Smyth, Linear models and empirical Bayes methods for assessing differential expression in
/// microarray experiments, Statistical Applications in Genetics and Molecular Biology 3 (2004); C.
/// W. Law, Y. Chen, W. Shi, G. K. Smyth, voom: precision weights unlock linear model analysis tools
/// for RNA-seq read counts, Genome Biology 15 (2014).
///
/// Captures of programs need some differences from these:
/// - A factor that all rows of a capture share, as from a slow machine, is estimated as the
///   weighted median of how much larger its rows are than those of the other captures of its side.
///   It is removed from the noise that rows share. Its variance, which has only the degrees of
///   freedom of the captures, counts in each row by the row's size. A single deviating capture thus
///   makes all results less certain.
/// - A row's variance is at least the usual one for its size, since the variance of numbers with
///   few distinct values is often small by chance.
/// - A row with more noise than by chance has its own variance, as in B. Phipson and others, Robust
///   hyperparameter estimation protects against hypervariable genes and improves power to detect
///   differential expression, Annals of Applied Statistics 10 (2016), in a simpler form: the shared
///   degrees of freedom are multiplied by the probability that any row has so much.
/// - The shared degrees of freedom are reduced by one standard error, since few rows tell little
///   about how much they have in common.
/// - A caller can give the least variance that a row has whatever was seen, such as that of counted
///   events: two captures can have the same value by chance. If there is no noise at all, not even
///   that, nothing is known, and p is 1.
class moderated_test {
public:
    /// The square roots of the numbers of a side; roots of negative numbers are negative.
    struct side {
        double mean = 0;  ///< In the unit of the roots.
        double error = 0; ///< The standard error of the mean, in the same unit.
    };
    struct result {
        side base{};
        side head{};
        double freedom = 0; ///< The degrees of freedom.
        double p = 1;       ///< Two-sided, from 0 to 1.

        // The results below, except t(), are for the numbers, not for their roots.

        /// Returns the estimate of the head minus the base.
        [[nodiscard]] double change() const;
        /// Returns the confidence interval of the change, with the confidence 1 - alpha. It
        /// contains 0 only if p > alpha.
        [[nodiscard]] interval change_within(double alpha) const;
        /// Returns the confidence interval of the center of a side: the square of the mean of the
        /// roots.
        [[nodiscard]] interval within(const side& captures, double alpha) const;
        /// Returns the change for which p is at most `found_p`, except with the probability
        /// `missed`.
        [[nodiscard]] double detectable(double found_p, double missed) const;
        /// Returns the distance between the means of both sides, in standard errors.
        [[nodiscard]] double t() const;
    };

    /// @param base, head the numbers of captures, at least 1 each and 3 together.
    /// @param rows have a number for each capture, those of the base first, as has any row that is
    ///             tested. No sample may be in two rows.
    moderated_test(std::size_t base, std::size_t head, std::span<const std::vector<double>> rows);

    /// Tests any row of the same captures. O(captures)
    /// @param least_variance the least variance of the roots of the row.
    [[nodiscard]] result test(std::span<const double> row, double least_variance = 0) const;
    /// Tests the sum of all rows, for which there are no similar rows: Student's test, but with at
    /// least the variance that is usual for rows.
    [[nodiscard]] result test_total(std::span<const double> total, double least_variance = 0) const;

private:
    void fit(std::span<const std::vector<double>> rows);
    [[nodiscard]] double own_freedom() const noexcept {
        return static_cast<double>(m_base + m_head - 2);
    }
    [[nodiscard]] double own_variance(std::span<const double> row) const;
    [[nodiscard]] double usual_variance(double size) const;
    [[nodiscard]] result made(std::span<const double> row, double variance, double freedom) const;

    std::size_t m_base;
    std::size_t m_head;
    std::vector<double> m_factors; // by capture: the relative deviation of the roots of all rows
    double m_factor_variance = 0;  // the variance of the factors
    // The model that rows share, if there are enough of them: the logarithm of the variance is a
    // line over the logarithm of the size, in the range of the observed sizes.
    double m_rows = 0;
    double m_slope = 0;
    double m_level = 0;
    double m_smallest = 0;
    double m_largest = 0;
    double m_freedom = 0; // of the shared variance
};

/// Corrects p-values for the number of tests by Holm's method: compared with alpha, which is then
/// the chance of any false change.
///
/// S. Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal of
/// Statistics 6 (1979).
[[nodiscard]] std::vector<double> correct_by_holm(std::span<const double> p);

/// Corrects p-values for the number of tests by the method of Benjamini and Hochberg: compared with
/// alpha, which is then the expected share of false changes among those found. The tests must be
/// independent or positively dependent.
///
/// Y. Benjamini, Y. Hochberg, Controlling the false discovery rate, Journal of the Royal
/// Statistical Society B 57 (1995).
///
/// @param weights the positive weight of each test, or none for equal ones: with twice the weight,
///                p may be twice as large. They must not depend on the differences that are tested.
///                C. R. Genovese, K. Roeder, L. Wasserman, False discovery control with p-value
///                weighting, Biometrika 93 (2006).
[[nodiscard]] std::vector<double>
correct_by_benjamini_hochberg(std::span<const double> p, std::span<const double> weights = {});

/// A permutation test of rows of numbers from the same captures together. It compares them with all
/// other divisions of the captures into base and head, or all ways to swap base and head in pairs.
/// Rows that change together, as they share samples or noise of the machine, thus count as little
/// more than one.
///
/// P. H. Westfall, S. S. Young, Resampling-Based Multiple Testing (1993), algorithm 4.1, with the
/// maximum of the statistics of all rows, step-down.
class permutation_test {
public:
    struct result {
        double p = 1; ///< The p of the row by itself.
        /// Corrected: compared with alpha, which is then the chance of any false change.
        double corrected_p = 1;
    };

    /// Returns a test of independent captures. A row has a number for each capture, those of the
    /// base first, such as ranks(). Its statistic is the distance between the sums of both sides.
    /// @param base, head the numbers of captures, at least 1.
    [[nodiscard]] static permutation_test of_sides(std::size_t base, std::size_t head);

    /// Returns a test of pairs. A row has a difference for each pair. Its statistic is their sum.
    /// @param pairs the number of pairs, at least 1.
    [[nodiscard]] static permutation_test of_pairs(std::size_t pairs);

    /// The largest number of permutations that are all tried. If there are more, this many are
    /// drawn, which are the same each time.
    static constexpr std::size_t most_ways = 20'000;

    [[nodiscard]] bool is_exact() const noexcept { return m_ways <= most_ways; }

    /// Tests rows. Numbers are compared only within a row.
    ///
    /// Cost: at most rows * captures * most_ways additions.
    /// @param weights the positive weight of each row, or none for equal ones: with twice the
    ///                weight, a row counts in the corrected p as if its p were half as large. They
    ///                must not depend on the differences that are tested.
    [[nodiscard]] std::vector<result> test(std::span<const std::vector<double>> rows,
                                           std::span<const double> weights = {}) const;

    /// Returns the smallest p of any result.
    [[nodiscard]] double least_p() const noexcept;

private:
    permutation_test(std::size_t base, std::size_t head, bool is_paired);

    std::size_t m_base;
    std::size_t m_head;
    bool m_is_paired;
    double m_ways; // the number of permutations
};

} // namespace pprofdelta

#pragma GCC visibility pop
