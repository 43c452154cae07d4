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

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_BASE_WRAPPING_HPP
