// SPDX-License-Identifier: Apache-2.0
// libcurl takes URLs apart, so that this is the host that it will ask.
#include "batch/fetcher.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <deque>
#include <list>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <queue>
#include <string>
#include <system_error>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include <dlfcn.h>
#include <fcntl.h>

#include <pprofdelta/version.hpp>

#include <curl/curl.h>

#include "base/failure.hpp"
#include "base/names.hpp"
#include "batch/memory_pool.hpp"
#include "files/file.hpp"

namespace pprofdelta::tool {

/// The functions of libcurl that the program calls, without "curl_" before their names. The library
/// is loaded at the first use, because the thirty libraries that it needs take longer to load than
/// a run of the program on a small profile takes as a whole.
struct curl_library {
    /// Loads the library at the first call. Any thread may call it.
    /// @throws failure io
    [[nodiscard]] static const curl_library& get();

    decltype(&::curl_global_init) global_init;
    decltype(&::curl_easy_init) easy_init;
    decltype(&::curl_easy_cleanup) easy_cleanup;
    decltype(&::curl_easy_reset) easy_reset;
    decltype(&::curl_easy_setopt) easy_setopt;
    decltype(&::curl_easy_getinfo) easy_getinfo;
    decltype(&::curl_easy_strerror) easy_strerror;
    decltype(&::curl_multi_init) multi_init;
    decltype(&::curl_multi_cleanup) multi_cleanup;
    decltype(&::curl_multi_setopt) multi_setopt;
    decltype(&::curl_multi_add_handle) multi_add_handle;
    decltype(&::curl_multi_remove_handle) multi_remove_handle;
    decltype(&::curl_multi_perform) multi_perform;
    decltype(&::curl_multi_info_read) multi_info_read;
    decltype(&::curl_multi_poll) multi_poll;
    decltype(&::curl_multi_wakeup) multi_wakeup;
    decltype(&::curl_multi_strerror) multi_strerror;
    decltype(&::curl_slist_append) slist_append;
    decltype(&::curl_slist_free_all) slist_free_all;
    decltype(&::curl_url) url;
    decltype(&::curl_url_cleanup) url_cleanup;
    decltype(&::curl_url_get) url_get;
    decltype(&::curl_url_set) url_set;
    decltype(&::curl_free) free;
};

namespace {

[[noreturn]] void fail(const std::string& why) {
    throw failure{exit_status::io, "URLs cannot be read without libcurl: " + why};
}

// Never closed: functions of it may run until the process ends.
void* open_library() {
    // The second is the same with another library for TLS, as Debian has it.
    for (const char* const name : {"libcurl.so.4", "libcurl-gnutls.so.4"}) {
        if (void* const library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL)) {
            return library;
        }
    }
    fail("libcurl.so.4 is not installed");
}

template <typename Function>
void find(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(::dlsym(library, name));
    if (function == nullptr) {
        fail(std::string{"it has no "} + name + "()");
    }
}

curl_library load() {
    void* const library = open_library();
    curl_library curl{};
    find(library, "curl_global_init", curl.global_init);
    find(library, "curl_easy_init", curl.easy_init);
    find(library, "curl_easy_cleanup", curl.easy_cleanup);
    find(library, "curl_easy_reset", curl.easy_reset);
    find(library, "curl_easy_setopt", curl.easy_setopt);
    find(library, "curl_easy_getinfo", curl.easy_getinfo);
    find(library, "curl_easy_strerror", curl.easy_strerror);
    find(library, "curl_multi_init", curl.multi_init);
    find(library, "curl_multi_cleanup", curl.multi_cleanup);
    find(library, "curl_multi_setopt", curl.multi_setopt);
    find(library, "curl_multi_add_handle", curl.multi_add_handle);
    find(library, "curl_multi_remove_handle", curl.multi_remove_handle);
    find(library, "curl_multi_perform", curl.multi_perform);
    find(library, "curl_multi_info_read", curl.multi_info_read);
    find(library, "curl_multi_poll", curl.multi_poll);
    find(library, "curl_multi_wakeup", curl.multi_wakeup);
    find(library, "curl_multi_strerror", curl.multi_strerror);
    find(library, "curl_slist_append", curl.slist_append);
    find(library, "curl_slist_free_all", curl.slist_free_all);
    find(library, "curl_url", curl.url);
    find(library, "curl_url_cleanup", curl.url_cleanup);
    find(library, "curl_url_get", curl.url_get);
    find(library, "curl_url_set", curl.url_set);
    find(library, "curl_free", curl.free);
    if (curl.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
        fail("it cannot be initialized");
    }
    return curl;
}

} // namespace

const curl_library& curl_library::get() {
    static const curl_library library = load();
    return library;
}

/// Whom a URL asks.
struct url_origin {
    std::string scheme; ///< In lower case.
    std::string host;   ///< In lower case, with the port.
    bool has_password = false;
};

/// @returns nothing for what is no URL of a host.
[[nodiscard]] std::optional<url_origin> origin_of(const std::string& url);

/// Why a redirect from one URL to another is not followed; empty if it is.
/// @param has_secrets whether requests have what only the host of `from` may see.
[[nodiscard]] std::string fault_in_redirect(const std::string& from, const std::string& to,
                                            bool has_secrets);

namespace {

struct end_url {
    void operator()(CURLU* url) const { curl_library::get().url_cleanup(url); }
};

// In lower case; empty if the URL has no such part.
std::string part_of(CURLU* url, CURLUPart part) {
    const curl_library& curl = curl_library::get();
    char* piece = nullptr;
    if (curl.url_get(url, part, &piece, CURLU_DEFAULT_PORT) != CURLUE_OK) {
        return {};
    }
    std::string text;
    for (const char* c = piece; *c != '\0'; ++c) {
        text += *c >= 'A' && *c <= 'Z' ? static_cast<char>(*c - 'A' + 'a') : *c;
    }
    curl.free(piece);
    return text;
}

} // namespace

std::optional<url_origin> origin_of(const std::string& url) {
    const curl_library& curl = curl_library::get();
    const std::unique_ptr<CURLU, end_url> parsed{curl.url()};
    if (!parsed) {
        throw std::bad_alloc{};
    }
    // As a C string it would end at a NUL.
    if (url.find('\0') != std::string::npos ||
        curl.url_set(parsed.get(), CURLUPART_URL, url.c_str(), CURLU_NON_SUPPORT_SCHEME) !=
            CURLUE_OK) {
        return std::nullopt;
    }
    url_origin origin;
    origin.scheme = part_of(parsed.get(), CURLUPART_SCHEME);
    const std::string host = part_of(parsed.get(), CURLUPART_HOST);
    if (host.empty()) {
        return std::nullopt;
    }
    origin.host = host + ":" + part_of(parsed.get(), CURLUPART_PORT);
    origin.has_password = !part_of(parsed.get(), CURLUPART_USER).empty() ||
                          !part_of(parsed.get(), CURLUPART_PASSWORD).empty();
    return origin;
}

std::string fault_in_redirect(const std::string& from, const std::string& to, bool has_secrets) {
    const std::optional<url_origin> before = origin_of(from);
    const std::optional<url_origin> after = origin_of(to);
    if (!before || !after) {
        return "it redirects to something that is not a URL";
    }
    if (after->scheme != before->scheme) {
        return "it redirects from " + before->scheme + " to " + after->scheme +
               ", which is not followed";
    }
    if (after->host != before->host && (has_secrets || before->has_password)) {
        return "it redirects to " + after->host +
               ", which must not receive the headers, the certificate or the password";
    }
    return {};
}

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
        return retried("the response ended early");
    case CURLE_GOT_NOTHING:
        return retried("the server closed the connection without a response");
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
        return not_retried("TLS failed: --cert and --key are not a certificate and its key");
    case CURLE_OUT_OF_MEMORY:
        // libcurl's word for a header that it has no more room for, too.
        return not_retried(facts.connected ? "its header is too long, or memory ran out"
                                           : "out of memory");
    case CURLE_UNSUPPORTED_PROTOCOL: // HTTP 0.9, which is any text
    case CURLE_WEIRD_SERVER_REPLY:
        return {"the response is not HTTP", false, false};
    default:
        return not_retried(facts.text);
    }
}

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
        return {"the response is empty", false, false};
    }
    return {};
}

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

/// A URL that is to be read, and what was tried so far.
struct fetch_target {
    std::size_t id = 0;
    std::string url;
    std::string host; ///< With the port; empty if the URL is none.
    unsigned tries = 0;
    std::string first_url;   ///< What redirects began with; empty if there was none in this try.
    unsigned redirects = 0;  ///< In this try.
    double seconds_used = 0; ///< In this try.
    std::size_t room = 0;    ///< That its answer has to have, as it ended without it.
};

/// What waits for a transfer, in a queue for each host, of which no more than a number are taken
/// at a time. The hosts take turns.
class host_queues {
public:
    explicit host_queues(unsigned per_host) : m_per_host{per_host} {}

    void add_last(fetch_target target);
    /// For one that has waited before.
    void add_first(fetch_target target);

    /// The next one of the next host that may have one more; nothing if there is none.
    [[nodiscard]] std::optional<fetch_target> take();
    /// One that was taken is done, or waits for something else.
    void give_back(const std::string& host);

    /// All that wait, host by host.
    [[nodiscard]] std::vector<fetch_target> take_all();

private:
    struct host_queue {
        std::list<fetch_target> waiting; // a deque would take half a kilobyte for each host
        unsigned taken = 0;
        bool has_turn = false; // is one of m_turns
    };

    void give_turn(host_queue& queue);

    unsigned m_per_host;
    std::unordered_map<std::string, host_queue> m_hosts; // which never moves its values
    std::deque<host_queue*> m_turns;
};

void host_queues::give_turn(host_queue& queue) {
    if (!queue.has_turn && !queue.waiting.empty() && queue.taken < m_per_host) {
        m_turns.push_back(&queue);
        queue.has_turn = true;
    }
}

void host_queues::add_last(fetch_target target) {
    host_queue& queue = m_hosts[target.host];
    queue.waiting.push_back(std::move(target));
    give_turn(queue);
}

void host_queues::add_first(fetch_target target) {
    host_queue& queue = m_hosts[target.host];
    queue.waiting.push_front(std::move(target));
    give_turn(queue);
}

std::optional<fetch_target> host_queues::take() {
    if (m_turns.empty()) {
        return std::nullopt;
    }
    host_queue& queue = *m_turns.front();
    m_turns.pop_front();
    queue.has_turn = false;
    std::optional<fetch_target> next{std::move(queue.waiting.front())};
    queue.waiting.pop_front();
    ++queue.taken;
    give_turn(queue);
    return next;
}

void host_queues::give_back(const std::string& host) {
    host_queue& queue = m_hosts[host];
    --queue.taken;
    give_turn(queue);
}

std::vector<fetch_target> host_queues::take_all() {
    std::vector<fetch_target> all;
    for (auto& [host, queue] : m_hosts) {
        for (fetch_target& target : queue.waiting) {
            all.push_back(std::move(target));
        }
        queue.waiting.clear();
        queue.has_turn = false;
    }
    m_turns.clear();
    return all;
}

namespace {

using steady = std::chrono::steady_clock;

constexpr unsigned most_redirects = 5;

// libcurl would say so for each URL.
void refuse_unreadable(const std::string& path) {
    if (path.empty()) {
        return;
    }
    const descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    if (file.number() < 0) {
        throw io_failure(path, "cannot be opened");
    }
}

fetch_options checked(fetch_options options) {
    for (const std::string& path : {options.ca_file, options.cert_file, options.key_file}) {
        refuse_unreadable(path);
    }
    options.max_size = std::min(options.max_size, options.memory);
    return options;
}

// While it lives, no signal is for this thread, nor for those that it starts, for good.
class without_signals {
public:
    without_signals() {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &m_before);
    }
    ~without_signals() { pthread_sigmask(SIG_SETMASK, &m_before, nullptr); }
    without_signals(const without_signals&) = delete;
    without_signals& operator=(const without_signals&) = delete;

private:
    sigset_t m_before{};
};

struct later_target {
    steady::time_point when;
    fetch_target target;

    // For a queue that has the latest one last.
    friend bool operator<(const later_target& one, const later_target& other) {
        return one.when > other.when;
    }
};

} // namespace

class fetcher::impl {
public:
    impl(fetch_options options, use_result use)
        : m_options{checked(std::move(options))}, m_use{std::move(use)}, m_memory{m_options.memory},
          m_transfers{m_options, m_memory}, m_waiting{m_options.per_host},
          m_backoff{m_options.retry_seconds} {
        const without_signals blocked;
        m_thread = std::thread{[this] { run(); }};
    }

    ~impl() {
        change([this] { m_is_ending = true; });
        m_thread.join();
    }

    impl(const impl&) = delete;
    impl& operator=(const impl&) = delete;

    void add(std::size_t id, std::string url) {
        change([&] { m_added.push_back({id, std::move(url)}); });
    }

    void release(std::size_t room) {
        m_memory.give_back(room);
        change([this] { --m_kept; });
    }

    void stop() {
        change([this] { m_is_stopping = true; });
    }

private:
    struct request {
        std::size_t id;
        std::string url;
    };

    // Makes a change that the thread has to know of.
    template <typename Change>
    void change(Change&& make) {
        bool is_first = false;
        {
            const std::lock_guard<std::mutex> lock{m_mutex};
            make();
            is_first = !std::exchange(m_has_changed, true);
        }
        if (is_first) {
            m_changed.notify_one();
            m_transfers.wake_up();
        }
    }

    void run();
    [[nodiscard]] bool take_changes();
    [[nodiscard]] bool has_place();
    void end_pauses();
    void start_transfers();
    void run_transfers();
    [[nodiscard]] std::chrono::milliseconds longest_wait() const;
    void settle(transfer_result result);
    void redirect(fetch_target target, const std::string& url);
    void pause(fetch_target target, double retry_after_seconds);
    void report(std::size_t id, fetched result);
    void end_all();

    // Only the thread uses these, but for m_memory and m_transfers.wake_up().
    const fetch_options m_options;
    const use_result m_use;
    memory_pool m_memory; // of answers
    transfers m_transfers;
    host_queues m_waiting;
    std::vector<std::optional<fetch_target>> m_running; // by the number of the transfer
    std::size_t m_running_count = 0;
    std::priority_queue<later_target> m_pausing;
    backoff m_backoff;
    std::string m_reason_to_stop; // empty until there is one

    std::mutex m_mutex; // of what follows
    std::condition_variable m_changed;
    bool m_has_changed = false; // and the thread was told
    std::vector<request> m_added;
    std::size_t m_kept = 0; // results that were not released
    bool m_is_stopping = false;
    bool m_is_ending = false;

    std::thread m_thread;
};

void fetcher::impl::run() {
    while (take_changes()) {
        if (m_reason_to_stop.empty()) {
            end_pauses();
            start_transfers();
            run_transfers();
        } else {
            end_all();
            std::unique_lock<std::mutex> lock{m_mutex};
            m_changed.wait(lock, [this] { return m_has_changed; });
        }
    }
}

// Returns false once there is nothing more to do.
bool fetcher::impl::take_changes() {
    std::vector<request> added;
    {
        const std::lock_guard<std::mutex> lock{m_mutex};
        m_has_changed = false;
        if (m_is_ending) {
            return false;
        }
        if (m_is_stopping) {
            m_reason_to_stop = "stopped";
        }
        added.swap(m_added);
    }
    for (request& one : added) {
        fetch_target target;
        target.id = one.id;
        target.url = std::move(one.url);
        const std::optional<url_origin> origin = origin_of(target.url);
        if (origin && (origin->scheme == "http" || origin->scheme == "https")) {
            target.host = origin->host;
        }
        m_waiting.add_last(std::move(target));
    }
    return true;
}

bool fetcher::impl::has_place() {
    const std::lock_guard<std::mutex> lock{m_mutex};
    return m_running_count + m_kept < m_options.connections;
}

void fetcher::impl::end_pauses() {
    const steady::time_point now = steady::now();
    while (!m_pausing.empty() && m_pausing.top().when <= now) {
        m_waiting.add_first(m_pausing.top().target);
        m_pausing.pop();
    }
}

void fetcher::impl::start_transfers() {
    while (has_place()) {
        std::optional<fetch_target> next = m_waiting.take();
        if (!next) {
            return;
        }
        if (next->host.empty()) {
            m_waiting.give_back(next->host);
            report(next->id, {{}, "it is not an http or https URL", false});
            continue;
        }
        if (!m_memory.try_take(next->room)) {
            m_waiting.give_back(next->host);
            pause(std::move(*next), 0);
            continue;
        }
        const std::size_t number = m_transfers.start(
            next->url, m_options.timeout_seconds - next->seconds_used, next->room);
        m_running.resize(std::max(m_running.size(), number + 1));
        m_running[number] = std::move(next);
        ++m_running_count;
    }
}

void fetcher::impl::run_transfers() {
    std::vector<transfer_result> ended;
    try {
        ended = m_transfers.run(longest_wait());
    } catch (const failure& e) {
        m_reason_to_stop = e.what();
    }
    for (transfer_result& result : ended) {
        settle(std::move(result));
    }
}

// Until the next pause ends.
std::chrono::milliseconds fetcher::impl::longest_wait() const {
    constexpr std::chrono::milliseconds longest = std::chrono::hours{1};
    if (m_pausing.empty()) {
        return longest;
    }
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(m_pausing.top().when - steady::now());
    return std::clamp(left, std::chrono::milliseconds{0}, longest);
}

void fetcher::impl::settle(transfer_result result) {
    fetch_target target = *std::exchange(m_running[result.number], std::nullopt);
    --m_running_count;
    m_waiting.give_back(target.host);
    target.seconds_used += result.seconds;
    if (!result.redirect.empty()) {
        redirect(std::move(target), result.redirect);
        return;
    }
    if (result.lacking_room != 0) {
        target.room = result.lacking_room;
        pause(std::move(target), 0);
        return;
    }
    ++target.tries;
    // A server that wants more time than a transfer may take is left to another run.
    if (result.fault.is_worth_retry && target.tries <= m_options.retries &&
        result.retry_after_seconds <= m_options.timeout_seconds) {
        pause(std::move(target), result.retry_after_seconds);
        return;
    }
    std::string error = printable(result.fault.what);
    if (!error.empty() && target.tries > 1) {
        error += ", in " + std::to_string(target.tries) + " tries";
    }
    report(target.id,
           {std::move(result.body), std::move(error), result.fault.may_come_back, result.room});
}

void fetcher::impl::redirect(fetch_target target, const std::string& url) {
    const bool has_secrets = !m_options.headers.empty() || !m_options.cert_file.empty();
    std::string fault = fault_in_redirect(target.url, url, has_secrets);
    if (fault.empty() && target.redirects == most_redirects) {
        fault = "it has more than " + std::to_string(most_redirects) + " redirects";
    }
    if (!fault.empty()) {
        report(target.id, {{}, printable(fault), false});
        return;
    }
    if (target.first_url.empty()) {
        target.first_url = std::move(target.url);
    }
    target.url = url;
    target.host = origin_of(url)->host;
    ++target.redirects;
    m_waiting.add_first(std::move(target));
}

void fetcher::impl::pause(fetch_target target, double retry_after_seconds) {
    if (!target.first_url.empty()) {
        target.url = std::move(target.first_url);
        target.first_url.clear();
        target.host = origin_of(target.url)->host;
    }
    target.redirects = 0;
    target.seconds_used = 0;
    const std::chrono::duration<double> wait{
        m_backoff.pause(std::max(target.tries, 1U), retry_after_seconds)};
    m_pausing.push({steady::now() + std::chrono::ceil<steady::duration>(wait), std::move(target)});
}

void fetcher::impl::report(std::size_t id, fetched result) {
    {
        const std::lock_guard<std::mutex> lock{m_mutex};
        ++m_kept;
    }
    m_use(id, std::move(result));
}

void fetcher::impl::end_all() {
    m_transfers.abort();
    std::vector<std::size_t> ids;
    for (std::optional<fetch_target>& target : m_running) {
        if (target) {
            ids.push_back(target->id);
            m_waiting.give_back(target->host);
            target.reset();
        }
    }
    m_running_count = 0;
    for (; !m_pausing.empty(); m_pausing.pop()) {
        ids.push_back(m_pausing.top().target.id);
    }
    for (const fetch_target& target : m_waiting.take_all()) {
        ids.push_back(target.id);
    }
    for (const std::size_t id : ids) {
        report(id, {{}, m_reason_to_stop, true});
    }
}

bool can_fetch() noexcept { return true; }

fetcher::fetcher(fetch_options options, use_result use)
    : m_impl{std::make_unique<impl>(std::move(options), std::move(use))} {}

fetcher::~fetcher() = default;

void fetcher::add(std::size_t id, std::string url) { m_impl->add(id, std::move(url)); }

void fetcher::release(std::size_t room) { m_impl->release(room); }

void fetcher::stop() { m_impl->stop(); }

} // namespace pprofdelta::tool
