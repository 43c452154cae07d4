// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_DOCUMENT_BASE64_HPP
#define PPROFDELTA_TOOLS_DOCUMENT_BASE64_HPP

#include <string>
#include <string_view>

namespace pprofdelta::tool {

/// The base64 of RFC 4648, with padding and without line breaks.
[[nodiscard]] std::string base64(std::string_view bytes);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_DOCUMENT_BASE64_HPP
