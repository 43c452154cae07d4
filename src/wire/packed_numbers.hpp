// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace pprofdelta {

// Numbers of many varints, of which most of a profile consists. The functions that are not inline
// use the instructions that the processor has; see packed_kinds.hpp.

/// The result of decode_ordinals() in place of a count if it did not decode.
inline constexpr std::size_t not_decoded = static_cast<std::size_t>(-1);

/// How many zeros decode_ordinals() writes after the last number.
inline constexpr std::size_t zeros_behind = 32;

/// How many numbers `out` must have room for.
[[nodiscard]] constexpr std::size_t packed_room(std::size_t packed_size) {
    return packed_size + zeros_behind; // which is more than one store writes
}

/// Decodes packed varints from 1 to `known`, of at most three bytes each, such as location ids:
/// three bytes are enough for two million locations.
///
/// @param limit end of the memory that may be read, which is beyond `packed` for speed.
/// @param out   receives the numbers and zeros_behind zeros; the rest of packed_room() is
///              overwritten too.
/// @returns the number of numbers; not_decoded if one is of another kind, so that the caller must
///          read them one by one.
[[nodiscard]] std::size_t decode_ordinals(std::string_view packed, const char* limit,
                                          std::size_t known, std::uint32_t* out) noexcept;

/// Decodes exactly `count` packed varints of at most eight bytes each and sixteen in all, as the
/// values of most samples are.
///
/// @param limit is that of decode_ordinals().
/// @returns false, with `out` unspecified, if it cannot, so that the caller must read them one by
///          one.
[[nodiscard]] bool decode_few(std::string_view packed, const char* limit, std::int64_t* out,
                              std::size_t count) noexcept;

/// How many bytes encode_varint() may write to.
inline constexpr std::size_t longest_varint = 10;

/// How many bytes it writes.
[[nodiscard]] constexpr std::size_t varint_size(std::uint64_t number) noexcept {
    constexpr unsigned bits = 7;
    return (static_cast<unsigned>(std::bit_width(number | 1U)) + bits - 1) / bits;
}

/// Writes a varint and returns its end. Short ones take no branch that depends on their length.
inline char* encode_varint(char* out, std::uint64_t number) noexcept {
    constexpr std::uint64_t three_bytes = std::uint64_t{1} << 21U;
    if (std::endian::native == std::endian::little && number < three_bytes) {
        const auto n = static_cast<std::uint32_t>(number);
        const std::uint32_t has_second = n >= 0x80U ? 1 : 0;
        const std::uint32_t has_third = n >= 0x4000U ? 1 : 0;
        const std::uint32_t bytes = (n & 0x7fU) | (n & 0x3f80U) << 1U | (n & 0x1fc000U) << 2U |
                                    has_second << 7U | has_third << 15U;
        std::memcpy(out, &bytes, sizeof bytes);
        return out + 1 + has_second + has_third;
    }
    for (; number >= 0x80U; number >>= 7U) {
        *out++ = static_cast<char>((number & 0x7fU) | 0x80U);
    }
    *out++ = static_cast<char>(number);
    return out;
}

/// How many bytes encode_numbers() may write to.
template <typename Number>
[[nodiscard]] constexpr std::size_t encoded_room(std::size_t count) {
    constexpr std::size_t widest_store = 16;
    constexpr std::size_t longest =
        sizeof(Number) == sizeof(std::uint32_t) ? longest_varint / 2 : longest_varint;
    return count * longest + widest_store;
}

/// Writes `count` varints and returns their end.
///
/// @param out overwritten also beyond the last varint, up to encoded_room().
char* encode_numbers(char* out, const std::uint32_t* numbers, std::size_t count) noexcept;

/// Writes varints of numbers of 64 bits; negative ones take ten bytes. Many values are 0: of what
/// is not in use any more, and of what was freed and allocated.
template <typename Number>
char* encode_numbers(char* out, const Number* numbers, std::size_t count) noexcept {
    static_assert(sizeof(Number) == sizeof(std::uint64_t));
    for (std::size_t i = 0; i < count; ++i) {
        if (numbers[i] == 0) {
            *out++ = 0;
        } else {
            out = encode_varint(out, static_cast<std::uint64_t>(numbers[i]));
        }
    }
    return out;
}

} // namespace pprofdelta
