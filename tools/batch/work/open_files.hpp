// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_BATCH_WORK_OPEN_FILES_HPP
#define PPROFDELTA_TOOLS_BATCH_WORK_OPEN_FILES_HPP

#include <cstddef>

namespace pprofdelta::tool {

/// Lets the process open as many files as it may.
/// @param connections that are open as well.
/// @returns how many each of so many workers can keep open; at least 2.
[[nodiscard]] std::size_t files_for_each(unsigned workers, unsigned connections) noexcept;

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_BATCH_WORK_OPEN_FILES_HPP
