// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_DOCUMENT_REPORT_CELLS_HPP
#define PPROFDELTA_TOOLS_DOCUMENT_REPORT_CELLS_HPP

#include <string>

#include <pprofdelta/report.hpp>

#include "document/document.hpp"
#include "document/report_format.hpp"

namespace pprofdelta::tool {

/// Adds the columns for a value: the change, both values and the change in percent of a comparison,
/// and otherwise the value and its share of the whole.
void add_value_columns(table& to, const report_view& view, const std::string& name);

/// Adds the cells for these columns.
void add_value_cells(table::row& to, const report_view& view, const value_pair& value);

/// The change in a comparison, and otherwise the value.
[[nodiscard]] std::string amount_text(const report_view& view, const value_pair& value);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_DOCUMENT_REPORT_CELLS_HPP
