// SPDX-License-Identifier: Apache-2.0
#include "batch/fetch/transfer_fault.hpp"

#include <array>
#include <cstdio>
#include <system_error>

namespace pprofdelta::tool {

namespace {

// As users write them for options.
std::string seconds(double number) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%g s", number);
    return text.data();
}

std::string with_reason(const std::string& what, const transfer_facts& facts) {
    return what + ": " +
           (facts.system_error != 0 ? std::generic_category().message(facts.system_error)
                                    : facts.text);
}

transfer_fault retried(std::string what) { return {std::move(what), true, true}; }

// Another run may do better, with other options or another state of the machine.
transfer_fault not_retried(std::string what) { return {std::move(what), false, true}; }

transfer_fault timed_out(const transfer_facts& facts) {
    const bool is_whole = facts.timeout_seconds <= facts.connect_timeout_seconds;
    if (facts.connected) {
        return not_retried("it takes longer than " + seconds(facts.timeout_seconds) +
                           "; see --timeout");
    }
    return retried("no connection within " +
                   seconds(is_whole ? facts.timeout_seconds : facts.connect_timeout_seconds) +
                   (is_whole ? "; see --timeout" : "; see --connect-timeout"));
}

} // namespace

transfer_fault fault_of_status(long status) {
    constexpr long too_many_requests = 429;
    constexpr long first_of_server = 500;
    const bool is_passing = status == too_many_requests || status >= first_of_server;
    const bool lacks_secret = status == 401 || status == 403;
    return {"HTTP status " + std::to_string(status) + (lacks_secret ? "; see --header-file" : ""),
            is_passing, is_passing};
}

transfer_fault fault_of_size(std::size_t max_size) {
    return {"it has more than " + std::to_string(max_size) + " bytes; see --max-size and --memory",
            false, false};
}

transfer_fault fault_of_transfer(const transfer_facts& facts) {
    switch (facts.code) {
    case CURLE_OPERATION_TIMEDOUT:
        return timed_out(facts);
    case CURLE_COULDNT_RESOLVE_HOST:
        return retried("its host is unknown");
    case CURLE_COULDNT_RESOLVE_PROXY:
        return retried("the proxy is unknown");
    case CURLE_COULDNT_CONNECT:
        return retried(with_reason("no connection", facts));
    case CURLE_PARTIAL_FILE:
        return retried("the answer ends early");
    case CURLE_GOT_NOTHING:
        return retried("the server closed the connection without an answer");
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
        return retried(with_reason("the connection broke", facts));
    case CURLE_SSL_CONNECT_ERROR:
        return retried(with_reason("TLS failed", facts));
    case CURLE_PEER_FAILED_VERIFICATION:
        return not_retried("TLS failed: " + facts.text + "; see --ca-file");
    case CURLE_SSL_CACERT_BADFILE:
        return not_retried("TLS failed: --ca-file has no certificate");
    case CURLE_SSL_CERTPROBLEM:
        return not_retried("TLS failed: --cert and --key are no certificate and its key");
    case CURLE_OUT_OF_MEMORY:
        // libcurl's word for a header that it has no more room for, too.
        return not_retried(facts.connected ? "its header is too long, or memory ran out"
                                           : "out of memory");
    case CURLE_UNSUPPORTED_PROTOCOL: // HTTP 0.9, which is any text
    case CURLE_WEIRD_SERVER_REPLY:
        return {"the answer is not HTTP", false, false};
    default:
        return not_retried(facts.text);
    }
}

} // namespace pprofdelta::tool
