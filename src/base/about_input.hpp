// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_BASE_ABOUT_INPUT_HPP
#define PPROFDELTA_SRC_BASE_ABOUT_INPUT_HPP

#include <utility>

#include <pprofdelta/error.hpp>

namespace pprofdelta {

/// Returns what `work()` returns. An error that leaves it is about `input`, unless it knows better.
template <typename Work>
auto about_input(error_input input, Work&& work) {
    try {
        return std::forward<Work>(work)();
    } catch (error& e) {
        e.set_input(input);
        throw;
    }
}

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_BASE_ABOUT_INPUT_HPP
