// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_CLI_SELECTION_OPTIONS_HPP
#define PPROFDELTA_TOOLS_CLI_SELECTION_OPTIONS_HPP

#include <optional>
#include <string>
#include <vector>

#include <pprofdelta/merge.hpp>
#include <pprofdelta/report.hpp>

#include "cli/command_options.hpp"

// Which samples count, and what rows are.
namespace pprofdelta::tool {

/// `--by`, what a row is, with the key of a label.
void add_grouping(command_options& options, grouping& by, std::string& label_key);
/// The same for a fleet, where no grouping stands for services.
void add_fleet_grouping(command_options& options, std::optional<grouping>& by,
                        std::string& label_key);
/// `--focus` and `--ignore`.
void add_stack_filters(command_options& options, std::string& focus, std::string& ignore);
/// `--label` and `--no-label`.
void add_label_filters(command_options& options, std::vector<std::string>& labels,
                       std::vector<std::string>& no_labels);
/// All of a selection.
void add_selection(command_options& options, stack_selection& chosen);
/// @throws usage_failure for one that cannot be.
void check_selection_options(const stack_selection& chosen);

/// `--keep-type` and `--drop-label`.
void add_types_and_labels(command_options& options, trim_options& trim);
/// @throws usage_failure for labels that cannot be.
void check_dropped_labels(const trim_options& trim);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_CLI_SELECTION_OPTIONS_HPP
