// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_SELECT_SAMPLE_TYPE_HPP
#define PPROFDELTA_SRC_SELECT_SAMPLE_TYPE_HPP

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/report.hpp>

#include "profile/index.hpp"

namespace pprofdelta {

/// Which of the two profiles a value is of.
using side_of_pair = std::int64_t value_pair::*;

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

/// The two profiles that a comparison is made of.
struct compared_profiles {
    /// The bytes must outlive this.
    /// @throws error malformed, too_large, incompatible.
    compared_profiles(std::string_view previous, std::string_view current);

    profile_index before;
    profile_index now;
};

/// The type for a report on a delta, as make_report() says. Reads stacks if the totals do not tell
/// what changed: those of the delta, and without a counter that changed those of both profiles.
/// @param index of the delta.
/// @throws error as make_report().
[[nodiscard]] std::size_t choose_type_of_delta(const computed_delta& delta,
                                               const profile_index& index,
                                               const report_options& options);

/// The type for a report on two profiles, as make_report() says. Reads the stacks of both if the
/// totals do not tell whether the default type changed.
/// @throws error as make_report().
[[nodiscard]] std::size_t choose_type_of_two(const compared_profiles& profiles,
                                             const report_options& options);

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_SELECT_SAMPLE_TYPE_HPP
