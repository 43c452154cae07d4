// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pprofdelta/value_type.hpp>

namespace pprofdelta {

/// The kind of a type, by the table of what producers are known to write.
/// @param has_duration whether the profile has a duration of its own. What it counted is then of
///                     that, also under the name of a counter, as in deltas.
[[nodiscard]] value_kind kind_of(const value_type& type, const value_type& period_type,
                                 bool has_duration) noexcept;

} // namespace pprofdelta
