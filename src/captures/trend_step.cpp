// SPDX-License-Identifier: Apache-2.0
#include "captures/trend_step.hpp"

#include <cstddef>
#include <functional>
#include <queue>
#include <vector>

#include <pprofdelta/statistics.hpp>

namespace pprofdelta {

namespace {

constexpr std::size_t least_on_a_side = 3;
constexpr double far_better = 0.6; // of the distance from the line

// How far the first numbers are from the one in their middle, all added up, for each count of them.
// If two are in the middle, either gives the same.
std::vector<double> spreads(std::span<const double> numbers) {
    std::priority_queue<double> lower; // half of them, and the one in the middle
    std::priority_queue<double, std::vector<double>, std::greater<>> upper;
    double difference = 0; // of what the upper ones and the lower ones add up to
    std::vector<double> result{0};
    for (const double number : numbers) {
        lower.push(number);
        upper.push(lower.top());
        difference += 2 * lower.top() - number;
        lower.pop();
        if (upper.size() > lower.size()) {
            lower.push(upper.top());
            difference -= 2 * upper.top();
            upper.pop();
        }
        result.push_back(difference + (lower.size() > upper.size() ? lower.top() : 0));
    }
    return result;
}

} // namespace

double spread(std::span<const double> numbers) { return spreads(numbers).back(); }

double spread_from_line(std::span<const double> times, std::span<const double> values,
                        double slope) {
    std::vector<double> without_line;
    without_line.reserve(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        without_line.push_back(values[i] - slope * times[i]);
    }
    return spread(without_line);
}

std::optional<step_change> find_step(std::span<const double> times, std::span<const double> values,
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
        from_line += spread_from_line(times.subspan(first, count), run, slope);
        const std::vector<double> from_start = spreads(run);
        const std::vector<double> from_end = spreads(std::vector<double>{run.rbegin(), run.rend()});
        const double level = from_start.back();
        from_levels += level;
        for (std::size_t i = least_on_a_side; i + least_on_a_side <= count; ++i) {
            const double saved = level - from_start[i] - from_end[count - i];
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
        return step_change{best, median(before), median(after)};
    }
    return std::nullopt;
}

} // namespace pprofdelta
