// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/version.hpp>

namespace pprofdelta {

const char* version() noexcept { return PPROFDELTA_VERSION; }

} // namespace pprofdelta
