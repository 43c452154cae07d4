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

std::string json_of(const row_budget& budget) {
    return "{\"max_bytes\": " + std::to_string(budget.max_bytes) +
           ", \"most_rows\": " + (budget.most_rows ? std::to_string(*budget.most_rows) : "null") +
           ", \"option\": \"--max-bytes\"}";
}

std::string budget_member(const std::optional<row_budget>& budget) {
    return budget ? ",\n  \"budget\": " + json_of(*budget) : "";
}

std::string interval_members(const std::optional<interval>& within) {
    return within
               ? "\"low\": " + json_number(within->low) + ", \"high\": " + json_number(within->high)
               : "\"low\": null, \"high\": null";
}

} // namespace pprofdelta::tool
