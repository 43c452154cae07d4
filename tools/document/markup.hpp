// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_DOCUMENT_MARKUP_HPP
#define PPROFDELTA_TOOLS_DOCUMENT_MARKUP_HPP

#include <string>
#include <string_view>

namespace pprofdelta::tool {

/// Text between the tags of HTML or XML. What is printable() is allowed there, but for "&", "<" and
/// ">", which are escaped.
[[nodiscard]] std::string as_markup(std::string_view text);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_DOCUMENT_MARKUP_HPP
