// SPDX-License-Identifier: Apache-2.0
// The way from a URL to its body: libcurl, whom a URL asks, what a fault means, one transfer, the
// queues of hosts, and the thread that has them all.
#include "batch/fetcher.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <deque>
#include <list>
#include <map>
#include <mutex>
#include <new>
#include <optional>
#include <system_error>
#include <thread>
#include <unordered_map>
#include <utility>

#include <dlfcn.h>
#include <fcntl.h>

#include <pprofdelta/version.hpp>

#include <curl/curl.h>

#include "base/failure.hpp"
#include "base/names.hpp"
#include "base/threads.hpp"
#include "base/value_text.hpp"
#include "batch/memory_pool.hpp"
#include "files/file.hpp"

namespace pprofdelta::tool {

namespace {

[[noreturn]] void fail(const std::string& why) {
    throw failure{exit_status::io, "URLs cannot be read without libcurl: " + why};
}

// A function of libcurl, of whatever type it is wanted.
class dynamic_symbol {
public:
    // @throws failure io if there is none.
    explicit dynamic_symbol(const char* name) : m_address{::dlsym(library(), name)} {
        if (m_address == nullptr) {
            fail(std::string{"it has no "} + name + "()");
        }
    }

    template <typename Function>
    operator Function*() const {
        return reinterpret_cast<Function*>(m_address);
    }

private:
    // Never closed: functions of it may run until the process ends.
    static void* library() {
        // The second is the same with another library for TLS, as Debian has it.
        for (const char* const name : {"libcurl.so.4", "libcurl-gnutls.so.4"}) {
            if (void* const opened = ::dlopen(name, RTLD_NOW | RTLD_LOCAL)) {
                return opened;
            }
        }
        fail("libcurl.so.4 is not installed");
    }

    void* m_address;
};

// The functions that the program calls, without "curl_" before their names.
class curl_library {
    using find = dynamic_symbol;

public:
    decltype(&::curl_global_init) global_init = find{"curl_global_init"};
    decltype(&::curl_easy_init) easy_init = find{"curl_easy_init"};
    decltype(&::curl_easy_cleanup) easy_cleanup = find{"curl_easy_cleanup"};
    decltype(&::curl_easy_setopt) easy_setopt = find{"curl_easy_setopt"};
    decltype(&::curl_easy_getinfo) easy_getinfo = find{"curl_easy_getinfo"};
    decltype(&::curl_easy_strerror) easy_strerror = find{"curl_easy_strerror"};
    decltype(&::curl_multi_init) multi_init = find{"curl_multi_init"};
    decltype(&::curl_multi_cleanup) multi_cleanup = find{"curl_multi_cleanup"};
    decltype(&::curl_multi_setopt) multi_setopt = find{"curl_multi_setopt"};
    decltype(&::curl_multi_add_handle) multi_add_handle = find{"curl_multi_add_handle"};
    decltype(&::curl_multi_remove_handle) multi_remove_handle = find{"curl_multi_remove_handle"};
    decltype(&::curl_multi_perform) multi_perform = find{"curl_multi_perform"};
    decltype(&::curl_multi_info_read) multi_info_read = find{"curl_multi_info_read"};
    decltype(&::curl_multi_poll) multi_poll = find{"curl_multi_poll"};
    decltype(&::curl_multi_wakeup) multi_wakeup = find{"curl_multi_wakeup"};
    decltype(&::curl_multi_strerror) multi_strerror = find{"curl_multi_strerror"};
    decltype(&::curl_slist_append) slist_append = find{"curl_slist_append"};
    decltype(&::curl_slist_free_all) slist_free_all = find{"curl_slist_free_all"};
    decltype(&::curl_url) url = find{"curl_url"};
    decltype(&::curl_url_cleanup) url_cleanup = find{"curl_url_cleanup"};
    decltype(&::curl_url_get) url_get = find{"curl_url_get"};
    decltype(&::curl_url_set) url_set = find{"curl_url_set"};
    decltype(&::curl_free) free = find{"curl_free"};

    curl_library() {
        if (global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
            fail("it cannot be initialized");
        }
    }
};

// Loaded at the first call, because the thirty libraries that it needs take longer to load than a
// run of the program on a small profile takes as a whole. Any thread may call it.
// @throws failure io
const curl_library& curl() {
    static const curl_library library;
    return library;
}

template <auto Release>
struct curl_deleter {
    template <typename Object>
    void operator()(Object* object) const {
        (curl().*Release)(object);
    }
};

template <typename Handle>
Handle* required(Handle* made) {
    if (made == nullptr) {
        throw std::bad_alloc{};
    }
    return made;
}

// Whom a URL asks.
struct url_origin {
    std::string scheme; // in lower case
    std::string host;   // in lower case, with the port
    bool has_password = false;
};

// Libcurl takes the URL apart, so that this is the host that it will ask.
// @returns nothing for what is no URL of a host.
std::optional<url_origin> origin_of(const std::string& url) {
    const std::unique_ptr<CURLU, curl_deleter<&curl_library::url_cleanup>> parsed{
        required(curl().url())};
    // A C string would end at a NUL.
    if (url.find('\0') != std::string::npos ||
        curl().url_set(parsed.get(), CURLUPART_URL, url.c_str(), CURLU_NON_SUPPORT_SCHEME) !=
            CURLUE_OK) {
        return std::nullopt;
    }
    // The part is in lower case; empty if the URL has no such part.
    const auto part = [&parsed](CURLUPart which) {
        std::string text;
        char* piece = nullptr;
        if (curl().url_get(parsed.get(), which, &piece, CURLU_DEFAULT_PORT) == CURLUE_OK) {
            text = piece;
            curl().free(piece);
        }
        return lower_case(std::move(text));
    };
    const std::string host = part(CURLUPART_HOST);
    if (host.empty()) {
        return std::nullopt;
    }
    return url_origin{part(CURLUPART_SCHEME), host + ":" + part(CURLUPART_PORT),
                      !part(CURLUPART_USER).empty() || !part(CURLUPART_PASSWORD).empty()};
}

// Why a redirect from one URL to another is not followed; empty if it is.
// @param has_secrets whether requests have what only the host of `from` may see.
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

// Why a transfer gave no body.
struct transfer_fault {
    std::string what;            // empty if it gave one
    bool is_worth_retry = false; // at once, after a pause
    bool may_come_back = false;  // in another run
};

transfer_fault retried(std::string what) { return {std::move(what), true, true}; }

// Another run may do better, with other options or another state of the machine.
transfer_fault not_retried(std::string what) { return {std::move(what), false, true}; }

transfer_fault final_fault(std::string what) { return {std::move(what), false, false}; }

// Describes a status other than 200.
transfer_fault fault_of_status(long status) {
    constexpr long too_many_requests = 429;
    constexpr long first_of_server = 500;
    const bool is_passing = status == too_many_requests || status >= first_of_server;
    const bool lacks_secret = status == 401 || status == 403;
    return {"HTTP status " + std::to_string(status) + (lacks_secret ? "; see --header-file" : ""),
            is_passing, is_passing};
}

// A URL that is to be read, and what was tried so far.
struct fetch_target {
    std::size_t id = 0;
    std::string url;
    std::string host; // with the port; empty if the URL is none
    unsigned tries = 0;
    std::string first_url;   // what redirects began with; empty if there was none in this try
    unsigned redirects = 0;  // in this try
    double seconds_used = 0; // in this try
    std::size_t room = 0;    // that its answer has to have, as it ended without it
};

// The end of a transfer: with a body, a redirect, for lack of room, or with a fault.
struct transfer_result {
    fetch_target target;
    std::string body;
    std::size_t room = 0;         // that the body has taken, for whoever drops it to give back
    std::size_t lacking_room = 0; // what an answer asked for in vain; it is no fault then
    std::string redirect;         // the URL to read instead
    transfer_fault fault;
    double retry_after_seconds = 0; // what the server asks for; 0 if it does not
};

constexpr long status_ok = 200;

bool is_redirect(long status) {
    return (status >= 301 && status <= 303) || status == 307 || status == 308;
}

long milliseconds(double seconds) {
    constexpr double longest = 2147483647; // what every libcurl takes
    return static_cast<long>(std::clamp(seconds * 1000, 1.0, longest));
}

// An HTTP request, and its answer.
class transfer {
public:
    // @param wanted      is read, and the room for its answer was taken. It takes more if it has
    // to.
    // @param options outlive this.
    // @param pool    gives room to bodies, and outlives this.
    // @throws std::bad_alloc
    transfer(fetch_target wanted, const fetch_options& options, memory_pool& pool)
        : target{std::move(wanted)}, m_options{options}, m_pool{pool},
          m_handle{required(curl().easy_init())}, m_room{target.room} {}

    [[nodiscard]] CURL* handle() const noexcept { return m_handle.get(); }

    // Makes the handle ready.
    // @param headers outlive the request.
    // @returns the fault of an option.
    [[nodiscard]] CURLcode prepare(curl_slist* headers) {
        static const std::string agent = std::string{"pprofdelta/"} + version();
        CURLcode fault = CURLE_OK; // the first one
        const auto set = [&](CURLoption option, auto value) {
            const CURLcode code = curl().easy_setopt(m_handle.get(), option, value);
            fault = fault == CURLE_OK ? code : fault;
        };
        const auto set_path = [&](CURLoption option, const std::string& path) {
            if (!path.empty()) {
                set(option, path.c_str());
            }
        };
        set(CURLOPT_ERRORBUFFER, m_error.data());
        set(CURLOPT_WRITEFUNCTION, &transfer::receive);
        set(CURLOPT_WRITEDATA, static_cast<void*>(this));
        set(CURLOPT_URL, target.url.c_str());
        set(CURLOPT_HTTPHEADER, headers);
        set(CURLOPT_USERAGENT, agent.c_str());
#if LIBCURL_VERSION_NUM >= 0x075500
        set(CURLOPT_PROTOCOLS_STR, "http,https");
#else
        set(CURLOPT_PROTOCOLS, static_cast<long>(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
        // Version 2 would have many answers wait for one connection.
        set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
        set(CURLOPT_NOSIGNAL, 1L);
        set(CURLOPT_TIMEOUT_MS, milliseconds(m_options.timeout_seconds - target.seconds_used));
        set(CURLOPT_CONNECTTIMEOUT_MS, milliseconds(m_options.connect_timeout_seconds));
        set(CURLOPT_MAXFILESIZE_LARGE, static_cast<curl_off_t>(m_options.max_size));
#if LIBCURL_VERSION_NUM >= 0x075700
        // A name server that does not answer would hold up all transfers when one is given up. A
        // libcurl older than its header does not know this, and need not.
        curl().easy_setopt(m_handle.get(), CURLOPT_QUICK_EXIT, 1L);
#endif
        set_path(CURLOPT_CAINFO, m_options.ca_file);
        set_path(CURLOPT_SSLCERT, m_options.cert_file);
        set_path(CURLOPT_SSLKEY, m_options.key_file);
        if (!m_options.cert_file.empty()) {
            set(CURLOPT_KEYPASSWD, ""); // nobody is asked for the password of a key
        }
        return fault;
    }

    // Once libcurl is done with `code`, and once.
    [[nodiscard]] transfer_result finish(CURLcode code) {
        transfer_result result;
        result.target = std::move(target);
        result.target.seconds_used += info<double>(CURLINFO_TOTAL_TIME);
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
        std::string{}.swap(m_body); // before its room is given back
        m_pool.give_back(std::exchange(m_room, 0));
        return result;
    }

    fetch_target target; // until finish()

private:
    static std::size_t receive(char* bytes, std::size_t size, std::size_t count,
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
    [[nodiscard]] bool append(const char* bytes, std::size_t size) {
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
    [[nodiscard]] bool make_room(std::size_t size) {
        if (size > m_room) {
            // The stated length is believed up to a limit.
            constexpr curl_off_t least = curl_off_t{64} << 10U;
            constexpr curl_off_t most = curl_off_t{4} << 20U;
            const auto length = info<curl_off_t>(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T);
            const auto usual = static_cast<std::size_t>(std::clamp(length, least, most));
            const std::size_t wanted =
                std::max(size, std::min(std::max(usual, 2 * m_room), m_options.max_size));
            // The room comes beside what it has, as the body is copied.
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
    [[nodiscard]] Value info(CURLINFO what) const {
        Value value{};
        curl().easy_getinfo(m_handle.get(), what, &value);
        return value;
    }

    // The connection includes TLS, if that was asked for. Since libcurl 8.23 a transfer that was
    // never connected has a time before it, too; a connection of an earlier one has an address, and
    // took no time.
    [[nodiscard]] bool is_connected() const {
        const auto text = [this](CURLINFO what) {
            const char* const found = info<char*>(what);
            return std::string_view{found == nullptr ? "" : found};
        };
        const bool has_tls = text(CURLINFO_EFFECTIVE_URL).starts_with("https:");
        return info<double>(CURLINFO_PRETRANSFER_TIME) > 0 &&
               (info<double>(CURLINFO_CONNECT_TIME) > 0
                    ? !has_tls || info<double>(CURLINFO_APPCONNECT_TIME) > 0
                    : !text(CURLINFO_PRIMARY_IP).empty());
    }

    [[nodiscard]] transfer_fault fault_of(CURLcode code, long status) const {
        if (m_is_out_of_memory) {
            return not_retried("out of memory");
        }
        // Whatever else went wrong with an answer that is no profile.
        constexpr long first_final = 200;
        if (status >= first_final && status != status_ok) {
            return fault_of_status(status);
        }
        if (m_is_too_large || code == CURLE_FILESIZE_EXCEEDED) {
            return final_fault("it has more than " + std::to_string(m_options.max_size) +
                               " bytes; see --max-size and --memory");
        }
        if (code != CURLE_OK) {
            return fault_of(code);
        }
        return m_body.empty() ? final_fault("the response is empty") : transfer_fault{};
    }

    // Describes a failure of libcurl.
    [[nodiscard]] transfer_fault fault_of(CURLcode code) const {
        const std::string text = m_error[0] != '\0' ? m_error.data() : curl().easy_strerror(code);
        const auto with_reason = [&](const std::string& what) {
            const auto system_error = static_cast<int>(info<long>(CURLINFO_OS_ERRNO));
            return what + ": " +
                   (system_error != 0 ? std::generic_category().message(system_error) : text);
        };
        // CURLE_TOO_LARGE, which headers before 8.6 do not have. Before, it was want of memory.
        constexpr auto too_large = static_cast<CURLcode>(100);
        switch (code == too_large ? CURLE_OUT_OF_MEMORY : code) {
        case CURLE_OPERATION_TIMEDOUT:
            return time_out();
        case CURLE_COULDNT_RESOLVE_HOST:
            return retried("its host is unknown");
        case CURLE_COULDNT_RESOLVE_PROXY:
            return retried("the proxy is unknown");
        case CURLE_COULDNT_CONNECT:
            return retried(with_reason("no connection"));
        case CURLE_PARTIAL_FILE:
            return retried("the response ended early");
        case CURLE_GOT_NOTHING:
            return retried("the server closed the connection without a response");
        case CURLE_SEND_ERROR:
        case CURLE_RECV_ERROR:
            return retried(with_reason("the connection broke"));
        case CURLE_SSL_CONNECT_ERROR:
            return retried(with_reason("TLS failed"));
        case CURLE_PEER_FAILED_VERIFICATION:
            return not_retried("TLS failed: " + text + "; see --ca-file");
        case CURLE_SSL_CACERT_BADFILE:
            return not_retried("TLS failed: --ca-file has no certificate");
        case CURLE_SSL_CERTPROBLEM:
        case CURLE_BAD_FUNCTION_ARGUMENT: // of a key, for libcurl 8.23
            return not_retried("TLS failed: --cert and --key are not a certificate and its key");
        case CURLE_OUT_OF_MEMORY:
            // libcurl's word for a header that it has no more room for, too.
            return not_retried(is_connected() ? "its header is too long, or memory ran out"
                                              : "out of memory");
        case CURLE_UNSUPPORTED_PROTOCOL: // HTTP 0.9, which is any text
        case CURLE_WEIRD_SERVER_REPLY:
            return final_fault("the response is not HTTP");
        default:
            return not_retried(text);
        }
    }

    [[nodiscard]] transfer_fault time_out() const {
        // Seconds are written as in the option.
        const auto within = [](double seconds, const char* option) {
            return factor_text(seconds) + " s; see " + option;
        };
        if (is_connected()) {
            return not_retried("it takes longer than " +
                               within(m_options.timeout_seconds, "--timeout"));
        }
        const bool is_whole = m_options.timeout_seconds <= m_options.connect_timeout_seconds;
        return retried("no connection within " +
                       (is_whole ? within(m_options.timeout_seconds, "--timeout")
                                 : within(m_options.connect_timeout_seconds, "--connect-timeout")));
    }

    const fetch_options& m_options;
    memory_pool& m_pool;
    std::unique_ptr<CURL, curl_deleter<&curl_library::easy_cleanup>> m_handle;
    std::array<char, CURL_ERROR_SIZE> m_error{};
    std::string m_body;
    std::size_t m_room = 0; // what is taken for the body
    std::size_t m_lacking_room = 0;
    std::size_t m_passed_over = 0; // bytes of an answer that is no profile
    bool m_is_too_large = false;
    bool m_is_out_of_memory = false;
};

// Queues the requests of each host. A limited number of requests to a host is active at a time, and
// the hosts take turns.
class host_queues {
public:
    explicit host_queues(unsigned per_host) : m_per_host{per_host} {}

    // @param has_waited whether it was taken before, so that it goes before those of its host.
    void add(fetch_target target, bool has_waited) {
        host_queue& queue = m_hosts[target.host];
        queue.waiting.insert(has_waited ? queue.waiting.begin() : queue.waiting.end(),
                             std::move(target));
        give_turn(queue);
    }

    // The next one of the next host that may have one more; nothing if there is none.
    [[nodiscard]] std::optional<fetch_target> take() {
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
    // One that was taken is done, or waits for something else.
    void give_back(const std::string& host) {
        host_queue& queue = m_hosts[host];
        --queue.taken;
        give_turn(queue);
    }

private:
    struct host_queue {
        std::list<fetch_target> waiting; // a deque would take half a kilobyte for each host
        unsigned taken = 0;
        bool has_turn = false; // is one of m_turns
    };

    void give_turn(host_queue& queue) {
        if (!queue.has_turn && !queue.waiting.empty() && queue.taken < m_per_host) {
            m_turns.push_back(&queue);
            queue.has_turn = true;
        }
    }

    unsigned m_per_host;
    std::unordered_map<std::string, host_queue> m_hosts; // which never moves its values
    std::deque<host_queue*> m_turns;
};

fetch_options checked(fetch_options options) {
    for (const std::string& path : {options.ca_file, options.cert_file, options.key_file}) {
        // libcurl would say of each URL that it cannot read it.
        if (!path.empty() &&
            descriptor{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)}.number() < 0) {
            throw io_failure(path, "cannot be opened");
        }
    }
    options.max_size = std::min(options.max_size, options.memory);
    return options;
}

class curl_fetcher : public fetcher {
public:
    curl_fetcher(fetch_options options, use_result use)
        : m_options{checked(std::move(options))}, m_use{std::move(use)}, m_memory{m_options.memory},
          m_multi{required(curl().multi_init())}, m_waiting{m_options.per_host} {
        check(curl().multi_setopt(m_multi.get(), CURLMOPT_MAXCONNECTS,
                                  static_cast<long>(m_options.connections)));
        for (const std::string& header : m_options.headers) {
            curl_slist* const longer =
                required(curl().slist_append(m_headers.get(), header.c_str()));
            static_cast<void>(m_headers.release()); // a part of the longer one
            m_headers.reset(longer);
        }
        m_thread = std::thread{[this] { run(); }};
    }
    ~curl_fetcher() override {
        change([this] { m_is_ending = true; });
        m_thread.join();
        abort_transfers();
    }
    curl_fetcher(const curl_fetcher&) = delete;
    curl_fetcher& operator=(const curl_fetcher&) = delete;

    void add(std::size_t id, std::string url) override {
        change([&] {
            fetch_target& target = m_added.emplace_back();
            target.id = id;
            target.url = std::move(url);
        });
    }
    void release(std::size_t room) override {
        m_memory.give_back(room);
        change([this] { --m_kept; });
    }
    void stop() override {
        change([this] { m_is_stopping = true; });
    }

private:
    using steady = std::chrono::steady_clock;

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
            curl().multi_wakeup(m_multi.get()); // counts for the next poll if there is none
        }
    }

    void run() {
        sigset_t all; // no signal is for this thread, nor for those that it starts
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, nullptr);
        while (take_changes()) {
            if (m_reason_to_stop.empty()) {
                try {
                    end_pauses();
                    start_transfers();
                    run_transfers();
                } catch (const failure& e) {
                    m_reason_to_stop = e.what();
                }
            } else {
                end_all();
                std::unique_lock<std::mutex> lock{m_mutex};
                m_changed.wait(lock, [this] { return m_has_changed; });
            }
        }
    }

    // Returns false once there is nothing more to do.
    [[nodiscard]] bool take_changes() {
        std::vector<fetch_target> added;
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
        for (fetch_target& target : added) {
            queue(std::move(target), false);
        }
        return true;
    }

    // @param has_waited whether it was taken before, so that it goes before those of its host.
    void queue(fetch_target target, bool has_waited) {
        const std::optional<url_origin> origin = origin_of(target.url);
        const bool is_http = origin && (origin->scheme == "http" || origin->scheme == "https");
        target.host = is_http ? origin->host : "";
        m_waiting.add(std::move(target), has_waited);
    }

    void end_pauses() {
        const steady::time_point now = steady::now();
        while (!m_pausing.empty() && m_pausing.begin()->first <= now) {
            queue(std::move(m_pausing.begin()->second), true);
            m_pausing.erase(m_pausing.begin());
        }
    }

    void start_transfers() {
        while (m_transfers.size() + m_kept < m_options.connections) {
            std::optional<fetch_target> next = m_waiting.take();
            if (!next) {
                return;
            }
            if (next->host.empty()) {
                m_waiting.give_back(next->host);
                report(next->id, {{}, "it is not an http or https URL", false});
            } else if (!m_memory.try_take(next->room)) {
                m_waiting.give_back(next->host);
                pause(std::move(*next), 0);
            } else {
                start_transfer(std::move(*next));
            }
        }
    }

    void start_transfer(fetch_target target) {
        auto started = std::make_unique<transfer>(std::move(target), m_options, m_memory);
        if (const CURLcode code = started->prepare(m_headers.get()); code != CURLE_OK) {
            settle(started->finish(code));
            return;
        }
        CURL* const handle = started->handle();
        m_transfers.emplace(handle, std::move(started)); // so that its end is told if that fails
        check(curl().multi_add_handle(m_multi.get(), handle));
    }

    // Lets them run until one ends, something has changed, or a pause is over.
    void run_transfers() {
        int left = 0;
        check(curl().multi_perform(m_multi.get(), &left));
        if (!settle_ended()) {
            check(curl().multi_poll(m_multi.get(), nullptr, 0,
                                    static_cast<int>(longest_wait().count()), nullptr));
            check(curl().multi_perform(m_multi.get(), &left));
            settle_ended();
        }
    }

    // @returns whether there was any.
    bool settle_ended() {
        bool has_any = false;
        int left = 0;
        while (const CURLMsg* const message = curl().multi_info_read(m_multi.get(), &left)) {
            const auto ended = m_transfers.extract(message->easy_handle);
            transfer_result result = ended.mapped()->finish(message->data.result);
            // The message lies in what this removes.
            curl().multi_remove_handle(m_multi.get(), ended.key());
            settle(std::move(result));
            has_any = true;
        }
        return has_any;
    }

    // The time until the next pause ends.
    [[nodiscard]] std::chrono::milliseconds longest_wait() const {
        constexpr std::chrono::milliseconds longest = std::chrono::hours{1};
        if (m_pausing.empty()) {
            return longest;
        }
        const auto left =
            std::chrono::ceil<std::chrono::milliseconds>(m_pausing.begin()->first - steady::now());
        return std::clamp(left, std::chrono::milliseconds{0}, longest);
    }

    void settle(transfer_result result) {
        fetch_target& target = result.target;
        m_waiting.give_back(target.host);
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

    void redirect(fetch_target target, const std::string& url) {
        constexpr unsigned most_redirects = 5;
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
        ++target.redirects;
        queue(std::move(target), true);
    }

    void pause(fetch_target target, double retry_after_seconds) {
        if (!target.first_url.empty()) {
            target.url = std::move(target.first_url);
            target.first_url.clear();
        }
        target.redirects = 0;
        target.seconds_used = 0;
        const std::chrono::duration<double> wait{std::max(
            retry_after_seconds, retry_pause(m_options.retry_seconds, std::max(target.tries, 1U)))};
        m_pausing.emplace(steady::now() + std::chrono::ceil<steady::duration>(wait),
                          std::move(target));
    }

    void report(std::size_t id, fetched result) {
        ++m_kept;
        m_use(id, std::move(result));
    }

    // @returns the targets that they were to read.
    std::vector<fetch_target> abort_transfers() {
        std::vector<fetch_target> aborted;
        for (const auto& [handle, each] : m_transfers) {
            curl().multi_remove_handle(m_multi.get(), handle);
            aborted.push_back(std::move(each->target));
        }
        m_transfers.clear();
        return aborted;
    }

    void end_all() {
        const auto end = [this](const fetch_target& each) {
            report(each.id, {{}, m_reason_to_stop, true});
        };
        for (const fetch_target& each : abort_transfers()) {
            m_waiting.give_back(each.host);
            end(each);
        }
        for (const auto& [time, each] : std::exchange(m_pausing, {})) {
            end(each);
        }
        while (const auto each = m_waiting.take()) {
            m_waiting.give_back(each->host);
            end(*each);
        }
    }

    static void check(CURLMcode code) {
        if (code == CURLM_OUT_OF_MEMORY) {
            throw std::bad_alloc{};
        }
        if (code != CURLM_OK) {
            throw failure{exit_status::io,
                          std::string{"URLs cannot be read: "} + curl().multi_strerror(code)};
        }
    }

    // The thread alone uses these, but for m_memory and to wake it up.
    const fetch_options m_options;
    const use_result m_use;
    memory_pool m_memory; // of answers
    std::unique_ptr<curl_slist, curl_deleter<&curl_library::slist_free_all>> m_headers;
    std::unique_ptr<CURLM, curl_deleter<&curl_library::multi_cleanup>> m_multi;
    std::unordered_map<CURL*, std::unique_ptr<transfer>> m_transfers; // that run
    host_queues m_waiting;
    std::multimap<steady::time_point, fetch_target> m_pausing; // by their ends
    std::string m_reason_to_stop;                              // empty until there is one

    std::atomic<std::size_t> m_kept = 0; // results that were not released
    std::mutex m_mutex;                  // of what follows
    std::condition_variable m_changed;
    bool m_has_changed = false; // and the thread was told
    std::vector<fetch_target> m_added;
    bool m_is_stopping = false;
    bool m_is_ending = false;

    std::thread m_thread;
};

} // namespace

std::unique_ptr<fetcher> fetcher::start(fetch_options options, use_result use) {
    return std::make_unique<curl_fetcher>(std::move(options), std::move(use));
}

} // namespace pprofdelta::tool
