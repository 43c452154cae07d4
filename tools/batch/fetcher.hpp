// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <pprofdelta/codec.hpp>

namespace pprofdelta::tool {

/// How URLs are read. All numbers but `retries` are positive.
struct fetch_options {
    double timeout_seconds = 60;         ///< The time of one try, with its redirects.
    double connect_timeout_seconds = 10; ///< The time includes TLS.
    unsigned retries = 2;                ///< After the first try.
    double retry_seconds = 0.5;          ///< The pause before the first retry; then twice as long.
    /// The number at a time, with the results that were not released.
    unsigned connections = 64;
    unsigned per_host = 8;                   ///< The number of them with one host and port.
    std::size_t max_size = max_profile_size; ///< The most bytes of an answer.
    /// The memory for all answers; also the most of one.
    std::size_t memory = std::size_t{1} << 30U;
    std::vector<std::string> headers; ///< "Name: value"; sent to the host of the URL only.
    std::string ca_file;   ///< PEM; the certificates that count in place of the system's.
    std::string cert_file; ///< PEM; the certificate of this client.
    std::string key_file;  ///< PEM; its key, if that is not in `cert_file`.
};

/// The answer of a URL.
struct fetched {
    std::string body;
    /// Why there is no body, on one printable line that has nothing of the headers or of the URL;
    /// empty if there is one.
    std::string error;
    /// Whether another run may well get a body: after timeouts, failed connections, TLS, status 429
    /// and 5xx, and stop(). It is false after other statuses, a wrong redirect, a wrong URL, an
    /// answer that is empty or too large.
    bool may_come_back = false;
    std::size_t room = 0; ///< The room that the body takes of the memory for answers.
};

/// Reads many URLs at a time, http and https, on a thread of its own.
///
/// Refused connections, unknown hosts, timeouts of connections, answers that end early, status 429
/// and 5xx are tried again after a pause, in which they take no connection. A try that takes too
/// long is not: it had its time. Redirects are followed within a scheme, at most 5; with headers, a
/// certificate or a password in the URL only within a host and port.
///
/// Answers take no more memory than they may. One that finds none ends, which is no try, and begins
/// again when there is as much as it asked for; that is at least twice as much each time, so it
/// gets to its end.
class fetcher {
public:
    /// Called on the thread of the fetcher, once for each add(). It may call add() and release(),
    /// and must not throw.
    using use_result = std::function<void(std::size_t id, fetched result)>;

    /// @throws failure usage if this program was built without libcurl; io if libcurl is not there,
    ///         or a file of `options` cannot be read.
    [[nodiscard]] static std::unique_ptr<fetcher> start(fetch_options options, use_result use);

    /// Aborts what is under way. There are no results for that, nor for what waits.
    virtual ~fetcher() = default;
    fetcher(const fetcher&) = delete;
    fetcher& operator=(const fetcher&) = delete;

    /// Any thread may call this. URLs of one host and port are begun in this order, but a retry
    /// comes later, and they do not end in it: who waits for the result of one while it keeps those
    /// of others may wait for ever, as they keep the connections.
    /// @param id comes back with the result.
    virtual void add(std::size_t id, std::string url) = 0;

    /// A result was consumed, and lets another transfer begin; any thread may call this. The call
    /// comes once for each result, also without a body.
    /// @param room is that of the result.
    virtual void release(std::size_t room) = 0;

    /// Any thread may call this, and more than once: what is not done yet, or added later, gets the
    /// error "stopped". The results may still come after this returns.
    virtual void stop() = 0;

protected:
    fetcher() = default;
};

} // namespace pprofdelta::tool
