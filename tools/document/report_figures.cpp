// SPDX-License-Identifier: Apache-2.0
#include "document/report_figures.hpp"

#include <algorithm>

#include "base/figures.hpp"

namespace pprofdelta::tool {

namespace {

// What was counted has no percentage: it would be of the time since the process began.
std::vector<std::string> figures_of(const report::total& total, bool is_alone, rate_time per) {
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

void leave_out_empty_columns(report_figures& figures) {
    for (std::size_t column = figures.columns.size(); column-- > 0;) {
        const auto place = static_cast<std::ptrdiff_t>(column);
        if (std::all_of(figures.rows.begin(), figures.rows.end(),
                        [&](const auto& row) { return row[column].empty(); })) {
            figures.columns.erase(figures.columns.begin() + place);
            for (auto& row : figures.rows) {
                row.erase(row.begin() + place);
            }
        }
    }
}

report_figures compared_rows(const report& r, std::size_t count, bool has_previous) {
    const std::string& unit = r.totals[r.type].type.unit;
    report_figures figures;
    figures.rows.resize(count);
    for (const auto& [group, column] :
         {std::pair{"flat", &report::row::flat}, std::pair{"cum", &report::row::cum}}) {
        const auto add = [&, name = group, of = column](const char* head, auto&& text) {
            figures.columns.push_back({head, name});
            for (std::size_t i = 0; i < count; ++i) {
                figures.rows[i].push_back(text(r.rows[i].*of));
            }
        };
        add("change", [&](const value_pair& value) { return human_change(value, unit); });
        if (has_previous) {
            add("previous", [&](const value_pair& value) { return human(value.previous, unit); });
        }
        add("current", [&](const value_pair& value) { return human(value.current, unit); });
        add("percent",
            [](const value_pair& value) { return percent_text(value.previous, value.current); });
    }
    return figures;
}

} // namespace

report_figures figures_of_totals(const report_view& view) {
    const report& r = view.content;
    const bool is_alone =
        std::none_of(r.totals.begin(), r.totals.end(), [](const report::total& total) {
            return total.has_previous || total.has_change;
        });
    report_figures figures{{{is_alone ? "value" : "change", ""},
                            {"rate", ""},
                            {"previous", ""},
                            {"current", ""},
                            {"percent", ""}},
                           {}};
    for (const report::total& total : r.totals) {
        figures.rows.push_back(figures_of(total, is_alone, view.per.value_or(rate_time::second)));
    }
    leave_out_empty_columns(figures);
    return figures;
}

report_figures figures_of_rows(const report_view& view, std::size_t count, bool has_previous) {
    const report& r = view.content;
    if (r.of == report::content::comparison) {
        return compared_rows(r, count, has_previous);
    }
    const std::string& unit = r.totals[r.type].type.unit;
    const std::int64_t whole = shares_of(r).current;
    const auto text = [&](std::int64_t value) {
        const char* const sign = r.of == report::content::delta && value > 0 ? "+" : "";
        return sign + (view.per ? human_rate(value, r.duration_nanos, unit, *view.per)
                                : human(value, unit));
    };
    report_figures figures{{{"flat", ""}, {"flat%", ""}, {"cum", ""}, {"cum%", ""}}, {}};
    for (std::size_t i = 0; i < count; ++i) {
        const std::int64_t flat = r.rows[i].flat.current;
        const std::int64_t cum = r.rows[i].cum.current;
        figures.rows.push_back(
            {text(flat), share_text(flat, whole), text(cum), share_text(cum, whole)});
    }
    return figures;
}

} // namespace pprofdelta::tool
