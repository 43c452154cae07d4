// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace pprofdelta {

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

// Tests on ranks share the rest.

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

/// The mean of numbers without their signs, of two parts together.
[[nodiscard]] inline double mean_size(std::span<const double> numbers,
                                      std::span<const double> more = {}) {
    const auto add = [](double sum, double number) { return sum + std::fabs(number); };
    const double first = std::accumulate(numbers.begin(), numbers.end(), 0.0, add);
    const std::size_t count = numbers.size() + more.size();
    return count == 0
               ? 0
               : std::accumulate(more.begin(), more.end(), first, add) / static_cast<double>(count);
}

/// The number of equal numbers each time.
using tie_sizes = std::vector<std::int32_t>;

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

/// The number of ways to choose so many. Whole up to 2^53, and infinite where it does not fit, for
/// which Boost.Math throws. Figures are printed with all digits, and its differ in the last.
[[nodiscard]] inline double combinations(std::size_t all, std::size_t chosen) {
    double count = 1;
    for (std::size_t i = 1; i <= chosen; ++i) {
        count = std::round(count * static_cast<double>(all - chosen + i) / static_cast<double>(i));
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

} // namespace pprofdelta
