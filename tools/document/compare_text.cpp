// SPDX-License-Identifier: Apache-2.0
#include "document/compare_format.hpp"

#include <algorithm>

#include "base/figures.hpp"
#include "base/short_names.hpp"
#include "document/compare_figures.hpp"
#include "document/text_table.hpp"

namespace pprofdelta::tool {

namespace {

text_table table(const compare_options& options, const std::string& name) {
    text_table::figures head{"base", "head", difference_name(options)};
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

std::string family_text(const compare_view& view, const value_type& type,
                        const compared_family& family, const std::string& word) {
    const std::size_t shown = std::min(view.top, family.rows.size());
    text_table rows = table(view.options, to_string(view.options.by));
    for (std::size_t i = 0; i < shown; ++i) {
        add(rows, family.rows[i], type.unit, view.options, family.rows[i].name);
    }
    return "\n" + printable(to_string(type)) + ", " + word + ": " + std::to_string(shown) + " of " +
           std::to_string(family.rows.size()) + "\n" + rows.text(view.width, view.has_colors);
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

// " 17 rows"; of several types, in the order of their tables, ", by type, 17 and 15 rows".
std::string questions_text(const compare_view& view) {
    std::string text;
    for (const compared_type& shown : view.shown) {
        const bool is_last = &shown == &view.shown.back();
        text += (text.empty() ? ""
                 : is_last    ? " and "
                              : ", ") +
                std::to_string(shown.rows.flat.questions);
    }
    return (view.shown.size() == 1 ? " " : ", by type, ") + text + (text == "1" ? " row" : " rows");
}

// What was done.
std::string method_text(const compare_view& view) {
    const compare_options& options = view.options;
    if (!options.is_tested) {
        return "Medians, without a test: what changed may be noise.";
    }
    const std::size_t totals = view.totals.questions;
    std::string text = "p: Mann-Whitney U test";
    if (options.corrected != correction::none) {
        text += std::string{", corrected by "} + to_string(options.corrected) + " among " +
                std::to_string(totals) + (totals == 1 ? " total" : " totals") + " and" +
                questions_text(view);
    }
    return text +
           ".\nshift: the median of all differences between a head and a base.\n"
           "grew, fell: p is at most " +
           factor_text(options.alpha) + ". same: the shift is within " +
           factor_text(options.min_change * 100) + "%.";
}

} // namespace

std::string shown_text(const compare_view& view) {
    if (view.types.size() == 1 || view.shown.front().why.empty()) {
        return {};
    }
    std::string text;
    for (const compared_type& shown : view.shown) {
        text += (text.empty() ? "rows: " : ", ") + to_string(view.types[shown.type]) + " (" +
                shown.why + ")";
    }
    return text + (view.shown.size() == view.types.size() ? "" : "; --sample-type has others");
}

std::string notes_below(const compare_view& view) {
    std::string text = method_text(view) + "\n";
    std::size_t left_out = 0;
    std::optional<too_few_captures> worst;
    for (const compared_type& shown : view.shown) {
        left_out += shown.rows.left_out;
        if (shown.too_few && (!worst || shown.too_few->enough > worst->enough)) {
            worst = shown.too_few;
        }
    }
    if (left_out > 0) {
        text += std::to_string(left_out) + " rows of less than " + view.least_size_text +
                " left out.\n";
    }
    if (worst) {
        text += "Rows: " + describe(*worst, view.options) + ".\n";
    }
    return text;
}

std::string compare_as_text(const compare_view& view) {
    std::string text = side_text("base", view.base) + side_text("head", view.head);
    if (view.options.normalized_by) {
        text += std::string{"captures normalized by "} + to_string(*view.options.normalized_by) +
                ", to the median of the head\n";
    }
    if (const std::string shown = shown_text(view); !shown.empty()) {
        text += printable(shown) + "\n";
    }
    text_table totals = table(view.options, "total");
    for (std::size_t i = 0; i < view.types.size(); ++i) {
        add(totals, view.totals.rows[i], view.types[i].unit, view.options,
            to_string(view.types[i]));
    }
    text += "\n" + totals.text(view.width, view.has_colors);
    for (const compared_type& shown : view.shown) {
        const value_type& type = view.types[shown.type];
        text += family_text(view, type, shown.rows.flat, "flat");
        text += family_text(view, type, shown.rows.cum, "cum");
    }
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
