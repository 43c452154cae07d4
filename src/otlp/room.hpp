// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_OTLP_ROOM_HPP
#define PPROFDELTA_SRC_OTLP_ROOM_HPP

#include <algorithm>
#include <cstddef>

#include <pprofdelta/error.hpp>

namespace pprofdelta {

/// How much may be made of a message whose samples refer to stacks and attributes, so that a few
/// bytes can stand for much: 64 times its size, and 64 MiB beside that. Real ones make two to ten.
class otlp_room {
public:
    otlp_room(std::size_t size, std::size_t max_size) noexcept
        : m_left{std::min(least + per_byte * size, max_size)} {}

    /// @throws error too_large if there are not as many bytes left.
    void take(std::size_t bytes) {
        if (bytes > m_left) {
            fail();
        }
        m_left -= bytes;
    }

    [[nodiscard]] std::size_t left() const noexcept { return m_left; }

private:
    // Apart from take(), which is inlined then.
    [[noreturn, gnu::noinline]] static void fail() {
        throw error{error_kind::too_large,
                    "what the profiles refer to many times would take too much room"};
    }

    static constexpr std::size_t least = std::size_t{64} << 20U;
    static constexpr std::size_t per_byte = 64;

    std::size_t m_left;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_OTLP_ROOM_HPP
