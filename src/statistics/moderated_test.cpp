// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include <pprofdelta/statistics.hpp>

#include "statistics/change_to_find.hpp"
#include "statistics/distributions.hpp"
#include "statistics/order.hpp"
#include "statistics/serial_test.hpp"

namespace pprofdelta {

namespace {

// This part of a root is rounding, and no noise.
constexpr double rounding = 1e-12;

// The offset of the mean of the logarithm of a variance with so many degrees of freedom.
double bias_of_logarithm(double freedom) { return digamma(freedom / 2) - std::log(freedom / 2); }

// Newton's method on 1 / trigamma, which is nearly a line: Smyth (2004), appendix.
double inverse_trigamma(double y) {
    double x = 0.5 + 1 / y;
    constexpr int most_steps = 50;
    for (int i = 0; i < most_steps; ++i) {
        const double found = trigamma(x);
        const double step = found * (1 - found / y) / tetragamma(x);
        x += step;
        if (std::fabs(step) <= rounding * x) {
            break;
        }
    }
    return x;
}

std::vector<double> roots_of(std::span<const double> numbers) {
    std::vector<double> roots(numbers.size());
    std::ranges::transform(numbers, roots.begin(), [](double number) {
        return std::copysign(std::sqrt(std::fabs(number)), number);
    });
    return roots;
}

// Takes from each number the mean of its side.
void center(std::vector<double>& numbers, std::size_t base) {
    const std::span<double> all = numbers;
    for (const std::span<double> side : {all.first(base), all.subspan(base)}) {
        const double mean = mean_of(side);
        for (double& number : side) {
            number -= mean;
        }
    }
}

// The variance of numbers around the means of their sides.
double variance_of(std::vector<double> numbers, std::size_t base) {
    const double size = mean_size(numbers);
    center(numbers, base);
    const double variance =
        std::inner_product(numbers.begin(), numbers.end(), numbers.begin(), 0.0) /
        static_cast<double>(numbers.size() - 2);
    return variance > rounding * rounding * size * size ? variance : 0;
}

struct weighted {
    double number;
    double weight;
};

double median_of(std::vector<weighted> all) {
    std::ranges::sort(all, {}, &weighted::number);
    double left = std::accumulate(all.begin(), all.end(), 0.0,
                                  [](double sum, const weighted& e) { return sum + e.weight; }) /
                  2;
    for (const weighted& each : all) {
        left -= each.weight;
        if (left <= 0) {
            return each.number;
        }
    }
    return 0;
}

// The number that stands for the change of a row, from the difference of its roots.
double change_by(double difference, double smaller_root) {
    return std::copysign(2 * smaller_root * std::fabs(difference) + difference * difference,
                         difference);
}

double signed_square(double root) { return std::copysign(root * root, root); }

double error_of_difference(const moderated_test::result& found) {
    return std::hypot(found.base.error, found.head.error);
}

double two_sided_p(double t, double freedom) { return 2 * students_t_above(std::fabs(t), freedom); }

double squares_around_mean(std::span<const double> numbers) {
    const double mean = mean_of(numbers);
    return std::accumulate(numbers.begin(), numbers.end(), 0.0, [&](double sum, double number) {
        return sum + (number - mean) * (number - mean);
    });
}

// The likeness of a number to its predecessor: the first autocorrelation.
struct likeness {
    double value = 0;
    double variance = 0;
};

// Numbers are taken for no more alike than that, and so few, which show nothing of it, for as much.
constexpr double most_alike = 0.7;
constexpr double fewest_serial = 5;

// The likeness lacks the bias that comes from the mean being that of the same numbers: M. G.
// Kendall, Note on bias in the estimation of autocorrelation, Biometrika 41 (1954).
likeness likeness_of(const serial_row& row) {
    double products = 0;
    for (const std::span<const double> side : {row.before, row.after}) {
        const double mean = mean_of(side);
        for (std::size_t i = 1; i < side.size(); ++i) {
            products += (side[i] - mean) * (side[i - 1] - mean);
        }
    }
    const double squares = squares_around_mean(row.before) + squares_around_mean(row.after);
    const auto count = static_cast<double>(row.before.size() + row.after.size());
    const double shrunk = 1 - 8 / count;
    const double value = ((squares > 0 ? products / squares : 0) + 2 / count) / shrunk;
    constexpr double least_variance = 0.05; // where it is estimated as 1 or more
    return {value,
            std::max(least_variance, 1 - std::min(value * value, 1.0)) / count / shrunk / shrunk};
}

// The factor of the variance of a mean of so many over that of independent numbers.
double inflation(double likeness, std::size_t count) {
    double sum = 1;
    for (std::size_t distance = 1; distance < count; ++distance) {
        sum += 2 * (1 - static_cast<double>(distance) / static_cast<double>(count)) *
               std::pow(likeness, static_cast<double>(distance));
    }
    return sum;
}

double serial_p(const serial_row& row, double likeness) {
    const double difference = mean_of(row.after) - mean_of(row.before);
    if (difference == 0) {
        return 1;
    }
    const auto before = static_cast<double>(row.before.size());
    const auto after = static_cast<double>(row.after.size());
    const double of_before = inflation(likeness, row.before.size());
    const double of_after = inflation(likeness, row.after.size());
    // The squares shrink, as numbers that are alike are near their mean.
    const double left = before - of_before + after - of_after;
    constexpr double too_little = 0.2;
    if (left <= too_little) {
        return 1;
    }
    const double variance =
        (squares_around_mean(row.before) + squares_around_mean(row.after)) / left;
    const double error = std::sqrt(variance * (of_before / before + of_after / after));
    return error == 0 ? 0
                      : two_sided_p(difference / error,
                                    std::max(1.0, before / of_before + after / of_after - 2));
}

} // namespace

moderated_test::moderated_test(std::size_t base, std::size_t head,
                               std::span<const std::vector<double>> rows)
    : m_base{base}, m_head{head}, m_factors(base + head) {
    std::vector<std::vector<weighted>> relative(base + head); // by capture
    for (const std::vector<double>& row : rows) {
        if (const double size = std::sqrt(mean_size(row)); size > 0) {
            std::vector<double> roots = roots_of(row);
            center(roots, base);
            for (std::size_t i = 0; i < roots.size(); ++i) {
                relative[i].push_back({roots[i] / size, size});
            }
        }
    }
    std::ranges::transform(relative, m_factors.begin(),
                           [](std::vector<weighted>& all) { return median_of(std::move(all)); });
    m_factor_variance = variance_of(m_factors, base);
    fit(rows);
}

// Smyth (2004), section 6.2, around a line as in Law et al. (2014).
void moderated_test::fit(std::span<const std::vector<double>> rows) {
    const double freedom = own_freedom();
    std::vector<double> sizes; // as logarithms, as what follows
    std::vector<double> variances;
    for (const std::vector<double>& row : rows) {
        if (const double variance = own_variance(row); variance > 0) {
            sizes.push_back(std::log(mean_size(row)));
            variances.push_back(std::log(variance) - bias_of_logarithm(freedom));
        }
    }
    constexpr std::size_t fewest = 3;
    if (sizes.size() < fewest) {
        return;
    }
    m_rows = static_cast<double>(sizes.size());
    const double middle = mean_of(sizes);
    double squares = 0;
    double products = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        squares += (sizes[i] - middle) * (sizes[i] - middle);
        products += (sizes[i] - middle) * variances[i];
    }
    const bool has_slope = sizes.size() > fewest && squares > 0;
    m_slope = has_slope ? products / squares : 0;
    m_level = mean_of(variances) - m_slope * middle;
    const auto [least, most] = std::ranges::minmax_element(sizes);
    m_smallest = *least;
    m_largest = *most;
    double off = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const double residual = variances[i] - m_level - m_slope * sizes[i];
        off += residual * residual;
    }
    const double left = m_rows - (has_slope ? 2 : 1);
    const double found = off / left;
    const double by_chance = trigamma(freedom / 2);
    // The excess gets its standard error added: few rows tell little of how much they have in
    // common.
    m_freedom = 2 * inverse_trigamma(std::max(found - by_chance, 0.0) +
                                     std::max(found, by_chance) * std::sqrt(2 / left));
    m_level += bias_of_logarithm(m_freedom);
}

// The variance of a row by itself.
double moderated_test::own_variance(std::span<const double> row) const {
    std::vector<double> roots = roots_of(row);
    const double size = std::sqrt(mean_size(row));
    std::ranges::transform(roots, m_factors, roots.begin(),
                           [&](double root, double factor) { return root - size * factor; });
    return variance_of(std::move(roots), m_base);
}

double moderated_test::usual_variance(double size) const {
    return m_rows == 0
               ? 0
               : std::exp(m_level + m_slope * std::clamp(std::log(size), m_smallest, m_largest));
}

moderated_test::result moderated_test::test(std::span<const double> row,
                                            double least_variance) const {
    const double size = mean_size(row);
    double variance = own_variance(row);
    double freedom = own_freedom();
    if (m_rows > 0 && size > 0) {
        const double usual = usual_variance(size);
        const double chance = fisher_f_above(variance / usual, freedom, m_freedom);
        const double shared = m_freedom * std::min(1.0, m_rows * chance);
        variance = std::max(usual, (shared * usual + freedom * variance) / (shared + freedom));
        freedom += shared;
    }
    variance = std::max(variance, least_variance);
    const double of_factors = size * m_factor_variance;
    const double both = variance + of_factors;
    // Satterthwaite's, of a sum of variances.
    return made(row, both,
                both > 0
                    ? both * both /
                          (variance * variance / freedom + of_factors * of_factors / own_freedom())
                    : own_freedom());
}

moderated_test::result moderated_test::test_total(std::span<const double> total,
                                                  double least_variance) const {
    const double size = mean_size(total);
    return made(total,
                std::max({variance_of(roots_of(total), m_base), size > 0 ? usual_variance(size) : 0,
                          least_variance}),
                own_freedom());
}

moderated_test::result moderated_test::made(std::span<const double> row, double variance,
                                            double freedom) const {
    const std::vector<double> roots = roots_of(row);
    const auto side_of = [&](std::span<const double> some) {
        return side{mean_of(some), std::sqrt(variance / static_cast<double>(some.size()))};
    };
    result made{.base = side_of(std::span{roots}.first(m_base)),
                .head = side_of(std::span{roots}.subspan(m_base)),
                .freedom = freedom};
    if (std::fabs(made.head.mean - made.base.mean) <=
        rounding * (std::fabs(made.base.mean) + std::fabs(made.head.mean))) {
        made.head.mean = made.base.mean;
    } else if (variance > 0) {
        made.p = two_sided_p(made.t(), freedom);
    }
    return made;
}

double moderated_test::result::t() const {
    const double error = error_of_difference(*this);
    return error == 0 ? 0 : (head.mean - base.mean) / error;
}

double moderated_test::result::change() const {
    return signed_square(head.mean) - signed_square(base.mean);
}

interval moderated_test::result::change_within(double alpha) const {
    const double difference = head.mean - base.mean;
    const double reach = students_t_with_tail(alpha / 2, freedom) * error_of_difference(*this);
    const double smaller = std::min(std::fabs(base.mean), std::fabs(head.mean));
    return {change_by(difference - reach, smaller), change_by(difference + reach, smaller)};
}

interval moderated_test::result::within(const side& captures, double alpha) const {
    const double reach = students_t_with_tail(alpha / 2, freedom) * captures.error;
    return {captures.mean >= 0 ? signed_square(std::max(captures.mean - reach, 0.0))
                               : signed_square(captures.mean - reach),
            signed_square(captures.mean + reach)};
}

double change_to_find(double p, double missed, double freedom, double base, double head,
                      double mean) {
    const double above_median = std::pow(1 - 2 / (9 * freedom), -1.5);
    const double errors = above_median * (students_t_with_tail(p / 2, freedom) +
                                          students_t_with_tail(missed, freedom));
    const double change = errors * std::hypot(base, head);
    return mean > 0 ? errors * std::hypot(base, head * (1 + change / mean)) : change;
}

double moderated_test::result::detectable(double found_p, double missed) const {
    const double mean = (std::fabs(base.mean) + std::fabs(head.mean)) / 2;
    return change_by(change_to_find(found_p, missed, freedom, base.error, head.error, mean), mean);
}

std::vector<double> test_serial_rows(std::span<const serial_row> rows) {
    std::vector<likeness> found;
    double mean = 0;
    double own = 0; // the mean variance
    for (const serial_row& row : rows) {
        const auto fewest = static_cast<double>(std::min(row.before.size(), row.after.size()));
        found.push_back(fewest < fewest_serial ? likeness{most_alike, 0} : likeness_of(row));
        mean += found.back().value / static_cast<double>(rows.size());
        own += found.back().variance / static_cast<double>(rows.size());
    }
    double between = std::numeric_limits<double>::infinity(); // their variance beside chance
    double error = 0;                                         // of that
    if (rows.size() > 1) {
        const auto others = static_cast<double>(rows.size() - 1);
        const double all =
            std::accumulate(found.begin(), found.end(), 0.0, [&](double sum, const likeness& each) {
                return sum + (each.value - mean) * (each.value - mean);
            });
        between = std::max(0.0, all / others - own);
        error = own * std::sqrt(2 / others);
    }
    constexpr double more = 0.5; // in standard errors, and in deviations of rows
    std::vector<double> p;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const likeness& self = found[i];
        double likely = self.value + more * std::sqrt(self.variance);
        if (rows.size() > 1 && self.variance > 0) {
            const double weight = (between + error) / (between + error + self.variance);
            const double deviation =
                std::sqrt(weight * self.variance +
                          (1 - weight) * (1 - weight) * own / static_cast<double>(rows.size()));
            likely = std::max(weight * self.value + (1 - weight) * mean + more * deviation,
                              mean + more * std::sqrt(between));
        }
        p.push_back(serial_p(rows[i], std::clamp(likely, 0.0, most_alike)));
    }
    return p;
}

} // namespace pprofdelta
