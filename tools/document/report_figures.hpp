// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_DOCUMENT_REPORT_FIGURES_HPP
#define PPROFDELTA_TOOLS_DOCUMENT_REPORT_FIGURES_HPP

#include <cstddef>
#include <string>
#include <vector>

#include "document/report_format.hpp"

namespace pprofdelta::tool {

/// The figures of a report, the same in text and in Markdown.
struct report_figures {
    struct column {
        std::string head;
        std::string group; ///< What the columns beside it share; empty for none.
    };
    std::vector<column> columns;
    std::vector<std::vector<std::string>> rows; ///< Of each row all columns.
};

/// Of all sample types, in their order. Columns that say nothing of any type are left out.
[[nodiscard]] report_figures figures_of_totals(const report_view& view);

/// Of the first rows.
/// @param has_previous whether rows that compare have the values before as well.
[[nodiscard]] report_figures figures_of_rows(const report_view& view, std::size_t count,
                                             bool has_previous = true);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_DOCUMENT_REPORT_FIGURES_HPP
