// SPDX-License-Identifier: Apache-2.0
#include "batch/fetch/transfer.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include <pprofdelta/version.hpp>

namespace pprofdelta::tool {

namespace {

constexpr long status_ok = 200;

bool is_redirect(long status) {
    return (status >= 301 && status <= 303) || status == 307 || status == 308;
}

long milliseconds(double seconds) {
    constexpr double longest = 2147483647; // what every libcurl takes
    return static_cast<long>(std::clamp(seconds * 1000, 1.0, longest));
}

} // namespace

transfer::transfer(const fetch_options& options, memory_pool& pool, std::size_t number)
    : m_curl{curl_library::get()}, m_options{options}, m_pool{pool}, m_number{number},
      m_handle{m_curl.easy_init()} {
    if (!m_handle) {
        throw std::bad_alloc{};
    }
}

std::size_t transfer::receive(char* bytes, std::size_t size, std::size_t count,
                              void* self) noexcept {
    transfer& receiver = *static_cast<transfer*>(self);
    try {
        if (receiver.append(bytes, size * count)) {
            return size * count;
        }
    } catch (const std::bad_alloc&) {
        receiver.m_is_out_of_memory = true;
    }
    return size * count == 0 ? 1 : 0; // any other number ends the transfer
}

// Returns false if there is no use for the rest.
bool transfer::append(const char* bytes, std::size_t size) {
    if (info<long>(CURLINFO_RESPONSE_CODE) != status_ok) {
        // A short one is read to its end, as the connection may be of use then.
        constexpr std::size_t most = std::size_t{64} << 10U;
        m_passed_over += size;
        return m_passed_over <= most;
    }
    if (size > m_options.max_size - m_body.size()) {
        m_is_too_large = true;
        return false;
    }
    if (!make_room(m_body.size() + size)) {
        return false;
    }
    m_body.append(bytes, size);
    return true;
}

// @returns false if there is none.
bool transfer::make_room(std::size_t size) {
    if (size > m_room) {
        // As long as it says, unless it exaggerates.
        constexpr curl_off_t least = curl_off_t{64} << 10U;
        constexpr curl_off_t most = curl_off_t{4} << 20U;
        const auto length = info<curl_off_t>(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T);
        const auto usual = static_cast<std::size_t>(std::clamp(length, least, most));
        const std::size_t wanted =
            std::max(size, std::min(std::max(usual, 2 * m_room), m_options.max_size));
        // Beside what it has, as the body is copied.
        if (!m_pool.try_take(wanted)) {
            m_lacking_room = wanted;
            return false;
        }
        m_pool.give_back(std::exchange(m_room, wanted));
    }
    m_body.reserve(m_room);
    return true;
}

template <typename Value>
Value transfer::info(CURLINFO what) const {
    Value value{};
    m_curl.easy_getinfo(m_handle.get(), what, &value);
    return value;
}

CURLcode transfer::prepare(const std::string& url, double timeout_seconds, std::size_t room,
                           curl_slist* headers) {
    m_timeout_seconds = timeout_seconds;
    m_error.fill('\0');
    m_body.clear();
    m_room = room;
    m_lacking_room = 0;
    m_passed_over = 0;
    m_is_too_large = false;
    m_is_out_of_memory = false;
    m_curl.easy_reset(m_handle.get());
    CURLcode code = set_request(url, headers);
    if (code == CURLE_OK) {
        code = set_limits();
    }
    return code == CURLE_OK ? set_tls() : code;
}

CURLcode transfer::set_request(const std::string& url, curl_slist* headers) {
    static const std::string agent = std::string{"pprofdelta/"} + version();
    CURLcode fault = CURLE_OK;
    const auto set = [&](CURLoption option, auto value) {
        const CURLcode code = m_curl.easy_setopt(m_handle.get(), option, value);
        fault = fault == CURLE_OK ? code : fault;
    };
    set(CURLOPT_ERRORBUFFER, m_error.data());
    set(CURLOPT_PRIVATE, static_cast<void*>(this));
    set(CURLOPT_WRITEFUNCTION, &transfer::receive);
    set(CURLOPT_WRITEDATA, static_cast<void*>(this));
    set(CURLOPT_URL, url.c_str());
    set(CURLOPT_HTTPHEADER, headers);
    set(CURLOPT_USERAGENT, agent.c_str());
#if LIBCURL_VERSION_NUM >= 0x075500
    set(CURLOPT_PROTOCOLS_STR, "http,https");
#else
    set(CURLOPT_PROTOCOLS, static_cast<long>(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
    // Version 2 would have many answers wait for one connection.
    set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
    return fault;
}

CURLcode transfer::set_limits() {
    CURLcode fault = CURLE_OK;
    const auto set = [&](CURLoption option, auto value) {
        const CURLcode code = m_curl.easy_setopt(m_handle.get(), option, value);
        fault = fault == CURLE_OK ? code : fault;
    };
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_TIMEOUT_MS, milliseconds(m_timeout_seconds));
    set(CURLOPT_CONNECTTIMEOUT_MS, milliseconds(m_options.connect_timeout_seconds));
    set(CURLOPT_MAXFILESIZE_LARGE, static_cast<curl_off_t>(m_options.max_size));
#if LIBCURL_VERSION_NUM >= 0x075700
    // A name server that does not answer would hold up all transfers when one is given up. A
    // libcurl older than its header does not know this, and need not.
    m_curl.easy_setopt(m_handle.get(), CURLOPT_QUICK_EXIT, 1L);
#endif
    return fault;
}

CURLcode transfer::set_tls() {
    CURLcode fault = CURLE_OK;
    const auto set = [&](CURLoption option, const std::string& value) {
        if (!value.empty()) {
            const CURLcode code = m_curl.easy_setopt(m_handle.get(), option, value.c_str());
            fault = fault == CURLE_OK ? code : fault;
        }
    };
    set(CURLOPT_CAINFO, m_options.ca_file);
    set(CURLOPT_SSLCERT, m_options.cert_file);
    set(CURLOPT_SSLKEY, m_options.key_file);
    if (!m_options.cert_file.empty() && fault == CURLE_OK) {
        // Nobody is asked for the password of a key.
        fault = m_curl.easy_setopt(m_handle.get(), CURLOPT_KEYPASSWD, "");
    }
    return fault;
}

transfer_result transfer::finish(CURLcode code) {
    transfer_result result;
    result.number = m_number;
    result.seconds = info<double>(CURLINFO_TOTAL_TIME);
    const long status = info<long>(CURLINFO_RESPONSE_CODE);
    const char* const redirect = info<char*>(CURLINFO_REDIRECT_URL);
    if (is_redirect(status) && redirect != nullptr) {
        result.redirect = redirect;
    } else if (m_lacking_room != 0) {
        result.lacking_room = m_lacking_room;
    } else {
        result.fault = fault_of(code, status);
        if (result.fault.what.empty()) {
            result.body = std::move(m_body);
            result.room = std::exchange(m_room, 0);
        } else {
            result.retry_after_seconds =
                static_cast<double>(info<curl_off_t>(CURLINFO_RETRY_AFTER));
        }
    }
    std::string{}.swap(m_body); // assigning an empty string would keep the memory
    m_pool.give_back(std::exchange(m_room, 0));
    return result;
}

transfer_fault transfer::fault_of(CURLcode code, long status) const {
    if (m_is_out_of_memory) {
        transfer_facts facts;
        facts.code = CURLE_OUT_OF_MEMORY;
        return fault_of_transfer(facts);
    }
    // Whatever else went wrong with an answer that is no profile.
    constexpr long first_final = 200;
    if (status >= first_final && status != status_ok) {
        return fault_of_status(status);
    }
    if (m_is_too_large || code == CURLE_FILESIZE_EXCEEDED) {
        return fault_of_size(m_options.max_size);
    }
    if (code != CURLE_OK) {
        transfer_facts facts;
        facts.code = code;
        facts.text = m_error[0] != '\0' ? m_error.data() : m_curl.easy_strerror(code);
        facts.system_error = static_cast<int>(info<long>(CURLINFO_OS_ERRNO));
        facts.connected = info<double>(CURLINFO_PRETRANSFER_TIME) > 0;
        facts.timeout_seconds = m_options.timeout_seconds;
        facts.connect_timeout_seconds = m_options.connect_timeout_seconds;
        return fault_of_transfer(facts);
    }
    if (m_body.empty()) {
        return {"the answer is empty", false, false};
    }
    return {};
}

} // namespace pprofdelta::tool
