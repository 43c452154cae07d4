// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_COMMANDS_URL_OPTIONS_HPP
#define PPROFDELTA_TOOLS_COMMANDS_URL_OPTIONS_HPP

#include <string>
#include <vector>

#include "batch/fetch/fetch_options.hpp"
#include "cli/command_options.hpp"

namespace pprofdelta::tool {

/// How servers are asked.
struct url_options {
    fetch_options fetch;
    std::string header_file; ///< Empty for none.

    /// The files that are read for that; empty for those that are not given.
    [[nodiscard]] std::vector<std::string> files() const {
        return {header_file, fetch.ca_file, fetch.cert_file, fetch.key_file};
    }
    /// With the headers of the file.
    /// @throws failure usage, io.
    [[nodiscard]] fetch_options with_headers() const;
};

/// Timeouts, retries, headers and TLS, under a heading of their own.
void add_urls(command_options& options, url_options& chosen);
/// @throws usage_failure
void check_urls(const url_options& chosen);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_COMMANDS_URL_OPTIONS_HPP
