// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_COMMANDS_HPP
#define PPROFDELTA_TOOLS_COMMANDS_HPP

#include "failure.hpp"
#include "options.hpp"

namespace pprofdelta::tool {

/// Writes the delta of two profiles.
/// @returns limit_crossed if a limit was, and done otherwise.
/// @throws failure
[[nodiscard]] exit_status run_delta(const options& chosen);

/// Writes the delta of a profile and a saved state, and replaces the state.
/// @throws failure
void run_state_delta(const options& chosen);

/// Prints what a saved state is of.
/// @throws failure
void run_state_info(const options& chosen);

/// Prints the sample types of profiles.
/// @throws failure
void run_list_types(const options& chosen);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_COMMANDS_HPP
