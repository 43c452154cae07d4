// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_COMMANDS_URL_OPTIONS_HPP
#define PPROFDELTA_TOOLS_COMMANDS_URL_OPTIONS_HPP

#include <cstddef>
#include <optional>
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

/// Reads URLs, one after the other.
class url_reader {
public:
    /// @param options outlive this.
    url_reader(const url_options& options, std::size_t max_size)
        : m_options{options}, m_max_size{max_size} {}

    /// What a server answers. The file of headers is read before the first.
    /// @throws failure usage, io.
    [[nodiscard]] std::string read(const std::string& url);

private:
    const url_options& m_options;
    std::size_t m_max_size;
    std::optional<fetch_options> m_with_headers;
};

/// Those of `files` that are read as files, and those that tell how to ask for the URLs.
[[nodiscard]] std::vector<std::string> paths_of(const std::vector<std::string>& files,
                                                const url_options& chosen);

/// Timeouts, retries, headers and TLS, under a heading of their own.
void add_urls(command_options& options, url_options& chosen);
/// @throws usage_failure
void check_urls(const url_options& chosen);
/// @throws usage_failure for a URL that has a user's name or a password.
void refuse_credentials(const std::vector<std::string>& files);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_COMMANDS_URL_OPTIONS_HPP
