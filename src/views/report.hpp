// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <pprofdelta/report.hpp>

#include "select/viewed_profiles.hpp"
#include "views/flame.hpp"

namespace pprofdelta {

/// The totals of a report.
/// @throws error malformed; too_large for one that would not fit 64 bits.
[[nodiscard]] std::vector<report::total> totals_of(viewed_profiles::impl& views);

/// Works like make_report() without stacks, and replaces what is in `kept`.
/// @param deepest is that of stack_set.
[[nodiscard]] report make_report(const viewed_profiles& profiles, const report_options& options,
                                 std::uint32_t deepest, viewed_stacks& kept);

} // namespace pprofdelta
