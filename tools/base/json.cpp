// SPDX-License-Identifier: Apache-2.0
#include "base/json.hpp"

namespace pprofdelta::tool {

std::string json_commands(const command_list& commands) {
    std::string all;
    for (const std::vector<std::string>& words : commands) {
        all += (all.empty() ? "" : ", ") + json_strings(words);
    }
    return "[" + all + "]";
}

std::string interval_members(const std::optional<interval>& within) {
    return within
               ? "\"low\": " + json_number(within->low) + ", \"high\": " + json_number(within->high)
               : "\"low\": null, \"high\": null";
}

} // namespace pprofdelta::tool
