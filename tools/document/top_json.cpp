// SPDX-License-Identifier: Apache-2.0
#include "document/top_format.hpp"

#include <algorithm>

#include <pprofdelta/report_json.hpp>

#include "base/json.hpp"
#include "base/value_text.hpp"

namespace pprofdelta::tool {

namespace {

std::string members(const fleet_row& row) {
    const bool is_tested = tested_p(row).has_value();
    return "\"now\": " + json_number(row.now) + ", \"before\": " + json_number(row.before) +
           ", \"change\": " + json_number(row.change()) +
           ", \"p\": " + (is_tested ? json_number(row.test.p) : "null") +
           ", \"p_corrected\": " + (is_tested ? json_number(row.test.corrected_p) : "null") +
           ", \"verdict\": " + json_string(verdict_text(row));
}

std::string row_members(const top_view& view, const fleet_row& row) {
    std::string text = "\"name\": " + json_string(row.name) + ", " + members(row);
    if (!view.options.is_one) {
        const std::size_t shown = std::min(view.functions, row.rows.size());
        std::string rows;
        for (std::size_t i = 0; i < shown; ++i) {
            rows += (i == 0 ? "{" : ", {") + ("\"name\": " + json_string(row.rows[i].name)) + ", " +
                    members(row.rows[i]) + "}";
        }
        text += ", \"rows\": [" + rows +
                "], \"rows_left_out\": " + std::to_string(row.all_rows - shown);
    }
    return text;
}

std::string members(const top_view& view, const fleet_table& table) {
    std::vector<std::string> rows;
    for (std::size_t i = 0; i < std::min(view.top, table.rows.size()); ++i) {
        rows.push_back(row_members(view, table.rows[i]));
    }
    return type_members(table.type) + "\"rate\": " + (table.is_rate ? "true" : "false") +
           ", \"slots\": " + std::to_string(table.slots_now) +
           ", \"slots_before\": " + std::to_string(table.slots_before) +
           ", \"questions\": " + std::to_string(table.questions) + ", \"total\": {" +
           members(table.total) + "}, \"rows\": " + json_array(rows, 8) +
           ", \"rows_left_out\": " + std::to_string(table.rows.size() - rows.size()) +
           ", \"small_rows_left_out\": " + std::to_string(table.left_out);
}

std::string time_members(std::int64_t begin, std::int64_t end) {
    return R"({"begin": )" + json_string(time_text(begin)) +
           ", \"end\": " + json_string(time_text(end)) + "}";
}

} // namespace

std::string top_as_json(const top_view& view) {
    const fleet_options& options = view.options;
    std::vector<std::string> tables;
    for (const fleet_table& each : view.tables) {
        tables.push_back(members(view, each));
    }
    return "{\n  \"schema\": \"pprofdelta/top/1\",\n  \"version\": 1,\n  \"from\": " +
           json_string(view.from) +
           ",\n  \"against\": " + (view.against.empty() ? "null" : json_string(view.against)) +
           ",\n  \"now\": " + time_members(options.begin_nanos, options.end_nanos) +
           ",\n  \"before\": " +
           time_members(options.begin_nanos - options.ago_nanos,
                        options.end_nanos - options.ago_nanos) +
           ",\n  \"services\": " + std::to_string(view.services) +
           ",\n  \"deltas\": " + std::to_string(view.counts.now) +
           ",\n  \"deltas_before\": " + std::to_string(view.counts.before) +
           ",\n  \"of_another_time\": " + std::to_string(view.counts.elsewhere) +
           ",\n  \"of_other_types\": " + std::to_string(view.counts.of_other_types) +
           ",\n  \"without_duration\": " + std::to_string(view.counts.without_duration) +
           ",\n  \"bad\": " + std::to_string(view.bad) +
           ",\n  \"alpha\": " + json_number(options.alpha) +
           ",\n  \"min_change\": " + json_number(options.min_change) +
           ",\n  \"by\": " + json_string(what_rows_are(view)) +
           ",\n  \"cum\": " + (options.by_cum ? "true" : "false") +
           selection_members(options.selection) + ",\n  \"tables\": " + json_array(tables, 4) +
           budget_member(view.budget) + ",\n  \"next\": " + json_commands(view.next) + "\n}\n";
}

} // namespace pprofdelta::tool
