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

/// XXH3 of 128 bits (XXH128) in 32 hexadecimal digits, as `xxhsum -H2` has it: different for all
/// contents that are not made to collide.
[[nodiscard]] std::string content_id(std::string_view bytes);

/// 16 hexadecimal digits.
[[nodiscard]] std::string hash_text(std::uint64_t hash);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_FILES_CONTENT_HASH_HPP
