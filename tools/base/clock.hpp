// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_BASE_CLOCK_HPP
#define PPROFDELTA_TOOLS_BASE_CLOCK_HPP

#include <chrono>
#include <cstdint>

namespace pprofdelta::tool {

/// Nanoseconds since 1970, as profiles have their times.
[[nodiscard]] inline std::int64_t nanos_now() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_BASE_CLOCK_HPP
