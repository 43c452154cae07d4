// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_BATCH_FETCH_FETCH_OPTIONS_HPP
#define PPROFDELTA_TOOLS_BATCH_FETCH_FETCH_OPTIONS_HPP

#include <cstddef>
#include <string>
#include <vector>

#include <pprofdelta/codec.hpp>

namespace pprofdelta::tool {

/// How URLs are read. All numbers but `retries` are positive.
struct fetch_options {
    double timeout_seconds = 60;         ///< Of one try, with its redirects.
    double connect_timeout_seconds = 10; ///< With TLS.
    unsigned retries = 2;                ///< After the first try.
    double retry_seconds = 0.5;          ///< The pause before the first retry; then twice as long.
    unsigned connections = 64;           ///< At a time, with the results that were not released.
    unsigned per_host = 8;               ///< Of them, with one host and port.
    std::size_t max_size = max_profile_size;    ///< The most bytes of an answer.
    std::size_t memory = std::size_t{1} << 30U; ///< For all answers; also the most of one.
    std::vector<std::string> headers; ///< "Name: value"; sent to the host of the URL only.
    std::string ca_file;   ///< PEM; the certificates that count in place of the system's.
    std::string cert_file; ///< PEM; the certificate of this client.
    std::string key_file;  ///< PEM; its key, if that is not in `cert_file`.
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_BATCH_FETCH_FETCH_OPTIONS_HPP
