// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_COMMAND_LINE_HPP
#define PPROFDELTA_TOOLS_COMMAND_LINE_HPP

#include <optional>

#include "options.hpp"

namespace pprofdelta::tool {

/// Reads the command line. Without a value there is nothing more to do: --help or --version was
/// answered on standard output.
/// @throws failure usage
[[nodiscard]] std::optional<options> parse_command_line(int argc, char** argv);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_COMMAND_LINE_HPP
