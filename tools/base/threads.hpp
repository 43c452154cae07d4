// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <future>
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

/// How many processors the process may run on; 0 if that is not known.
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

/// How many threads a run uses by default: one for each processor that the process may run on, and
/// at most 4.
[[nodiscard]] inline unsigned default_threads() noexcept {
    return std::clamp(usable_processors(), 1U, 4U);
}

} // namespace pprofdelta::tool
