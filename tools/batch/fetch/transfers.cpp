// SPDX-License-Identifier: Apache-2.0
#include "batch/fetch/transfers.hpp"

#include <new>

#include "base/failure.hpp"

namespace pprofdelta::tool {

transfers::transfers(const fetch_options& options, memory_pool& pool)
    : m_curl{curl_library::get()}, m_options{options}, m_pool{pool}, m_multi{m_curl.multi_init()} {
    if (!m_multi) {
        throw std::bad_alloc{};
    }
    check(m_curl.multi_setopt(m_multi.get(), CURLMOPT_MAXCONNECTS,
                              static_cast<long>(options.connections)));
    for (const std::string& header : options.headers) {
        curl_slist* const longer = m_curl.slist_append(m_headers.get(), header.c_str());
        if (longer == nullptr) {
            throw std::bad_alloc{};
        }
        static_cast<void>(m_headers.release()); // a part of the longer one
        m_headers.reset(longer);
    }
}

transfers::~transfers() { abort(); }

void transfers::check(CURLMcode code) const {
    if (code == CURLM_OUT_OF_MEMORY) {
        throw std::bad_alloc{};
    }
    if (code != CURLM_OK) {
        throw failure{exit_status::io,
                      std::string{"URLs cannot be read: "} + m_curl.multi_strerror(code)};
    }
}

// The number of a transfer that does not run.
std::size_t transfers::free_number() {
    if (m_free.empty()) {
        const std::size_t number = m_transfers.size();
        m_transfers.push_back(
            std::make_unique<running>(running{transfer{m_options, m_pool, number}, false}));
        m_free.reserve(m_transfers.size()); // so that end() needs no memory
        return number;
    }
    const std::size_t number = m_free.back();
    m_free.pop_back();
    return number;
}

std::size_t transfers::start(const std::string& url, double timeout_seconds, std::size_t room) {
    const std::size_t number = free_number();
    running& started = *m_transfers[number];
    const CURLcode code = started.request.prepare(url, timeout_seconds, room, m_headers.get());
    if (code != CURLE_OK) {
        m_failed.push_back({number, code});
        return number;
    }
    check(m_curl.multi_add_handle(m_multi.get(), started.request.handle()));
    started.runs = true;
    return number;
}

void transfers::end(std::size_t number) noexcept {
    running& ended = *m_transfers[number];
    if (ended.runs) {
        m_curl.multi_remove_handle(m_multi.get(), ended.request.handle());
        ended.runs = false;
    }
    m_free.push_back(number);
}

void transfers::take_ended(std::vector<transfer_result>& ended) {
    for (const failed_start& failed : m_failed) {
        ended.push_back(m_transfers[failed.number]->request.finish(failed.code));
        end(failed.number);
    }
    m_failed.clear();
    int left = 0;
    while (const CURLMsg* const message = m_curl.multi_info_read(m_multi.get(), &left)) {
        void* request = nullptr;
        m_curl.easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &request);
        // Which lies in the message only until it ends.
        const CURLcode code = message->data.result;
        ended.push_back(static_cast<transfer*>(request)->finish(code));
        end(ended.back().number);
    }
}

std::vector<transfer_result> transfers::run(std::chrono::milliseconds longest) {
    std::vector<transfer_result> ended;
    int left = 0;
    check(m_curl.multi_perform(m_multi.get(), &left));
    take_ended(ended);
    if (ended.empty()) {
        check(m_curl.multi_poll(m_multi.get(), nullptr, 0, static_cast<int>(longest.count()),
                                nullptr));
        check(m_curl.multi_perform(m_multi.get(), &left));
        take_ended(ended);
    }
    return ended;
}

void transfers::abort() noexcept {
    m_failed.clear();
    m_free.clear();
    for (std::size_t number = 0; number < m_transfers.size(); ++number) {
        end(number);
    }
}

void transfers::wake_up() noexcept { m_curl.multi_wakeup(m_multi.get()); }

} // namespace pprofdelta::tool
