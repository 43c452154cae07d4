// SPDX-License-Identifier: Apache-2.0
#include "document/compare_format.hpp"

#include <algorithm>

#include "base/figures.hpp"
#include "base/selection_text.hpp"
#include "document/capture_figures.hpp"
#include "document/compare_figures.hpp"
#include "document/document.hpp"

namespace pprofdelta::tool {

namespace {

std::vector<table::column> columns_of(const compare_options& options) {
    const std::string difference = difference_name(options);
    std::vector<table::column> columns{{"base"},
                                       {"head"},
                                       {.head = difference, .shown = table::place::markdown},
                                       {.head = "percent", .shown = table::place::markdown},
                                       {.head = difference, .shown = table::place::text}};
    if (options.is_tested) {
        columns.push_back({"p"});
    }
    columns.push_back({"n"});
    if (options.is_tested) {
        columns.push_back({.head = "verdict", .cells = table::kind::verdict});
    }
    return columns;
}

table::row row_of(const compared_row& row, const value_type& type, const compare_options& options,
                  const std::string& name) {
    const std::string percent = percent_text(row);
    std::vector<std::string> cells{median_text(row.base, type.unit),
                                   median_text(row.head, type.unit),
                                   human_change(row.change, type.unit), percent, percent};
    if (options.is_tested) {
        cells.push_back(p_text(row.corrected_p));
    }
    cells.push_back(count_text(row));
    if (options.is_tested) {
        cells.emplace_back(to_string(row.is));
    }
    // A change that may be noise is no news.
    return {name, cells, !options.is_tested || row.is_real()};
}

table totals_of(const compare_view& view) {
    table totals{"total", columns_of(view.options)};
    for (std::size_t i = 0; i < view.types.size(); ++i) {
        totals.rows.push_back(
            row_of(view.totals.rows[i], view.types[i], view.options, to_string(view.types[i])));
    }
    return totals;
}

table rows_of(const compare_view& view, const value_type& type,
              const std::vector<compared_row>& rows, std::size_t most) {
    table shown{grouping_text(view.options.by, view.options.by_label), columns_of(view.options)};
    for (std::size_t i = 0; i < std::min(most, rows.size()); ++i) {
        shown.rows.push_back(row_of(rows[i], type, view.options, rows[i].name));
    }
    return shown;
}

document::note side_note(const char* side, const std::vector<std::string>& files) {
    return {std::string{side} + ": " + std::to_string(files.size()) +
                (files.size() == 1 ? " capture, " : " captures, ") + ends_text(files),
            true};
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
    std::string text = "p: Mann-Whitney U test" + correction_text(options.corrected, totals);
    if (options.corrected != correction::none) {
        text += (totals == 1 ? " total and" : " totals and") + questions_text(view);
    }
    return text +
           ".\nshift: the median of all differences between a head and a base.\n"
           "grew, fell: p is at most " +
           factor_text(options.alpha) + ". same: the shift is within " +
           factor_text(options.min_change * 100) + "%.";
}

document document_of(const compare_view& view, std::size_t most_rows) {
    document all{.notes = {side_note("base", view.base), side_note("head", view.head)},
                 .totals = totals_of(view),
                 .notes_below = notes_below(view)};
    if (view.options.normalized_by) {
        all.notes.push_back({std::string{"captures normalized by "} +
                             to_string(*view.options.normalized_by) +
                             ", to the median of the head"});
    }
    if (const std::string chosen = selection_note(view.options.selection); !chosen.empty()) {
        all.notes.push_back({chosen, true});
    }
    if (const std::string shown = shown_text(view); !shown.empty()) {
        all.notes.push_back({shown, true});
    }
    for (const compared_type& shown : view.shown) {
        const value_type& type = view.types[shown.type];
        for (const auto& [what, family] :
             {std::pair{", flat", &shown.rows.flat}, std::pair{", cum", &shown.rows.cum}}) {
            all.types.push_back({.type = to_string(type),
                                 .what = what,
                                 .rows = rows_of(view, type, family->rows, most_rows),
                                 .all = family->rows.size()});
        }
    }
    for (const compared_limit& limit : view.limits) {
        all.limits.push_back({describe(limit, view.options),
                              limit.crossed ? document::judged::crossed : document::judged::kept});
    }
    return all;
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
    text += left_out_text(left_out, view.least_size_text);
    if (worst) {
        text += "Rows: " + describe(*worst, view.options) + ".\n";
    }
    return text;
}

std::string compare_as_text(const compare_view& view) {
    return as_text(document_of(view, view.top), view.width, view.has_colors);
}

std::string compare_as_markdown(const compare_view& view) {
    return as_markdown(document_of(view, std::min(view.top, most_rows_of_markdown)));
}

} // namespace pprofdelta::tool
