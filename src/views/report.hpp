// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_VIEWS_REPORT_HPP
#define PPROFDELTA_SRC_VIEWS_REPORT_HPP

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <pprofdelta/report.hpp>

#include "select/rows.hpp"
#include "select/viewed_profiles.hpp"
#include "views/flame.hpp"

namespace pprofdelta {

/// The totals of a report.
/// @throws error malformed; too_large for one that would not fit 64 bits.
[[nodiscard]] std::vector<report::total> totals_of(viewed_profiles::impl& of);

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

/// As make_report() without stacks, and with what is in `kept` replaced.
[[nodiscard]] report make_report(const viewed_profiles& of, const report_options& options,
                                 report_stacks& kept);

/// What a report in JSON says of a row: a value of one profile, or of two with their difference.
[[nodiscard]] std::string value_members(const value_pair& value, report::content of);

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_VIEWS_REPORT_HPP
