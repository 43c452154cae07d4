// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_BASE_IN_PARTS_HPP
#define PPROFDELTA_SRC_BASE_IN_PARTS_HPP

#include <algorithm>
#include <cstddef>
#include <future>
#include <system_error>
#include <vector>

namespace pprofdelta {

/// Calls `work(part, begin, end)` for up to `parts` equal parts of 0 to `count`, the first on this
/// thread and each other one on a thread of its own, and waits for all. Where no thread can be
/// started this one does the work of all.
///
/// If several throw, the exception is that of the first part: what is wrong first is what is
/// thrown, however many parts there are.
template <typename Work>
void in_parts(std::size_t count, std::size_t parts, Work&& work) {
    const std::size_t most = std::max<std::size_t>(1, parts);
    const std::size_t size = std::max<std::size_t>(1, (count + most - 1) / most);
    std::vector<std::future<void>> others;
    others.reserve(most);
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

#endif // PPROFDELTA_SRC_BASE_IN_PARTS_HPP
