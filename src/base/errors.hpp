// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

#include <pprofdelta/error.hpp>

namespace pprofdelta {

/// @throws error invalid_argument, always.
[[noreturn]] inline void refuse(const std::string& what) {
    throw error{error_kind::invalid_argument, what};
}

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
