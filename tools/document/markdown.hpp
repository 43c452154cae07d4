// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_DOCUMENT_MARKDOWN_HPP
#define PPROFDELTA_TOOLS_DOCUMENT_MARKDOWN_HPP

#include <cstddef>
#include <string>
#include <vector>

/// What comments and summaries of GitHub take.
namespace pprofdelta::tool::markdown {

inline constexpr std::size_t longest_name = 200;         ///< In characters.
inline constexpr std::size_t largest = 64U * 1024 - 200; ///< Leaves room for a last line.
inline constexpr std::size_t most_rows = largest / 24;   ///< No row of a table has fewer bytes.

/// A code span, in which nothing is Markdown, HTML, a link or a mention; empty for no text.
[[nodiscard]] std::string code_span(const std::string& text);

/// The same for a cell of a table.
[[nodiscard]] std::string cell(const std::string& text);

/// A printable name of at most longest_name characters.
[[nodiscard]] std::string shortened(const std::string& name);

/// Adds lines until there are `most` bytes.
/// @returns how many there was no room for.
std::size_t add_lines(std::string& text, const std::vector<std::string>& lines, std::size_t most);

} // namespace pprofdelta::tool::markdown

#endif // PPROFDELTA_TOOLS_DOCUMENT_MARKDOWN_HPP
