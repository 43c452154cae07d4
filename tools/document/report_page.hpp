// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_DOCUMENT_REPORT_PAGE_HPP
#define PPROFDELTA_TOOLS_DOCUMENT_REPORT_PAGE_HPP

#include <optional>
#include <string>
#include <vector>

#include <pprofdelta/limits.hpp>
#include <pprofdelta/normalize.hpp>
#include <pprofdelta/overview.hpp>

#include "document/page_data.hpp"

namespace pprofdelta::tool {

/// Adds what was found of limits.
void add_limits(const std::vector<judgement>& judgements, std::optional<normalization> by,
                page_head& head);

/// As much of an overview as a page has room for.
/// @param of what make_overview() takes.
template <typename... Of>
[[nodiscard]] overview page_overview(const report_options& options, const Of&... of) {
    return make_overview(of..., options, page_limits, page_parts_limits);
}

/// What a page shows of a report: totals, rows and stacks of all sample types.
/// @param head its type does not matter.
[[nodiscard]] std::string report_page_data(page_head head, const overview& contents);

/// The page.
/// @param text the same report, for browsers without scripts.
[[nodiscard]] std::string report_as_page(const page_head& head, const overview& contents,
                                         const std::string& text);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_DOCUMENT_REPORT_PAGE_HPP
