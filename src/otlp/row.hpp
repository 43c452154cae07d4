// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_OTLP_ROW_HPP
#define PPROFDELTA_SRC_OTLP_ROW_HPP

#include <cstdint>

#include "base/hash128.hpp"

namespace pprofdelta {

/// What makes two samples one, each by its number. It is its own key.
struct otlp_row {
    std::uint32_t stack = 0;
    std::uint32_t attributes = 0;
    std::uint32_t link = 0;
    std::uint32_t source = 0;

    [[nodiscard]] hash128 key() const noexcept {
        return {stack | std::uint64_t{attributes} << 32U, link | std::uint64_t{source} << 32U};
    }
    [[nodiscard]] static otlp_row of(const hash128& key) noexcept {
        return {static_cast<std::uint32_t>(key.low), static_cast<std::uint32_t>(key.low >> 32U),
                static_cast<std::uint32_t>(key.high), static_cast<std::uint32_t>(key.high >> 32U)};
    }
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_OTLP_ROW_HPP
