// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_BATCH_FETCH_TRANSFER_FAULT_HPP
#define PPROFDELTA_TOOLS_BATCH_FETCH_TRANSFER_FAULT_HPP

#include <string>

#include "batch/fetch/curl_library.hpp"

namespace pprofdelta::tool {

/// Why a transfer gave no body.
struct transfer_fault {
    std::string what;            ///< Empty if it gave one.
    bool is_worth_retry = false; ///< At once, after a pause.
    bool may_come_back = false;  ///< In another run.
};

/// What libcurl knows of a transfer that failed.
struct transfer_facts {
    CURLcode code = CURLE_OK;
    std::string text;       ///< In libcurl's words.
    int system_error = 0;   ///< As in errno; 0 if it is unknown.
    bool connected = false; ///< With TLS, if that was asked for.
    double timeout_seconds = 0;
    double connect_timeout_seconds = 0;
};

/// What a status other than 200 means.
[[nodiscard]] transfer_fault fault_of_status(long status);

/// What a failure of libcurl means.
[[nodiscard]] transfer_fault fault_of_transfer(const transfer_facts& facts);

/// An answer with more bytes than are wanted.
[[nodiscard]] transfer_fault fault_of_size(std::size_t max_size);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_BATCH_FETCH_TRANSFER_FAULT_HPP
