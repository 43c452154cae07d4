// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pprofdelta/visibility.hpp>

namespace PPROFDELTA_PUBLIC pprofdelta {

/// Returns the library's version, "MAJOR.MINOR.PATCH"; a string with static lifetime.
[[nodiscard]] const char* version() noexcept;

} // namespace pprofdelta
