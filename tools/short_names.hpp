// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_SHORT_NAMES_HPP
#define PPROFDELTA_TOOLS_SHORT_NAMES_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pprofdelta::tool {

/// `text` as UTF-8 on one line, so that the content of a profile controls neither a terminal nor a
/// CI system that reads the output. Bytes that are not UTF-8 and characters that are not is_shown()
/// become escapes as in C, "\\x1b" or "\\u202e", and so does the first character of what would be a
/// workflow command, wherever the text stands. A second call changes nothing.
[[nodiscard]] std::string printable(std::string_view text);

/// Different names, made printable and at most `width` bytes long, as far as they can differ in
/// that length. Longer names lose their middle. Where two would look alike, one gets a number.
[[nodiscard]] std::vector<std::string> short_names(const std::vector<std::string>& names,
                                                   std::size_t width);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_SHORT_NAMES_HPP
