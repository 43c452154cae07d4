// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_BASE_JSON_HPP
#define PPROFDELTA_TOOLS_BASE_JSON_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <pprofdelta/json.hpp>
#include <pprofdelta/statistics.hpp>

namespace pprofdelta::tool {

/// Command lines for programs that read an output, each as its words.
using command_list = std::vector<std::vector<std::string>>;

/// What an output may take, and how many rows of each table found room then.
struct row_budget {
    std::size_t max_bytes = 0;
    std::optional<std::size_t> most_rows{}; ///< Nothing for all that were asked for.
};

/// An object, with the option that sets it.
[[nodiscard]] std::string json_of(const row_budget& budget);
/// The member "budget" on a line of its own, and a comma before it; empty without one.
[[nodiscard]] std::string budget_member(const std::optional<row_budget>& budget);

/// An array of arrays, on one line.
[[nodiscard]] std::string json_commands(const command_list& commands);

/// The members "low" and "high", which are null without an interval.
[[nodiscard]] std::string interval_members(const std::optional<interval>& within);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_BASE_JSON_HPP
