// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_BATCH_MEMORY_POOL_HPP
#define PPROFDELTA_TOOLS_BATCH_MEMORY_POOL_HPP

#include <condition_variable>
#include <cstddef>
#include <limits>
#include <mutex>
#include <random>

namespace pprofdelta::tool {

/// How many bytes several may use together. It counts; nothing is allocated here. Safe for several
/// threads.
class memory_pool {
public:
    explicit memory_pool(std::size_t size) : m_free{size} {}

    /// @returns false, with nothing taken, if there are not so many.
    [[nodiscard]] bool try_take(std::size_t bytes);
    void give_back(std::size_t bytes);

    /// Waits until there are so many, or nobody is the one who needs none of them.
    /// @returns whether the caller is that one now, until stop_being_alone().
    [[nodiscard]] bool take_or_be_alone(std::size_t bytes);
    void stop_being_alone();

private:
    std::mutex m_mutex;
    std::condition_variable m_change;
    std::size_t m_free;
    bool m_has_lone_one = false;
};

/// What a worker may use for the series that it works on. It grows until release(). Whoever waits
/// for more keeps what it has, and this cannot stop all of them: the one who is alone never waits.
class memory_room {
public:
    /// @param pool which outlives this.
    explicit memory_room(memory_pool& pool) noexcept : m_pool{pool} {}
    ~memory_room() { release(); }
    memory_room(const memory_room&) = delete;
    memory_room& operator=(const memory_room&) = delete;

    /// Waits until it has so many bytes, or is alone, which is enough for anything.
    void need(std::size_t bytes);
    /// Waits until it is alone.
    void need_all() { need(std::numeric_limits<std::size_t>::max()); }
    void release();

private:
    memory_pool& m_pool;
    std::size_t m_bytes = 0;
    bool m_is_alone = false;
};

/// How long to wait before a retry. Each pause is twice as long as the one before, but at most 30
/// seconds; and any part of it up to a half is left out, so that those who failed together do not
/// come back together.
class backoff {
public:
    /// @param first_seconds the first pause.
    explicit backoff(double first_seconds);

    /// In seconds.
    /// @param tries               that failed, at least 1.
    /// @param retry_after_seconds what the server asked for; or 0.
    [[nodiscard]] double pause(unsigned tries, double retry_after_seconds);

private:
    double m_first_seconds;
    std::minstd_rand m_random;
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_BATCH_MEMORY_POOL_HPP
