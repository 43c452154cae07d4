// SPDX-License-Identifier: Apache-2.0
#include "document/trend_format.hpp"

#include <algorithm>

#include "base/short_names.hpp"
#include "document/compare_figures.hpp"
#include "document/markdown.hpp"
#include "document/trend_figures.hpp"

namespace pprofdelta::tool {

namespace {

namespace md = markdown;

std::string head_of_table(const std::string& name) {
    return "| " + name +
           " | first | last | per hour | share | p | verdict | trend |\n"
           "| --- | ---: | ---: | ---: | ---: | ---: | --- | --- |\n";
}

std::string line(const trend_view& view, const trend_row& row, const std::string& name) {
    // The name of a tag could follow this.
    const std::string p = p_text(row.corrected_p);
    const std::string word = verdict_text(view, row);
    return "| " + md::cell(name) + " | " + value_text(view, row.first()) + " | " +
           value_text(view, row.last()) + " | " + slope_text(view, row) + " | " + share_text(row) +
           " | " + (p.front() == '<' ? "&lt;" + p.substr(1) : p) + " | " +
           (row.is == trend_verdict::grows ? "**" + word + "**" : word) + " | " + sparkline(row) +
           " |";
}

std::vector<std::string> lines_of(const trend_view& view, const std::vector<trend_row>& rows) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min({view.top, rows.size(), md::most_rows}); ++i) {
        names.push_back(rows[i].name);
    }
    names = short_names(names, md::longest_name);
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < names.size(); ++i) {
        lines.push_back(line(view, rows[i], names[i]));
    }
    return lines;
}

std::vector<std::string> lines_of_limits(const trend_view& view) {
    std::vector<std::string> lines;
    for (const bool is_crossed : {true, false}) {
        for (const trend_limit& limit : view.limits) {
            if (limit.crossed == is_crossed) {
                lines.push_back((is_crossed ? "- **crossed** " : "- kept ") +
                                md::code_span(md::shortened(describe(view, limit))));
            }
        }
    }
    return lines;
}

} // namespace

std::string trend_as_markdown(const trend_view& view) {
    // Each part leaves room for those after it.
    std::string text;
    const std::vector<std::string> limits = lines_of_limits(view);
    std::size_t left_out = md::add_lines(text, limits, md::largest / 2);
    text += limits.empty() ? "" : "\n";
    const std::string by = to_string(view.options.by);
    text += md::code_span(captures_text(view).substr(0, captures_text(view).size() - 1)) + "\n\n" +
            head_of_table("total") +
            line(view, view.rows.total, md::shortened(to_string(view.type))) + "\n";
    std::size_t most = md::largest * 3 / 4;
    for (const std::vector<trend_row>* rows : {&view.rows.flat, &view.rows.cum}) {
        text += rows == &view.rows.flat ? "\nflat by " : "\ncum by ";
        text += by + ":\n\n" + head_of_table(by);
        const std::vector<std::string> lines = lines_of(view, *rows);
        left_out += md::add_lines(text, lines, most) + rows->size() - lines.size();
        most = md::largest * 15 / 16;
    }
    text += "\n" + notes_below(view);
    return text + (left_out == 0 ? "" : "\nand " + std::to_string(left_out) + " more\n");
}

} // namespace pprofdelta::tool
