// SPDX-License-Identifier: Apache-2.0
#include "document/report_format.hpp"

#include <algorithm>

#include "base/figures.hpp"
#include "base/short_names.hpp"
#include "document/report_figures.hpp"
#include "document/text_table.hpp"

namespace pprofdelta::tool {

namespace {

text_table table_of(const report_figures& figures, const std::string& name) {
    text_table::figures heads;
    text_table::figures groups;
    for (const report_figures::column& column : figures.columns) {
        heads.push_back(column.head);
        groups.push_back(column.group);
    }
    return {heads, name, groups};
}

text_table table_of_totals(const report_view& view) {
    const report_figures figures = figures_of_totals(view);
    text_table totals = table_of(figures, "total");
    for (std::size_t i = 0; i < figures.rows.size(); ++i) {
        totals.add(figures.rows[i], to_string(view.content.totals[i].type));
    }
    return totals;
}

text_table table_of_rows(const report_view& view, std::size_t shown, bool has_previous) {
    const report_figures figures = figures_of_rows(view, shown, has_previous);
    text_table rows = table_of(figures, to_string(view.reported.by));
    for (std::size_t i = 0; i < shown; ++i) {
        rows.add(figures.rows[i], view.content.rows[i].name);
    }
    return rows;
}

} // namespace

std::string report_as_text(const report_view& view) {
    const report& r = view.content;
    const text_table totals = table_of_totals(view);
    const std::size_t shown = std::min(view.top, r.rows.size());
    text_table rows = table_of_rows(view, shown, true);
    if (!rows.fits(view.width)) {
        rows = table_of_rows(view, shown, false);
    }
    std::string text;
    if (const std::string interval = interval_text(r.time_nanos, r.duration_nanos);
        !interval.empty()) {
        text += interval + "\n\n";
    }
    if (view.normalized_by) {
        text += printable(view.normalization_text) + "\n\n";
    }
    text += totals.text(view.width, view.has_colors);
    text += "\n";
    if (!view.filter_text.empty()) {
        text += printable(view.filter_text) + "\n";
    }
    text +=
        printable(heading_of_rows(r, shown)) +
        (view.reported.sample_type || r.totals.size() == 1 ? "" : " (for others --sample-type)") +
        "\n";
    text += rows.text(view.width, view.has_colors);
    if (!view.judgements.empty()) {
        text += "\n";
    }
    for (const judgement& j : view.judgements) {
        const std::string word = j.crossed ? "crossed" : j.unknown.empty() ? "kept" : "unknown";
        text += (view.has_colors ? colored(word, j.crossed) : word) + "  " +
                printable(describe(j, view.normalized_by)) + "\n";
    }
    return text;
}

} // namespace pprofdelta::tool
