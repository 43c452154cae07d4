// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_BATCH_FETCH_TRANSFERS_HPP
#define PPROFDELTA_TOOLS_BATCH_FETCH_TRANSFERS_HPP

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "batch/fetch/transfer.hpp"

namespace pprofdelta::tool {

/// HTTP requests that run at a time. All but wake_up() is for one thread, and all functions that
/// are not noexcept may throw std::bad_alloc.
class transfers {
public:
    /// @param options which outlive this.
    /// @param pool    of which bodies take room; outlives this.
    /// @throws failure io
    transfers(const fetch_options& options, memory_pool& pool);
    /// Aborts those that run.
    ~transfers();
    transfers(const transfers&) = delete;
    transfers& operator=(const transfers&) = delete;

    /// @param room that was taken for the answer.
    /// @returns a number for the result, below the most that ever ran at a time.
    [[nodiscard]] std::size_t start(const std::string& url, double timeout_seconds,
                                    std::size_t room);

    /// Lets them run until one ends, wake_up() is called, or `longest` is over.
    /// @returns those that have ended.
    /// @throws failure io if libcurl fails as a whole.
    [[nodiscard]] std::vector<transfer_result> run(std::chrono::milliseconds longest);

    /// Aborts those that run; they get no result.
    void abort() noexcept;

    /// From any thread. Counts for the next run() if there is none.
    void wake_up() noexcept;

private:
    struct running {
        transfer request;
        bool runs = false;
    };
    struct end_multi {
        void operator()(CURLM* multi) const { curl_library::get().multi_cleanup(multi); }
    };
    struct end_list {
        void operator()(curl_slist* list) const { curl_library::get().slist_free_all(list); }
    };
    struct failed_start {
        std::size_t number;
        CURLcode code;
    };

    void check(CURLMcode code) const;
    [[nodiscard]] std::size_t free_number();
    void end(std::size_t number) noexcept;
    void take_ended(std::vector<transfer_result>& ended);

    const curl_library& m_curl;
    const fetch_options& m_options;
    memory_pool& m_pool;
    std::unique_ptr<curl_slist, end_list> m_headers;
    std::unique_ptr<CURLM, end_multi> m_multi;
    std::vector<std::unique_ptr<running>> m_transfers; // by number
    std::vector<std::size_t> m_free;                   // numbers of those that do not run
    std::vector<failed_start> m_failed;
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_BATCH_FETCH_TRANSFERS_HPP
