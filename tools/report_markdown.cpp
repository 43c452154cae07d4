// SPDX-License-Identifier: Apache-2.0
#include "report_format.hpp"

#include <algorithm>

#include "figures.hpp"
#include "short_names.hpp"

namespace pprofdelta::tool {

namespace {

constexpr std::size_t longest_name = 200;
constexpr std::size_t largest = 64U * 1024 - 200; // leaves room for the last line

// What Markdown or HTML would make something of is escaped.
std::string escaped(const std::string& text) {
    std::string result;
    for (const char c : printable(text)) {
        if (c == '<') {
            result += "&lt;";
        } else if (c == '&') {
            result += "&amp;";
        } else {
            result += std::string_view{"\\`*_{}[]()#+-!|>~@:"}.find(c) == std::string_view::npos
                          ? ""
                          : "\\";
            result += c;
        }
    }
    return result;
}

std::string cells(const value_pair& value, const std::string& unit) {
    return human(value.previous, unit) + " | " + human(value.current, unit) + " | " +
           percent_text(value.previous, value.current) + " |";
}

} // namespace

std::string report_as_markdown(const report_view& view) {
    const report& r = view.content;
    const value_type& type = r.totals[r.type].type;
    std::vector<std::string> lines;
    for (const judgement& j : view.judgements) {
        lines.push_back((j.crossed ? "- **crossed** " : "- kept ") +
                        escaped(describe(j, view.normalized_by)));
    }
    if (!lines.empty()) {
        lines.emplace_back();
    }
    if (view.normalized_by) {
        lines.push_back(escaped(view.normalization_text));
        lines.emplace_back();
    }
    lines.emplace_back("| total | change | previous | current | percent |");
    lines.emplace_back("| --- | ---: | ---: | ---: | ---: |");
    for (const auto& [name, value] : r.totals) {
        lines.push_back("| " + escaped(to_string(name)) + " | " + human_change(value, name.unit) +
                        " | " + cells(value, name.unit));
    }
    lines.emplace_back();
    lines.push_back(escaped(to_string(type)) + " by " + to_string(view.by) + ":");
    lines.emplace_back();
    lines.push_back(std::string{"| "} + to_string(view.by) +
                    " | flat | cum | previous | current | percent |");
    lines.emplace_back("| --- | ---: | ---: | ---: | ---: | ---: |");
    std::vector<std::string> names;
    const std::size_t shown = std::min(view.top, r.rows.size());
    for (std::size_t i = 0; i < shown; ++i) {
        names.push_back(r.rows[i].name);
    }
    names = short_names(names, longest_name);
    for (std::size_t i = 0; i < shown; ++i) {
        lines.push_back("| " + escaped(names[i]) + " | " + human_change(r.rows[i].flat, type.unit) +
                        " | " + human_change(r.rows[i].cumulative, type.unit) + " | " +
                        cells(r.rows[i].cumulative, type.unit));
    }

    std::string text;
    std::size_t written = 0;
    while (written < lines.size() && text.size() + lines[written].size() < largest) {
        text += lines[written++] + "\n";
    }
    if (const std::size_t rest = r.rows.size() - shown + lines.size() - written; rest != 0) {
        text += "\nand " + std::to_string(rest) + " more\n";
    }
    return text;
}

} // namespace pprofdelta::tool
