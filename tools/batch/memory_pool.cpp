// SPDX-License-Identifier: Apache-2.0
#include "batch/memory_pool.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace pprofdelta::tool {

bool memory_pool::try_take(std::size_t bytes) {
    const std::lock_guard lock{m_mutex};
    if (bytes > m_free) {
        return false;
    }
    m_free -= bytes;
    return true;
}

void memory_pool::give_back(std::size_t bytes) {
    const std::lock_guard lock{m_mutex};
    m_free += bytes;
    m_change.notify_all();
}

bool memory_pool::take_or_be_alone(std::size_t bytes) {
    std::unique_lock lock{m_mutex};
    m_change.wait(lock, [&] { return bytes <= m_free || !m_has_lone_one; });
    if (bytes <= m_free) {
        m_free -= bytes;
        return false;
    }
    m_has_lone_one = true;
    return true;
}

void memory_pool::stop_being_alone() {
    const std::lock_guard lock{m_mutex};
    m_has_lone_one = false;
    m_change.notify_all();
}

void memory_room::need(std::size_t bytes) {
    if (m_is_alone || bytes <= m_bytes) {
        return;
    }
    m_is_alone = m_pool.take_or_be_alone(bytes - m_bytes);
    if (!m_is_alone) {
        m_bytes = bytes;
    }
}

void memory_room::release() {
    if (m_is_alone) {
        m_pool.stop_being_alone();
        m_is_alone = false;
    }
    if (m_bytes != 0) {
        m_pool.give_back(m_bytes);
        m_bytes = 0;
    }
}

namespace {

constexpr double longest_pause = 30;
constexpr unsigned most_doublings = 20; // longer than the longest pause, whatever the first is

unsigned seed() {
    return static_cast<unsigned>(std::chrono::steady_clock::now().time_since_epoch().count());
}

} // namespace

backoff::backoff(double first_seconds) : m_first_seconds{first_seconds}, m_random{seed()} {}

double backoff::pause(unsigned tries, double retry_after_seconds) {
    const auto doublings = static_cast<int>(std::min(tries - 1, most_doublings));
    const double whole = std::min(std::ldexp(m_first_seconds, doublings), longest_pause);
    std::uniform_real_distribution<double> part{0.5, 1};
    return std::max(whole * part(m_random), retry_after_seconds);
}

} // namespace pprofdelta::tool
