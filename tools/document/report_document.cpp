// SPDX-License-Identifier: Apache-2.0
#include "document/report_format.hpp"

#include <algorithm>

#include "base/short_names.hpp"
#include "base/value_text.hpp"
#include "document/call_outlines.hpp"
#include "document/document.hpp"
#include "document/report_cells.hpp"

namespace pprofdelta::tool {

namespace {

// What was counted has no percentage: it would be of the time since the process began.
std::vector<std::string> cells_of(const report::total& total, bool is_alone, rate_time per) {
    const std::string& unit = total.type.unit;
    const std::string current = human(total.value.current, unit);
    return {
        is_alone           ? current
        : total.has_change ? human_change(total.value, total.change, unit)
                           : "",
        total.per_second ? human_rate(*total.per_second, unit, per) : "",
        total.has_previous ? human(total.value.previous, unit) : "",
        is_alone ? "" : current,
        total.has_previous && !total.is_cumulative ? percent_text(total.value, total.change) : "",
    };
}

// The table of all sample types, without columns that say nothing of any.
table totals_of(const report_view& view) {
    const report& r = view.content;
    const bool is_alone =
        std::none_of(r.totals.begin(), r.totals.end(), [](const report::total& total) {
            return total.has_previous || total.has_change;
        });
    table totals{
        "total",
        {{is_alone ? "value" : "change"}, {"rate"}, {"previous"}, {"current"}, {"percent"}}};
    for (const report::total& total : r.totals) {
        totals.rows.push_back({to_string(total.type),
                               cells_of(total, is_alone, view.per.value_or(rate_time::second))});
    }
    erase_columns(totals, [&](std::size_t column) {
        return std::all_of(totals.rows.begin(), totals.rows.end(),
                           [&](const table::row& row) { return row.cells[column].empty(); });
    });
    return totals;
}

table rows_of(const report_view& view, std::size_t most) {
    const report& r = view.content;
    table rows{grouping_text(view.reported.by, view.reported.by_label)};
    add_value_columns(rows, view, "flat");
    add_value_columns(rows, view, "cum");
    for (std::size_t i = 0; i < std::min(most, r.rows.size()); ++i) {
        rows.rows.push_back({cut_name(r.rows[i].name), {}});
        add_value_cells(rows.rows.back(), view, r.rows[i].flat);
        add_value_cells(rows.rows.back(), view, r.rows[i].cum);
    }
    return rows;
}

document::rows_of_type changes_of(const report_view& view, std::size_t most_rows) {
    const report& r = view.content;
    const bool has_others = !view.reported.sample_type && r.totals.size() > 1;
    return {.filter = view.filter_text,
            .type = to_string(r.totals[r.type].type),
            .what = r.of == report::content::delta ? " in between" : "",
            .which = std::string{r.of == report::content::comparison ? " that changed" : ""} +
                     (has_others ? " (for others --sample-type)" : ""),
            .rows = rows_of(view, most_rows),
            .all = r.rows.size()};
}

document document_of(const report_view& view, std::size_t most_rows) {
    const report& r = view.content;
    document all{.totals = totals_of(view)};
    if (const std::string interval = interval_text(r.time_nanos, r.duration_nanos);
        !interval.empty()) {
        all.notes.push_back({interval});
    }
    if (view.normalized_by) {
        all.notes.push_back({view.normalization_text, true});
    }
    all.types =
        view.calls.stacks == nullptr ? std::vector{changes_of(view, most_rows)} : outlines_of(view);
    for (const judgement& j : view.judgements) {
        all.limits.push_back({describe(j, view.normalized_by), j.crossed ? document::judged::crossed
                                                               : j.unknown.empty()
                                                                   ? document::judged::kept
                                                                   : document::judged::unknown});
    }
    return all;
}

} // namespace

std::string report_as_text(const report_view& view) {
    return as_text(document_of(view, view.top), view.width, view.has_colors);
}

std::string report_as_markdown(const report_view& view) {
    return as_markdown(document_of(view, std::min(view.top, most_rows_of_markdown)));
}

} // namespace pprofdelta::tool
