// SPDX-License-Identifier: Apache-2.0
#include "compare_format.hpp"

#include <algorithm>

#include "json.hpp"

namespace pprofdelta::tool {

namespace {

std::string members(const compared_values& side) {
    return "{\"median\": " + json_number(side.median) + ", " + interval_members(side.within) +
           ", \"values\": " + json_numbers(side.values) + "}";
}

// What was not tested is null.
std::string members(const compared_row& row, const compare_options& options) {
    const bool is_tested = options.is_tested;
    return "\"base\": " + members(row.base) + ", \"head\": " + members(row.head) +
           ", \"change\": " + json_number(row.change) + ", " + interval_members(row.within) +
           ", \"u\": " + (is_tested ? json_number(row.u) : "null") +
           ", \"p\": " + (is_tested ? json_number(row.p) : "null") +
           ", \"p_corrected\": " + (is_tested ? json_number(row.corrected_p) : "null") +
           ", \"verdict\": " + (is_tested ? json_string(to_string(row.is)) : "null");
}

std::string array(const compare_view& view, const compared_family& family) {
    std::vector<std::string> rows;
    for (std::size_t i = 0; i < std::min(view.top, family.rows.size()); ++i) {
        rows.push_back("\"name\": " + json_string(family.rows[i].name) + ", " +
                       members(family.rows[i], view.options));
    }
    return json_array(rows, 4);
}

} // namespace

std::string limit_members(const compared_limit& limit, const compare_options& options) {
    std::string functions;
    for (const compared_row& row : limit.functions) {
        functions += (functions.empty() ? "{" : ", {") + ("\"name\": " + json_string(row.name)) +
                     ", " + members(row, options) + "}";
    }
    return "\"limit\": " + json_string(limit.limit) + ", " + type_members(limit.type) +
           members(limit.row, options) + ", \"crossed\": " + (limit.crossed ? "true" : "false") +
           (functions.empty() ? "" : ", \"functions\": [" + functions + "]");
}

std::string compare_as_json(const compare_view& view) {
    const compare_options& options = view.options;
    std::vector<std::string> totals;
    for (std::size_t i = 0; i < view.types.size(); ++i) {
        totals.push_back(type_members(view.types[i]) + members(view.totals.rows[i], options));
    }
    std::vector<std::string> limits;
    for (const compared_limit& limit : view.limits) {
        limits.push_back(limit_members(limit, options));
    }
    const std::size_t shown = std::min(view.top, view.rows.flat.rows.size()) +
                              std::min(view.top, view.rows.cumulative.rows.size());
    const std::size_t all = view.rows.flat.rows.size() + view.rows.cumulative.rows.size();
    const value_type& type = view.types[view.type];
    return std::string{"{\n  \"version\": 1,\n  \"tested\": "} +
           (options.is_tested ? "true" : "false") +
           ",\n  \"alpha\": " + json_number(options.alpha) +
           ",\n  \"correction\": " + json_string(to_string(options.corrected)) +
           ",\n  \"min_change\": " + json_number(options.min_change) +
           ",\n  \"base\": " + json_strings(view.base) +
           ",\n  \"head\": " + json_strings(view.head) + ",\n  \"normalized_by\": " +
           (options.normalized_by ? json_string(to_string(*options.normalized_by)) : "null") +
           ",\n  \"total_questions\": " + std::to_string(view.totals.questions) +
           ",\n  \"totals\": " + json_array(totals, 4) +
           ",\n  \"limits\": " + json_array(limits, 4) +
           ",\n  \"type\": " + json_string(type.type) + ",\n  \"unit\": " + json_string(type.unit) +
           ",\n  \"by\": " + json_string(to_string(options.by)) +
           ",\n  \"questions\": " + std::to_string(view.rows.flat.questions) +
           ",\n  \"flat\": " + array(view, view.rows.flat) +
           ",\n  \"cumulative\": " + array(view, view.rows.cumulative) +
           ",\n  \"rows_left_out\": " + std::to_string(all - shown) +
           ",\n  \"small_rows_left_out\": " + std::to_string(view.rows.left_out) + "\n}\n";
}

} // namespace pprofdelta::tool
