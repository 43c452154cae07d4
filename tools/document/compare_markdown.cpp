// SPDX-License-Identifier: Apache-2.0
#include "document/compare_format.hpp"

#include <algorithm>

#include "base/short_names.hpp"
#include "document/compare_figures.hpp"
#include "document/markdown.hpp"

namespace pprofdelta::tool {

namespace {

namespace md = markdown;

std::string head_of_table(const compare_options& options, const std::string& name) {
    return "| " + name + " | base | head | " + difference_name(options) +
           (options.is_tested ? " | percent | p | n | verdict |\n"
                                "| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n"
                              : " | percent | n |\n"
                                "| --- | ---: | ---: | ---: | ---: | ---: |\n");
}

std::string line(const compared_row& row, const std::string& unit, const compare_options& options,
                 const std::string& name) {
    std::string text = "| " + md::cell(name) + " | " + median_text(row.base, unit) + " | " +
                       median_text(row.head, unit) + " | " + human_change(row.change, unit) +
                       " | " + percent_text(row) + " | ";
    if (!options.is_tested) {
        return text + count_text(row) + " |";
    }
    const std::string word = to_string(row.is);
    // The name of a tag could follow this.
    const std::string p = p_text(row.corrected_p);
    return text + (p.front() == '<' ? "&lt;" + p.substr(1) : p) + " | " + count_text(row) + " | " +
           (row.is_real() ? "**" + word + "**" : word) + " |";
}

std::vector<std::string> lines_of(const compare_view& view, const value_type& type,
                                  const compared_family& family) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min({view.top, family.rows.size(), md::most_rows}); ++i) {
        names.push_back(family.rows[i].name);
    }
    names = short_names(names, md::longest_name);
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < names.size(); ++i) {
        lines.push_back(line(family.rows[i], type.unit, view.options, names[i]));
    }
    return lines;
}

std::vector<std::string> lines_of_limits(const compare_view& view) {
    std::vector<std::string> lines;
    for (const bool is_crossed : {true, false}) {
        for (const compared_limit& limit : view.limits) {
            if (limit.crossed == is_crossed) {
                lines.push_back((is_crossed ? "- **crossed** " : "- kept ") +
                                md::code_span(md::shortened(describe(limit, view.options))));
            }
        }
    }
    return lines;
}

std::vector<std::string> lines_of_totals(const compare_view& view) {
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < view.types.size(); ++i) {
        lines.push_back(line(view.totals.rows[i], view.types[i].unit, view.options,
                             md::shortened(to_string(view.types[i]))));
    }
    return lines;
}

std::string captures_text(const std::vector<std::string>& files) {
    return std::to_string(files.size()) + (files.size() == 1 ? " capture" : " captures");
}

} // namespace

std::string compare_as_markdown(const compare_view& view) {
    // Each part leaves room for those after it.
    constexpr std::size_t for_totals = md::largest * 5 / 8;
    std::string text;
    const std::vector<std::string> limits = lines_of_limits(view);
    std::size_t left_out = md::add_lines(text, limits, md::largest / 2);
    text += limits.empty() ? "" : "\n";
    text += "base: " + captures_text(view.base) + ", head: " + captures_text(view.head);
    if (view.options.normalized_by) {
        text += std::string{", normalized by "} + to_string(*view.options.normalized_by) +
                " to the median of the head";
    }
    if (const std::string shown = shown_text(view); !shown.empty()) {
        text += "\n\n" + md::code_span(md::shortened(shown));
    }
    text += "\n\n" + head_of_table(view.options, "total");
    left_out += md::add_lines(text, lines_of_totals(view), for_totals);
    const std::string by = to_string(view.options.by);
    constexpr std::size_t for_notes = md::largest / 16;
    const std::size_t tables = 2 * view.shown.size();
    std::size_t table = 0;
    for (const compared_type& shown : view.shown) {
        const value_type& type = view.types[shown.type];
        for (const compared_family* family : {&shown.rows.flat, &shown.rows.cum}) {
            const bool is_flat = family == &shown.rows.flat;
            text += "\n" + md::code_span(md::shortened(to_string(type)));
            text += is_flat ? ", flat by " : ", cum by ";
            text += by + ":\n\n" + head_of_table(view.options, by);
            const std::vector<std::string> lines = lines_of(view, type, *family);
            const std::size_t most =
                for_totals + (md::largest - for_notes - for_totals) * ++table / tables;
            left_out += md::add_lines(text, lines, most) + family->rows.size() - lines.size();
        }
    }
    text += "\n" + notes_below(view);
    return text + (left_out == 0 ? "" : "\nand " + std::to_string(left_out) + " more\n");
}

} // namespace pprofdelta::tool
