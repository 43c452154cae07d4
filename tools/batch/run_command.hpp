// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace pprofdelta::tool {

/// The largest number of commands that run at a time.
inline constexpr unsigned most_commands = 1024;

/// How a command ended.
struct command_end {
    std::optional<int> status{}; ///< None if it was not started, or ended by a signal.
    std::string fault{};         ///< The fault, for people; empty for the status 0.
};

/// Runs a command without a shell and waits for its end. Its standard input is empty; what it
/// prints on both streams goes nowhere, but for the last line, which a fault has. It has a process
/// group of its own, so what it starts ends with it if it takes too long, and what is typed at the
/// terminal does not reach it. Safe for several threads, up to most_commands.
/// @param words       the command, which is looked for as a shell does, and its arguments.
/// @param environment consists of variables NAME=VALUE, all that it has.
[[nodiscard]] command_end run_command(const std::vector<std::string>& words,
                                      const std::vector<std::string>& environment,
                                      std::chrono::duration<double> timeout);

/// Ends all that run_command() waits for, as nobody would see to it that they end in time once this
/// process has ended. A command that is being started at this very moment may be missed. Safe in a
/// signal handler.
void end_commands() noexcept;

} // namespace pprofdelta::tool
