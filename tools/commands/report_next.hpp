// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_COMMANDS_REPORT_NEXT_HPP
#define PPROFDELTA_TOOLS_COMMANDS_REPORT_NEXT_HPP

#include <string>
#include <vector>

#include <pprofdelta/report.hpp>

#include "cli/call_options.hpp"
#include "cli/next_commands.hpp"

namespace pprofdelta::tool {

/// A report that was made, and how.
struct past_report {
    const report& content;
    const report_options& reported;
    const call_options& calls;
    const std::vector<std::string>& options; ///< As they were given.
    const std::vector<std::string>& files;
};

/// The reports that answer what its first row makes one ask, with the views that it does not have.
[[nodiscard]] command_list after_report(const past_report& past);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_COMMANDS_REPORT_NEXT_HPP
