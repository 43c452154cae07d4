// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_VIEWS_REPORT_HPP
#define PPROFDELTA_SRC_VIEWS_REPORT_HPP

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/report.hpp>

#include "profile/index.hpp"
#include "select/rows.hpp"
#include "views/flame.hpp"

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

/// The stacks behind the rows of a report, as far as filters leave them, with the values of its
/// sample type. Those whose values are zero on both sides are there, too.
struct report_stacks {
    explicit report_stacks(std::size_t type)
        : stacks{{type}, std::numeric_limits<std::uint32_t>::max() - 1} {}

    row_names names;
    paired_stacks stacks;
    std::uint32_t no_stack = 0; ///< The row of samples without one.

    [[nodiscard]] stack_frames frames(std::uint32_t stack) const {
        return {stacks.stacks(), no_stack, stack};
    }
};

// As make_report() without stacks, and with what is in `kept` replaced.
[[nodiscard]] report make_report(std::string_view previous, std::string_view current,
                                 const report_options& options, report_stacks& kept);
[[nodiscard]] report make_report(const computed_delta& delta, const report_options& options,
                                 report_stacks& kept);
[[nodiscard]] report make_report(std::string_view profile, const report_options& options,
                                 report_stacks& kept);

/// What a report in JSON says of a row: a value of one profile, or of two with their difference.
[[nodiscard]] std::string value_members(const value_pair& value, report::content of);

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_VIEWS_REPORT_HPP
