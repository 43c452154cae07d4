// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_DOCUMENT_TREND_PAGE_HPP
#define PPROFDELTA_TOOLS_DOCUMENT_TREND_PAGE_HPP

#include <optional>
#include <string>
#include <vector>

#include <pprofdelta/overview.hpp>
#include <pprofdelta/trend.hpp>

#include "document/page_data.hpp"
#include "document/trend_format.hpp"

namespace pprofdelta::tool {

/// A page that shows a trend: totals, rows with all captures, and the stacks of the last capture
/// beside those of the first, of all sample types.
/// @param ends  of the first and the last capture; empty if they cannot be drawn.
/// @param given the options that matter to it.
[[nodiscard]] std::string trend_as_page(const trend_view& view, profile_trend& trend,
                                        const std::optional<overview>& ends,
                                        const std::vector<page_input>& inputs,
                                        const std::vector<std::string>& given,
                                        const std::vector<std::string>& warnings);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_DOCUMENT_TREND_PAGE_HPP
