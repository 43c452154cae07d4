// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_BASE_SELECTION_TEXT_HPP
#define PPROFDELTA_TOOLS_BASE_SELECTION_TEXT_HPP

#include <string>

#include <pprofdelta/report.hpp>

namespace pprofdelta::tool {

/// What rows are, of all of them: "functions", "values of label:tenant".
[[nodiscard]] std::string groupings_text(grouping by, const std::string& label_key);

/// What leaves samples or frames out: "focus X, no-label tenant=a, hide malloc". Empty if nothing
/// does.
[[nodiscard]] std::string selection_text(const stack_selection& chosen);

/// All that is chosen, also what changes names and adds frames: "selection: focus X, rename a=b,
/// label-root tenant". Empty if stacks are as they stand in the profiles.
[[nodiscard]] std::string selection_note(const stack_selection& chosen);

/// What is left of what there is: "focus X, ignore Y: previous 1MiB of 4MiB (25.00%), current 1MiB
/// of 2MiB (50.00%)". Empty if nothing leaves samples or frames out.
[[nodiscard]] std::string filter_text(const report_options& options, const std::string& unit,
                                      report::content of, const value_pair& shown,
                                      const value_pair& total);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_BASE_SELECTION_TEXT_HPP
