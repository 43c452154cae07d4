// SPDX-License-Identifier: Apache-2.0
#include "captures/trend_step.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include <pprofdelta/statistics.hpp>

namespace pprofdelta {

namespace {

constexpr std::size_t least_on_a_side = 3;
constexpr std::size_t most_places = 1000; // that are tried in a run
constexpr double far_better = 0.6;        // of the distance from the line

// Of all numbers from the one in the middle. Of two in the middle either gives the same.
double spread(std::vector<double> numbers) {
    const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
    std::nth_element(numbers.begin(), middle, numbers.end());
    double sum = 0;
    for (const double number : numbers) {
        sum += std::fabs(number - *middle);
    }
    return sum;
}

} // namespace

std::optional<found_step> find_step(std::span<const double> times, std::span<const double> values,
                                    std::span<const std::size_t> runs, double slope) {
    double from_line = 0;
    double from_levels = 0; // of each run
    double most_saved = 0;  // by a jump
    std::size_t best = 0;
    std::span<const double> before;
    std::span<const double> after;
    std::size_t first = 0;
    for (const std::size_t count : runs) {
        const std::span<const double> run = values.subspan(first, count);
        std::vector<double> without_line;
        without_line.reserve(count);
        for (std::size_t i = 0; i < count; ++i) {
            without_line.push_back(run[i] - slope * times[first + i]);
        }
        from_line += spread(without_line);
        const double level = spread({run.begin(), run.end()});
        from_levels += level;
        // Of very many numbers it does not matter which one of some is the first.
        const std::size_t stride = count / most_places + 1;
        for (std::size_t i = least_on_a_side; i + least_on_a_side <= count; i += stride) {
            const auto middle = run.begin() + static_cast<std::ptrdiff_t>(i);
            const double saved =
                level - spread({run.begin(), middle}) - spread({middle, run.end()});
            if (saved > most_saved) {
                most_saved = saved;
                best = first + i;
                before = run.first(i);
                after = run.subspan(i);
            }
        }
        first += count;
    }
    if (most_saved > 0 && from_levels - most_saved < far_better * from_line) {
        return found_step{best, median(before), median(after)};
    }
    return std::nullopt;
}

} // namespace pprofdelta
