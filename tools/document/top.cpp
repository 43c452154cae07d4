// SPDX-License-Identifier: Apache-2.0
#include "document/top.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "base/names.hpp"
#include "base/value_text.hpp"
#include "document/capture_cells.hpp"
#include "document/document.hpp"
#include "document/page.hpp"

namespace pprofdelta::tool {

namespace {

// Of so many services the functions are shown.
constexpr std::size_t most_services_with_functions = 5;

std::string amount_text(const fleet_table& of, double value) {
    return of.is_rate ? human_rate(value, of.type.unit, rate_time::second)
                      : human_number(value, of.type.unit);
}

std::string signed_text(const fleet_table& of, double change) {
    return change == 0 ? "0" : (change > 0 ? "+" : "-") + amount_text(of, std::fabs(change));
}

// In the largest unit of which the window has two, such as "40m of 60m", or "40m/60m of 60m" if
// there is another time before.
std::string data_text(const fleet_options& options, const fleet_row& row) {
    constexpr std::array<std::pair<double, const char*>, 4> units{
        {{86400e9, "d"}, {3600e9, "h"}, {60e9, "m"}, {1e9, "s"}}};
    const auto window = static_cast<double>(options.end_nanos - options.begin_nanos);
    const auto* const unit = std::find_if(
        units.begin(), units.end() - 1, [&](const auto& each) { return window >= 2 * each.first; });
    const auto text = [&](double nanos) {
        constexpr double parts = 10;
        return factor_text(std::round(parts * nanos / unit->first) / parts) + unit->second;
    };
    const std::string now = text(static_cast<double>(row.data_now.nanos));
    const std::string before = text(static_cast<double>(row.data_before.nanos));
    return now + (now == before ? "" : "/" + before) + " of " + text(window);
}

// Whether a part of one of the times has no delta. One that is at work when a time ends is not
// there yet.
bool has_gap(const fleet_options& options, const fleet_row& row) {
    constexpr double most = 0.9;
    return static_cast<double>(std::min(row.data_now.nanos, row.data_before.nanos)) <
           most * static_cast<double>(options.end_nanos - options.begin_nanos);
}

bool has_several_series(const fleet_row& row) {
    return row.data_now.series > 1 || row.data_before.series > 1;
}

table top_table_of(const std::string& names) {
    return {names,
            {{"now"},
             {"before"},
             {"change"},
             {"percent"},
             {"p"},
             {.head = "verdict", .cells = table::kind::verdict}}};
}

table::row row_of(const fleet_table& of, const fleet_row& row, const std::string& name) {
    const std::optional<double> p = tested_p(row);
    return {name,
            {amount_text(of, row.now), amount_text(of, row.before), signed_text(of, row.change()),
             percent_of(row.before, row.change()), p ? p_text(*p) : "", verdict_text(row)},
            row.is_real() || row.presence != fleet_row::state::tested};
}

document::rows_of_type rows_of(const top_view& view, const fleet_table& of, std::size_t most) {
    table shown = top_table_of(what_rows_are(view));
    const std::size_t shown_rows = std::min(most, of.rows.size());
    const auto any = [&](auto&& is_so) {
        return !view.options.is_one && std::any_of(of.rows.begin(), of.rows.end(), is_so);
    };
    const bool has_data = any([&](const fleet_row& each) { return has_gap(view.options, each); });
    const bool has_series = any(has_several_series);
    if (has_data) {
        shown.columns.push_back({"data"});
    }
    if (has_series) {
        shown.columns.push_back({"series"});
    }
    for (std::size_t i = 0; i < shown_rows; ++i) {
        const fleet_row& row = of.rows[i];
        shown.rows.push_back(row_of(of, row, cut_name(row.name)));
        if (has_data) {
            shown.rows.back().cells.push_back(data_text(view.options, row));
        }
        if (has_series) {
            shown.rows.back().cells.push_back(std::to_string(row.data_now.series) + "/" +
                                              std::to_string(row.data_before.series));
        }
    }
    return {.type = to_string(of.type),
            .what = of.is_rate ? " per second" : "",
            .rows = shown,
            .all = of.rows.size()};
}

document::rows_of_type functions_of(const top_view& view, const fleet_table& of,
                                    const fleet_row& service) {
    table shown = top_table_of(grouping_text(view.options.by, view.options.by_label));
    for (std::size_t i = 0; i < std::min(view.functions, service.rows.size()); ++i) {
        shown.rows.push_back(row_of(of, service.rows[i], cut_name(service.rows[i].name)));
    }
    return {.type = service.name,
            .what = view.options.by_cum ? ", cum of " : ", flat of ",
            .whose = to_string(of.type),
            .rows = shown,
            .all = service.all_rows};
}

void add_services(const top_view& view, const fleet_table& of, std::size_t most, document& to) {
    std::size_t shown = 0;
    for (std::size_t i = 0; i < std::min(most, of.rows.size()); ++i) {
        const fleet_row& row = of.rows[i];
        const bool is_shown = row.is_real() || (i == 0 && shown == 0);
        if (is_shown && !row.rows.empty() && view.functions != 0 &&
            shown < most_services_with_functions) {
            to.types.push_back(functions_of(view, of, row));
            ++shown;
        }
    }
}

std::string counted(std::size_t number, const std::string& what) {
    return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

std::string time_between(const fleet_options& options) {
    return time_text(options.begin_nanos) + " to " + time_text(options.end_nanos);
}

// "the day before", "7d before" or "90m before".
std::string ago_text(const fleet_options& options) {
    constexpr std::int64_t nanos_per_second = 1'000'000'000;
    constexpr std::array<std::pair<std::int64_t, const char*>, 4> units{
        {{86400, "d"}, {3600, "h"}, {60, "m"}, {1, "s"}}};
    const std::int64_t seconds = options.ago_nanos / nanos_per_second;
    if (seconds == 0) {
        return "the same time";
    }
    const auto* const unit = std::find_if(units.begin(), units.end() - 1, [&](const auto& each) {
        return seconds % each.first == 0;
    });
    return seconds == units.front().first
               ? "the day before"
               : std::to_string(seconds / unit->first) + unit->second + " before";
}

std::string notes_below(const top_view& view) {
    std::string text = "now, before: the mean of ";
    const fleet_table& first = view.tables.front();
    text += std::to_string(first.slots_now) + " and " + std::to_string(first.slots_before) +
            " time slots. p: Mann-Whitney test of these,\ncorrected among " +
            (view.options.is_one
                 ? counted(first.questions, "row")
                 : counted(first.questions, "service") + ", and those of a service by bh") +
            ".\ngrew, fell: p is at most " + factor_text(view.options.alpha) + ". same: within " +
            factor_text(view.options.min_change * 100) + "%.";
    if (first.left_out != 0) {
        text +=
            "\n" + left_out_text(first.left_out, factor_text(view.options.min_share * 100) + "%");
    }
    if (first.slots_before == 0) {
        text += "\nThere is no delta of the earlier window.";
    } else if (first.too_few) {
        text += "\n" + needed_text(*first.too_few, view.options.alpha, correction::none) +
                " with this many rows.";
    }
    if (view.counts.without_duration != 0) {
        text += "\n" + counted(view.counts.without_duration, "profile") +
                " left out: they count from the start of a process, so their interval is unknown.";
    }
    return text;
}

std::vector<document::limit> limits_of(const top_view& view) {
    std::vector<document::limit> limits;
    for (const top_limit& limit : view.limits) {
        limits.push_back({describe(limit, view), !limit.is_judged ? document::judged::unknown
                                                 : limit.crossed  ? document::judged::crossed
                                                                  : document::judged::kept});
    }
    return limits;
}

document document_of(const top_view& view, std::size_t most_rows) {
    document all{
        .notes = {{view.from + ": " + when_text(view), true}, {how_many_text(view), false}},
        .totals = top_table_of("total"),
        .notes_below = {{notes_below(view)}}};
    if (const std::string chosen = selection_note(view.options.selection); !chosen.empty()) {
        all.notes.push_back({chosen, true});
    }
    for (const fleet_table& each : view.tables) {
        all.totals.rows.push_back(row_of(each, each.total, to_string(each.type)));
        all.types.push_back(rows_of(view, each, most_rows));
        add_services(view, each, most_rows, all);
    }
    all.limits = limits_of(view);
    return all;
}

} // namespace

std::string describe(const top_limit& found, const top_view& view) {
    constexpr std::size_t most = 5;
    const std::string start = found.limit + ": " + to_string(found.type) + ": ";
    if (!found.is_judged) {
        return start + "not judged: nothing has enough data of both times";
    }
    const std::size_t count = found.rows.size();
    if (count == 0) {
        return start + "no real growth beyond it";
    }
    const auto table =
        std::find_if(view.tables.begin(), view.tables.end(),
                     [&](const fleet_table& each) { return each.type == found.type; });
    std::string text = start;
    if (!found.rows.front().name.empty()) {
        text += counted(count, what_rows_are(view)) + ": ";
    }
    for (std::size_t i = 0; i < std::min(count, most); ++i) {
        const fleet_row& row = found.rows[i];
        text += (i == 0 ? "" : "; ") + row.name + (row.name.empty() ? "" : " ") +
                amount_text(*table, row.now) + ", " + signed_text(*table, row.change()) + " (" +
                percent_of(row.before, row.change()) + "), p " + p_text(row.test.corrected_p);
    }
    return text + (count > most ? "; and " + std::to_string(count - most) + " more" : "");
}

std::string verdict_text(const fleet_row& row) {
    switch (row.presence) {
    case fleet_row::state::appeared:
        return "new";
    case fleet_row::state::gone:
        return "gone";
    case fleet_row::state::tested:
        break;
    }
    return to_string(row.test.verdict);
}

std::optional<double> tested_p(const fleet_row& row) {
    return row.presence == fleet_row::state::tested && row.test.verdict != verdict::too_few
               ? std::optional{row.test.corrected_p}
               : std::nullopt;
}

std::string what_rows_are(const top_view& view) {
    return view.options.is_one ? grouping_text(view.options.by, view.options.by_label) : "service";
}

std::string when_text(const top_view& view) {
    return time_between(view.options) + ", against " +
           (view.against.empty() ? "" : view.against + ", ") + ago_text(view.options);
}

std::string how_many_text(const top_view& view) {
    return counted(view.services, "service") + ", " + counted(view.counts.now, "delta") + " now, " +
           std::to_string(view.counts.before) + " before" +
           (view.bad == 0 ? "" : ", " + counted(view.bad, "bad file"));
}

std::vector<std::string> notes_of(const top_view& view) {
    std::vector<std::string> notes;
    if (std::string chosen = selection_note(view.options.selection); !chosen.empty()) {
        notes.push_back(std::move(chosen));
    }
    notes.push_back(notes_below(view));
    return notes;
}

std::string top_as_text(const top_view& view) {
    return as_text(document_of(view, view.top), view.width, view.has_colors);
}

std::string top_as_markdown(const top_view& view) {
    return as_markdown(document_of(view, std::min(view.top, most_rows_of_markdown)));
}

namespace {

ordered_json row_json(const fleet_row& row, bool is_named) {
    const bool is_tested = tested_p(row).has_value();
    ordered_json all =
        is_named ? ordered_json::object({{"name", row.name}}) : ordered_json::object();
    all["now"] = row.now;
    all["before"] = row.before;
    all["change"] = row.change();
    all["p"] = is_tested ? ordered_json(row.test.p) : nullptr;
    all["p_corrected"] = is_tested ? ordered_json(row.test.corrected_p) : nullptr;
    all["verdict"] = verdict_text(row);
    return all;
}

void add_data(ordered_json& to, const fleet_row& row) {
    // Doubles of the time since 1970 are no more exact.
    const auto seconds = [](std::int64_t nanos) {
        return std::round(static_cast<double>(nanos) / 1e6) / 1e3;
    };
    to["series"] = row.data_now.series;
    to["series_before"] = row.data_before.series;
    to["covered_seconds"] = seconds(row.data_now.nanos);
    to["covered_seconds_before"] = seconds(row.data_before.nanos);
}

// Of a service with its functions.
ordered_json row_json(const top_view& view, const fleet_row& row) {
    ordered_json all = row_json(row, true);
    if (!view.options.is_one) {
        add_data(all, row);
        const std::size_t shown = std::min(view.functions, row.rows.size());
        ordered_json& rows = all["rows"] = ordered_json::array();
        for (std::size_t i = 0; i < shown; ++i) {
            rows.push_back(row_json(row.rows[i], true));
        }
        all["rows_left_out"] = row.all_rows - shown;
    }
    return all;
}

ordered_json json_of(const top_view& view, const fleet_table& table) {
    const std::size_t shown = std::min(view.top, table.rows.size());
    ordered_json all = type_json(table.type);
    all["rate"] = table.is_rate;
    all["slots"] = table.slots_now;
    all["slots_before"] = table.slots_before;
    all["questions"] = table.questions;
    add_data(all["total"] = row_json(table.total, false), table.total);
    ordered_json& rows = all["rows"] = ordered_json::array();
    for (std::size_t i = 0; i < shown; ++i) {
        rows.push_back(row_json(view, table.rows[i]));
    }
    all["rows_left_out"] = table.rows.size() - shown;
    all["small_rows_left_out"] = table.left_out;
    return all;
}

ordered_json json_of(const top_limit& limit) {
    ordered_json all{{"limit", limit.limit}};
    all.update(type_json(limit.type));
    all["crossed"] = limit.crossed;
    all["judged"] = limit.is_judged;
    ordered_json& rows = all["rows"] = ordered_json::array();
    for (const fleet_row& row : limit.rows) {
        rows.push_back(row_json(row, true));
    }
    return all;
}

ordered_json time_json(std::int64_t begin, std::int64_t end) {
    return {{"begin", time_text(begin)}, {"end", time_text(end)}};
}

} // namespace

std::string limit_as_json(const top_limit& found) {
    return to_text(json_of(found), json_layout::line);
}

std::string top_as_json(const top_view& view) {
    const fleet_options& options = view.options;
    ordered_json all{{"schema", "pprofdelta/top/1"},
                     {"version", 1},
                     {"from", view.from},
                     {"against", text_or_null(view.against)},
                     {"now", time_json(options.begin_nanos, options.end_nanos)},
                     {"before", time_json(options.begin_nanos - options.ago_nanos,
                                          options.end_nanos - options.ago_nanos)},
                     {"services", view.services},
                     {"deltas", view.counts.now},
                     {"deltas_before", view.counts.before},
                     {"of_another_time", view.counts.elsewhere},
                     {"of_other_types", view.counts.of_other_types},
                     {"without_duration", view.counts.without_duration},
                     {"empty", view.counts.empty},
                     {"bad", view.bad},
                     {"alpha", options.alpha},
                     {"min_change", options.min_change},
                     {"by", what_rows_are(view)},
                     {"cum", options.by_cum}};
    add_selection(all, options.selection);
    ordered_json& tables = all["tables"] = ordered_json::array();
    for (const fleet_table& each : view.tables) {
        tables.push_back(json_of(view, each));
    }
    ordered_json& limits = all["limits"] = ordered_json::array();
    for (const top_limit& each : view.limits) {
        limits.push_back(json_of(each));
    }
    add_end(all, view.budget, view.next);
    return to_text(all, json_layout::lines);
}

namespace {

// The means of a row stand where those of compare have medians.
ordered_json page_row(const fleet_row& row) {
    compared_row shown = row.test;
    shown.base.median = row.before;
    shown.base.within.reset();
    shown.head.median = row.now;
    shown.head.within.reset();
    shown.change = row.change();
    shown.within.reset();
    return page_measured(shown, tested_p(row), verdict_text(row));
}

// Services have flat values, and their functions others, so that the table has one of both.
ordered_json page_rows_of(const fleet_table& table, std::size_t most, page_names& names) {
    ordered_json services = ordered_json::array();
    ordered_json functions = ordered_json::array();
    for (std::size_t i = 0; i < std::min(most, table.rows.size()); ++i) {
        const fleet_row& service = table.rows[i];
        const std::size_t number = names.number(service.name);
        services.push_back({{"name", number}, {"flat", page_row(service)}, {"cum", nullptr}});
        for (const fleet_row& function : service.rows) {
            if (functions.size() < most) {
                functions.push_back({{"name", names.number(function.name)},
                                     {"service", number},
                                     {"flat", nullptr},
                                     {"cum", page_row(function)}});
            }
        }
    }
    services.insert(services.end(), functions.begin(), functions.end());
    return services;
}

ordered_json page_type_of(const fleet_table& table, page_names& names) {
    const std::size_t most = most_page_rows(table.slots_before + table.slots_now);
    ordered_json all = page_type(table.type, false, "comparison");
    all["rate"] = table.is_rate;
    all["total"] = page_row(table.total);
    all["rows"] = page_rows_of(table, most, names);
    all["rows_left_out"] = table.left_out + table.rows.size() - std::min(most, table.rows.size());
    all["tree"] = nullptr;
    return all;
}

} // namespace

std::string top_as_page(const top_view& view, const std::vector<std::string>& given,
                        const std::vector<std::string>& warnings) {
    page_head head{.command = "top",
                   .title = "Top of " + view.from,
                   .sides = {"before", "now"},
                   .options = given,
                   .warnings = warnings,
                   .notes = notes_of(view),
                   .interval = when_text(view) + "; " + how_many_text(view),
                   .by = what_rows_are(view),
                   .alpha = view.options.alpha};
    head.limits = limits_of(view);
    page_names names;
    ordered_json types = ordered_json::array();
    for (const fleet_table& table : view.tables) {
        types.push_back(page_type_of(table, names));
    }
    top_view plain = view;
    plain.has_colors = false;
    return html_page({.title = printable(head.title),
                      .json = page_data(head, types, names, ordered_json::object()),
                      .text = top_as_text(plain)});
}

} // namespace pprofdelta::tool
