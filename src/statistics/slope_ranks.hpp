// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_STATISTICS_SLOPE_RANKS_HPP
#define PPROFDELTA_SRC_STATISTICS_SLOPE_RANKS_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pprofdelta {

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

#endif // PPROFDELTA_SRC_STATISTICS_SLOPE_RANKS_HPP
