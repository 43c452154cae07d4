// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_BESIDE_HPP
#define PPROFDELTA_TOOLS_BESIDE_HPP

#include <future>
#include <system_error>

namespace pprofdelta::tool {

/// Does `work` on a thread of its own, or, if no thread can be started, when its result is
/// requested. An exception comes with the result. The future waits for the work when it is
/// destroyed.
template <typename Work>
auto beside(Work work) {
    try {
        return std::async(std::launch::async, work);
    } catch (const std::system_error&) {
        return std::async(std::launch::deferred, work);
    }
}

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_BESIDE_HPP
