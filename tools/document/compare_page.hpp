// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_DOCUMENT_COMPARE_PAGE_HPP
#define PPROFDELTA_TOOLS_DOCUMENT_COMPARE_PAGE_HPP

#include <string>
#include <vector>

#include <pprofdelta/compare.hpp>
#include <pprofdelta/flame_graph.hpp>

#include "document/compare_format.hpp"
#include "document/page_data.hpp"

namespace pprofdelta::tool {

/// A page that shows a comparison: totals, rows with all captures, and stacks of all sample types.
/// @param stacks of the same captures, with page_limits; nullptr if they cannot be drawn.
/// @param given  the options that matter to it.
[[nodiscard]] std::string compare_as_page(const compare_view& view, profile_comparison& captures,
                                          const median_flame_graph* stacks,
                                          const std::vector<page_input>& inputs,
                                          const std::vector<std::string>& given,
                                          const std::vector<std::string>& warnings);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_DOCUMENT_COMPARE_PAGE_HPP
