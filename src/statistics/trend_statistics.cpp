// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/trend_statistics.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "statistics/merge_sort.hpp"
#include "statistics/number_order.hpp"
#include "statistics/slope_ranks.hpp"

namespace pprofdelta {

namespace {

using shares = std::vector<double>;

constexpr std::size_t most_known_sizes = 32; // of which distributions are kept

// Calls `visit(first, last)` for the numbers of each run.
template <typename Visit>
void for_each_run(std::span<const std::size_t> runs, Visit&& visit) {
    std::size_t first = 0;
    for (const std::size_t count : runs) {
        visit(first, first + count);
        first += count;
    }
}

// The share of all orders of `more` equal numbers among `fewer` smaller ones, by how many of their
// pairs fall.
shares falls_among(std::size_t fewer, std::size_t more) {
    // By how many of the equal ones there are so far. Each smaller number that comes next falls
    // below all of them.
    std::vector<shares> by_taken(more + 1, shares(fewer * more + 1));
    by_taken[0][0] = 1;
    for (std::size_t taken = 1; taken <= more; ++taken) {
        by_taken[taken][0] = 1;
    }
    for (std::size_t smaller = 1; smaller <= fewer; ++smaller) {
        for (std::size_t taken = 1; taken <= more; ++taken) {
            // The last of smaller + taken numbers is one of these or one of those.
            const double is_smaller =
                static_cast<double>(smaller) / static_cast<double>(smaller + taken);
            shares& now = by_taken[taken];
            const shares& without = by_taken[taken - 1];
            for (std::size_t falls = fewer * more + 1; falls-- > 0;) {
                const double last_smaller = falls >= taken ? now[falls - taken] : 0;
                now[falls] = is_smaller * last_smaller + (1 - is_smaller) * without[falls];
            }
        }
    }
    return by_taken[more];
}

shares convolved(const shares& a, const shares& b) {
    shares result(a.size() + b.size() - 1);
    for (std::size_t i = 0; i < a.size(); ++i) {
        for (std::size_t j = 0; j < b.size(); ++j) {
            result[i + j] += a[i] * b[j];
        }
    }
    return result;
}

// The pairs of which the later one is smaller; sorts the numbers.
std::size_t count_falls(std::span<double> numbers) {
    std::vector<double> room(numbers.size());
    std::size_t count = 0;
    merge_sort(numbers, std::span{room}, std::less<>{},
               [&](std::span<const double> larger, double) { count += larger.size(); });
    return count;
}

double pairs_of(double count) { return count * (count - 1) / 2; }

// The pairs of different numbers.
double unequal_pairs(const tie_sizes& ties) {
    double pairs = pairs_of(std::accumulate(ties.begin(), ties.end(), 0.0));
    for (const std::uint32_t size : ties) {
        pairs -= pairs_of(size);
    }
    return pairs;
}

// The variance of S in a run.
double variance_of(const tie_sizes& ties) {
    const auto part = [](double count) { return count * (count - 1) * (2 * count + 5); };
    double sum = part(std::accumulate(ties.begin(), ties.end(), 0.0));
    for (const std::uint32_t size : ties) {
        sum -= part(size);
    }
    return sum / 18;
}

} // namespace

trend_test::trend_test(std::vector<std::size_t> runs)
    : m_runs{std::move(runs)}, m_count{
                                   std::accumulate(m_runs.begin(), m_runs.end(), std::size_t{0})} {}

const trend_test::distribution& trend_test::distribution_of(const std::vector<tie_sizes>& of_runs) {
    const auto known = m_known.find(of_runs);
    if (known != m_known.end()) {
        return known->second;
    }
    distribution all{1};
    for (const tie_sizes& ties : of_runs) {
        std::size_t smaller = 0;
        for (const std::uint32_t size : ties) {
            all = convolved(all, falls_among(smaller, size));
            smaller += size;
        }
    }
    if (m_known.size() == most_known_distributions) {
        m_known.clear();
    }
    return m_known.emplace(of_runs, std::move(all)).first->second;
}

trend_test::result trend_test::test(std::span<const double> values) {
    std::vector<double> numbers{values.begin(), values.end()};
    std::vector<tie_sizes> ties;
    std::size_t falls = 0;
    double pairs = 0;
    double variance = 0;
    for_each_run(m_runs, [&](std::size_t first, std::size_t last) {
        const std::span<double> run = std::span{numbers}.subspan(first, last - first);
        falls += count_falls(run);
        ties.push_back(sizes_of_ties({run.begin(), run.end()}));
        pairs += unequal_pairs(ties.back());
        variance += variance_of(ties.back());
    });
    result r;
    r.s = pairs - 2 * static_cast<double>(falls);
    if (is_exact()) {
        // It is symmetric: so far from the middle on the one side and on the other.
        const distribution& all = distribution_of(ties);
        const std::size_t fewer = std::min(falls, all.size() - 1 - falls);
        r.p = 2 * std::accumulate(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(fewer) + 1,
                                  0.0);
    } else if (variance > 0) {
        r.p = 2 * upper_tail(std::fabs(r.s) / std::sqrt(variance));
    }
    r.p = std::min(r.p, 1.0);
    return r;
}

double trend_test::least_p() {
    std::vector<double> growing(m_count);
    std::iota(growing.begin(), growing.end(), 0.0);
    return test(growing).p;
}

change_test::result change_test::test(std::span<const double> values) {
    const std::size_t count = values.size();
    if (count < 2 * least_on_a_side) {
        return {};
    }
    const std::vector<double> all_ranks = ranks(values, {});
    std::size_t best = least_on_a_side;
    double farthest = -1; // the square of the distance, over what the variance is in proportion to
    double sum = 0;       // of the ranks before a place
    for (std::size_t at = 1; at + least_on_a_side <= count; ++at) {
        sum += all_ranks[at - 1];
        const auto before = static_cast<double>(at);
        const auto after = static_cast<double>(count - at);
        const double distance = sum - before * static_cast<double>(count + 1) / 2;
        const double found = distance * distance / (before * after);
        if (at >= least_on_a_side && found > farthest) {
            farthest = found;
            best = at;
        }
    }
    if (m_tests.size() == most_known_sizes) {
        m_tests.clear();
    }
    u_test& at_best = m_tests.try_emplace({best, count - best}, best, count - best).first->second;
    const double p = at_best.test(values.first(best), values.subspan(best)).p;
    return {best, std::min(p * static_cast<double>(count - 2 * least_on_a_side + 1), 1.0)};
}

double change_test::least_p(std::size_t count) {
    if (count < 2 * least_on_a_side) {
        return 1;
    }
    const double p = u_test{count / 2, count - count / 2}.least_p();
    return std::min(p * static_cast<double>(count - 2 * least_on_a_side + 1), 1.0);
}

double rise_by_chance(std::span<const double> changes) {
    constexpr std::size_t most_exact = 16;
    constexpr double rounding = 1e-12; // of sums of the same numbers in another order
    std::vector<double> sizes;
    double sum = 0;
    double squares = 0;
    for (const double change : changes) {
        if (change != 0) {
            sizes.push_back(std::fabs(change));
            sum += change;
            squares += change * change;
        }
    }
    if (sizes.size() > most_exact) {
        return upper_tail(sum / std::sqrt(squares));
    }
    const double all = std::accumulate(sizes.begin(), sizes.end(), 0.0);
    const std::size_t ways = std::size_t{1} << sizes.size();
    std::size_t as_much = 0;
    for (std::size_t down = 0; down < ways; ++down) {
        double other = all;
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            other -= (down >> i & 1U) != 0 ? 2 * sizes[i] : 0;
        }
        as_much += other >= sum - all * rounding ? 1 : 0;
    }
    return static_cast<double>(as_much) / static_cast<double>(ways);
}

trend_slope estimate_slope(std::span<const double> times, std::span<const double> values,
                           std::span<const std::size_t> runs, double alpha) {
    slope_ranks slopes{times, values, runs};
    if (slopes.count() == 0) {
        return {};
    }
    trend_slope result;
    result.value = (slopes.at((slopes.count() - 1) / 2) + slopes.at(slopes.count() / 2)) / 2;
    if (trend_test{{runs.begin(), runs.end()}}.least_p() > alpha) {
        return result;
    }
    double variance = 0;
    for_each_run(runs, [&](std::size_t first, std::size_t last) {
        variance += variance_of(sizes_of_ties(sorted(values.subspan(first, last - first))));
    });
    const auto count = static_cast<double>(slopes.count());
    const double reach = deviations_for(alpha / 2) * std::sqrt(variance);
    const auto place = [&](double at) {
        return static_cast<std::size_t>(std::clamp(at, 0.0, count - 1));
    };
    result.within = {slopes.at(place(std::nearbyint((count - reach) / 2) - 1)),
                     slopes.at(place(std::nearbyint((count + reach) / 2)))};
    return result;
}

} // namespace pprofdelta
