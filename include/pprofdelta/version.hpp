// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_VERSION_HPP
#define PPROFDELTA_VERSION_HPP

#include <pprofdelta/export.hpp>

namespace pprofdelta PPROFDELTA_EXPORT {

/// The library's version, "MAJOR.MINOR.PATCH"; a string with static lifetime.
[[nodiscard]] const char* version() noexcept;

} // namespace pprofdelta

#endif // PPROFDELTA_VERSION_HPP
