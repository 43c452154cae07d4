// SPDX-License-Identifier: Apache-2.0
#include "document/compare_format.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/selection_text.hpp"
#include "base/short_names.hpp"
#include "base/value_text.hpp"
#include "document/capture_cells.hpp"
#include "document/compare_cells.hpp"
#include "document/compare_outlines.hpp"
#include "document/document.hpp"

namespace pprofdelta::tool {

namespace {

table totals_of(const compare_view& view) {
    table totals{"total", compare_columns(view.options)};
    for (std::size_t i = 0; i < view.types.size(); ++i) {
        totals.rows.push_back(compare_row(view.totals.rows[i], view.types[i], view.options,
                                          to_string(view.types[i])));
    }
    return totals;
}

table rows_of(const compare_view& view, const value_type& type,
              const std::vector<compared_row>& rows, std::size_t most) {
    table shown{grouping_text(view.options.by, view.options.by_label),
                compare_columns(view.options)};
    for (std::size_t i = 0; i < std::min(most, rows.size()); ++i) {
        shown.rows.push_back(compare_row(rows[i], type, view.options, cut_name(rows[i].name)));
    }
    return shown;
}

document::note side_note(const char* side, const std::vector<std::string>& files) {
    return {std::string{side} + ": " + std::to_string(files.size()) +
                (files.size() == 1 ? " capture, " : " captures, ") + ends_text(files),
            true};
}

// What is shown of the stacks of a type, in the order of the outlines.
template <typename Visit>
void for_each_call_view(const compared_type& shown, Visit&& visit) {
    const auto visit_one = [&](const auto& calls) {
        if (calls) {
            visit(*calls);
        }
    };
    visit_one(shown.callers);
    visit_one(shown.callees);
    visit_one(shown.tree);
    visit_one(shown.paths);
}

// "17+20 rows, flat and cum apart"; of several types, in the order of their tables, "17+20 and
// 15+18 rows, flat and cum apart"; of callers and callees, "8 and 5 rows".
std::string questions_text(const compare_view& view) {
    std::vector<std::string> all;
    for (const compared_type& shown : view.shown) {
        for_each_call_view(
            shown, [&](const auto& calls) { all.push_back(std::to_string(calls.questions)); });
        if (!shown.has_calls()) {
            all.push_back(std::to_string(shown.rows.flat.questions) + "+" +
                          std::to_string(shown.rows.cum.questions));
        }
    }
    std::string text;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const bool is_last = i + 1 == all.size();
        text += (text.empty() ? "" : is_last ? " and " : ", ") + all[i];
    }
    return text + (text == "1" ? " row" : " rows") +
           (view.shown.front().has_calls() ? "" : ", flat and cum apart");
}

// That are left out of the tables.
std::size_t small_rows(const compared_type& shown) {
    std::size_t count = shown.has_calls() ? 0 : shown.rows.left_out;
    for (const auto& calls : {shown.callers, shown.callees}) {
        if (calls) {
            count += calls->left_out;
            for (const compared_calls::function& each : calls->functions) {
                count += each.left_out;
            }
        }
    }
    count += shown.tree ? shown.tree->too_small : 0;
    count += shown.paths ? shown.paths->too_small : 0;
    return count;
}

// What was done.
std::string method_text(const compare_view& view) {
    const compare_options& options = view.options;
    if (!options.is_tested) {
        return "Medians, without a test: what changed may be noise.";
    }
    std::string text =
        options.are_paired ? "p: permutation test of pairs" : "p: Mann-Whitney U test";
    if (options.corrected != correction::none) {
        const std::size_t totals = view.totals.questions;
        text += std::string{", corrected by "} + strict_name(options.corrected) + " among " +
                std::to_string(totals) + (totals == 1 ? " total" : " totals") + ", by " +
                to_string(options.corrected) + " among " + questions_text(view);
    }
    text += options.are_paired
                ? ".\nshift: the median of the differences of pairs.\n"
                : ".\nshift: the median of all differences between a head and a base.\n";
    return text + "grew, fell: p is at most " + factor_text(options.alpha) +
           ". same: the shift is within " + factor_text(options.min_change * 100) + "%.";
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
        const std::vector<document::rows_of_type> outlines = outlines_of(view, shown, most_rows);
        all.types.insert(all.types.end(), outlines.begin(), outlines.end());
        if (shown.has_calls()) {
            continue;
        }
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

std::vector<std::optional<too_few_captures>> too_few_of(const compared_type& shown) {
    if (!shown.has_calls()) {
        return {shown.rows.flat.too_few, shown.rows.cum.too_few};
    }
    std::vector<std::optional<too_few_captures>> all;
    for_each_call_view(shown, [&](const auto& calls) { all.push_back(calls.too_few); });
    return all;
}

namespace {

double mean_of(const compared_row& row) {
    double sum = 0;
    for (const compared_values* const side : {&row.base, &row.head}) {
        sum = std::accumulate(side->values.begin(), side->values.end(), sum);
    }
    return sum / static_cast<double>(row.base.values.size() + row.head.values.size());
}

// The row whose share of the total is nearest to a tenth; none if none could be found to change.
const compared_row* typical_row(const std::vector<compared_row>& rows, double total) {
    const compared_row* typical = nullptr;
    const auto distance = [&](const compared_row& row) {
        return std::fabs(std::log(std::fabs(mean_of(row) / total) * 10));
    };
    for (const compared_row& row : rows) {
        if (row.detectable.value_or(0) != 0 && mean_of(row) != 0 &&
            std::fabs(mean_of(row)) <= std::fabs(total) &&
            (typical == nullptr || distance(row) < distance(*typical))) {
            typical = &row;
        }
    }
    return typical;
}

// Which changes these captures could tell: of the first type that is shown. What has no noise, such
// as totals that were made equal, says nothing.
std::string detectable_text(const compare_view& view) {
    const compared_type& first = view.shown.front();
    const compared_row& total = view.totals.rows[first.type];
    const double whole = mean_of(total);
    std::string changes;
    if (total.detectable.value_or(0) != 0 && whole != 0) {
        changes = part_text(*total.detectable / std::fabs(whole)) + " of the total";
    }
    const compared_row* const row = whole == 0 ? nullptr : typical_row(first.rows.flat.rows, whole);
    if (row != nullptr) {
        changes += (changes.empty() ? "" : ", and by ") +
                   part_text(*row->detectable / std::fabs(mean_of(*row))) + " of " + row->name +
                   ", which has " + part_text(std::fabs(mean_of(*row) / whole));
    }
    const std::string least = std::to_string(first.least_samples);
    const std::string most = std::to_string(first.most_samples);
    return changes.empty() ? ""
                           : to_string(view.types[first.type]) + ": captures of " +
                                 (least == most ? most : least + " to " + most) +
                                 (most == "1" ? " sample" : " samples") +
                                 " would show, in 4 of 5 cases, a change by " + changes + ".";
}

} // namespace

std::vector<document::note> notes_below(const compare_view& view) {
    std::vector<document::note> notes{{method_text(view)}};
    if (const std::string text = detectable_text(view); !text.empty()) {
        notes.push_back({text, true});
    }
    std::size_t left_out = 0;
    std::optional<too_few_captures> worst;
    for (const compared_type& shown : view.shown) {
        left_out += small_rows(shown);
        for (const auto& too_few : too_few_of(shown)) {
            if (too_few && (!worst || too_few->enough > worst->enough)) {
                worst = too_few;
            }
        }
    }
    if (left_out > 0) {
        notes.push_back({left_out_text(left_out, view.least_size_text)});
    }
    if (worst) {
        notes.push_back({"Rows: " + describe(*worst, view.options) + "."});
    }
    return notes;
}

std::string compare_as_text(const compare_view& view) {
    return as_text(document_of(view, view.top), view.width, view.has_colors);
}

std::string compare_as_markdown(const compare_view& view) {
    return as_markdown(document_of(view, std::min(view.top, most_rows_of_markdown)));
}

} // namespace pprofdelta::tool
