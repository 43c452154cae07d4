// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_REPORT_REPORT_STACKS_HPP
#define PPROFDELTA_SRC_REPORT_REPORT_STACKS_HPP

#include <cstdint>
#include <limits>
#include <string_view>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/report.hpp>

#include "flame/paired_stacks.hpp"
#include "flame/stack_frames.hpp"
#include "select/location_rows.hpp"

namespace pprofdelta {

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

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_REPORT_REPORT_STACKS_HPP
