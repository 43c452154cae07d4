// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <future>
#include <memory>
#include <system_error>
#include <vector>

namespace pprofdelta {

/// Makes a string or vector that is used as scratch memory as large as `size`, and somewhat larger,
/// so that sizes that grow little by little do not copy it each time. The content stays.
template <typename Container>
void grow_to(Container& scratch, std::size_t size) {
    if (scratch.size() < size) {
        scratch.resize(size + size / 4);
    }
}

/// The allocator is std::allocator but for elements without a given value, which have none: for
/// memory that is written to before it is read, and so large that to write zeros to it first takes
/// time.
template <typename Number>
struct unset_allocator : std::allocator<Number> {
    void construct(Number* place) noexcept { ::new (static_cast<void*>(place)) Number; }
};

/// A vector of numbers in which resize() with one argument leaves the new ones unset.
template <typename Number>
using unset_vector = std::vector<Number, unset_allocator<Number>>;

/// Calls `work(part, begin, end)` for up to `parts` equal parts of 0 to `count`, the first on this
/// thread and each other one on a thread of its own, and waits for all. This thread does the work
/// of all if no thread can be started.
///
/// If several throw, the exception is that of the first part: what is wrong first is what is
/// thrown, however many parts there are.
template <typename Work>
void in_parts(std::size_t count, std::size_t parts, Work&& work) {
    const std::size_t max_parts = std::max<std::size_t>(1, parts);
    const std::size_t size = std::max<std::size_t>(1, (count + max_parts - 1) / max_parts);
    std::vector<std::future<void>> others;
    others.reserve(max_parts);
    for (std::size_t part = 1; part * size < count; ++part) {
        const auto run = [&work, part, begin = part * size,
                          end = std::min(count, (part + 1) * size)] { work(part, begin, end); };
        try {
            others.push_back(std::async(std::launch::async, run));
        } catch (const std::system_error&) {
            others.push_back(std::async(std::launch::deferred, run));
        }
    }
    work(0, 0, std::min(count, size)); // if it throws, the futures wait for the others
    for (std::future<void>& other : others) {
        other.get();
    }
}

} // namespace pprofdelta
