// SPDX-License-Identifier: Apache-2.0
#include "report_format.hpp"

#include <algorithm>

#include "figures.hpp"
#include "short_names.hpp"

namespace pprofdelta::tool {

namespace {

constexpr std::size_t longest_name = 200;         // in characters
constexpr std::size_t largest = 64U * 1024 - 200; // leaves room for the last line
constexpr std::size_t most_rows = largest / 24;   // no row has fewer bytes

// A code span, as nothing in it is Markdown, HTML, a link, or a mention of someone: GitHub looks
// for addresses and names of users after it has taken away backslashes, so those would not help.
std::string code_span(const std::string& text) {
    const std::string shown = printable(text);
    if (shown.empty()) {
        return {};
    }
    std::size_t longest = 0;
    std::size_t length = 0;
    for (const char c : shown) {
        length = c == '`' ? length + 1 : 0;
        longest = std::max(longest, length);
    }
    const std::string fence(longest + 1, '`');
    // A blank at both ends does not count, and keeps fence and content apart.
    const bool is_apart = shown.front() == '`' || shown.back() == '`' ||
                          (shown.front() == ' ' && shown.back() == ' ');
    const char* const apart = is_apart ? " " : "";
    return fence + apart + shown + apart + fence;
}

// For a cell of a table: a bar would end it, even in a code span. Its backslash is taken away
// before anything else is read, whatever stands before it.
std::string escaped(const std::string& text) {
    std::string result;
    for (const char c : code_span(text)) {
        result += c == '|' ? "\\" : "";
        result += c;
    }
    return result;
}

std::string shortened(const std::string& name) {
    return tool::shortened(printable(name), longest_name);
}

std::string cells(const value_pair& value, const std::string& unit) {
    return human(value.previous, unit) + " | " + human(value.current, unit) + " | " +
           percent_text(value.previous, value.current) + " |";
}

// Adds lines until there are `most` bytes.
// @returns how many there was no room for.
std::size_t add(std::string& text, const std::vector<std::string>& lines, std::size_t most) {
    std::size_t added = 0;
    while (added < lines.size() && text.size() + lines[added].size() < most) {
        text += lines[added++] + "\n";
    }
    return lines.size() - added;
}

// Those that were crossed first: of many, those that are kept can be left out.
std::vector<std::string> limit_lines(const report_view& view) {
    std::vector<std::string> lines;
    for (const bool is_crossed : {true, false}) {
        for (const judgement& j : view.judgements) {
            if (j.crossed == is_crossed) {
                judgement shown = j;
                shown.limit = shortened(j.limit);
                shown.type = {shortened(j.type.type), shortened(j.type.unit)};
                lines.push_back((is_crossed ? "- **crossed** " : "- kept ") +
                                code_span(describe(shown, view.normalized_by)));
            }
        }
    }
    return lines;
}

std::vector<std::string> total_lines(const report& r) {
    std::vector<std::string> lines;
    for (const auto& [type, value] : r.totals) {
        lines.push_back("| " + escaped(shortened(to_string(type))) + " | " +
                        human_change(value, type.unit) + " | " + cells(value, type.unit));
    }
    return lines;
}

std::vector<std::string> row_lines(const report_view& view) {
    const std::vector<report::row>& rows = view.content.rows;
    const std::string& unit = view.content.totals[view.content.type].type.unit;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min({view.top, rows.size(), most_rows}); ++i) {
        names.push_back(rows[i].name);
    }
    names = short_names(names, longest_name);
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < names.size(); ++i) {
        lines.push_back("| " + escaped(names[i]) + " | " + human_change(rows[i].flat, unit) +
                        " | " + human_change(rows[i].cumulative, unit) + " | " +
                        cells(rows[i].cumulative, unit));
    }
    return lines;
}

} // namespace

std::string report_as_markdown(const report_view& view) {
    const report& r = view.content;
    const std::string by = to_string(view.reported.by);
    const std::vector<std::string> limits = limit_lines(view);
    const std::vector<std::string> rows = row_lines(view);
    // Neither of the first two can take all the room.
    std::string text;
    std::size_t left_out = add(text, limits, largest / 2);
    text += limits.empty() ? "" : "\n";
    if (view.normalized_by) {
        text += code_span(shortened(view.normalization_text)) + "\n\n";
    }
    text += "| total | change | previous | current | percent |\n"
            "| --- | ---: | ---: | ---: | ---: |\n";
    left_out += add(text, total_lines(r), largest * 3 / 4);
    text += "\n";
    if (!view.filter_text.empty()) {
        text += code_span(shortened(view.filter_text)) + "\n\n";
    }
    text += code_span(shortened(to_string(r.totals[r.type].type))) + " by " + by + ":\n\n| " + by +
            " | flat | cum | previous | current | percent |\n" +
            "| --- | ---: | ---: | ---: | ---: | ---: |\n";
    left_out += add(text, rows, largest) + r.rows.size() - rows.size();
    return text + (left_out == 0 ? "" : "\nand " + std::to_string(left_out) + " more\n");
}

} // namespace pprofdelta::tool
