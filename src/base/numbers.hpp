// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include <pprofdelta/error.hpp>

namespace pprofdelta {

// Sums of values for people and for limits: one that wraps around would look like any other.

[[noreturn]] inline void fail_overflow(const char* what = "sum") {
    throw error{error_kind::too_large, std::string{"the "} + what + " would not fit 64 bits"};
}

/// @throws error too_large
[[nodiscard]] inline std::int64_t fitting_add(std::int64_t a, std::int64_t b) {
    std::int64_t sum = 0;
    if (__builtin_add_overflow(a, b, &sum)) {
        fail_overflow();
    }
    return sum;
}

/// @throws error too_large
[[nodiscard]] inline std::int64_t fitting_subtract(std::int64_t a, std::int64_t b) {
    std::int64_t difference = 0;
    if (__builtin_sub_overflow(a, b, &difference)) {
        fail_overflow("difference");
    }
    return difference;
}

/// Whether two durations are known, and so far apart that what was counted in them is not to be
/// compared: by more than a twentieth of the longer one.
[[nodiscard]] constexpr bool durations_differ(std::int64_t a, std::int64_t b) noexcept {
    const auto [shorter, longer] = std::minmax(a, b);
    return shorter > 0 && longer - shorter > longer / 20;
}

// Values wrap around at 64 bits, as Go's do; signed overflow would be undefined.

[[nodiscard]] constexpr std::int64_t wrapping_add(std::int64_t a, std::int64_t b) noexcept {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

[[nodiscard]] constexpr std::int64_t wrapping_subtract(std::int64_t a, std::int64_t b) noexcept {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

[[nodiscard]] constexpr std::int64_t wrapping_multiply(std::int64_t a, std::int64_t b) noexcept {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

/// The absolute value, which of the least number needs the 64th bit.
[[nodiscard]] constexpr std::uint64_t magnitude(std::int64_t value) noexcept {
    return value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
}

/// Drops what follows the point, and gives at the ends of 64 bits the number there: in C++ the
/// conversion of a number that does not fit is undefined. A value that is not a number gives the
/// least one.
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
