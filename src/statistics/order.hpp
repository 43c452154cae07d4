// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_STATISTICS_ORDER_HPP
#define PPROFDELTA_SRC_STATISTICS_ORDER_HPP

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace pprofdelta {

/// Sorts, and shows which pairs change places. What is equal stays in its order.
/// @param room  as many others.
/// @param visit called for an item that passes others: with these, and with it.
/// Cost: n log n, and that of the visits.
template <typename Item, typename IsBefore, typename Visit>
void merge_sort(std::span<Item> items, std::span<Item> room, const IsBefore& is_before,
                const Visit& visit) {
    if (items.size() < 2) {
        return;
    }
    const std::size_t half = items.size() / 2;
    merge_sort(items.first(half), room.first(half), is_before, visit);
    merge_sort(items.subspan(half), room.subspan(half), is_before, visit);
    std::copy(items.begin(), items.end(), room.begin());
    std::size_t left = 0;
    std::size_t right = half;
    for (Item& next : items) {
        if (right == room.size() || (left < half && !is_before(room[right], room[left]))) {
            next = room[left++];
        } else {
            if (left < half) {
                visit(std::span<const Item>{room.subspan(left, half - left)}, room[right]);
            }
            next = room[right++];
        }
    }
}

/// Calls `visit` with the items of each run.
/// @param runs how many items each has.
template <typename Item, typename Visit>
void for_each_run(std::span<const std::size_t> runs, std::span<Item> items, Visit&& visit) {
    std::size_t first = 0;
    for (const std::size_t count : runs) {
        visit(items.subspan(first, count));
        first += count;
    }
}

// What tests on ranks have in common.

/// Rows of zeros in ever different places have a distribution each, and so many are kept.
inline constexpr std::size_t most_known_distributions = 256;

[[nodiscard]] inline std::vector<double> sorted(std::span<const double> numbers) {
    std::vector<double> result{numbers.begin(), numbers.end()};
    std::ranges::sort(result);
    return result;
}

[[nodiscard]] inline double middle_of(const std::vector<double>& sorted) {
    const std::size_t half = sorted.size() / 2;
    if (sorted.empty()) {
        return 0;
    }
    return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

[[nodiscard]] inline double mean_of(std::span<const double> numbers) {
    return std::accumulate(numbers.begin(), numbers.end(), 0.0) /
           static_cast<double>(numbers.size());
}

/// How many numbers are equal each time.
using tie_sizes = std::vector<std::uint32_t>;

/// Finds the ties among sorted numbers, the smallest first.
[[nodiscard]] inline tie_sizes sizes_of_ties(const std::vector<double>& sorted) {
    tie_sizes sizes;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        if (i > 0 && sorted[i] == sorted[i - 1]) {
            ++sizes.back();
        } else {
            sizes.push_back(1);
        }
    }
    return sizes;
}

/// In how many ways so many can be chosen. Whole up to 2^53.
[[nodiscard]] inline double combinations(std::size_t of, std::size_t chosen) {
    double count = 1;
    for (std::size_t i = 1; i <= chosen; ++i) {
        count = std::round(count * static_cast<double>(of - chosen + i) / static_cast<double>(i));
    }
    return count;
}

/// The part of the normal distribution beyond so many standard deviations.
[[nodiscard]] inline double upper_tail(double deviations) {
    return std::erfc(deviations / std::sqrt(2.0)) / 2;
}

/// The number of standard deviations beyond which the normal distribution has so much.
[[nodiscard]] inline double deviations_for(double tail) {
    double low = 0;
    double high = 40;
    while (true) {
        const double middle = (low + high) / 2;
        if (middle <= low || middle >= high) {
            return low; // no number lies between
        }
        (upper_tail(middle) > tail ? low : high) = middle;
    }
}

/// Finds slopes of pairs of points by their ranks, without a look at each pair.
///
/// With v - slope * t as its value, a point passes another where `slope` is that of both. So the
/// pairs with a slope between two others are those that change places from the order at the one to
/// that at the other, which sorting counts, and can draw a sample from. The sample says between
/// which slopes a rank is, and once these pairs are few, their slopes are written down. All orders
/// are exact, also of points that are equal but for less than a double has.
///
/// J. Matousek, Randomized optimal algorithm for slope selection, Information Processing Letters 39
/// (1991); here the sample is not random, but the same each time.
class slope_ranks {
public:
    /// @param times ascending in each run.
    /// @param runs  how many points each has; there are no pairs of points of different ones.
    slope_ranks(std::span<const double> times, std::span<const double> values,
                std::span<const std::size_t> runs);

    /// How many pairs there are.
    [[nodiscard]] std::size_t count() const noexcept { return m_count; }

    /// The slope of a rank, which is from 0, less than count(); but for rounding it is exact. Ranks
    /// that are close to the one before take less time. O(n log n), and as much memory as points.
    [[nodiscard]] double at(std::size_t rank);

private:
    using order = std::vector<std::uint32_t>;
    // A slope, or an infinite one, and whether pairs that have it have changed places.
    struct bound {
        double slope = 0;
        bool is_passed = false;
    };

    [[nodiscard]] double slope_of(std::uint32_t a, std::uint32_t b) const;
    void compute_keys(double slope);
    template <typename Visit>
    void move_to(order& points, const bound& to, const Visit& visit);
    std::size_t move_to(order& points, const bound& to);
    std::vector<double> slopes_up_to(order points, const bound& to, std::size_t inside,
                                     std::size_t wanted);
    void find_close(std::size_t rank);

    std::span<const double> m_times;
    std::span<const double> m_values;
    std::span<const std::size_t> m_runs;
    std::size_t m_count = 0;
    std::vector<std::array<double, 3>> m_keys; // of points, at a slope: exact sums
    order m_room;
    // What is written down, and how many are smaller.
    std::vector<double> m_close;
    std::size_t m_below = 0;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_STATISTICS_ORDER_HPP
