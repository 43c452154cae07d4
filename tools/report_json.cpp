// SPDX-License-Identifier: Apache-2.0
#include "report_format.hpp"

#include <algorithm>

#include "figures.hpp"
#include "json.hpp"

namespace pprofdelta::tool {

namespace {

std::string members(const value_pair& value) {
    const std::string change = change_text(value.previous, value.current);
    return "\"previous\": " + std::to_string(value.previous) +
           ", \"current\": " + std::to_string(value.current) +
           ", \"change\": " + (change[0] == '+' ? change.substr(1) : change);
}

std::string members(const value_type& type) {
    return "\"type\": " + json_string(type.type) + ", \"unit\": " + json_string(type.unit) + ", ";
}

std::string pattern(const std::string& regex) {
    return regex.empty() ? "null" : json_string(regex);
}

} // namespace

std::string report_as_json(const report_view& view) {
    const report& r = view.content;
    std::vector<std::string> totals;
    for (const auto& [type, value] : r.totals) {
        totals.push_back(members(type) + members(value));
        if (view.normalized_by) {
            totals.back() += ", \"factor\": " + factor_text(view.factors[totals.size() - 1]);
        }
    }
    const std::string by =
        view.normalized_by ? json_string(to_string(*view.normalized_by)) : "null";
    std::vector<std::string> limits;
    for (const judgement& j : view.judgements) {
        limits.push_back("\"limit\": " + json_string(j.limit) + ", " + members(j.type) +
                         members(value_pair{j.previous, j.current}) +
                         ", \"crossed\": " + (j.crossed ? "true" : "false"));
    }
    std::vector<std::string> rows;
    for (std::size_t i = 0; i < std::min(view.top, r.rows.size()); ++i) {
        rows.push_back("\"name\": " + json_string(r.rows[i].name) + ", \"flat\": {" +
                       members(r.rows[i].flat) + "}, \"cumulative\": {" +
                       members(r.rows[i].cumulative) + "}");
    }
    const value_type& type = r.totals[r.type].type;
    return "{\n  \"version\": 1,\n  \"previous\": " + json_string(view.previous) +
           ",\n  \"current\": " + json_string(view.current) + ",\n  \"normalized_by\": " + by +
           ",\n  \"totals\": " + json_array(totals, 4) +
           ",\n  \"limits\": " + json_array(limits, 4) +
           ",\n  \"type\": " + json_string(type.type) + ",\n  \"unit\": " + json_string(type.unit) +
           ",\n  \"by\": " + json_string(to_string(view.reported.by)) +
           ",\n  \"order\": " + json_string(to_string(view.reported.order)) +
           ",\n  \"focus\": " + pattern(view.reported.focus) +
           ",\n  \"ignore\": " + pattern(view.reported.ignore) + ",\n  \"shown\": {" +
           members(r.shown) + "}" + ",\n  \"rows\": " + json_array(rows, 4) +
           ",\n  \"rows_left_out\": " + std::to_string(r.rows.size() - rows.size()) + "\n}\n";
}

} // namespace pprofdelta::tool
