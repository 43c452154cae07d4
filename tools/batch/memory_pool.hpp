// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstddef>
#include <limits>
#include <mutex>
#include <utility>

namespace pprofdelta::tool {

/// The number of bytes that several may use together. It counts; nothing is allocated here. Safe
/// for several threads.
class memory_pool {
public:
    explicit memory_pool(std::size_t size) : m_free{size} {}

    /// @returns false, with nothing taken, if there are not so many.
    [[nodiscard]] bool try_take(std::size_t bytes) {
        const std::lock_guard lock{m_mutex};
        return take(bytes);
    }
    void give_back(std::size_t bytes) {
        const std::lock_guard lock{m_mutex};
        m_free += bytes;
        m_change.notify_all();
    }

    /// Waits until there are so many, or nobody is the one who needs none of them.
    /// @returns whether the caller is that one now, until end_bypass().
    [[nodiscard]] bool acquire_or_bypass(std::size_t bytes) {
        std::unique_lock lock{m_mutex};
        m_change.wait(lock, [&] { return bytes <= m_free || !m_is_bypassed; });
        const bool is_alone = !take(bytes);
        m_is_bypassed = m_is_bypassed || is_alone;
        return is_alone;
    }
    void end_bypass() {
        const std::lock_guard lock{m_mutex};
        m_is_bypassed = false;
        m_change.notify_all();
    }

private:
    bool take(std::size_t bytes) noexcept {
        const bool is_there = bytes <= m_free;
        m_free -= is_there ? bytes : 0;
        return is_there;
    }

    std::mutex m_mutex;
    std::condition_variable m_change;
    std::size_t m_free;
    bool m_is_bypassed = false;
};

/// The memory that a worker may use for its current series. It grows until release(). A worker that
/// waits for more keeps its reservation. The workers cannot all wait: one that is alone never does.
class memory_reservation {
public:
    /// @param pool outlives this.
    explicit memory_reservation(memory_pool& pool) noexcept : m_pool{pool} {}
    ~memory_reservation() { release(); }
    memory_reservation(const memory_reservation&) = delete;
    memory_reservation& operator=(const memory_reservation&) = delete;

    /// Waits until it has so many bytes, or is alone, which is enough for anything.
    void need(std::size_t bytes) {
        if (!m_is_alone && bytes > m_bytes) {
            m_is_alone = m_pool.acquire_or_bypass(bytes - m_bytes);
            m_bytes = m_is_alone ? m_bytes : bytes;
        }
    }
    /// Waits until it is alone.
    void need_all() { need(std::numeric_limits<std::size_t>::max()); }
    void release() {
        if (std::exchange(m_is_alone, false)) {
            m_pool.end_bypass();
        }
        m_pool.give_back(std::exchange(m_bytes, 0));
    }

private:
    memory_pool& m_pool;
    std::size_t m_bytes = 0;
    bool m_is_alone = false;
};

} // namespace pprofdelta::tool
