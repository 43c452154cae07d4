// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_WIRE_PACKED_SHUFFLES_HPP
#define PPROFDELTA_SRC_WIRE_PACKED_SHUFFLES_HPP

#include <array>
#include <cstddef>
#include <cstdint>

namespace pprofdelta {

// What the kinds have in common that encode with shuffles of sixteen bytes.

/// Makes a 0, in the shuffles of x86-64 and of ARM.
inline constexpr std::uint8_t no_byte = 0xff;

/// For four numbers of up to three bytes, each in a lane of 32 bits: puts the bytes that are needed
/// together.
using byte_shuffle = std::array<std::uint8_t, 16>;

[[nodiscard]] constexpr std::array<byte_shuffle, 256> make_byte_shuffles() {
    std::array<byte_shuffle, 256> all{};
    for (unsigned lengths = 0; lengths < all.size(); ++lengths) {
        all[lengths].fill(no_byte);
        std::size_t place = 0;
        for (unsigned lane = 0; lane < 4; ++lane) {
            const unsigned length = 1 + (lengths >> lane & 1U) + (lengths >> (4 + lane) & 1U);
            for (unsigned byte = 0; byte < length; ++byte) {
                all[lengths][place++] = static_cast<std::uint8_t>(4 * lane + byte);
            }
        }
    }
    return all;
}

/// They are found by which numbers have a second byte (the lower four bits), and which a third.
alignas(16) inline constexpr std::array<byte_shuffle, 256> byte_shuffles = make_byte_shuffles();

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_WIRE_PACKED_SHUFFLES_HPP
