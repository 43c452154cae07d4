// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_CODEC_ZSTD_HPP
#define PPROFDELTA_SRC_CODEC_ZSTD_HPP

#include <cstddef>
#include <string>
#include <string_view>

namespace pprofdelta {

/// True for a zstd frame (RFC 8878), skippable ones included.
[[nodiscard]] bool is_zstd(std::string_view bytes) noexcept;

/// Decompresses all frames of a zstd file into `out`, which is replaced.
/// @throws error malformed or too_large; std::bad_alloc.
void unzstd(std::string_view bytes, std::string& out, std::size_t max_size);

/// One zstd frame with a checksum. `level` is libzstd's; 0 is its default.
[[nodiscard]] std::string zstd(std::string_view bytes, int level);

inline constexpr int zstd_lowest_level = 1;
inline constexpr int zstd_highest_level = 19; // the higher ones need much memory to decompress

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_CODEC_ZSTD_HPP
