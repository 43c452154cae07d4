// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_VERSION_HPP
#define PPROFDELTA_VERSION_HPP

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

/// Returns the library's version, "MAJOR.MINOR.PATCH"; a string with static lifetime.
[[nodiscard]] const char* version() noexcept;

} // namespace pprofdelta

#pragma GCC visibility pop

#endif // PPROFDELTA_VERSION_HPP
