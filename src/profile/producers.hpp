// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <pprofdelta/info.hpp>
#include <pprofdelta/value_type.hpp>

#include "profile/index.hpp"

namespace pprofdelta {

/// The kind of a type, by the table of what producers are known to write.
/// @param has_duration whether the profile has a duration of its own. A count is then of that
///                     duration, also under the name of a counter, as in deltas.
[[nodiscard]] value_kind kind_of(const value_type& type, const value_type& period_type,
                                 bool has_duration) noexcept;

/// The comment of a profile that was a text with counters of this form, by which form_of() knows
/// it; empty for usual ones.
[[nodiscard]] std::string_view comment_on(counter_form form) noexcept;

/// @param index needs types and strings, at least.
[[nodiscard]] counter_form form_of(const profile_index& index);

} // namespace pprofdelta
