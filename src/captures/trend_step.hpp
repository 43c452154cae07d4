// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_CAPTURES_TREND_STEP_HPP
#define PPROFDELTA_SRC_CAPTURES_TREND_STEP_HPP

#include <cstddef>
#include <optional>
#include <span>

namespace pprofdelta {

/// A jump in numbers of one or more runs, and the medians of its run on both sides of it.
struct step_change {
    std::size_t at = 0; ///< The first number after the jump.
    double before = 0;
    double after = 0;
};

/// How far numbers are from the one in the middle, added up. O(n log n)
[[nodiscard]] double spread(std::span<const double> numbers);

/// How far numbers are from a line of that slope, which has as many above it as below.
[[nodiscard]] double spread_from_line(std::span<const double> times, std::span<const double> values,
                                      double slope);

/// Where numbers of one or more runs jump once, if that describes them far better than a line of
/// that slope. At least three stand on each side.
///
/// A line and a jump are told apart by how far the numbers are from each, added up. With noise that
/// is large beside the growth neither is better, and so it is no jump.
///
/// Cost: n log n.
[[nodiscard]] std::optional<step_change> find_step(std::span<const double> times,
                                                   std::span<const double> values,
                                                   std::span<const std::size_t> runs, double slope);

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_CAPTURES_TREND_STEP_HPP
