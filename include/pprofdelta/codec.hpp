// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_CODEC_HPP
#define PPROFDELTA_CODEC_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

/// How the bytes of a profile are wrapped. The pprof format asks for gzip on disk.
enum class codec : std::uint8_t { none, gzip, zstd };

/// Profiles of 2 GiB and more are refused: record offsets are kept in 32 bits, and protozero's
/// lengths are as short.
inline constexpr std::size_t max_profile_size = (std::size_t{1} << 31U) - 1;

/// The codec whose magic number starts `bytes`; codec::none if there is none. O(1).
[[nodiscard]] codec detect_codec(std::string_view bytes) noexcept;

/// Unwraps `bytes` according to detect_codec(): every member of a gzip file and every frame of a
/// zstd file, one after the other.
///
/// @param bytes    the whole file.
/// @param storage  receives the uncompressed bytes; its capacity is reused. Left alone for
///                 codec::none.
/// Takes the memory of what is uncompressed and at most 64 MiB more, whatever the archive says of
/// its size.
///
/// @param max_size the most bytes that the uncompressed profile may have. Checked while inflating,
///                 so a small archive that expands without end costs no more than this.
/// @returns a view of `storage`, or `bytes` itself for codec::none; valid as long as those are.
/// @throws error malformed for a damaged, truncated or trailed archive; too_large over max_size.
[[nodiscard]] std::string_view decode(std::string_view bytes, std::string& storage,
                                      std::size_t max_size = max_profile_size);

/// Stands for the usual level of encode(): 1 for gzip, as in Go's runtime, and 3 for zstd.
inline constexpr int default_level = -1;

/// The range of levels that encode() accepts for `to`, both ends included.
struct level_range {
    int lowest;
    int highest;
};
[[nodiscard]] level_range levels(codec to) noexcept;

/// Wraps `bytes`. The same bytes, codec, level and library version give the same result: the gzip
/// header carries no time and no name.
///
/// @param level within levels(to), or default_level. Ignored for codec::none.
/// @throws error invalid_argument for a level outside levels(to).
[[nodiscard]] std::string encode(std::string_view bytes, codec to, int level = default_level);

} // namespace pprofdelta

#pragma GCC visibility pop

#endif // PPROFDELTA_CODEC_HPP
