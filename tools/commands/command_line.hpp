// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_COMMANDS_COMMAND_LINE_HPP
#define PPROFDELTA_TOOLS_COMMANDS_COMMAND_LINE_HPP

#include <optional>
#include <variant>

#include "commands/batch.hpp"
#include "commands/compare.hpp"
#include "commands/delta.hpp"
#include "commands/export.hpp"
#include "commands/info.hpp"
#include "commands/merge.hpp"
#include "commands/report.hpp"
#include "commands/top.hpp"
#include "commands/trend.hpp"

namespace pprofdelta::tool {

/// A job of the program, with its options.
using command =
    std::variant<delta_command, report_command, compare_command, trend_command, merge_command,
                 batch_command, top_command, export_command, info_command>;

/// Reads the command line. Returns no value if there is nothing more to do, as --help or --version
/// was answered on standard output.
/// @throws failure usage; io if the answer cannot be written.
[[nodiscard]] std::optional<command> parse_command_line(int argc, char** argv);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_COMMANDS_COMMAND_LINE_HPP
