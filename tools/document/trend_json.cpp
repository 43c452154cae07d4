// SPDX-License-Identifier: Apache-2.0
#include "document/trend_format.hpp"

#include <algorithm>

#include <pprofdelta/report_json.hpp>

#include "base/json.hpp"
#include "base/value_text.hpp"

namespace pprofdelta::tool {

namespace {

std::string members(const trend_row& row, const trend_view& view) {
    const bool steps = row.is == trend_verdict::steps;
    return "\"first\": " + json_number(row.first()) + ", \"last\": " + json_number(row.last()) +
           ", \"per_hour\": " + json_number(row.slope.value) + ", " +
           interval_members(row.slope.within) + ", \"growth\": " + json_number(row.growth) +
           ", \"share\": " + (row.share ? json_number(*row.share) : "null") +
           ", \"s\": " + json_number(row.s) + ", \"p\": " + json_number(row.p) +
           ", \"p_corrected\": " + json_number(row.corrected_p) +
           ", \"verdict\": " + json_string(to_string(row.is)) +
           ", \"step\": " + (steps ? std::to_string(view.places[row.step]) : "null") +
           ", \"before\": " + (steps ? json_number(row.before) : "null") +
           ", \"after\": " + (steps ? json_number(row.after) : "null") +
           ", \"through\": " + (row.through ? json_string(row.through->name) : "null") +
           ", \"values\": " + json_numbers(row.values);
}

std::string array(const trend_view& view, const std::vector<trend_row>& all) {
    std::vector<std::string> rows;
    for (std::size_t i = 0; i < std::min(view.top, all.size()); ++i) {
        rows.push_back("\"name\": " + json_string(all[i].name) + ", " + members(all[i], view));
    }
    return json_array(rows, 4);
}

} // namespace

std::string limit_members(const trend_limit& limit, const trend_view& view) {
    std::string functions;
    for (const trend_row& row : limit.functions) {
        functions += (functions.empty() ? "{" : ", {") + ("\"name\": " + json_string(row.name)) +
                     ", " + members(row, view) + "}";
    }
    return "\"limit\": " + json_string(limit.limit) + ", " + type_members(limit.type) +
           members(limit.row, view) + ", \"crossed\": " + (limit.crossed ? "true" : "false") +
           (functions.empty() ? "" : ", \"functions\": [" + functions + "]");
}

std::string trend_as_json(const trend_view& view) {
    const trend_options& options = view.options;
    std::vector<std::string> captures;
    for (std::size_t i = 0; i < view.captures.size(); ++i) {
        const trend_capture& c = view.captures[i];
        const std::string time = time_text(c.time_nanos);
        captures.push_back("\"name\": " + json_string(view.files[i]) +
                           ", \"time\": " + (time.empty() ? "null" : json_string(time)) +
                           ", \"hours\": " + json_number(c.hours) +
                           ", \"run\": " + std::to_string(c.run));
    }
    std::vector<double> places(view.places.begin(), view.places.end());
    std::vector<std::string> limits;
    for (const trend_limit& limit : view.limits) {
        limits.push_back(limit_members(limit, view));
    }
    const trend_rows& rows = view.rows;
    const std::size_t shown =
        std::min(view.top, rows.flat.size()) + std::min(view.top, rows.cum.size());
    return "{\n  \"schema\": \"pprofdelta/trend/1\",\n  \"version\": 1,\n  \"alpha\": " +
           json_number(options.alpha) +
           ",\n  \"correction\": " + json_string(to_string(options.corrected)) +
           ",\n  \"min_change\": " + json_number(options.min_change) +
           ",\n  \"captures\": " + json_array(captures, 4) +
           ",\n  \"type\": " + json_string(view.type.type) +
           ",\n  \"unit\": " + json_string(view.type.unit) +
           ",\n  \"rate\": " + (view.is_rate ? "true" : "false") +
           ",\n  \"values_of\": " + json_numbers(places) + ",\n  \"total\": {" +
           members(rows.total, view) + "}" + ",\n  \"limits\": " + json_array(limits, 4) +
           ",\n  \"by\": " + json_string(grouping_text(options.by, options.by_label)) +
           selection_members(options.selection) +
           ",\n  \"questions\": " + std::to_string(rows.questions) +
           ",\n  \"flat\": " + array(view, rows.flat) + ",\n  \"cum\": " + array(view, rows.cum) +
           ",\n  \"rows_left_out\": " + std::to_string(rows.flat.size() + rows.cum.size() - shown) +
           ",\n  \"small_rows_left_out\": " + std::to_string(rows.left_out) +
           budget_member(view.budget) + ",\n  \"next\": " + json_commands(view.next) + "\n}\n";
}

} // namespace pprofdelta::tool
