// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_CLI_CALL_OPTIONS_HPP
#define PPROFDELTA_TOOLS_CLI_CALL_OPTIONS_HPP

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include <pprofdelta/calls.hpp>

#include "cli/command_options.hpp"
#include "document/report_format.hpp"

namespace pprofdelta::tool {

inline constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

/// What is asked for of the stacks behind a report, or a comparison.
struct call_options {
    std::string callers; ///< Regular expressions; empty for none.
    std::string callees;
    bool tree = false;
    std::uint32_t depth = call_tree_limits{}.deepest; ///< Of the tree.
    std::uint32_t paths = 0;

    [[nodiscard]] bool are_asked() const noexcept {
        return !callers.empty() || !callees.empty() || tree || paths != 0;
    }
};

/// `--callers`, `--callees`, `--tree`, `--depth` and `--paths`, under a heading of their own.
void add_calls(command_options& options, call_options& chosen);
/// @throws usage_failure
void check_calls(const call_options& chosen);

/// What is shown of stacks.
/// @param stacks must outlive what is returned.
/// @param top    at most so many functions, and edges of each.
/// @param most   the same, and so many paths and levels of a tree, which lacks what is less than
/// one
///               of so many equal parts. It is for outputs that have little room.
[[nodiscard]] call_views views_of(const call_options& chosen, const call_stacks& stacks,
                                  std::int64_t top, std::size_t most = no_limit);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_CLI_CALL_OPTIONS_HPP
