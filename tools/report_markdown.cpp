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

// A code span, in which nothing is Markdown, HTML, a link or a mention. Backslashes would not help,
// as GitHub looks for addresses and names of users after it has removed them.
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
    // Blanks at both ends are ignored, and separate fence and content.
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

// Crossed limits come first. If there are many, those that were not crossed can be left out.
std::vector<std::string> limit_lines(const report_view& view) {
    std::vector<std::string> lines;
    for (const bool is_crossed : {true, false}) {
        for (const judgement& j : view.judgements) {
            if (j.crossed == is_crossed) {
                judgement shown = j;
                shown.limit = shortened(j.limit);
                shown.type = {shortened(j.type.type), shortened(j.type.unit)};
                lines.push_back((is_crossed          ? "- **crossed** "
                                 : j.unknown.empty() ? "- kept "
                                                     : "- unknown ") +
                                code_span(describe(shown, view.normalized_by)));
            }
        }
    }
    return lines;
}

std::vector<std::string> total_lines(const report& r) {
    std::vector<std::string> lines;
    for (const report::total& t : r.totals) {
        const std::string& unit = t.type.unit;
        lines.push_back("| " + escaped(shortened(to_string(t.type))) + " | " +
                        (t.has_change ? human_change(t.change, unit) : "") + " | " +
                        (t.has_previous ? human(t.value.previous, unit) : "") + " | " +
                        human(t.value.current, unit) + " | " +
                        (t.has_previous ? percent_text(t.value, t.change) : "") + " |");
    }
    return lines;
}

std::string row_cells(const report& r, const report::row& row) {
    const std::string& unit = r.totals[r.type].type.unit;
    if (r.of == report::content::comparison) {
        return human_change(row.flat, unit) + " | " + human_change(row.cumulative, unit) + " | " +
               cells(row.cumulative, unit);
    }
    const auto cell = [&](std::int64_t value) {
        return (r.of == report::content::delta ? human_change(value, unit) : human(value, unit)) +
               " | " + share_text(value, shares_of(r).current) + " |";
    };
    return cell(row.flat.current) + " " + cell(row.cumulative.current);
}

std::vector<std::string> row_lines(const report_view& view) {
    const std::vector<report::row>& rows = view.content.rows;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min({view.top, rows.size(), most_rows}); ++i) {
        names.push_back(rows[i].name);
    }
    names = short_names(names, longest_name);
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < names.size(); ++i) {
        lines.push_back("| " + escaped(names[i]) + " | " + row_cells(view.content, rows[i]));
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
    const bool compares = r.of == report::content::comparison;
    text += code_span(shortened(to_string(r.totals[r.type].type))) +
            (r.of == report::content::delta ? " in between, by " : " by ") + by + ":\n\n| " + by +
            (compares ? " | flat | cum | previous | current | percent |\n"
                        "| --- | ---: | ---: | ---: | ---: | ---: |\n"
                      : " | flat | flat% | cum | cum% |\n| --- | ---: | ---: | ---: | ---: |\n");
    left_out += add(text, rows, largest) + r.rows.size() - rows.size();
    return text + (left_out == 0 ? "" : "\nand " + std::to_string(left_out) + " more\n");
}

} // namespace pprofdelta::tool
