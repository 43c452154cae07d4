// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_REPORT_DELTA_TOTALS_HPP
#define PPROFDELTA_SRC_REPORT_DELTA_TOTALS_HPP

#include <cstdint>
#include <vector>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/report.hpp>

#include "profile/index.hpp"

namespace pprofdelta {

/// The totals, by type, of the two profiles that a delta was made of; 0 for one that is not there.
[[nodiscard]] std::vector<value_pair> totals_of_profiles(const computed_delta& delta);

/// The same of the totals of each of two profiles.
[[nodiscard]] std::vector<value_pair> totals_of_both(const std::vector<std::int64_t>& before,
                                                     const std::vector<std::int64_t>& now);

/// The totals of a report on a delta.
/// @param values  as totals_of_profiles() has them.
/// @param changes the totals of the delta itself.
[[nodiscard]] std::vector<report::total> totals_of_delta(const computed_delta& delta,
                                                         const std::vector<value_pair>& values,
                                                         const std::vector<std::int64_t>& changes);

/// The totals of a report on one profile, of which these are the values.
[[nodiscard]] std::vector<report::total> totals_of_one(const profile_index& index,
                                                       const std::vector<std::int64_t>& values);

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_REPORT_DELTA_TOTALS_HPP
