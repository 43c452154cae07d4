// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_SHORT_NAMES_HPP
#define PPROFDELTA_TOOLS_SHORT_NAMES_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pprofdelta::tool {

/// `text` as UTF-8 on one line: bytes that are none and control characters become '?', so that
/// what a profile holds cannot control a terminal.
[[nodiscard]] std::string printable(std::string_view text);

/// Different names, made printable and no longer than `width` bytes, as far as they can differ in
/// that: longer ones lose their middle. Where two would look alike, one gets a number.
[[nodiscard]] std::vector<std::string> short_names(const std::vector<std::string>& names,
                                                   std::size_t width);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_SHORT_NAMES_HPP
