// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_BASE_UTF8_HPP
#define PPROFDELTA_SRC_BASE_UTF8_HPP

#include <string>
#include <string_view>

namespace pprofdelta {

/// `text` itself if it is UTF-8. Otherwise a copy in `room` that has U+FFFD for each byte that is
/// part of no character: what Go makes of such bytes. O(length)
[[nodiscard]] std::string_view as_utf8(std::string_view text, std::string& room);

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_BASE_UTF8_HPP
