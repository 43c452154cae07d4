// SPDX-License-Identifier: Apache-2.0
#include "batch/work/open_files.hpp"

#include <algorithm>

#include "files/descriptor.hpp"

namespace pprofdelta::tool {

std::size_t files_for_each(unsigned workers, unsigned connections) noexcept {
    // Standard streams, locks, results, and what libraries open for a moment.
    constexpr std::size_t others = 40;
    constexpr std::size_t of_worker = 8; // its journal, an input, folders
    const std::size_t all = raise_open_files();
    const std::size_t taken = others + connections + std::size_t{workers} * of_worker;
    return std::max<std::size_t>(all > taken ? (all - taken) / workers : 0, 2);
}

} // namespace pprofdelta::tool
