// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_DOCUMENT_HTML_PAGE_HPP
#define PPROFDELTA_TOOLS_DOCUMENT_HTML_PAGE_HPP

#include <string>

namespace pprofdelta::tool {

/// What a page shows. All of it is printable() text in UTF-8, of which nothing becomes markup.
struct page_parts {
    std::string title;
    std::string json; ///< What the script of the page draws; tools/page/data.js says what it has.
    std::string text; ///< What is shown where there are no scripts, or only old ones.
};

/// A page in one file, which loads nothing else. Its Content-Security-Policy allows its own style
/// and script alone.
[[nodiscard]] std::string html_page(const page_parts& parts);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_DOCUMENT_HTML_PAGE_HPP
