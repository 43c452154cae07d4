// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_DELTA_INFO_OF_HPP
#define PPROFDELTA_SRC_DELTA_INFO_OF_HPP

#include <pprofdelta/info.hpp>

#include "profile/index.hpp"

namespace pprofdelta {

/// read_profile_info() of a profile of which types and strings are indexed, at least. O(mappings)
[[nodiscard]] profile_info info_of(const profile_index& index, const delta_options& options = {});

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_DELTA_INFO_OF_HPP
