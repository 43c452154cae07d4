// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <future>
#include <random>
#include <system_error>
#include <thread>

#ifdef __linux__
#include <sched.h>
#endif

namespace pprofdelta::tool {

/// Runs `work` on a thread of its own, or, if there is to be none or none can be started, when its
/// result is requested. An exception comes with the result. The future waits for the work when it
/// is destroyed.
template <typename Work>
auto run_async(bool on_thread, Work work) {
    try {
        return std::async(on_thread ? std::launch::async : std::launch::deferred, work);
    } catch (const std::system_error&) {
        return std::async(std::launch::deferred, work);
    }
}

/// Asks again and again whether something is so, with a pause after each time.
/// @returns whether it was by `deadline`.
template <typename Unit, typename IsSo>
bool poll_until(std::chrono::time_point<std::chrono::steady_clock, Unit> deadline,
                std::chrono::milliseconds pause, IsSo&& is_so) {
    while (!is_so()) {
        if (std::chrono::steady_clock::now() >= deadline) {
            return false;
        }
        std::this_thread::sleep_for(pause);
    }
    return true;
}

/// The number of seconds to wait before a retry. Each pause is twice as long as the one before, but
/// at most 30 seconds; and any part of it up to a half is left out, so that those who failed
/// together do not come back together.
/// @param first_seconds the first pause.
/// @param tries         is the number that failed, at least 1.
[[nodiscard]] inline double retry_pause(double first_seconds, unsigned tries) {
    thread_local std::minstd_rand random{
        static_cast<unsigned>(std::chrono::steady_clock::now().time_since_epoch().count())};
    constexpr double longest = 30;
    constexpr unsigned most_doublings = 20; // longer than that, whatever the first one is
    const auto doublings = static_cast<int>(std::min(tries - 1, most_doublings));
    std::uniform_real_distribution<double> part{0.5, 1};
    return std::min(std::ldexp(first_seconds, doublings), longest) * part(random);
}

/// The number of processors that the process may run on; 0 if that is not known.
[[nodiscard]] inline unsigned usable_processors() noexcept {
#ifdef __linux__
    // taskset(1), a container or a batch system can leave fewer processors to the process.
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        return static_cast<unsigned>(CPU_COUNT(&set));
    }
#endif
    return std::thread::hardware_concurrency();
}

/// The number of threads that a run uses by default: one for each processor that the process may
/// run on, and at most 4.
[[nodiscard]] inline unsigned default_threads() noexcept {
    return std::clamp(usable_processors(), 1U, 4U);
}

} // namespace pprofdelta::tool
