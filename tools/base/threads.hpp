// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_BASE_THREADS_HPP
#define PPROFDELTA_TOOLS_BASE_THREADS_HPP

namespace pprofdelta::tool {

/// How many processors the process may run on; 0 if that is not known.
[[nodiscard]] unsigned usable_processors() noexcept;

/// How many threads a run uses by default: one for each processor that the process may run on, and
/// at most 4.
[[nodiscard]] unsigned default_threads() noexcept;

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_BASE_THREADS_HPP
