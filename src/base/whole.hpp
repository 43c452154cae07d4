// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_BASE_WHOLE_HPP
#define PPROFDELTA_SRC_BASE_WHOLE_HPP

#include <cmath>
#include <cstdint>
#include <limits>

namespace pprofdelta {

/// Without what follows the point, and at the ends of 64 bits the number there: in C++ the
/// conversion of a number that does not fit is undefined. What is not a number is the least one.
[[nodiscard]] constexpr std::int64_t to_whole(double number) noexcept {
    constexpr double end = 0x1p63; // the largest double below it is a lot below it
    if (number >= end) {
        return std::numeric_limits<std::int64_t>::max();
    }
    if (!(number >= -end)) {
        return std::numeric_limits<std::int64_t>::min();
    }
    return static_cast<std::int64_t>(number);
}

/// The nearest whole number, with the same ends.
[[nodiscard]] inline std::int64_t to_nearest(double number) noexcept {
    return to_whole(std::round(number));
}

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_BASE_WHOLE_HPP
