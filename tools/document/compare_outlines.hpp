// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_DOCUMENT_COMPARE_OUTLINES_HPP
#define PPROFDELTA_TOOLS_DOCUMENT_COMPARE_OUTLINES_HPP

#include <cstddef>
#include <vector>

#include "document/compare_format.hpp"
#include "document/document.hpp"

namespace pprofdelta::tool {

/// What a comparison shows of the stacks of a sample type.
/// @param most_rows at most so many functions, and edges of each.
[[nodiscard]] std::vector<document::rows_of_type>
outlines_of(const compare_view& view, const compared_type& shown, std::size_t most_rows);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_DOCUMENT_COMPARE_OUTLINES_HPP
