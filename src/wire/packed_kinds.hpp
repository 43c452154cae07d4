// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_WIRE_PACKED_KINDS_HPP
#define PPROFDELTA_SRC_WIRE_PACKED_KINDS_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

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

/// The one in use: the fastest, unless PPROFDELTA_CPU in the environment named another one of them
/// when the program started.
[[nodiscard]] const packed_kind& packed_kind_in_use() noexcept;

// Each in a file of its own.
extern const packed_kind portable_kind;
// nullptr if this processor cannot run it, or the compiler does not know it.
[[nodiscard]] const packed_kind* avx2_kind() noexcept;
[[nodiscard]] const packed_kind* avx512_kind() noexcept;
[[nodiscard]] const packed_kind* neon_kind() noexcept;

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_WIRE_PACKED_KINDS_HPP
