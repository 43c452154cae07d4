// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_BASE_WRAPPING_HPP
#define PPROFDELTA_SRC_BASE_WRAPPING_HPP

#include <cstdint>

namespace pprofdelta {

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

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_BASE_WRAPPING_HPP
