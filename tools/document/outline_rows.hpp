// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_DOCUMENT_OUTLINE_ROWS_HPP
#define PPROFDELTA_TOOLS_DOCUMENT_OUTLINE_ROWS_HPP

#include <cstddef>
#include <string>
#include <vector>

#include "document/document.hpp"

// What outlines of stacks have in common, of reports and of many captures.
namespace pprofdelta::tool {

/// "1 other", "3 others".
[[nodiscard]] std::string others_text(std::size_t count);

/// "2 of 60 stacks".
[[nodiscard]] std::string counted_text(std::size_t count, std::size_t left_out,
                                       const std::string& what);

/// Frames that call each other and no others, in one line.
[[nodiscard]] std::string chain_text(const std::vector<std::string>& frames);

/// Adds a row for each frame of a stack, all but the first without figures.
/// @param first    has no name yet.
/// @param frames   the outermost first.
/// @param left_out so many outer frames are not among these.
void add_stack(table& to, table::row first, const std::vector<std::string>& frames,
               std::size_t left_out);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_DOCUMENT_OUTLINE_ROWS_HPP
