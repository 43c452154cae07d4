// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>

#include <pprofdelta/error.hpp>

namespace pprofdelta {

/// The amount that may be made or done for an input of which a few bytes can stand for much: in
/// proportion to its size, and 64 Mi beside that.
class budget {
public:
    budget() = default;
    /// @param refusal the message of the error.
    budget(std::size_t size, std::size_t per_byte, const char* refusal,
           std::size_t most = std::numeric_limits<std::size_t>::max()) noexcept
        : m_left{std::min((std::size_t{64} << 20U) + per_byte * size, most)}, m_refusal{refusal} {}

    /// Returns false, and takes nothing, if there is not as much left.
    [[nodiscard]] bool take(std::size_t amount) noexcept {
        if (amount > m_left) {
            return false;
        }
        m_left -= amount;
        return true;
    }

    /// @throws error too_large if there is not as much left.
    void charge(std::size_t amount) {
        if (!take(amount)) {
            fail();
        }
    }

private:
    // Apart from charge(), which is inlined then.
    [[noreturn, gnu::noinline]] void fail() const { throw error{error_kind::too_large, m_refusal}; }

    std::size_t m_left = 0;
    const char* m_refusal = "";
};

} // namespace pprofdelta
