// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_STATISTICS_HPP
#define PPROFDELTA_STATISTICS_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

// What tells a change from noise: of many captures without an assumption on how the noise is
// distributed, and of few with one. None of this knows of profiles. Numbers must not be NaN, which
// has no rank.

struct interval {
    double low = 0;
    double high = 0;
};

/// The middle one, or the mean of the two in the middle; 0 of none.
[[nodiscard]] double median(std::span<const double> numbers);

/// An interval that has the median of what the numbers were drawn from, but for a chance of at most
/// `alpha`: from the j-th smallest to the j-th largest number, by the binomial distribution. Empty
/// if there are too few numbers; 6 are enough for an alpha of 0.05.
///
/// W. J. Conover, Practical Nonparametric Statistics, chapter 3.2.
[[nodiscard]] std::optional<interval> median_interval(std::span<const double> numbers,
                                                      double alpha);

/// The ranks of all numbers from 1, those of `base` first. Equal numbers share the mean of their
/// ranks.
[[nodiscard]] std::vector<double> ranks(std::span<const double> base, std::span<const double> head);

/// The two-sided Mann-Whitney U test, also known as the Wilcoxon rank sum test, and the estimate
/// that belongs to it, for two samples of a fixed size.
///
/// H. B. Mann, D. R. Whitney, On a test of whether one of two random variables is stochastically
/// larger than the other, Annals of Mathematical Statistics 18 (1947).
class u_test {
public:
    struct result {
        double u = 0; ///< In how many pairs the head is larger; an equal pair is half a one.
        double p = 1; ///< How likely a difference like this is by chance alone.
    };
    struct shift {
        double value = 0; ///< Hodges and Lehmann's estimate: the median of all differences.
        /// What the true shift is in but for a chance of at most alpha; empty if there are too few
        /// numbers to tell.
        std::optional<interval> within;
    };

    /// Each size is at least 1.
    u_test(std::size_t base, std::size_t head);

    /// Up to this product of the sizes p is exact: the share of all ways to call as many of the
    /// numbers the base in which U is as far on this side, twice, as both sides count. Beyond it is
    /// that of the normal distribution, corrected for ties and for continuity.
    static constexpr std::size_t largest_exact = 900;

    [[nodiscard]] bool is_exact() const noexcept { return m_base * m_head <= largest_exact; }

    /// With equal numbers the exact distribution is that of these numbers, by the recurrence of
    /// Y. K. Cheung, J. H. Klotz, The Mann Whitney Wilcoxon distribution using linked lists,
    /// Statistica Sinica 7 (1997).
    ///
    /// Cost: that of sorting; if it is exact, the first time for numbers that are equal in these
    /// places, (b + h) * b * b * h for b and h numbers. Not safe in several threads at once.
    [[nodiscard]] result test(std::span<const double> base, std::span<const double> head);

    /// By how much the head is larger. The interval is that of the test for different numbers: if
    /// there are equal ones it is a little wider than necessary.
    ///
    /// J. L. Hodges, E. L. Lehmann, Estimates of location based on rank tests, Annals of
    /// Mathematical Statistics 34 (1963).
    ///
    /// Cost: that of sorting, and of going through all numbers some 200 times.
    [[nodiscard]] shift estimate(std::span<const double> base, std::span<const double> head,
                                 double alpha);

    /// No result has a smaller p.
    [[nodiscard]] double least_p();

private:
    using tie_sizes = std::vector<std::uint32_t>; // by number, the smallest first
    using distribution = std::vector<double>;     // of twice U, as shares of 1

    // Like std::less, which in GCC 12 looks at a quarter of such numbers where their highest byte
    // comes first.
    struct by_numbers {
        bool operator()(const tie_sizes& a, const tie_sizes& b) const {
            return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
        }
    };

    const distribution& distribution_of(const tie_sizes& ties);
    [[nodiscard]] double normal_tail(double distance, double ties) const;
    std::size_t ranks_outside(double alpha);

    std::size_t m_base;
    std::size_t m_head;
    std::map<tie_sizes, distribution, by_numbers> m_known;
};

/// Tests rows of numbers of the same few captures, such as three of each side, for which ranks
/// cannot be sure: a t test, of square roots, since numbers made of samples have the same noise
/// there whatever their size.
///
/// Three numbers tell little of the noise of a row, but all rows together tell much: so its
/// variance is moderated, drawn towards that of rows of its size.
/// G. K. Smyth, Linear models and empirical Bayes methods for assessing differential expression in
/// microarray experiments, Statistical Applications in Genetics and Molecular Biology 3 (2004).
/// C. W. Law, Y. Chen, W. Shi, G. K. Smyth, voom: precision weights unlock linear model analysis
/// tools for RNA-seq read counts, Genome Biology 15 (2014).
///
/// It differs from these where captures of programs do:
/// - What all rows of a capture have in common, as where the machine was slow, is the weighted
///   median of how much larger its rows are than those of the other captures of its side. It is
///   taken out of the noise that rows share. Its own variance is that of so many captures and no
///   more, and counts in each row by the row's size. So a capture that is off by itself makes all
///   less sure.
/// - A row's variance is not taken for less than is usual for its size. Of numbers in few steps it
///   is often small by chance.
/// - A row with more noise than chance gives has its own variance, as in B. Phipson and others,
///   Robust hyperparameter estimation protects against hypervariable genes and improves power to
///   detect differential expression, Annals of Applied Statistics 10 (2016), in a simpler form: the
///   degrees of freedom that are shared count times how likely any row has so much.
/// - Few rows tell little of how much they have in common, so that is one standard error less.
class moderated_test {
public:
    /// Of the square roots of the numbers of a side; of negative numbers they are negative.
    struct side {
        double mean = 0;
        double error = 0; ///< The standard error of that.
    };
    struct result {
        side base{};
        side head{};
        double freedom = 0; ///< Degrees of freedom.
        double p = 1;       ///< Two-sided.

        // All that follows is of the numbers, not of their roots.

        /// By how much the head is larger.
        [[nodiscard]] double change() const;
        /// What the true change is in but for a chance of alpha. It has 0 only if p > alpha.
        [[nodiscard]] interval change_within(double alpha) const;
        /// The same for the middle of a side of this, the square of the mean of the roots.
        [[nodiscard]] interval within(const side& of, double alpha) const;
        /// A change of this size has at most `found_p`, but for a chance of `missed`.
        [[nodiscard]] double detectable(double found_p, double missed) const;
        /// How many standard errors the roots of both sides are apart.
        [[nodiscard]] double t() const;
    };

    /// @param base, head are at least 1, and 3 together.
    /// @param rows have a number for each capture, those of the base first. No sample is in two of
    ///        them.
    moderated_test(std::size_t base, std::size_t head, std::span<const std::vector<double>> rows);

    /// Any row of the same captures. O(captures)
    [[nodiscard]] result test(std::span<const double> row) const;
    /// What all rows add up to, which has no like: Student's test, but with no less variance than
    /// rows have.
    [[nodiscard]] result test_total(std::span<const double> total) const;

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
    std::vector<double> m_factors; // by capture, of roots of all rows: how much larger it is
    double m_of_factors = 0;       // their variance
    // What rows share, if there are enough of them: the logarithm of the variance is a line over
    // the logarithm of the size, in the range of sizes that were seen.
    double m_rows = 0;
    double m_slope = 0;
    double m_level = 0;
    double m_smallest = 0;
    double m_largest = 0;
    double m_freedom = 0; // of what is shared
};

/// p of several tests, each as if there were no other, to p that can be compared with a chance for
/// all of them together: that any difference is found where there is none (Holm).
///
/// S. Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal of
/// Statistics 6 (1979).
[[nodiscard]] std::vector<double> correct_by_holm(std::span<const double> p);

/// Corrects p to compare with the share of differences among those found where there is none. For
/// tests that are independent or grow together.
///
/// Y. Benjamini, Y. Hochberg, Controlling the false discovery rate, Journal of the Royal
/// Statistical Society B 57 (1995).
///
/// @param weights of each test, positive, or none for equal ones: of a test that is twice as
///                important p may be twice as large. They must not be made from what is tested.
///                C. R. Genovese, K. Roeder, L. Wasserman, False discovery control with p-value
///                weighting, Biometrika 93 (2006).
[[nodiscard]] std::vector<double>
correct_by_benjamini_hochberg(std::span<const double> p, std::span<const double> weights = {});

/// Tests rows of numbers of the same captures together, by what chance alone would give if nothing
/// differed but the names: all ways to call as many of the captures the base, or all ways to swap
/// base and head in pairs. So rows that go together, as they share samples or the machine's other
/// work, count as little more than one.
///
/// P. H. Westfall, S. S. Young, Resampling-Based Multiple Testing (1993), algorithm 4.1, with the
/// largest of all rows' statistics, step by step down.
class permutation_test {
public:
    struct result {
        double p = 1; ///< Of the row by itself.
        /// To compare with the chance that any difference is found where there is none.
        double corrected_p = 1;
    };

    /// @param base, head are at least 1. A row has a number for each capture, those of the base
    ///        first, such as ranks(). Its statistic is how far the sums of both sides are apart.
    [[nodiscard]] static permutation_test of_sides(std::size_t base, std::size_t head);

    /// @param pairs is at least 1. A row has a difference for each pair. Its statistic is their
    /// sum.
    [[nodiscard]] static permutation_test of_pairs(std::size_t pairs);

    /// So many ways are all gone through; of more so many are drawn, which are the same each time.
    static constexpr std::size_t most_ways = 20'000;

    [[nodiscard]] bool is_exact() const noexcept { return m_ways <= most_ways; }

    /// Numbers are only compared within a row.
    ///
    /// Cost: rows * captures * most_ways additions at most.
    /// @param weights of each row, positive, or none for equal ones: for the corrected p a row that
    ///                is twice as important counts as if its p were half of that. They must not be
    ///                made from what is tested.
    [[nodiscard]] std::vector<result> test(std::span<const std::vector<double>> rows,
                                           std::span<const double> weights = {}) const;

    /// No result has a smaller p.
    [[nodiscard]] double least_p() const noexcept;

private:
    permutation_test(std::size_t base, std::size_t head, bool is_paired);

    [[nodiscard]] std::vector<double> true_signs() const;

    std::size_t m_base;
    std::size_t m_head;
    bool m_is_paired;
    double m_ways; // there are
};

} // namespace pprofdelta

#pragma GCC visibility pop

#endif // PPROFDELTA_STATISTICS_HPP
