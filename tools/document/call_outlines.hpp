// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_DOCUMENT_CALL_OUTLINES_HPP
#define PPROFDELTA_TOOLS_DOCUMENT_CALL_OUTLINES_HPP

#include <vector>

#include "document/document.hpp"
#include "document/report_format.hpp"

namespace pprofdelta::tool {

/// What a report shows of the stacks behind it.
[[nodiscard]] std::vector<document::rows_of_type> outlines_of(const report_view& view);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_DOCUMENT_CALL_OUTLINES_HPP
