// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_CODEC_LIBDEFLATE_HPP
#define PPROFDELTA_SRC_CODEC_LIBDEFLATE_HPP

#include <cstddef>
#include <string>
#include <string_view>

namespace pprofdelta {

/// gunzip() by way of libdeflate, which is two to three times as fast as zlib, where it was there
/// at build time.
///
/// @returns false, with `out` unspecified, without libdeflate and for anything but a sound archive
///          within `max_size`: zlib then tells what is wrong with it.
[[nodiscard]] bool fast_gunzip(std::string_view bytes, std::string& out, std::size_t max_size);

/// gzip() in the same way. `level` is from 0 to 9.
/// @returns false without libdeflate.
[[nodiscard]] bool fast_gzip(std::string_view bytes, int level, std::string& out);

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_CODEC_LIBDEFLATE_HPP
