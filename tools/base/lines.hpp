// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_BASE_LINES_HPP
#define PPROFDELTA_TOOLS_BASE_LINES_HPP

#include <cstddef>
#include <string_view>

// What files that people write, such as lists, are read with.
namespace pprofdelta::tool {

/// Calls `visit` with each part that ends with `end`, or with the text, and its number from 1.
template <typename Visit>
void for_each_part(std::string_view text, char end, Visit&& visit) {
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t size = text.find(end);
        visit(text.substr(0, size), number);
        text.remove_prefix(size == std::string_view::npos ? text.size() : size + 1);
    }
}

/// Calls `visit` with each line and its number from 1; lines of Windows end with two characters.
template <typename Visit>
void for_each_line(std::string_view text, Visit&& visit) {
    for_each_part(text, '\n', [&](std::string_view line, std::size_t number) {
        visit(line.ends_with('\r') ? line.substr(0, line.size() - 1) : line, number);
    });
}

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_BASE_LINES_HPP
