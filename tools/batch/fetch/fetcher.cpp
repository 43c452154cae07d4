// SPDX-License-Identifier: Apache-2.0
#include "batch/fetch/fetcher.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <optional>
#include <queue>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>

#include "base/failure.hpp"
#include "base/short_names.hpp"
#include "batch/fetch/backoff.hpp"
#include "batch/fetch/host_queues.hpp"
#include "batch/fetch/memory_pool.hpp"
#include "batch/fetch/transfers.hpp"
#include "batch/fetch/url_origin.hpp"
#include "files/descriptor.hpp"

namespace pprofdelta::tool {

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
            report(next->id, {{}, "it is no URL of http or https", false});
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
