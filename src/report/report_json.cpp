// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/report_json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

#include <pprofdelta/json.hpp>

#include "report/value_members.hpp"

namespace pprofdelta {

namespace {

// The difference of both values, which can need one bit more than a value has, unless the change
// is another one, as after a restart.
std::string change_text(const value_pair& value, std::int64_t change) {
    const auto previous = static_cast<std::uint64_t>(value.previous);
    const auto current = static_cast<std::uint64_t>(value.current);
    if (current - previous != static_cast<std::uint64_t>(change)) {
        return std::to_string(change);
    }
    return value.current < value.previous ? "-" + std::to_string(previous - current)
                                          : std::to_string(current - previous);
}

// Six digits are enough to tell what was done.
std::string factor_text(double factor) {
    std::array<char, 32> text{};
    const auto [end, fault] = std::to_chars(text.data(), text.data() + text.size(), factor,
                                            std::chars_format::general, 6);
    return {text.data(), end};
}

// What is not known is null.
std::string members(const value_pair& value, bool has_previous, std::int64_t change,
                    bool has_change) {
    return "\"previous\": " + (has_previous ? std::to_string(value.previous) : "null") +
           ", \"current\": " + std::to_string(value.current) +
           ", \"change\": " + (has_change ? change_text(value, change) : "null");
}

std::string pattern(const std::string& regex) {
    return regex.empty() ? "null" : json_string(regex);
}

std::string more_members(const report_context& context) {
    std::string all;
    for (const auto& [name, value] : context.more) {
        all += ",\n  " + json_string(name) + ": " + value;
    }
    return all;
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

} // namespace

std::string value_members(const value_pair& value, report::content of) {
    const std::uint64_t difference =
        static_cast<std::uint64_t>(value.current) - static_cast<std::uint64_t>(value.previous);
    return of == report::content::comparison
               ? members(value, true, static_cast<std::int64_t>(difference), true)
               : "\"value\": " + std::to_string(value.current);
}

std::string selection_members(const stack_selection& chosen) {
    return ",\n  \"focus\": " + pattern(chosen.focus) +
           ",\n  \"ignore\": " + pattern(chosen.ignore) +
           ",\n  \"labels\": " + json_strings(chosen.labels) +
           ",\n  \"no_labels\": " + json_strings(chosen.no_labels) +
           ",\n  \"hide\": " + pattern(chosen.hide) +
           ",\n  \"show_from\": " + pattern(chosen.show_from) +
           ",\n  \"renames\": " + json_strings(chosen.renames) +
           ",\n  \"label_roots\": " + json_strings(chosen.label_roots);
}

std::string limit_as_json(const judgement& found) { return "{" + limit_members(found) + "}"; }

std::string report_as_json(const report& content, const report_context& context) {
    const report& r = content;
    std::vector<std::string> totals;
    for (const report::total& t : r.totals) {
        totals.push_back(
            type_members(t.type) + members(t.value, t.has_previous, t.change, t.has_change) +
            ", \"per_second\": " + (t.per_second ? json_number(*t.per_second) : "null"));
        if (context.normalized_by) {
            totals.back() += ", \"factor\": " + factor_text(context.factors[totals.size() - 1]);
        }
    }
    const std::string by =
        context.normalized_by ? json_string(to_string(*context.normalized_by)) : "null";
    std::vector<std::string> limits;
    for (const judgement& j : context.judgements) {
        limits.push_back(limit_members(j));
    }
    std::vector<std::string> rows;
    for (std::size_t i = 0; i < std::min(context.top, r.rows.size()); ++i) {
        rows.push_back("\"name\": " + json_string(r.rows[i].name) + ", \"flat\": {" +
                       value_members(r.rows[i].flat, r.of) + "}, \"cum\": {" +
                       value_members(r.rows[i].cum, r.of) + "}");
    }
    const value_type& type = r.totals[r.type].type;
    return "{\n  \"schema\": \"pprofdelta/report/1\",\n  \"version\": 1,\n  \"previous\": " +
           (context.previous.empty() ? "null" : json_string(context.previous)) +
           ",\n  \"current\": " + json_string(context.current) +
           ",\n  \"time_nanos\": " + std::to_string(r.time_nanos) +
           ",\n  \"duration_nanos\": " + std::to_string(r.duration_nanos) +
           ",\n  \"normalized_by\": " + by + ",\n  \"totals\": " + json_array(totals, 4) +
           ",\n  \"limits\": " + json_array(limits, 4) +
           ",\n  \"type\": " + json_string(type.type) + ",\n  \"unit\": " + json_string(type.unit) +
           ",\n  \"by\": " +
           json_string(grouping_text(context.reported.by, context.reported.by_label)) +
           ",\n  \"order\": " + json_string(to_string(context.reported.order)) +
           selection_members(context.reported.selection) + ",\n  \"shown\": {" +
           value_members(r.shown, r.of) + "}" +
           ",\n  \"rows_of\": " + json_string(to_string(r.of)) +
           ",\n  \"rows\": " + json_array(rows, 4) +
           ",\n  \"rows_left_out\": " + std::to_string(r.rows.size() - rows.size()) +
           more_members(context) + "\n}\n";
}

} // namespace pprofdelta
