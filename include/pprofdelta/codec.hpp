// SPDX-License-Identifier: Apache-2.0
#pragma once

// Example:
//
//     const std::string file = encode(current, codec::zstd); // as on disk
//     std::string storage;
//     const std::string_view profile = decode(file, storage);
//     std::cout << file.size() << " bytes of " << profile.size() << '\n';

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

/// The compression of a profile. The pprof format asks for gzip on disk.
enum class codec : std::uint8_t { none, gzip, zstd };

/// The largest size of a profile in bytes. Profiles of 2 GiB and more are refused, since record
/// offsets and protozero's lengths have 32 bits.
inline constexpr std::size_t max_profile_size = (std::size_t{1} << 31U) - 1;

/// Returns the codec whose magic number `bytes` start with, or codec::none. O(1)
[[nodiscard]] codec detect_codec(std::string_view bytes) noexcept;

/// Uncompresses `bytes` according to detect_codec(): all members of a gzip file, and all frames of
/// a zstd file, in sequence.
///
/// Memory: that of the uncompressed bytes and at most 64 MiB more, whatever size the archive
/// states.
/// @param bytes    the whole file, which must not be in `storage`.
/// @param storage  receives the uncompressed bytes; its capacity is reused. Unchanged for
///                 codec::none.
/// @param max_size the largest size of the uncompressed profile, in bytes. It is checked during
///                 decompression, so a small archive that expands without end costs no more than
///                 this.
/// @returns a view of `storage`, or `bytes` itself for codec::none; valid as long as that is.
/// @throws error malformed for an archive that is damaged, truncated or followed by other bytes;
///         too_large over max_size.
[[nodiscard]] std::string_view decode(std::string_view bytes, std::string& storage,
                                      std::size_t max_size = max_profile_size);
/// Returns the uncompressed bytes in a string of their own.
[[nodiscard]] inline std::string decode(std::string_view bytes,
                                        std::size_t max_size = max_profile_size) {
    std::string storage;
    const std::string_view profile = decode(bytes, storage, max_size);
    if (profile.data() != storage.data()) {
        storage = profile;
    }
    return storage;
}

/// The default level of encode(): 1 for gzip, as in Go's runtime, and 3 for zstd.
inline constexpr int default_level = -1;

/// A range of compression levels, both ends included.
struct level_range {
    int lowest;
    int highest;
};
/// Returns the levels that encode() accepts for a codec.
[[nodiscard]] level_range levels(codec to) noexcept;

/// Returns `bytes` compressed. Deterministic for the same bytes, codec, level and versions of the
/// compression libraries: the gzip header has no time and no name.
///
/// @param level within levels(to), or default_level. Ignored for codec::none.
/// @throws error invalid_argument for a level outside levels(to).
[[nodiscard]] std::string encode(std::string_view bytes, codec to, int level = default_level);

} // namespace pprofdelta

#pragma GCC visibility pop
