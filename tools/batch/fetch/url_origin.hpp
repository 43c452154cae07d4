// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_BATCH_FETCH_URL_ORIGIN_HPP
#define PPROFDELTA_TOOLS_BATCH_FETCH_URL_ORIGIN_HPP

#include <optional>
#include <string>

namespace pprofdelta::tool {

/// Whom a URL asks.
struct url_origin {
    std::string scheme; ///< In lower case.
    std::string host;   ///< In lower case, with the port.
    bool has_password = false;
};

/// @returns nothing for what is no URL of a host.
[[nodiscard]] std::optional<url_origin> origin_of(const std::string& url);

/// Why a redirect from one URL to another is not followed; empty if it is.
/// @param has_secrets whether requests have what only the host of `from` may see.
[[nodiscard]] std::string fault_in_redirect(const std::string& from, const std::string& to,
                                            bool has_secrets);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_BATCH_FETCH_URL_ORIGIN_HPP
