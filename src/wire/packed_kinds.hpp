// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "base/hash128.hpp"

namespace pprofdelta {

/// The functions of packed_numbers.hpp for one kind of processor. All kinds give the same results,
/// but for what they leave to the caller of decode_few().
struct packed_kind {
    const char* name;
    std::size_t (*decode_ordinals)(std::string_view packed, const char* limit, std::size_t known,
                                   std::uint32_t* out) noexcept;
    bool (*decode_few)(std::string_view packed, const char* limit, std::int64_t* out,
                       std::size_t count) noexcept;
    char* (*encode_numbers)(char* out, const std::uint32_t* numbers, std::size_t count) noexcept;
};

/// Those that this processor can run, the fastest one last. The first is `portable`, which all can.
[[nodiscard]] std::span<const packed_kind* const> packed_kinds() noexcept;

// Each in a file of its own.
extern const packed_kind portable_kind;
// nullptr if this processor cannot run it, or the compiler does not know it.
[[nodiscard]] const packed_kind* avx2_kind() noexcept;
[[nodiscard]] const packed_kind* neon_kind() noexcept;

// The parts of decode_few() that all kinds share.

/// Eight bytes of which the first is the lowest.
[[nodiscard]] inline std::uint64_t load_word(const char* bytes) noexcept {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, sizeof word);
    return little_endian(word);
}

/// Removes the eighth bit of each byte, and all bits from `bits` on, which is 8 to 64: first for
/// pairs of bytes, then for pairs of pairs, and so on.
[[nodiscard]] inline std::uint64_t squeeze(std::uint64_t number, unsigned bits) noexcept {
    number &= ~std::uint64_t{0} >> (64U - bits);
    number = (number & 0x007f007f007f007f) | (number & 0x7f007f007f007f00) >> 1U;
    number = (number & 0x00003fff00003fff) | (number & 0x3fff00003fff0000) >> 2U;
    return (number & 0x000000000fffffff) | (number & 0x0fffffff00000000) >> 4U;
}

/// Whether decode_few() can look at sixteen bytes, and eight from the last of them on.
[[nodiscard]] inline bool has_room_for_values(std::string_view packed, const char* limit) noexcept {
    constexpr std::size_t max_size = 16;
    constexpr std::ptrdiff_t looked_at = 16 + 8;
    return packed.size() <= max_size && limit - packed.data() >= looked_at;
}

/// The bytes, of up to sixteen, that end a varint.
///
/// @param more the eighth bits of sixteen bytes.
/// @param last receives a bit for each.
/// @returns whether there are `count` varints, each of at most eight bytes and none cut short.
[[nodiscard]] inline bool find_ends(unsigned more, std::size_t size, std::size_t count,
                                    unsigned& last) noexcept {
    const unsigned present = (1U << size) - 1U;
    last = ~more & present;
    more &= present;
    unsigned many = more & more >> 1U;
    many &= many >> 2U;
    many &= many >> 4U; // eight in a row
    const bool is_cut_short = more > last;
    return many == 0 && !is_cut_short && static_cast<std::size_t>(std::popcount(last)) == count;
}

// The parts shared by the kinds that encode with shuffles of sixteen bytes.

/// Makes a 0, in the shuffles of x86-64 and of ARM.
inline constexpr std::uint8_t no_byte = 0xff;

/// A shuffle for four numbers of up to three bytes, each in a lane of 32 bits, which puts the bytes
/// that are needed together.
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
