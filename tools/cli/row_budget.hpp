// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_CLI_ROW_BUDGET_HPP
#define PPROFDELTA_TOOLS_CLI_ROW_BUDGET_HPP

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace pprofdelta::tool {

/// The output with the first rows only, as many as fit: whole ones, and what comes before them.
/// @param max_bytes of the output; 0 for no limit.
/// @param make      the output with at most so many rows in each table; nothing for all of them.
///                  More rows never make it shorter by much.
/// @throws usage_failure if it does not fit without any row.
/// Cost: that of as many outputs as `max_bytes` has bits, none of much more than that.
[[nodiscard]] std::string
fitted(std::size_t max_bytes,
       const std::function<std::string(std::optional<std::size_t> most_rows)>& make);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_CLI_ROW_BUDGET_HPP
