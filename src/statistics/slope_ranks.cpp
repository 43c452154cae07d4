// SPDX-License-Identifier: Apache-2.0
#include "statistics/slope_ranks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "statistics/merge_sort.hpp"
#include "statistics/number_order.hpp"

namespace pprofdelta {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// For each point: so many slopes are written down, and so many are drawn.
constexpr std::size_t most_close = 32;
constexpr std::size_t sample_share = 4;
// On each side of where a rank is expected in a sample, in units of its root: three standard
// deviations of a random one's median, and the ends of an interval of 95 % as well.
constexpr double reach_of_sample = 1.5;
// One that does not help can be drawn so often.
constexpr unsigned most_samples = 64;
// Slopes that differ by less than this part are equal: rounding does as much.
constexpr double equal_within = 1e-14;

struct exact_sum {
    double rounded = 0;
    double rest = 0;
};

// D. E. Knuth, The Art of Computer Programming 2, chapter 4.2.2.
exact_sum add(double a, double b) {
    const double sum = a + b;
    const double of_b = sum - a;
    return {sum, (a - (sum - of_b)) + (b - of_b)};
}

// a * b + c, as three numbers that are smaller each time, so that they compare like digits.
//
// S. Boldo, J.-M. Muller, Exact and approximated error of the FMA, IEEE Transactions on Computers
// 60 (2011).
std::array<double, 3> multiply_add(double a, double b, double c) {
    const double rounded = std::fma(a, b, c);
    const double product = a * b;
    const exact_sum low = add(c, std::fma(a, b, -product));
    const exact_sum high = add(product, low.rounded);
    const exact_sum rest = add((high.rounded - rounded) + high.rest, low.rest);
    return {rounded, rest.rounded, rest.rest};
}

bool is_one(double low, double high) {
    return std::isfinite(low) &&
           high - low <= equal_within * std::max(std::fabs(low), std::fabs(high));
}

} // namespace

slope_ranks::slope_ranks(std::span<const double> times, std::span<const double> values,
                         std::span<const std::size_t> runs)
    : m_times{times}, m_values{values}, m_runs{runs}, m_keys(times.size()), m_room(times.size()) {
    for (const std::size_t points : runs) {
        m_count += points * (points - std::min<std::size_t>(points, 1)) / 2;
    }
}

double slope_ranks::slope_of(std::uint32_t a, std::uint32_t b) const {
    const auto [first, last] = std::minmax(a, b); // so that there is no -0
    return (m_values[last] - m_values[first]) / (m_times[last] - m_times[first]);
}

void slope_ranks::compute_keys(double slope) {
    for (std::size_t i = 0; i < m_keys.size(); ++i) {
        m_keys[i] = multiply_add(-slope, m_times[i], m_values[i]);
    }
}

// Puts points of each run in the order that they have there.
template <typename Visit>
void slope_ranks::move_to(order& points, const bound& to, const Visit& visit) {
    const bool is_last = to.slope == infinite;
    if (!is_last) {
        compute_keys(to.slope);
    }
    const auto is_before = [&](std::uint32_t a, std::uint32_t b) {
        if (!is_last && m_keys[a] != m_keys[b]) {
            return m_keys[a] < m_keys[b];
        }
        return to.is_passed ? a > b : a < b;
    };
    std::size_t first = 0;
    for (const std::size_t count : m_runs) {
        merge_sort(std::span{points}.subspan(first, count), std::span{m_room}.subspan(first, count),
                   is_before, visit);
        first += count;
    }
}

// Counts those pairs that change places.
std::size_t slope_ranks::move_to(order& points, const bound& to) {
    std::size_t pairs = 0;
    move_to(points, to,
            [&](std::span<const std::uint32_t> passed, std::uint32_t) { pairs += passed.size(); });
    return pairs;
}

// The slopes of pairs that change places, or of as many of them as are wanted, one from each of so
// many equal parts.
std::vector<double> slope_ranks::slopes_up_to(order points, const bound& to, std::size_t inside,
                                              std::size_t wanted) {
    constexpr double golden_ratio = 0.6180339887498949;
    const double part = std::max(static_cast<double>(inside) / static_cast<double>(wanted), 1.0);
    std::vector<double> slopes;
    slopes.reserve(std::min(inside, wanted));
    const auto next_place = [&] {
        const auto number = static_cast<double>(slopes.size());
        const double within = number * golden_ratio - std::floor(number * golden_ratio);
        return static_cast<std::size_t>(part * number + within * (part - 1));
    };
    std::size_t before = 0;
    std::size_t next = next_place();
    move_to(points, to, [&](std::span<const std::uint32_t> passed, std::uint32_t by) {
        for (; next < before + passed.size(); next = next_place()) {
            slopes.push_back(slope_of(passed[next - before], by));
        }
        before += passed.size();
    });
    return slopes;
}

// Writes down the slopes among which that of a rank is.
void slope_ranks::find_close(std::size_t rank) {
    order points(m_times.size());
    std::iota(points.begin(), points.end(), 0U);
    bound end{infinite, true};
    std::size_t inside = m_count;
    double reach = reach_of_sample;
    m_below = 0;
    const auto is_among = [&](std::size_t first, std::size_t pairs) {
        return rank >= first && rank - first < pairs;
    };
    for (unsigned i = 0; i < most_samples && inside > most_close * points.size(); ++i) {
        const std::vector<double> sample =
            sorted(slopes_up_to(points, end, inside, sample_share * points.size() + i));
        const auto size = static_cast<double>(sample.size());
        const double expected =
            static_cast<double>(rank - m_below) / static_cast<double>(inside) * size;
        const double low = expected - reach * std::sqrt(size);
        const double high = expected + reach * std::sqrt(size);
        bound from{-infinite, true};
        order start = points;
        std::size_t below = m_below;
        if (low >= 0) {
            from.slope = sample[static_cast<std::size_t>(low)];
            below += move_to(start, {from.slope, false});
            const std::size_t equal = move_to(start, from);
            if (is_among(below, equal)) {
                m_below = rank;
                m_close = {from.slope};
                return;
            }
            below += equal;
        }
        bound to = end;
        std::size_t left = inside - (below - m_below);
        if (high < size) {
            to = {sample[static_cast<std::size_t>(high)], false};
            order up = start;
            left = move_to(up, to);
            const bool is_equal = is_among(below + left, move_to(up, {to.slope, true}));
            if (is_equal || (is_among(below, left) && is_one(from.slope, to.slope))) {
                m_below = rank;
                m_close = {to.slope};
                return;
            }
        }
        if (!is_among(below, left)) {
            reach *= 2;
            continue;
        }
        points = std::move(start);
        end = to;
        inside = left;
        m_below = below;
    }
    m_close = slopes_up_to(std::move(points), end, inside, inside);
}

double slope_ranks::at(std::size_t rank) {
    if (rank < m_below || rank - m_below >= m_close.size()) {
        find_close(rank);
    }
    const auto found = m_close.begin() + static_cast<std::ptrdiff_t>(rank - m_below);
    std::nth_element(m_close.begin(), found, m_close.end());
    return *found;
}

} // namespace pprofdelta
