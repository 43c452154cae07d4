// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_SELECT_SAMPLE_TYPE_HPP
#define PPROFDELTA_SRC_SELECT_SAMPLE_TYPE_HPP

#include <cstddef>
#include <vector>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/report.hpp>

#include "profile/index.hpp"

namespace pprofdelta {

/// The place of the sample type to report on: the one asked for, else the default one of the
/// profile, else the last one.
/// @throws error incompatible unless there is one type to report on, and one alone.
[[nodiscard]] std::size_t choose_type(const profile_index& index, const report_options& options);

/// Finds the place of a type among several.
/// @throws error incompatible unless there is one type like that, and one alone.
[[nodiscard]] std::size_t find_type(const value_type_pattern& pattern,
                                    const std::vector<value_type>& types);

/// The cumulative type that tells most of a delta: the last one in bytes, else the last one.
/// types.size() if none is cumulative.
[[nodiscard]] std::size_t main_cumulative_type(const std::vector<type_treatment>& types);

/// The type for a report on one profile, as make_report() says.
[[nodiscard]] std::size_t choose_type_of_one(const profile_index& index,
                                             const report_options& options);

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_SELECT_SAMPLE_TYPE_HPP
