// SPDX-License-Identifier: Apache-2.0
#include "document/trend_format.hpp"

#include <algorithm>
#include <cmath>

#include "base/selection_text.hpp"
#include "base/short_names.hpp"
#include "base/value_text.hpp"
#include "document/capture_cells.hpp"
#include "document/document.hpp"
#include "document/trend_cells.hpp"

namespace pprofdelta::tool {

namespace {

table table_of(const std::string& names) {
    return {names,
            {{"first"},
             {"last"},
             {"per hour"},
             {"share"},
             {"p"},
             {.head = "verdict", .cells = table::kind::verdict},
             {.head = "trend", .cells = table::kind::drawing}}};
}

table::row row_of(const trend_view& view, const trend_row& row, const std::string& name) {
    return {name,
            {value_text(view, row.first()), value_text(view, row.last()), slope_text(view, row),
             share_text(row), p_text(row.corrected_p), verdict_text(view, row), sparkline(row)},
            row.is == trend_verdict::grows || row.is == trend_verdict::falls};
}

document::rows_of_type rows_of(const trend_view& view, const char* what,
                               const std::vector<trend_row>& rows, std::size_t most) {
    table shown = table_of(grouping_text(view.options.by, view.options.by_label));
    for (std::size_t i = 0; i < std::min(most, rows.size()); ++i) {
        shown.rows.push_back(row_of(view, rows[i], cut_name(rows[i].name)));
    }
    return {.what = what, .rows = shown, .all = rows.size()};
}

// "2h10m", of hours.
std::string time_between(double hours) {
    const auto seconds = static_cast<std::int64_t>(std::lround(hours * 3600));
    const std::int64_t minutes = seconds / 60;
    if (minutes == 0) {
        return std::to_string(seconds) + "s";
    }
    const std::string rest =
        seconds % 60 == 0 || minutes >= 60 ? "" : std::to_string(seconds % 60) + "s";
    return (minutes >= 60 ? std::to_string(minutes / 60) + "h" : "") +
           (minutes % 60 == 0 && minutes >= 60 ? "" : std::to_string(minutes % 60) + "m") + rest;
}

document document_of(const trend_view& view, std::size_t most_rows) {
    const std::string type = to_string(view.type);
    document all{
        .notes = {{captures_text(view), true}, {type + (view.is_rate ? ", per second" : ""), true}},
        .totals = table_of("total"),
        .types = {rows_of(view, "flat", view.rows.flat, most_rows),
                  rows_of(view, "cum", view.rows.cum, most_rows)},
        .notes_below = {{notes_below(view)}}};
    if (const std::string chosen = selection_note(view.options.selection); !chosen.empty()) {
        all.notes.push_back({chosen, true});
    }
    all.totals.rows = {row_of(view, view.rows.total, type)};
    for (const trend_limit& limit : view.limits) {
        all.limits.push_back({describe(view, limit),
                              limit.crossed ? document::judged::crossed : document::judged::kept});
    }
    return all;
}

} // namespace

std::string captures_text(const trend_view& view) {
    std::string text = std::to_string(view.files.size()) + " captures, " + ends_text(view.files) +
                       ": " + time_between(view.captures.back().hours);
    const std::string start = time_text(view.captures.front().time_nanos);
    text += start.empty() || view.options.seconds_between ? "" : " from " + start;
    const std::size_t restarts = view.captures.back().run;
    if (restarts > 0) {
        text += ", " + std::to_string(restarts) + (restarts == 1 ? " restart" : " restarts");
    }
    return text;
}

std::string notes_below(const trend_view& view) {
    const bool are_independent = view.options.are_independent;
    std::string text =
        std::string{"per hour: the median slope. p: "} +
        (are_independent ? "Mann-Whitney test where captures change most" : "Mann-Kendall test") +
        correction_text(view.options.corrected, view.rows.questions);
    text += view.options.corrected == correction::none ? "" : " rows";
    text +=
        (are_independent ? ".\nsteps: p is at most " : ".\ngrows, falls: p is at most ") +
        factor_text(view.options.alpha) +
        (are_independent ? ". grows, falls: as well, all the time. wanders: none of it.\nlevel: "
                         : ", and it goes on in the last two thirds.\nlevels off: it does less "
                           "there. wanders: it is neither. level: ") +
        "within " + factor_text(view.options.min_change * 100) + "%.";
    if (view.rows.left_out > 0) {
        text += "\n" + left_out_text(view.rows.left_out, view.least_size_text);
    }
    if (view.too_few) {
        text += "\n" + describe(view, *view.too_few) + ".";
    }
    return text;
}

std::string trend_as_text(const trend_view& view) {
    return as_text(document_of(view, view.top), view.width, view.has_colors);
}

std::string trend_as_markdown(const trend_view& view) {
    return as_markdown(document_of(view, std::min(view.top, most_rows_of_markdown)));
}

} // namespace pprofdelta::tool
