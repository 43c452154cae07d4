// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_BASE_SHORT_NAMES_HPP
#define PPROFDELTA_TOOLS_BASE_SHORT_NAMES_HPP

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/characters.hpp>

namespace pprofdelta::tool {

/// Without what is in brackets of this kind behind a word, as arguments are; Go's "(*T)" follows a
/// point. An arrow closes nothing.
[[nodiscard]] std::string without_arguments(const std::string& name, char open, char close);

/// A printable name in at most `width` characters, or an ellipsis. The function at its end
/// stays: of a longer name first the folder of the file goes, in a row of lines, then what is in
/// parentheses and in template arguments behind a word, and then its start.
[[nodiscard]] std::string shortened(const std::string& name, std::size_t width);

/// Different names, made printable and shortened() to `width` characters, as far as they can differ
/// in that. Where two would look alike, one gets a number. Equal ones are shown equal.
[[nodiscard]] std::vector<std::string> short_names(const std::vector<std::string>& names,
                                                   std::size_t width);

/// Short names with a width for each, by its place. Equal ones of one width are shown equal.
[[nodiscard]] std::vector<std::string>
short_names(const std::vector<std::string>& names,
            const std::function<std::size_t(std::size_t)>& width_of);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_BASE_SHORT_NAMES_HPP
