// SPDX-License-Identifier: Apache-2.0
#pragma once

// Example:
//
//     std::cout << "pprofdelta " << version() << '\n';

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

/// Returns the library's version, "MAJOR.MINOR.PATCH"; a string with static lifetime.
[[nodiscard]] const char* version() noexcept;

} // namespace pprofdelta

#pragma GCC visibility pop
