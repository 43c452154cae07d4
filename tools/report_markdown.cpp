// SPDX-License-Identifier: Apache-2.0
#include "report_format.hpp"

#include <algorithm>

#include "figures.hpp"
#include "markdown.hpp"
#include "short_names.hpp"

namespace pprofdelta::tool {

namespace {

namespace md = markdown;

std::string cells(const value_pair& value, const std::string& unit) {
    return human(value.previous, unit) + " | " + human(value.current, unit) + " | " +
           percent_text(value.previous, value.current) + " |";
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

std::vector<std::string> total_lines(const report& r) {
    std::vector<std::string> lines;
    for (const report::total& t : r.totals) {
        const std::string& unit = t.type.unit;
        lines.push_back("| " + md::cell(md::shortened(to_string(t.type))) + " | " +
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
    for (std::size_t i = 0; i < std::min({view.top, rows.size(), md::most_rows}); ++i) {
        names.push_back(rows[i].name);
    }
    names = short_names(names, md::longest_name);
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < names.size(); ++i) {
        lines.push_back("| " + md::cell(names[i]) + " | " + row_cells(view.content, rows[i]));
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
    std::size_t left_out = md::add_lines(text, limits, md::largest / 2);
    text += limits.empty() ? "" : "\n";
    if (view.normalized_by) {
        text += md::code_span(md::shortened(view.normalization_text)) + "\n\n";
    }
    text += "| total | change | previous | current | percent |\n"
            "| --- | ---: | ---: | ---: | ---: |\n";
    left_out += md::add_lines(text, total_lines(r), md::largest * 3 / 4);
    text += "\n";
    if (!view.filter_text.empty()) {
        text += md::code_span(md::shortened(view.filter_text)) + "\n\n";
    }
    const bool compares = r.of == report::content::comparison;
    text += md::code_span(md::shortened(to_string(r.totals[r.type].type))) +
            (r.of == report::content::delta ? " in between, by " : " by ") + by + ":\n\n| " + by +
            (compares ? " | flat | cum | previous | current | percent |\n"
                        "| --- | ---: | ---: | ---: | ---: | ---: |\n"
                      : " | flat | flat% | cum | cum% |\n| --- | ---: | ---: | ---: | ---: |\n");
    left_out += md::add_lines(text, rows, md::largest) + r.rows.size() - rows.size();
    return text + (left_out == 0 ? "" : "\nand " + std::to_string(left_out) + " more\n");
}

} // namespace pprofdelta::tool
