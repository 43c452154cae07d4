// SPDX-License-Identifier: Apache-2.0
#include "report_format.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "figures.hpp"
#include "json.hpp"

namespace pprofdelta::tool {

namespace {

std::string plain_change(const value_pair& value, std::int64_t change) {
    const std::string text = change_text(value, change);
    return text[0] == '+' ? text.substr(1) : text;
}

// What is not known is null.
std::string members(const value_pair& value, bool has_previous, std::int64_t change,
                    bool has_change) {
    return "\"previous\": " + (has_previous ? std::to_string(value.previous) : "null") +
           ", \"current\": " + std::to_string(value.current) +
           ", \"change\": " + (has_change ? plain_change(value, change) : "null");
}

// Of a row: a value of one profile, or of two with their difference.
std::string members(const value_pair& value, report::content of) {
    const std::uint64_t difference =
        static_cast<std::uint64_t>(value.current) - static_cast<std::uint64_t>(value.previous);
    return of == report::content::comparison
               ? members(value, true, static_cast<std::int64_t>(difference), true)
               : "\"value\": " + std::to_string(value.current);
}

std::string pattern(const std::string& regex) {
    return regex.empty() ? "null" : json_string(regex);
}

} // namespace

const char* content_word(report::content of) {
    switch (of) {
    case report::content::comparison:
        return "comparison";
    case report::content::delta:
        return "delta";
    case report::content::profile:
        break;
    }
    return "profile";
}

std::string limit_members(const judgement& j) {
    std::string functions;
    for (const judgement::function& f : j.functions) {
        functions += (functions.empty() ? "{" : ", {") + ("\"name\": " + json_string(f.name)) +
                     ", " + members(f.value, j.has_previous, f.change, j.has_change) + "}";
    }
    return "\"limit\": " + json_string(j.limit) + ", " + type_members(j.type) +
           members({j.previous, j.current}, j.has_previous, j.change, j.has_change) +
           ", \"crossed\": " + (j.crossed ? "true" : "false") +
           (j.unknown.empty() ? "" : ", \"unknown\": " + json_string(j.unknown)) +
           (functions.empty() ? "" : ", \"functions\": [" + functions + "]");
}

std::string report_as_json(const report_view& view) {
    const report& r = view.content;
    std::vector<std::string> totals;
    for (const report::total& t : r.totals) {
        totals.push_back(type_members(t.type) +
                         members(t.value, t.has_previous, t.change, t.has_change));
        if (view.normalized_by) {
            totals.back() += ", \"factor\": " + factor_text(view.factors[totals.size() - 1]);
        }
    }
    const std::string by =
        view.normalized_by ? json_string(to_string(*view.normalized_by)) : "null";
    std::vector<std::string> limits;
    for (const judgement& j : view.judgements) {
        limits.push_back(limit_members(j));
    }
    std::vector<std::string> rows;
    for (std::size_t i = 0; i < std::min(view.top, r.rows.size()); ++i) {
        rows.push_back("\"name\": " + json_string(r.rows[i].name) + ", \"flat\": {" +
                       members(r.rows[i].flat, r.of) + "}, \"cumulative\": {" +
                       members(r.rows[i].cumulative, r.of) + "}");
    }
    const value_type& type = r.totals[r.type].type;
    return "{\n  \"version\": 1,\n  \"previous\": " +
           (view.previous.empty() ? "null" : json_string(view.previous)) +
           ",\n  \"current\": " + json_string(view.current) + ",\n  \"normalized_by\": " + by +
           ",\n  \"totals\": " + json_array(totals, 4) +
           ",\n  \"limits\": " + json_array(limits, 4) +
           ",\n  \"type\": " + json_string(type.type) + ",\n  \"unit\": " + json_string(type.unit) +
           ",\n  \"by\": " + json_string(to_string(view.reported.by)) +
           ",\n  \"order\": " + json_string(to_string(view.reported.order)) +
           ",\n  \"focus\": " + pattern(view.reported.focus) +
           ",\n  \"ignore\": " + pattern(view.reported.ignore) + ",\n  \"shown\": {" +
           members(r.shown, r.of) + "}" + ",\n  \"rows_of\": " + json_string(content_word(r.of)) +
           ",\n  \"rows\": " + json_array(rows, 4) +
           ",\n  \"rows_left_out\": " + std::to_string(r.rows.size() - rows.size()) + "\n}\n";
}

} // namespace pprofdelta::tool
