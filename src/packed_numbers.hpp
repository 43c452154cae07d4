// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_PACKED_NUMBERS_HPP
#define PPROFDELTA_SRC_PACKED_NUMBERS_HPP

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace pprofdelta {

/// What decode_packed() returns instead of a count.
inline constexpr std::size_t not_decoded = static_cast<std::size_t>(-1);

/// How many numbers `out` must have room for.
[[nodiscard]] constexpr std::size_t packed_room(std::size_t packed_size) {
    constexpr std::size_t widest_store = 64;
    return packed_size + widest_store;
}

/// Decodes packed varints of at most three bytes, which location ids are: a profile with two
/// million locations is the largest that needs no more. Uses what the processor has to offer.
///
/// @returns how many there are; not_decoded if one is longer or cut short, for the caller to read
///          them one by one and see.
[[nodiscard]] std::size_t decode_packed(std::string_view packed, std::uint32_t* out) noexcept;

/// The same on any processor; tests compare the two.
[[nodiscard]] std::size_t decode_packed_portably(std::string_view packed,
                                                 std::uint32_t* out) noexcept;

/// Decodes exactly `count` packed varints of at most eight bytes, sixteen bytes in all, which the
/// values of a sample mostly are.
///
/// @param limit end of the memory that may be read: beyond `packed`, for speed.
/// @returns false, with `out` unspecified, if it cannot, for the caller to read them one by one.
[[nodiscard]] bool decode_few(std::string_view packed, const char* limit, std::int64_t* out,
                              std::size_t count) noexcept;

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_PACKED_NUMBERS_HPP
