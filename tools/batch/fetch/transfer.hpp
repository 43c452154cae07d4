// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_BATCH_FETCH_TRANSFER_HPP
#define PPROFDELTA_TOOLS_BATCH_FETCH_TRANSFER_HPP

#include <array>
#include <cstddef>
#include <memory>
#include <string>

#include "batch/fetch/curl_library.hpp"
#include "batch/fetch/fetch_options.hpp"
#include "batch/fetch/memory_pool.hpp"
#include "batch/fetch/transfer_fault.hpp"

namespace pprofdelta::tool {

/// How a transfer ended: with a body, a redirect, for lack of room, or with a fault.
struct transfer_result {
    std::size_t number = 0; ///< Of the transfer.
    std::string body;
    std::size_t room = 0;         ///< That the body has taken, for whoever drops it to give back.
    std::size_t lacking_room = 0; ///< What an answer asked for in vain; it is no fault then.
    std::string redirect;         ///< The URL to read instead.
    transfer_fault fault;
    double seconds = 0;
    double retry_after_seconds = 0; ///< What the server asks for; 0 if it does not.
};

/// One HTTP request at a time, and its answer. Reuses what libcurl needs for it.
class transfer {
public:
    /// @param options which outlive this.
    /// @param pool    of which bodies take room; outlives this.
    /// @param number  for results.
    /// @throws std::bad_alloc
    transfer(const fetch_options& options, memory_pool& pool, std::size_t number);

    /// For libcurl, which knows this by its CURLOPT_PRIVATE.
    [[nodiscard]] CURL* handle() const noexcept { return m_handle.get(); }

    /// Makes the handle ready for a request.
    /// @param room    that was taken for the body, which takes more if it has to.
    /// @param headers which outlive the request.
    /// @returns what is wrong with an option.
    [[nodiscard]] CURLcode prepare(const std::string& url, double timeout_seconds, std::size_t room,
                                   curl_slist* headers);

    /// Once libcurl is done with `code`.
    [[nodiscard]] transfer_result finish(CURLcode code);

private:
    struct end_handle {
        void operator()(CURL* handle) const { curl_library::get().easy_cleanup(handle); }
    };

    static std::size_t receive(char* bytes, std::size_t size, std::size_t count,
                               void* self) noexcept;
    [[nodiscard]] bool append(const char* bytes, std::size_t size);
    [[nodiscard]] bool make_room(std::size_t size);
    template <typename Value>
    [[nodiscard]] Value info(CURLINFO what) const;
    [[nodiscard]] CURLcode set_request(const std::string& url, curl_slist* headers);
    [[nodiscard]] CURLcode set_limits();
    [[nodiscard]] CURLcode set_tls();
    [[nodiscard]] transfer_fault fault_of(CURLcode code, long status) const;

    const curl_library& m_curl;
    const fetch_options& m_options;
    memory_pool& m_pool;
    std::size_t m_number;
    std::unique_ptr<CURL, end_handle> m_handle;
    double m_timeout_seconds = 0;
    std::array<char, CURL_ERROR_SIZE> m_error{};
    std::string m_body;
    std::size_t m_room = 0; // what is taken for the body
    std::size_t m_lacking_room = 0;
    std::size_t m_passed_over = 0; // bytes of an answer that is no profile
    bool m_is_too_large = false;
    bool m_is_out_of_memory = false;
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_BATCH_FETCH_TRANSFER_HPP
