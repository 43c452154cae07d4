// SPDX-License-Identifier: Apache-2.0
#include "report_format.hpp"

#include <algorithm>
#include <cstdint>

#include "figures.hpp"
#include "short_names.hpp"
#include "text_table.hpp"

namespace pprofdelta::tool {

namespace {

text_table table_of_totals(const report& r) {
    if (r.of == report::content::profile && !r.totals.front().has_previous) {
        text_table totals{{"value"}, "total"};
        for (const report::total& t : r.totals) {
            totals.add({human(t.value.current, t.type.unit)}, to_string(t.type));
        }
        return totals;
    }
    text_table totals{{"change", "previous", "current", "percent"}, "total"};
    for (const report::total& t : r.totals) {
        totals.add({t.has_change ? human_change(t.change, t.type.unit) : "",
                    t.has_previous ? human(t.value.previous, t.type.unit) : "",
                    human(t.value.current, t.type.unit),
                    t.has_previous ? percent_text(t.value, t.change) : ""},
                   to_string(t.type));
    }
    return totals;
}

text_table table_of_rows(const report_view& view, std::size_t shown) {
    const report& r = view.content;
    const std::string& unit = r.totals[r.type].type.unit;
    if (r.of == report::content::comparison) {
        text_table rows{{"flat", "cum", "previous", "current", "percent"},
                        to_string(view.reported.by)};
        for (std::size_t i = 0; i < shown; ++i) {
            const value_pair& cumulative = r.rows[i].cumulative;
            rows.add({human_change(r.rows[i].flat, unit), human_change(cumulative, unit),
                      human(cumulative.previous, unit), human(cumulative.current, unit),
                      percent_text(cumulative.previous, cumulative.current)},
                     r.rows[i].name);
        }
        return rows;
    }
    const std::int64_t whole = shares_of(r).current;
    const auto text = [&](std::int64_t value) {
        return r.of == report::content::delta ? human_change(value, unit) : human(value, unit);
    };
    text_table rows{{"flat", "flat%", "cum", "cum%"}, to_string(view.reported.by)};
    for (std::size_t i = 0; i < shown; ++i) {
        const std::int64_t flat = r.rows[i].flat.current;
        const std::int64_t cumulative = r.rows[i].cumulative.current;
        rows.add(
            {text(flat), share_text(flat, whole), text(cumulative), share_text(cumulative, whole)},
            r.rows[i].name);
    }
    return rows;
}

} // namespace

std::string report_as_text(const report_view& view) {
    const report& r = view.content;
    const text_table totals = table_of_totals(r);
    const std::size_t shown = std::min(view.top, r.rows.size());
    const text_table rows = table_of_rows(view, shown);
    std::string text;
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
