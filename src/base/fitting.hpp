// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_BASE_FITTING_HPP
#define PPROFDELTA_SRC_BASE_FITTING_HPP

#include <cstdint>
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

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_BASE_FITTING_HPP
