// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_FILES_CONTENT_HASH_HPP
#define PPROFDELTA_TOOLS_FILES_CONTENT_HASH_HPP

#include <cstdint>
#include <string>
#include <string_view>

namespace pprofdelta::tool {

/// XXH3 of 64 bits, the same on every machine. Good enough to see that two contents differ, not
/// against somebody who wants them to look alike.
[[nodiscard]] std::uint64_t content_hash(std::string_view bytes) noexcept;

/// XXH3 of 128 bits (XXH128) in 32 hexadecimal digits, as `xxhsum -H2` has it, of a delta behind
/// its place: the series and its number there, each of which ends with NUL. Equal deltas are common
/// where profiles have no time, so their bytes alone would not do. Different for all that are not
/// made to collide.
[[nodiscard]] std::string delta_id(std::string_view series, std::uint64_t number,
                                   std::string_view bytes);

/// 16 hexadecimal digits.
[[nodiscard]] std::string hash_text(std::uint64_t hash);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_FILES_CONTENT_HASH_HPP
