// SPDX-License-Identifier: Apache-2.0
#include "batch/work/open_files.hpp"

#include <algorithm>

#include <sys/resource.h>

namespace pprofdelta::tool {

std::size_t files_for_each(unsigned workers, unsigned connections) noexcept {
    constexpr rlim_t usual = 1024;
    // Standard streams, locks, results, and what libraries open for a moment.
    constexpr std::size_t others = 40;
    constexpr std::size_t of_worker = 8; // its journal, an input, folders
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) {
        limit = {usual, usual};
    } else if (limit.rlim_cur < limit.rlim_max) {
        const rlimit raised{limit.rlim_max, limit.rlim_max};
        if (::setrlimit(RLIMIT_NOFILE, &raised) == 0) {
            limit = raised;
        }
    }
    constexpr rlim_t enough = 1'000'000; // RLIM_INFINITY is more
    const auto all = static_cast<std::size_t>(std::min(limit.rlim_cur, enough));
    const std::size_t taken = others + connections + std::size_t{workers} * of_worker;
    return std::max<std::size_t>(all > taken ? (all - taken) / workers : 0, 2);
}

} // namespace pprofdelta::tool
