// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>

#include <pprofdelta/statistics.hpp>

#include "statistics/number_order.hpp"

namespace pprofdelta {

namespace {

// Sums of the same numbers in another order differ in their last digits.
double rounded_down(double statistic) {
    constexpr double rounding = 1e-9;
    return statistic - rounding * (1 + std::fabs(statistic));
}

// Below `count`. The distributions of the standard library differ from one to the next.
std::size_t draw(std::mt19937_64& random, std::size_t count) {
    return static_cast<std::size_t>(random() % count);
}

// The numbers of a row less `mean`, and so that their squares sum up to 1.
std::vector<double> scaled(const std::vector<double>& row, double mean) {
    std::vector<double> result(row.size());
    std::transform(row.begin(), row.end(), result.begin(),
                   [&](double number) { return number - mean; });
    const double length =
        std::sqrt(std::inner_product(result.begin(), result.end(), result.begin(), 0.0));
    std::transform(result.begin(), result.end(), result.begin(),
                   [&](double number) { return length > 0 ? number / length : 0; });
    return result;
}

double mean_of(const std::vector<double>& row) {
    return std::accumulate(row.begin(), row.end(), 0.0) / static_cast<double>(row.size());
}

// What rows are tested by. Of one without any difference it is the least number.
class statistic {
public:
    // The variance of a row's sum is that over all ways. As p of the normal distribution falls with
    // exp(-statistic / 2), a weight is taken for a factor of p.
    statistic(const std::vector<double>& scores, double weight, double variance)
        : m_bonus{std::any_of(scores.begin(), scores.end(), [](double each) { return each != 0; })
                      ? 2 * variance * std::log(weight)
                      : -std::numeric_limits<double>::infinity()} {}

    [[nodiscard]] double of(double sum) const { return sum * sum + m_bonus; }

private:
    double m_bonus;
};

// Calls `visit(signs)`, first with the true ones.
template <typename Visit>
void for_each_way(std::vector<double> signs, bool is_paired, bool is_exact, Visit&& visit) {
    if (is_exact && is_paired) {
        for (std::uint32_t way = 0; way < std::uint32_t{1} << signs.size(); ++way) {
            for (std::size_t i = 0; i < signs.size(); ++i) {
                signs[i] = (way >> i & 1) != 0 ? -1.0 : 1.0;
            }
            visit(signs);
        }
        return;
    }
    if (is_exact) {
        do {
            visit(signs);
        } while (std::next_permutation(signs.begin(), signs.end()));
        return;
    }
    visit(signs);
    std::mt19937_64 random;
    for (std::size_t way = 1; way < permutation_test::most_ways; ++way) {
        for (std::size_t i = signs.size(); i > 0; --i) {
            if (is_paired) {
                signs[i - 1] = draw(random, 2) == 0 ? -1.0 : 1.0;
            } else {
                std::swap(signs[i - 1], signs[draw(random, i)]);
            }
        }
        visit(signs);
    }
}

} // namespace

permutation_test::permutation_test(std::size_t base, std::size_t head, bool is_paired)
    : m_base{base}, m_head{head},
      m_is_paired{is_paired}, m_ways{is_paired ? std::pow(2, static_cast<double>(base))
                                               : combinations(base + head, base)} {}

permutation_test permutation_test::of_sides(std::size_t base, std::size_t head) {
    return {base, head, false};
}

permutation_test permutation_test::of_pairs(std::size_t pairs) { return {pairs, pairs, true}; }

// One for each number of a row, as they are.
std::vector<double> permutation_test::true_signs() const {
    std::vector<double> signs(m_is_paired ? m_base : m_base + m_head, 1.0);
    if (!m_is_paired) {
        std::fill_n(signs.begin(), m_base, -1.0);
    }
    return signs;
}

std::vector<permutation_test::result>
permutation_test::test(std::span<const std::vector<double>> rows,
                       std::span<const double> weights) const {
    const auto captures = static_cast<double>(m_base + m_head);
    const double variance =
        m_is_paired ? 1 : 4 * static_cast<double>(m_base * m_head) / (captures * (captures - 1));
    struct tested {
        std::size_t row;
        std::vector<double> scores;
        statistic value;
        double so; // it is
    };
    const std::vector<double> truth = true_signs();
    std::vector<tested> all;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        std::vector<double> scores = scaled(rows[i], m_is_paired ? 0 : mean_of(rows[i]));
        const statistic value{scores, weights.empty() ? 1 : weights[i], variance};
        const double so =
            value.of(std::inner_product(truth.begin(), truth.end(), scores.begin(), 0.0));
        all.push_back({i, std::move(scores), value, so});
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const tested& a, const tested& b) { return a.so > b.so; });
    // One capture of all rows after the other, as these are added up side by side.
    std::vector<double> columns;
    for (std::size_t i = 0; i < truth.size(); ++i) {
        for (const tested& each : all) {
            columns.push_back(each.scores[i]);
        }
    }
    std::vector<double> sums(all.size());
    std::vector<std::size_t> as_far(all.size());
    std::vector<std::size_t> any_as_far(all.size()); // of a row and those behind it
    std::size_t ways = 0;
    for_each_way(truth, m_is_paired, is_exact(), [&](const std::vector<double>& signs) {
        std::fill(sums.begin(), sums.end(), 0.0);
        for (std::size_t i = 0; i < signs.size(); ++i) {
            const double sign = signs[i];
            const double* const column = columns.data() + i * sums.size();
            for (std::size_t row = 0; row < sums.size(); ++row) {
                sums[row] += sign * column[row];
            }
        }
        double largest = -std::numeric_limits<double>::infinity();
        for (std::size_t row = all.size(); row-- > 0;) {
            const double value = all[row].value.of(sums[row]);
            const double least = rounded_down(all[row].so);
            largest = std::max(largest, value);
            as_far[row] += value >= least ? 1 : 0;
            any_as_far[row] += largest >= least ? 1 : 0;
        }
        ++ways;
    });
    const auto share = [&](std::size_t count) {
        return static_cast<double>(count) / static_cast<double>(ways);
    };
    std::vector<result> results(rows.size());
    double corrected = 0;
    for (std::size_t row = 0; row < all.size(); ++row) {
        corrected = std::max(corrected, share(any_as_far[row]));
        results[all[row].row] = {share(as_far[row]), corrected};
    }
    return results;
}

double permutation_test::least_p() const noexcept {
    if (!is_exact()) {
        return 1.0 / most_ways;
    }
    // The opposite is as far, where that is a way.
    return std::min((m_is_paired || m_base == m_head ? 2 : 1) / m_ways, 1.0);
}

} // namespace pprofdelta
