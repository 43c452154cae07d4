// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <utility>

#include <pprofdelta/statistics.hpp>

#include "statistics/order.hpp"

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
    std::ranges::transform(row, result.begin(), [&](double number) { return number - mean; });
    const double length =
        std::sqrt(std::inner_product(result.begin(), result.end(), result.begin(), 0.0));
    std::ranges::transform(result, result.begin(),
                           [&](double number) { return length > 0 ? number / length : 0; });
    return result;
}

// The number that is added to the square of a row's sum, which makes the statistic: as p of the
// normal distribution falls with exp(-statistic / 2), a weight is taken for a factor of p. A row
// without any difference gets the least number.
// @param variance is that of the sum over all ways.
double bonus_of(const std::vector<double>& scores, double weight, double variance) {
    return std::ranges::any_of(scores, [](double each) { return each != 0; })
               ? 2 * variance * std::log(weight)
               : -std::numeric_limits<double>::infinity();
}

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

std::vector<permutation_test::result>
permutation_test::test(std::span<const std::vector<double>> rows,
                       std::span<const double> weights) const {
    const auto captures = static_cast<double>(m_base + m_head);
    const double variance =
        m_is_paired ? 1 : 4 * static_cast<double>(m_base * m_head) / (captures * (captures - 1));
    struct tested {
        std::size_t row;
        std::vector<double> scores;
        double bonus;
        double observed; // the statistic of the true signs
    };
    std::vector<double> truth(m_is_paired ? m_base : m_base + m_head, 1.0);
    if (!m_is_paired) {
        std::fill_n(truth.begin(), m_base, -1.0);
    }
    std::vector<tested> all;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        std::vector<double> scores = scaled(rows[i], m_is_paired ? 0 : mean_of(rows[i]));
        const double bonus = bonus_of(scores, weights.empty() ? 1 : weights[i], variance);
        const double sum = std::inner_product(truth.begin(), truth.end(), scores.begin(), 0.0);
        all.push_back({i, std::move(scores), bonus, sum * sum + bonus});
    }
    std::ranges::stable_sort(all, std::greater{}, &tested::observed);
    // One capture of all rows after the other, as these are added up side by side.
    std::vector<double> columns;
    for (std::size_t i = 0; i < truth.size(); ++i) {
        for (const tested& each : all) {
            columns.push_back(each.scores[i]);
        }
    }
    std::vector<double> sums(all.size());
    std::vector<std::size_t> as_extreme(all.size());
    std::vector<std::size_t> any_as_extreme(all.size()); // of a row and those behind it
    std::size_t ways = 0;
    for_each_way(truth, m_is_paired, is_exact(), [&](const std::vector<double>& signs) {
        std::ranges::fill(sums, 0.0);
        for (std::size_t i = 0; i < signs.size(); ++i) {
            const double sign = signs[i];
            const double* const column = columns.data() + i * sums.size();
            for (std::size_t row = 0; row < sums.size(); ++row) {
                sums[row] += sign * column[row];
            }
        }
        double largest = -std::numeric_limits<double>::infinity();
        for (std::size_t row = all.size(); row-- > 0;) {
            const double value = sums[row] * sums[row] + all[row].bonus;
            const double least = rounded_down(all[row].observed);
            largest = std::max(largest, value);
            as_extreme[row] += value >= least ? 1 : 0;
            any_as_extreme[row] += largest >= least ? 1 : 0;
        }
        ++ways;
    });
    const auto share = [&](std::size_t count) {
        return static_cast<double>(count) / static_cast<double>(ways);
    };
    std::vector<result> results(rows.size());
    double corrected = 0;
    for (std::size_t row = 0; row < all.size(); ++row) {
        corrected = std::max(corrected, share(any_as_extreme[row]));
        results[all[row].row] = {share(as_extreme[row]), corrected};
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

namespace {

std::vector<std::size_t> order_of(std::span<const double> numbers) {
    std::vector<std::size_t> order(numbers.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return numbers[i]; });
    return order;
}

// Numbers in the order of the doubles that they stand for.
std::int64_t to_ordered(double number) {
    const auto bits = std::bit_cast<std::int64_t>(number);
    return bits < 0 ? std::numeric_limits<std::int64_t>::min() - bits : bits;
}
double from_ordered(std::int64_t number) {
    return std::bit_cast<double>(number < 0 ? std::numeric_limits<std::int64_t>::min() - number
                                            : number);
}

// Those of all pairs, which can be far too many to write down.
class differences {
public:
    differences(std::span<const double> from, std::span<const double> to)
        : m_from{sorted(from)}, m_to{sorted(to)} {}

    // The k-th one, from 1. Halves the range that it is in, down to a single number.
    [[nodiscard]] double smallest(std::size_t k) const {
        std::int64_t low = to_ordered(m_to.front() - m_from.back());
        std::int64_t high = to_ordered(m_to.back() - m_from.front());
        while (low < high) {
            const std::int64_t middle = std::midpoint(low, high);
            if (count_up_to(from_ordered(middle)) >= k) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return from_ordered(low);
    }

private:
    // The larger the one is, the more of the others are close enough.
    [[nodiscard]] std::size_t count_up_to(double most) const {
        std::size_t count = 0;
        std::size_t close = 0;
        for (const double from : m_from) {
            while (close < m_to.size() && m_to[close] - from <= most) {
                ++close;
            }
            count += close;
        }
        return count;
    }

    std::vector<double> m_from;
    std::vector<double> m_to;
};

} // namespace

double median(std::span<const double> numbers) { return middle_of(sorted(numbers)); }

std::optional<interval> median_interval(std::span<const double> numbers, double alpha) {
    constexpr double rounding = 1e-12; // of the logarithms
    // The chance that so many of the numbers are below the median, as its logarithm.
    double exactly = static_cast<double>(numbers.size()) * std::log(0.5);
    double fewer = 0; // that at most j are
    std::size_t j = 0;
    for (; j < numbers.size(); ++j) {
        fewer += std::exp(exactly);
        if (2 * fewer > alpha * (1 + rounding)) {
            break;
        }
        exactly += std::log(static_cast<double>(numbers.size() - j) / static_cast<double>(j + 1));
    }
    if (j == 0 || 2 * j > numbers.size()) {
        return std::nullopt;
    }
    const std::vector<double> in_order = sorted(numbers);
    return interval{in_order[j - 1], in_order[in_order.size() - j]};
}

std::vector<double> ranks(std::span<const double> base, std::span<const double> head) {
    std::vector<double> all{base.begin(), base.end()};
    all.insert(all.end(), head.begin(), head.end());
    const std::vector<std::size_t> order = order_of(all);
    std::vector<double> result(all.size());
    for (std::size_t begin = 0; begin < order.size();) {
        std::size_t end = begin + 1;
        while (end < order.size() && all[order[end]] == all[order[begin]]) {
            ++end;
        }
        for (std::size_t i = begin; i < end; ++i) {
            result[order[i]] = static_cast<double>(begin + 1 + end) / 2;
        }
        begin = end;
    }
    return result;
}

u_test::u_test(std::size_t base, std::size_t head) : m_base{base}, m_head{head} {}

// Goes through the numbers, the smallest first, and counts the ways to call some of them the base.
const u_test::distribution& u_test::distribution_of(const tie_sizes& ties) {
    const auto known = m_known.find(ties);
    if (known != m_known.end()) {
        return known->second;
    }
    const std::size_t most = 2 * m_base * m_head;
    // The index is the number of the base's so far, and then twice U.
    std::vector<distribution> ways(m_base + 1, distribution(most + 1));
    ways[0][0] = 1;
    std::size_t taken = 0;
    for (const std::int32_t each : ties) {
        const auto size = static_cast<std::size_t>(each);
        std::vector<distribution> next(m_base + 1, distribution(most + 1));
        for (std::size_t before = 0; before <= std::min(m_base, taken); ++before) {
            for (std::size_t more = 0; more <= std::min(size, m_base - before); ++more) {
                const std::size_t heads = size - more;
                if (taken - before + heads > m_head) {
                    continue;
                }
                // The head is larger than all of the base before, and equal to the base here.
                const std::size_t twice_u = 2 * heads * before + heads * more;
                const double choices = combinations(size, more);
                for (std::size_t u = 0; u + twice_u <= most; ++u) {
                    next[before + more][u + twice_u] += ways[before][u] * choices;
                }
            }
        }
        ways = std::move(next);
        taken += size;
    }
    distribution shares = std::move(ways[m_base]);
    const double all = std::accumulate(shares.begin(), shares.end(), 0.0);
    for (double& share : shares) {
        share /= all;
    }
    if (m_known.size() == most_known_distributions) {
        m_known.clear();
    }
    return m_known.emplace(ties, std::move(shares)).first->second;
}

// The chance of U to be as far from its mean, on one side.
double u_test::normal_tail(double distance, double ties) const {
    const auto base = static_cast<double>(m_base);
    const auto head = static_cast<double>(m_head);
    const double all = base + head;
    const double variance = base * head / 12 * (all + 1 - ties / (all * (all - 1)));
    return variance > 0 ? upper_tail((distance - 0.5) / std::sqrt(variance)) : 1;
}

u_test::result u_test::test(std::span<const double> base, std::span<const double> head) {
    const std::vector<double> all_ranks = ranks(base, head);
    const double sum = std::accumulate(all_ranks.begin() + static_cast<std::ptrdiff_t>(m_base),
                                       all_ranks.end(), 0.0);
    const auto of_head = static_cast<double>(m_head);
    result r;
    r.u = sum - of_head * (of_head + 1) / 2;
    const tie_sizes ties = sizes_of_ties(sorted(all_ranks));
    if (is_exact()) {
        const distribution& shares = distribution_of(ties);
        const auto found = shares.begin() + static_cast<std::ptrdiff_t>(2 * r.u);
        r.p = 2 * std::min(std::accumulate(shares.begin(), found + 1, 0.0),
                           std::accumulate(found, shares.end(), 0.0));
    } else {
        double cubes = 0;
        for (const std::int32_t size : ties) {
            cubes += std::pow(size, 3) - size;
        }
        const double mean = static_cast<double>(m_base) * of_head / 2;
        r.p = 2 * normal_tail(std::fabs(r.u - mean), cubes);
    }
    r.p = std::min(r.p, 1.0);
    return r;
}

// The most differences that can be left out on each side: so few are there with a chance of at most
// half of alpha.
std::size_t u_test::ranks_outside(double alpha) {
    const std::size_t most = m_base * m_head;
    if (is_exact()) {
        const distribution& shares = distribution_of(tie_sizes(m_base + m_head, 1));
        double chance = 0;
        for (std::size_t u = 0; u <= most / 2; ++u) {
            chance += shares[2 * u];
            if (chance > alpha / 2) {
                return u;
            }
        }
        return most / 2;
    }
    std::size_t low = 0;
    std::size_t high = most / 2;
    while (low < high) {
        const std::size_t u = (low + high) / 2;
        const double distance = static_cast<double>(most) / 2 - static_cast<double>(u);
        if (normal_tail(distance, 0) <= alpha / 2) {
            low = u + 1;
        } else {
            high = u;
        }
    }
    return low;
}

u_test::shift u_test::estimate(std::span<const double> base, std::span<const double> head,
                               double alpha) {
    const differences all{base, head};
    const std::size_t count = m_base * m_head;
    shift s{(all.smallest((count + 1) / 2) + all.smallest(count / 2 + 1)) / 2, std::nullopt};
    if (const std::size_t outside = ranks_outside(alpha); outside > 0) {
        s.within = {all.smallest(outside), all.smallest(count + 1 - outside)};
    }
    return s;
}

double u_test::least_p() const {
    if (!is_exact()) {
        const double mean = static_cast<double>(m_base) * static_cast<double>(m_head) / 2;
        return std::min(2 * normal_tail(mean, 0), 1.0);
    }
    return std::min(2 / combinations(m_base + m_head, m_base), 1.0);
}

std::vector<double> correct_by_holm(std::span<const double> p) {
    std::vector<double> corrected(p.size());
    double largest = 0;
    auto left = static_cast<double>(p.size());
    for (const std::size_t i : order_of(p)) {
        largest = std::max(largest, std::min(p[i] * left, 1.0));
        corrected[i] = largest;
        --left;
    }
    return corrected;
}

std::vector<double> correct_by_benjamini_hochberg(std::span<const double> p,
                                                  std::span<const double> weights) {
    std::vector<double> weighted{p.begin(), p.end()};
    if (!weights.empty()) {
        const double mean = std::accumulate(weights.begin(), weights.end(), 0.0) /
                            static_cast<double>(weights.size());
        std::ranges::transform(p, weights, weighted.begin(),
                               [&](double each, double weight) { return each * mean / weight; });
    }
    std::vector<double> corrected(p.size());
    const std::vector<std::size_t> order = order_of(weighted);
    const auto count = static_cast<double>(p.size());
    double smallest = 1;
    for (std::size_t place = order.size(); place > 0; --place) {
        const std::size_t i = order[place - 1];
        smallest = std::min(smallest, weighted[i] * count / static_cast<double>(place));
        corrected[i] = smallest;
    }
    return corrected;
}

} // namespace pprofdelta
