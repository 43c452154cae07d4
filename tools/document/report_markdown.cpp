// SPDX-License-Identifier: Apache-2.0
#include "document/report_format.hpp"

#include <algorithm>

#include "base/figures.hpp"
#include "base/short_names.hpp"
#include "document/markdown.hpp"
#include "document/report_figures.hpp"

namespace pprofdelta::tool {

namespace {

namespace md = markdown;

// The head of a table, and the line below it.
std::string head_of(const report_figures& figures, const std::string& name) {
    std::string head = "| " + name + " |";
    std::string line = "| --- |";
    for (const report_figures::column& column : figures.columns) {
        head += " " + column.group + (column.group.empty() ? "" : " ") + column.head + " |";
        line += " ---: |";
    }
    return head + "\n" + line + "\n";
}

std::string line_of(const std::string& name, const std::vector<std::string>& figures) {
    std::string line = "| " + md::cell(name) + " |";
    for (const std::string& figure : figures) {
        line += " " + figure + " |";
    }
    return line;
}

// Crossed limits come first. If there are many, those that were not crossed can be left out.
std::vector<std::string> limit_lines(const report_view& view) {
    std::vector<std::string> lines;
    for (const bool is_crossed : {true, false}) {
        for (const judgement& j : view.judgements) {
            if (j.crossed == is_crossed) {
                judgement shown = j;
                shown.limit = md::shortened(j.limit);
                shown.type = {md::shortened(j.type.type), md::shortened(j.type.unit)};
                lines.push_back((is_crossed          ? "- **crossed** "
                                 : j.unknown.empty() ? "- kept "
                                                     : "- unknown ") +
                                md::code_span(describe(shown, view.normalized_by)));
            }
        }
    }
    return lines;
}

std::vector<std::string> total_lines(const report& r, const report_figures& figures) {
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < figures.rows.size(); ++i) {
        lines.push_back(line_of(md::shortened(to_string(r.totals[i].type)), figures.rows[i]));
    }
    return lines;
}

std::vector<std::string> row_lines(const report& r, const report_figures& figures) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < figures.rows.size(); ++i) {
        names.push_back(r.rows[i].name);
    }
    names = short_names(names, md::longest_name);
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < names.size(); ++i) {
        lines.push_back(line_of(names[i], figures.rows[i]));
    }
    return lines;
}

} // namespace

std::string report_as_markdown(const report_view& view) {
    const report& r = view.content;
    const std::string by = to_string(view.reported.by);
    const std::vector<std::string> limits = limit_lines(view);
    const report_figures totals = figures_of_totals(view);
    const report_figures figures =
        figures_of_rows(view, std::min({view.top, r.rows.size(), md::most_rows}));
    const std::vector<std::string> rows = row_lines(r, figures);
    // Neither of the first two can take all the room.
    std::string text;
    std::size_t left_out = md::add_lines(text, limits, md::largest / 2);
    text += limits.empty() ? "" : "\n";
    if (view.normalized_by) {
        text += md::code_span(md::shortened(view.normalization_text)) + "\n\n";
    }
    if (const std::string interval = interval_text(r.time_nanos, r.duration_nanos);
        !interval.empty()) {
        text += interval + "\n\n";
    }
    text += head_of(totals, "total");
    left_out += md::add_lines(text, total_lines(r, totals), md::largest * 3 / 4);
    text += "\n";
    if (!view.filter_text.empty()) {
        text += md::code_span(md::shortened(view.filter_text)) + "\n\n";
    }
    text += md::code_span(md::shortened(to_string(r.totals[r.type].type))) +
            (r.of == report::content::delta ? " in between, by " : " by ") + by + ":\n\n" +
            head_of(figures, by);
    left_out += md::add_lines(text, rows, md::largest) + r.rows.size() - rows.size();
    return text + (left_out == 0 ? "" : "\nand " + std::to_string(left_out) + " more\n");
}

} // namespace pprofdelta::tool
