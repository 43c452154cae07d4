// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_DOCUMENT_TOP_PAGE_HPP
#define PPROFDELTA_TOOLS_DOCUMENT_TOP_PAGE_HPP

#include <string>
#include <vector>

#include "document/top_format.hpp"

namespace pprofdelta::tool {

/// All services and their functions as a page. It has all slots of rates of each, and no picture.
/// @param given the options, as they were.
[[nodiscard]] std::string top_as_page(const top_view& view, const std::vector<std::string>& given,
                                      const std::vector<std::string>& warnings);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_DOCUMENT_TOP_PAGE_HPP
