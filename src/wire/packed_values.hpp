// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_WIRE_PACKED_VALUES_HPP
#define PPROFDELTA_SRC_WIRE_PACKED_VALUES_HPP

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/hash128.hpp"

namespace pprofdelta {

// What the kinds have of decode_few() in common.

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
    constexpr std::size_t most = 16;
    constexpr std::ptrdiff_t looked_at = 16 + 8;
    return packed.size() <= most && limit - packed.data() >= looked_at;
}

/// Which of up to sixteen bytes end a varint.
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

/// Sixteen bytes at a time: it is known at once which of them end a varint, so later steps do not
/// wait for earlier ones.
///
/// @param continued gives the eighth bits of the sixteen bytes at an address.
/// @param squeeze   as the function of that name.
template <typename Continued, typename Squeeze>
[[gnu::always_inline]] inline bool
decode_values(std::string_view packed, const char* limit, std::int64_t* out, std::size_t count,
              Continued&& continued, Squeeze&& squeeze) noexcept {
    if (!has_room_for_values(packed, limit)) {
        return false;
    }
    const char* const p = packed.data();
    unsigned last = 0;
    if (!find_ends(continued(p), packed.size(), count, last)) {
        return false;
    }
    unsigned start = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const unsigned end = 8U * static_cast<unsigned>(std::countr_zero(last)) + 8U; // in bits
        last &= last - 1;
        out[i] = static_cast<std::int64_t>(squeeze(load_word(p + start / 8U), end - start));
        start = end;
    }
    return true;
}

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_WIRE_PACKED_VALUES_HPP
