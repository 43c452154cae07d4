// SPDX-License-Identifier: Apache-2.0
#include "compare_format.hpp"

#include <algorithm>

#include "compare_figures.hpp"
#include "figures.hpp"
#include "short_names.hpp"
#include "text_table.hpp"

namespace pprofdelta::tool {

namespace {

text_table table(const compare_options& options, const std::string& name) {
    text_table::figures head{"base", "head", "change"};
    if (options.is_tested) {
        head.insert(head.end(), {"p", "n", "verdict"});
    } else {
        head.emplace_back("n");
    }
    return {head, name};
}

void add(text_table& to, const compared_row& row, const std::string& unit,
         const compare_options& options, const std::string& name) {
    text_table::figures figures{median_text(row.base, unit), median_text(row.head, unit),
                                percent_text(row)};
    if (options.is_tested) {
        figures.insert(figures.end(),
                       {p_text(row.corrected_p), count_text(row), to_string(row.is)});
    } else {
        figures.push_back(count_text(row));
    }
    // A change that may be noise is no news.
    to.add(figures, name, !options.is_tested || row.is_real());
}

std::string family_text(const compare_view& view, const compared_family& family,
                        const std::string& word) {
    const std::string& unit = view.types[view.type].unit;
    const std::size_t shown = std::min(view.top, family.rows.size());
    text_table rows = table(view.options, to_string(view.options.by));
    for (std::size_t i = 0; i < shown; ++i) {
        add(rows, family.rows[i], unit, view.options, family.rows[i].name);
    }
    return "\n" + printable(to_string(view.types[view.type])) + ", " + word + ": " +
           std::to_string(shown) + " of " + std::to_string(family.rows.size()) + "\n" +
           rows.text(view.width, view.has_colors);
}

// As far as they fit.
std::string names_text(const std::vector<std::string>& files) {
    constexpr std::size_t room = 60;
    const std::vector<std::string> ends =
        files.size() == 1 ? short_names({files.front()}, room)
                          : short_names({files.front(), files.back()}, room / 2);
    return ends.front() + (files.size() > 1 ? " \u2026 " + ends.back() : "");
}

std::string side_text(const char* side, const std::vector<std::string>& files) {
    return std::string{side} + ": " + std::to_string(files.size()) +
           (files.size() == 1 ? " capture, " : " captures, ") + names_text(files) + "\n";
}

std::string limit_text(const compare_view& view, const compared_limit& limit) {
    const std::string word = limit.crossed ? "crossed" : "kept";
    return (view.has_colors ? colored(word, limit.crossed) : word) + "  " +
           printable(describe(limit, view.options)) + "\n";
}

// What was done.
std::string method_text(const compare_options& options, std::size_t totals, std::size_t rows) {
    if (!options.is_tested) {
        return "Medians, without a test: what changed may be noise.";
    }
    std::string text = "p: Mann-Whitney U test";
    if (options.corrected != correction::none) {
        text += std::string{", corrected by "} + to_string(options.corrected) + " among " +
                std::to_string(totals) + (totals == 1 ? " total and " : " totals and ") +
                std::to_string(rows) + (rows == 1 ? " row" : " rows");
    }
    return text + ".\ngrew, fell: p is at most " + factor_text(options.alpha) +
           ". same: the change is within " + factor_text(options.min_change * 100) + "%.";
}

} // namespace

std::string notes_below(const compare_view& view) {
    std::string text =
        method_text(view.options, view.totals.questions, view.rows.flat.questions) + "\n";
    if (view.rows.left_out > 0) {
        text += std::to_string(view.rows.left_out) + " rows of less than " + view.least_size_text +
                " left out.\n";
    }
    if (view.too_few) {
        text += "Rows: " + describe(*view.too_few, view.options) + ".\n";
    }
    return text;
}

std::string compare_as_text(const compare_view& view) {
    std::string text = side_text("base", view.base) + side_text("head", view.head);
    if (view.options.normalized_by) {
        text += std::string{"captures normalized by "} + to_string(*view.options.normalized_by) +
                ", to the median of the head\n";
    }
    text_table totals = table(view.options, "total");
    for (std::size_t i = 0; i < view.types.size(); ++i) {
        add(totals, view.totals.rows[i], view.types[i].unit, view.options,
            to_string(view.types[i]));
    }
    text += "\n" + totals.text(view.width, view.has_colors);
    text += family_text(view, view.rows.flat, "flat");
    text += family_text(view, view.rows.cumulative, "cum");
    text += "\n" + notes_below(view);
    if (!view.limits.empty()) {
        text += "\n";
    }
    for (const compared_limit& limit : view.limits) {
        text += limit_text(view, limit);
    }
    return text;
}

} // namespace pprofdelta::tool
