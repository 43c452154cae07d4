// SPDX-License-Identifier: Apache-2.0
#include "report_format.hpp"

#include <algorithm>

#include "characters.hpp"
#include "figures.hpp"

namespace pprofdelta::tool {

namespace {

// Exact, so that different names stay different: what cannot be shown is escaped, and so is what
// might be a workflow command. JSON has no bytes that are not UTF-8. Each of them, and of a U+FFFD
// that is there, becomes a U+FFFD with two digits, so that every U+FFFD stands for a byte.
std::string quoted(std::string_view text) {
    std::string result = "\"";
    const auto quote = [&](std::string_view bytes, const character& c) {
        if (c.size == 0 || c.code == 0xfffd) {
            for (const char byte : bytes) {
                result += "\xef\xbf\xbd" + hexadecimal(static_cast<unsigned char>(byte), 2);
            }
        } else if (!is_shown(c.code) || (c.code == '#' && result.back() == '#')) {
            result += "\\u" + hexadecimal(c.code, 4);
        } else {
            result += bytes == "\"" || bytes == "\\" ? "\\" : "";
            result += bytes;
        }
    };
    while (!text.empty()) {
        const character c = first_character(text);
        const std::size_t size = std::max<std::size_t>(c.size, 1);
        quote(text.substr(0, size), c);
        text.remove_prefix(size);
    }
    return result + "\"";
}

std::string members(const value_pair& value) {
    const std::string change = change_text(value.previous, value.current);
    return "\"previous\": " + std::to_string(value.previous) +
           ", \"current\": " + std::to_string(value.current) +
           ", \"change\": " + (change[0] == '+' ? change.substr(1) : change);
}

std::string members(const value_type& type) {
    return "\"type\": " + quoted(type.type) + ", \"unit\": " + quoted(type.unit) + ", ";
}

// Objects on a line each.
std::string array(const std::vector<std::string>& objects) {
    std::string text = "[";
    for (const std::string& object : objects) {
        text += (text.size() == 1 ? "\n    {" : ",\n    {") + object + "}";
    }
    return text + (objects.empty() ? "]" : "\n  ]");
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
    const std::string by = view.normalized_by ? quoted(to_string(*view.normalized_by)) : "null";
    std::vector<std::string> limits;
    for (const judgement& j : view.judgements) {
        limits.push_back("\"limit\": " + quoted(j.limit) + ", " + members(j.type) +
                         members(value_pair{j.previous, j.current}) +
                         ", \"crossed\": " + (j.crossed ? "true" : "false"));
    }
    std::vector<std::string> rows;
    for (std::size_t i = 0; i < std::min(view.top, r.rows.size()); ++i) {
        rows.push_back("\"name\": " + quoted(r.rows[i].name) + ", \"flat\": {" +
                       members(r.rows[i].flat) + "}, \"cumulative\": {" +
                       members(r.rows[i].cumulative) + "}");
    }
    const value_type& type = r.totals[r.type].type;
    return "{\n  \"version\": 1,\n  \"previous\": " + quoted(view.previous) +
           ",\n  \"current\": " + quoted(view.current) + ",\n  \"normalized_by\": " + by +
           ",\n  \"totals\": " + array(totals) + ",\n  \"limits\": " + array(limits) +
           ",\n  \"type\": " + quoted(type.type) + ",\n  \"unit\": " + quoted(type.unit) +
           ",\n  \"by\": " + quoted(to_string(view.by)) + ",\n  \"rows\": " + array(rows) +
           ",\n  \"rows_left_out\": " + std::to_string(r.rows.size() - rows.size()) + "\n}\n";
}

} // namespace pprofdelta::tool
