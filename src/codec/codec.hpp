// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <pprofdelta/error.hpp>

namespace pprofdelta {

/// @throws error too_large for a size beyond `max_size`.
inline void require_within(std::size_t size, std::size_t max_size) {
    if (size > max_size) {
        throw error{error_kind::too_large, "the uncompressed profile has more than " +
                                               std::to_string(max_size) + " bytes"};
    }
}

/// @throws error too_large for a size beyond `max_size` of a profile that is written.
inline void require_written_size(std::size_t size, std::size_t max_size) {
    if (size > max_size) {
        throw error{error_kind::too_large,
                    "the result would have more than " + std::to_string(max_size) + " bytes"};
    }
}

[[nodiscard]] bool is_gzip(std::string_view bytes) noexcept;

/// Inflates all members of a gzip file (RFC 1952) into `out`, which is replaced.
/// @throws error malformed or too_large; std::bad_alloc.
void gunzip(std::string_view bytes, std::string& out, std::size_t max_size);

/// One gzip member without name or time. `level` is from 0 to 9.
[[nodiscard]] std::string gzip(std::string_view bytes, int level);

/// gunzip() by way of libdeflate, which is two to three times as fast as zlib, where it was there
/// at build time.
///
/// @returns false, with `out` unspecified, without libdeflate and for anything but a sound archive:
///          zlib then tells what is wrong with it.
/// @throws error too_large; std::bad_alloc.
[[nodiscard]] bool fast_gunzip(std::string_view bytes, std::string& out, std::size_t max_size);

/// True for a zstd frame (RFC 8878), skippable ones included.
[[nodiscard]] bool is_zstd(std::string_view bytes) noexcept;

/// Decompresses all frames of a zstd file into `out`, which is replaced.
/// @throws error malformed or too_large; std::bad_alloc.
void unzstd(std::string_view bytes, std::string& out, std::size_t max_size);

/// One zstd frame with a checksum. `level` is libzstd's; 0 is its default.
[[nodiscard]] std::string zstd(std::string_view bytes, int level);

} // namespace pprofdelta
