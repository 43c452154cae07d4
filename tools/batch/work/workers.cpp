// SPDX-License-Identifier: Apache-2.0
#include "batch/work/workers.hpp"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace pprofdelta::tool {

namespace {

// The threads, which have ended when this is destroyed.
class crew {
public:
    explicit crew(const batch_work& work) : m_work{work} {}
    ~crew() {
        m_work.order.stop();
        join();
    }
    crew(const crew&) = delete;
    crew& operator=(const crew&) = delete;

    // Fewer than asked for if the system has no more.
    void start(unsigned workers) {
        for (unsigned i = 0; i < workers; ++i) {
            try {
                const std::lock_guard lock{m_mutex};
                m_threads.emplace_back([this, i] { run(i); });
                ++m_running;
            } catch (const std::system_error& e) {
                if (m_threads.empty()) {
                    throw io_failure("batch", "cannot start a thread", e.code().value());
                }
                return;
            }
        }
    }

    void wait(const std::function<void()>& look) {
        constexpr std::chrono::milliseconds pause{50};
        std::unique_lock lock{m_mutex};
        while (!m_ended.wait_for(lock, pause, [&] { return m_running == 0; })) {
            look();
        }
    }

    void join() {
        for (std::thread& each : m_threads) {
            if (each.joinable()) {
                each.join();
            }
        }
    }

    void rethrow() const {
        if (m_reason) {
            std::rethrow_exception(m_reason);
        }
    }

private:
    void run(unsigned number) {
        std::exception_ptr reason;
        try {
            batch_worker{m_work, number}.run();
        } catch (...) {
            reason = std::current_exception();
            m_work.order.stop();
        }
        const std::lock_guard lock{m_mutex};
        m_reason = m_reason ? m_reason : reason;
        --m_running;
        m_ended.notify_one();
    }

    const batch_work& m_work;
    std::vector<std::thread> m_threads;
    std::mutex m_mutex;
    std::condition_variable m_ended;
    unsigned m_running = 0;
    std::exception_ptr m_reason; // the first one
};

} // namespace

void work_side_by_side(const batch_work& work, unsigned workers,
                       const std::function<void()>& look) {
    crew threads{work};
    threads.start(workers);
    threads.wait(look);
    threads.join();
    threads.rethrow();
}

} // namespace pprofdelta::tool
