// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_MERGE_ROUNDING_HPP
#define PPROFDELTA_SRC_MERGE_ROUNDING_HPP

#include <cmath>
#include <cstdint>
#include <optional>

#include "base/fitting.hpp"
#include "base/whole.hpp"
#include "base/wrapping.hpp"

namespace pprofdelta {

/// The largest whole number up to which doubles have all.
inline constexpr double largest_exact = 0x1p53;

[[nodiscard]] inline bool is_whole(double number) {
    return number == std::floor(number) && number <= largest_exact;
}

/// With halves away from zero; none if it does not fit, as one that saturates would be wrong
/// without a sign of it.
[[nodiscard]] inline std::optional<std::int64_t> rounded(double number) {
    const double whole = std::round(number);
    if (!(whole >= -0x1p63 && whole < 0x1p63)) {
        return std::nullopt;
    }
    return to_whole(whole);
}

[[nodiscard]] inline std::optional<std::int64_t> multiplied(std::int64_t value, double weight) {
    if (!is_whole(weight)) {
        return rounded(static_cast<double>(value) * weight);
    }
    std::int64_t product = 0;
    const bool fits = !__builtin_mul_overflow(value, static_cast<std::int64_t>(weight), &product);
    return fits ? std::optional{product} : std::nullopt;
}

[[nodiscard]] inline std::int64_t require_fit(std::optional<std::int64_t> number) {
    if (!number) {
        fail_overflow();
    }
    return *number;
}

[[nodiscard]] inline std::optional<std::int64_t> added(std::optional<std::int64_t> a,
                                                       std::optional<std::int64_t> b) {
    std::int64_t sum = 0;
    const bool fits = a && b && !__builtin_add_overflow(*a, *b, &sum);
    return fits ? std::optional{sum} : std::nullopt;
}

/// Rounded as well: small weights can make a mean larger than the sum.
[[nodiscard]] inline std::int64_t divided(std::int64_t value, double divisor) {
    if (!is_whole(divisor)) {
        return require_fit(rounded(static_cast<double>(value) / divisor));
    }
    const auto by = static_cast<std::int64_t>(divisor);
    const std::int64_t rest = value % by;
    const bool is_up = 2 * magnitude(rest) >= static_cast<std::uint64_t>(by);
    return value / by + (is_up ? (value < 0 ? -1 : 1) : 0);
}

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_MERGE_ROUNDING_HPP
