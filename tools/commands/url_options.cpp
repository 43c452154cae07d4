// SPDX-License-Identifier: Apache-2.0
#include "commands/url_options.hpp"

#include <algorithm>
#include <future>
#include <utility>

#include "base/failure.hpp"
#include "batch/fetch/fetcher.hpp"
#include "batch/plan/header_file.hpp"
#include "batch/plan/items.hpp"
#include "cli/option_values.hpp"

namespace pprofdelta::tool {

fetch_options url_options::with_headers() const {
    fetch_options all = fetch;
    if (!header_file.empty()) {
        all.headers = read_header_file(header_file);
    }
    return all;
}

std::string url_reader::read(const std::string& url) {
    if (!m_with_headers) {
        m_with_headers = m_options.with_headers();
        m_with_headers->max_size = m_with_headers->memory = m_max_size;
    }
    std::promise<fetched> promise;
    fetcher reader{*m_with_headers,
                   [&](std::size_t, fetched result) { promise.set_value(std::move(result)); }};
    reader.add(0, url);
    fetched answer = promise.get_future().get();
    if (!answer.error.empty()) {
        throw failure{exit_status::io, url + ": " + answer.error};
    }
    return std::move(answer.body);
}

std::vector<std::string> paths_of(const std::vector<std::string>& files,
                                  const url_options& chosen) {
    std::vector<std::string> paths = chosen.files();
    paths.insert(paths.end(), files.begin(), files.end());
    std::erase_if(paths, [](const std::string& each) { return each.empty() || is_url(each); });
    return paths;
}

void add_urls(command_options& options, url_options& chosen) {
    fetch_options& fetch = chosen.fetch;
    options.add_heading("URLs");
    options.add_number("--timeout", "SEC", fetch.timeout_seconds, "For a transfer (default: 60)");
    options.add_number("--connect-timeout", "SEC", fetch.connect_timeout_seconds,
                       "For a connection (default: 10)");
    options.add_number("--retries", "N", fetch.retries, "Try again so often (default: 2)");
    options.add_value("--header-file", "FILE", chosen.header_file, "Send the headers of FILE");
    options.add_value("--ca-file", "FILE", fetch.ca_file, "Trust these certificates only");
    options.add_value("--cert", "FILE", fetch.cert_file, "The client's certificate");
    options.add_value("--key", "FILE", fetch.key_file, "The key of that");
}

void refuse_credentials(const std::vector<std::string>& files) {
    if (std::any_of(files.begin(), files.end(), has_credentials)) {
        wrong_usage("a URL must not have a user's name or a password; see --header-file");
    }
}

void check_urls(const url_options& chosen) {
    check_seconds("--timeout", chosen.fetch.timeout_seconds);
    check_seconds("--connect-timeout", chosen.fetch.connect_timeout_seconds);
    constexpr unsigned most_retries = 100;
    check_count("--retries", chosen.fetch.retries, 0, most_retries);
    if (!chosen.fetch.key_file.empty() && chosen.fetch.cert_file.empty()) {
        wrong_usage("--key needs --cert");
    }
}

} // namespace pprofdelta::tool
