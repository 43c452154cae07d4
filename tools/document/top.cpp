// SPDX-License-Identifier: Apache-2.0
#include "document/top.hpp"

#include <array>
#include <cmath>
#include <utility>

#include "base/names.hpp"
#include "base/value_text.hpp"
#include "document/capture_cells.hpp"
#include "document/fields.hpp"

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

// "grew", "too few", "new" or "gone".
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

// "service" or "function".
std::string what_rows_are(const top_view& view) {
    return view.options.is_one ? grouping_text(view.options.by, view.options.by_label) : "service";
}

// Which times these are.
std::string when_text(const top_view& view) {
    return time_between(view.options) + ", against " +
           (view.against.empty() ? "" : view.against + ", ") + ago_text(view.options);
}

// How many services and deltas there were.
std::string how_many_text(const top_view& view) {
    return counted(view.services, "service") + ", " + counted(view.counts.now, "delta") + " now, " +
           std::to_string(view.counts.before) + " before" +
           (view.bad == 0 ? "" : ", " + counted(view.bad, "bad file"));
}

using figures = fields<fleet_row>;

// The slots of one of both times. The means of a row stand where those of compare have medians.
figures slots_of(const std::string& name, compared_values compared_row::*side,
                 double fleet_row::*mean) {
    return {{{.page_key = name, .value = [=](const auto& row) { return (row.test.*side).values; }},
             {.page_key = name + "_median", .value = [=](const auto& row) { return row.*mean; }},
             {.page_key = name + "_low", .value = [](const auto&) { return nullptr; }},
             {.page_key = name + "_high", .value = [](const auto&) { return nullptr; }}}};
}

// All that the tables of a type, JSON and pages have of a row.
// @param of outlives what is returned.
figures figures_of(const fleet_table& of) {
    const auto if_tested = [](const fleet_row& row, double value) {
        return tested_p(row) ? ordered_json(value) : nullptr;
    };
    figures all = slots_of("base", &compared_row::base, &fleet_row::before);
    all.add(slots_of("head", &compared_row::head, &fleet_row::now));
    all.add({{
        {.column = {"now"},
         .cell = [&](const auto& row) { return amount_text(of, row.now); },
         .key = "now",
         .value = [](const auto& row) { return row.now; }},
        {.column = {"before"},
         .cell = [&](const auto& row) { return amount_text(of, row.before); },
         .key = "before",
         .value = [](const auto& row) { return row.before; }},
        {.column = {"change"},
         .cell = [&](const auto& row) { return signed_text(of, row.change()); },
         .key = "change",
         .page_key = "change",
         .value = [](const auto& row) { return row.change(); }},
        {.column = {"percent"},
         .cell = [](const auto& row) { return percent_of(row.before, row.change()); }},
        {.page_key = "low", .value = [](const auto&) { return nullptr; }},
        {.page_key = "high", .value = [](const auto&) { return nullptr; }},
        {.key = "p", .value = [=](const auto& row) { return if_tested(row, row.test.p); }},
        {.column = {"p"},
         .cell = [](const auto& row) { return tested_p(row) ? p_text(*tested_p(row)) : ""; },
         .key = "p_corrected",
         .page_key = "p",
         .value = [=](const auto& row) { return if_tested(row, row.test.corrected_p); }},
        {.column = {.head = "verdict", .cells = table::kind::verdict},
         .cell = verdict_text,
         .key = "verdict",
         .page_key = "verdict",
         .value = verdict_text},
    }});
    return all;
}

// What data there was of a service, or of the total. Columns are for what is worth one.
figures data_of(const fleet_options& options, bool has_gaps, bool has_several) {
    using in_words = std::function<std::string(const fleet_row&)>;
    // Doubles of the time since 1970 are no more exact.
    const auto seconds = [](std::int64_t nanos) {
        return std::round(static_cast<double>(nanos) / 1e6) / 1e3;
    };
    return {{
        {.column = {"data"},
         .cell = has_gaps ? in_words{[&](const auto& row) { return data_text(options, row); }}
                          : nullptr},
        {.column = {"series"},
         .cell = has_several ? in_words{[](const auto& row) {
             return std::to_string(row.data_now.series) + "/" +
                    std::to_string(row.data_before.series);
         }}
                             : nullptr,
         .key = "series",
         .value = [](const auto& row) { return row.data_now.series; }},
        {.key = "series_before", .value = [](const auto& row) { return row.data_before.series; }},
        {.key = "covered_seconds",
         .value = [=](const auto& row) { return seconds(row.data_now.nanos); }},
        {.key = "covered_seconds_before",
         .value = [=](const auto& row) { return seconds(row.data_before.nanos); }},
    }};
}

table::row row_of(const figures& of, const fleet_row& row, const std::string& name) {
    return of.row(row, name, row.is_real() || row.presence != fleet_row::state::tested);
}

document::rows_of_type rows_of(const top_view& view, const fleet_table& of) {
    const auto any = [&](auto&& is_so) {
        return !view.options.is_one && std::any_of(of.rows.begin(), of.rows.end(), is_so);
    };
    figures all = figures_of(of);
    all.add(data_of(view.options,
                    any([&](const fleet_row& row) { return has_gap(view.options, row); }),
                    any([](const fleet_row& row) {
                        return row.data_now.series > 1 || row.data_before.series > 1;
                    })));
    table shown = all.empty_table(what_rows_are(view));
    for (std::size_t i = 0; i < std::min(view.top, of.rows.size()); ++i) {
        shown.rows.push_back(row_of(all, of.rows[i], cut_name(of.rows[i].name)));
    }
    return {.type = to_string(of.type),
            .what = of.is_rate ? " per second" : "",
            .rows = shown,
            .all = of.rows.size()};
}

document::rows_of_type functions_of(const top_view& view, const fleet_table& of,
                                    const fleet_row& service) {
    const figures all = figures_of(of);
    table shown = all.empty_table(grouping_text(view.options.by, view.options.by_label));
    for (std::size_t i = 0; i < std::min(view.functions, service.rows.size()); ++i) {
        shown.rows.push_back(row_of(all, service.rows[i], cut_name(service.rows[i].name)));
    }
    return {.type = service.name,
            .what = view.options.by_cum ? ", cum of " : ", flat of ",
            .whose = to_string(of.type),
            .rows = shown,
            .all = service.all_rows};
}

void add_services(const top_view& view, const fleet_table& of, document& to) {
    std::size_t shown = 0;
    for (std::size_t i = 0; i < std::min(view.top, of.rows.size()); ++i) {
        const fleet_row& row = of.rows[i];
        const bool is_shown = row.is_real() || (i == 0 && shown == 0);
        if (is_shown && !row.rows.empty() && view.functions != 0 &&
            shown < most_services_with_functions) {
            to.types.push_back(functions_of(view, of, row));
            ++shown;
        }
    }
}

// "each:alloc_space>+20%: alloc_space/bytes: 1 service: shop/cart 51.8KiB/s, +17.3KiB/s (+50.16%),
// p 0.0002"
std::string describe(const top_limit& found, const top_view& view) {
    const std::string start = found.limit + ": " + to_string(found.type) + ": ";
    if (!found.is_judged) {
        return start + "not judged: nothing has enough data of both times";
    }
    if (found.rows.empty()) {
        return start + "no real growth beyond it";
    }
    const auto table =
        std::find_if(view.tables.begin(), view.tables.end(),
                     [&](const fleet_table& each) { return each.type == found.type; });
    const bool is_total = found.rows.front().name.empty();
    return start + (is_total ? "" : counted(found.rows.size(), what_rows_are(view)) + ": ") +
           listed_text(found.rows, [&](const fleet_row& row) {
               return row.name + (row.name.empty() ? "" : " ") + amount_text(*table, row.now) +
                      ", " + signed_text(*table, row.change()) + " (" +
                      percent_of(row.before, row.change()) + "), p " + p_text(row.test.corrected_p);
           });
}

ordered_json json_of(const top_view& view, const fleet_table& table) {
    const figures of = figures_of(table);
    figures with_data = of;
    with_data.add(data_of(view.options, false, false));
    ordered_json all = type_json(table.type);
    all["rate"] = table.is_rate;
    all["slots"] = table.slots_now;
    all["slots_before"] = table.slots_before;
    all["questions"] = table.questions;
    all["total"] = with_data.with_members(ordered_json::object(), table.total);
    ordered_json& rows = all["rows"] =
        (view.options.is_one ? of : with_data).array(table.rows, view.top);
    for (std::size_t i = 0; i < rows.size() && !view.options.is_one; ++i) {
        const fleet_row& service = table.rows[i];
        rows[i]["rows"] = of.array(service.rows, view.functions);
        rows[i]["rows_left_out"] = service.all_rows - rows[i]["rows"].size();
    }
    all["rows_left_out"] = beyond(view.top, table.rows.size());
    all["small_rows_left_out"] = table.left_out;
    return all;
}

ordered_json json_of(const top_view& view, const top_limit& limit) {
    ordered_json all{{"limit", limit.limit}};
    all.update(type_json(limit.type));
    all["crossed"] = limit.crossed;
    all["judged"] = limit.is_judged;
    all["rows"] = figures_of(view.tables.front()).array(limit.rows, limit.rows.size());
    return all;
}

ordered_json time_json(std::int64_t begin, std::int64_t end) {
    return {{"begin", time_text(begin)}, {"end", time_text(end)}};
}

} // namespace

std::optional<double> tested_p(const fleet_row& row) {
    return row.presence == fleet_row::state::tested && row.test.verdict != verdict::too_few
               ? std::optional{row.test.corrected_p}
               : std::nullopt;
}

std::vector<document::limit> limits_of(const top_view& view) {
    std::vector<document::limit> limits;
    for (const top_limit& each : view.limits) {
        limits.push_back({.text = describe(each, view),
                          .as = !each.is_judged ? document::judged::unknown
                                : each.crossed  ? document::judged::crossed
                                                : document::judged::kept,
                          .limit = each.limit,
                          .json = to_text(json_of(view, each), json_layout::line)});
    }
    return limits;
}

document document_of(const top_view& view) {
    document all{
        .notes = {{view.from + ": " + when_text(view), true}, {how_many_text(view), false}},
        .totals = figures_of(view.tables.front()).empty_table("total"),
        .notes_below = {{notes_below(view)}},
        .limits = limits_of(view)};
    add_note(all.notes, selection_note(view.options.selection), true);
    for (const fleet_table& each : view.tables) {
        all.totals.rows.push_back(row_of(figures_of(each), each.total, to_string(each.type)));
        all.types.push_back(rows_of(view, each));
        add_services(view, each, all);
    }
    return all;
}

std::string as_json(const top_view& view) {
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
        limits.push_back(json_of(view, each));
    }
    add_end(all, view.budget, view.next);
    return to_text(all, json_layout::lines);
}

namespace {

// Services have flat values, and their functions others, so that the table has one of both.
ordered_json page_rows_of(const fleet_table& table, std::size_t most, page_names& names) {
    const figures of = figures_of(table);
    ordered_json services = ordered_json::array();
    ordered_json functions = ordered_json::array();
    for (std::size_t i = 0; i < std::min(most, table.rows.size()); ++i) {
        const fleet_row& service = table.rows[i];
        const std::size_t number = names.number(service.name);
        services.push_back({{"name", number}, {"flat", of.on_page(&service)}, {"cum", nullptr}});
        for (const fleet_row& function : service.rows) {
            if (functions.size() < most) {
                functions.push_back({{"name", names.number(function.name)},
                                     {"service", number},
                                     {"flat", nullptr},
                                     {"cum", of.on_page(&function)}});
            }
        }
    }
    services.insert(services.end(), functions.begin(), functions.end());
    return services;
}

} // namespace

std::string page_of(const top_view& view, page_head head) {
    head.command = "top";
    head.title = "Top of " + view.from;
    head.sides = {"before", "now"};
    if (const std::string chosen = selection_note(view.options.selection); !chosen.empty()) {
        head.notes.push_back(chosen);
    }
    head.notes.push_back(notes_below(view));
    head.limits = limits_of(view);
    head.interval = when_text(view) + "; " + how_many_text(view);
    head.by = what_rows_are(view);
    head.alpha = view.options.alpha;
    page_names names;
    ordered_json types = ordered_json::array();
    for (const fleet_table& table : view.tables) {
        const std::size_t most = most_page_rows(table.slots_before + table.slots_now);
        ordered_json shown = page_type(table.type, false, "comparison");
        shown["rate"] = table.is_rate;
        shown["total"] = figures_of(table).on_page(&table.total);
        shown["rows"] = page_rows_of(table, most, names);
        shown["rows_left_out"] = table.left_out + beyond(most, table.rows.size());
        shown["tree"] = nullptr;
        types.push_back(std::move(shown));
    }
    return page_of(head, types, names, ordered_json::object(), document_of(view));
}

} // namespace pprofdelta::tool
