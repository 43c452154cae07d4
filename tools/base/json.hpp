// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_BASE_JSON_HPP
#define PPROFDELTA_TOOLS_BASE_JSON_HPP

#include <optional>
#include <string>
#include <vector>

#include <pprofdelta/json.hpp>
#include <pprofdelta/statistics.hpp>

namespace pprofdelta::tool {

/// Command lines for programs that read an output, each as its words.
using command_list = std::vector<std::vector<std::string>>;

/// An array of arrays, on one line.
[[nodiscard]] std::string json_commands(const command_list& commands);

/// The members "low" and "high", which are null without an interval.
[[nodiscard]] std::string interval_members(const std::optional<interval>& within);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_BASE_JSON_HPP
