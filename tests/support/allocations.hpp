// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace pprofdelta::test {

/// How often this program has called operator new so far.
[[nodiscard]] std::size_t allocation_count() noexcept;

/// The bytes that operator new has given and operator delete not got back yet, as the allocator
/// rounds them.
[[nodiscard]] std::size_t bytes_in_use() noexcept;

/// Since reset_peak(): how much of that there was at a time, and the largest block asked for.
struct memory_peak {
    std::size_t in_use = 0;
    std::size_t block = 0;
};
void reset_peak() noexcept;
[[nodiscard]] memory_peak peak() noexcept;

/// Makes operator new throw std::bad_alloc once, `after` successful calls from now. Tests of what
/// is left behind then.
void fail_allocation(std::size_t after) noexcept;

/// Takes back a failure that did not come.
/// @returns whether it did not.
bool stop_failing() noexcept;

} // namespace pprofdelta::test
