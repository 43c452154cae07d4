// SPDX-License-Identifier: Apache-2.0
#include "base/threads.hpp"

#include <algorithm>
#include <thread>

#ifdef __linux__
#include <sched.h>
#endif

namespace pprofdelta::tool {

unsigned usable_processors() noexcept {
#ifdef __linux__
    // What taskset(1), a container or a batch system leaves to the process.
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        return static_cast<unsigned>(CPU_COUNT(&set));
    }
#endif
    return std::thread::hardware_concurrency();
}

unsigned default_threads() noexcept { return std::clamp(usable_processors(), 1U, 4U); }

} // namespace pprofdelta::tool
