// SPDX-License-Identifier: Apache-2.0
#include "document/report_page.hpp"

#include <algorithm>

#include "base/json.hpp"
#include "base/short_names.hpp"
#include "base/value_text.hpp"
#include "document/html_page.hpp"
#include "document/report_format.hpp"

namespace pprofdelta::tool {

namespace {

std::string total_json(const report::total& total) {
    return "{\"previous\":" + page_number(total.value.previous, total.has_previous) +
           ",\"current\":" + page_number(total.value.current) +
           ",\"change\":" + page_number(total.change, total.has_change) +
           ",\"per_second\":" + (total.per_second ? json_number(*total.per_second) : "null") + "}";
}

std::string row_json(const report::row& row, page_names& names) {
    return "[" + names.number(row.name) + "," + page_number(row.flat.previous) + "," +
           page_number(row.flat.current) + "," + page_number(row.cum.previous) + "," +
           page_number(row.cum.current) + "]";
}

// Members that a part has as the whole does.
std::string stacks_json(const overview::type& type, page_names& names) {
    std::vector<std::string> rows;
    for (std::size_t i = 0; i < std::min(type.rows.size(), page_parts_limits.most_rows); ++i) {
        rows.push_back(row_json(type.rows[i], names));
    }
    return "\"rows\":" + page_array(rows) + ",\"rows_left_out\":" +
           std::to_string(type.rows.size() - rows.size() + type.rows_left_out) +
           ",\"tree\":" + page_tree(type.stacks, names, false) + "}";
}

std::string type_json(const overview::type& type, page_names& names) {
    return "{" + page_type(type.total.type, type.total.is_cumulative, to_string(type.of)) +
           "\"total\":" + total_json(type.total) + "," + stacks_json(type, names);
}

std::string part_json(const overview::part& part, page_names& names) {
    std::vector<std::string> types;
    for (const overview::type& type : part.types) {
        types.push_back("{" + stacks_json(type, names));
    }
    return "{\"label\":" + page_text(part.key + "=" + part.text) +
           ",\"types\":" + page_array(types) + "}";
}

} // namespace

void add_limits(const std::vector<judgement>& judgements, std::optional<normalization> by,
                page_head& head) {
    for (const judgement& j : judgements) {
        head.limits.push_back({describe(j, by), j.crossed           ? "crossed"
                                                : j.unknown.empty() ? "kept"
                                                                    : "unjudged"});
    }
}

std::string report_page_data(page_head head, const overview& contents) {
    page_names names;
    std::vector<std::string> types;
    for (const overview::type& type : contents.types) {
        types.push_back(type_json(type, names));
    }
    std::vector<std::string> parts;
    for (const overview::part& part : contents.parts) {
        parts.push_back(part_json(part, names));
    }
    head.type = contents.chosen;
    return page_data(
        head, types, names,
        ",\"places\":" + names.places_json(contents.places) +
            (parts.empty() ? ""
                           : ",\"parts\":" + page_array(parts) +
                                 ",\"parts_left_out\":" + std::to_string(contents.parts_left_out)));
}

std::string report_as_page(const page_head& head, const overview& contents,
                           const std::string& text) {
    return html_page(
        {.title = printable(head.title), .json = report_page_data(head, contents), .text = text});
}

} // namespace pprofdelta::tool
