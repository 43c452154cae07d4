// SPDX-License-Identifier: Apache-2.0
#include "document/top.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include <pprofdelta/report_json.hpp>

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
    for (std::size_t i = 0; i < std::min(most, of.rows.size()); ++i) {
        shown.rows.push_back(row_of(of, of.rows[i], cut_name(of.rows[i].name)));
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
            " parts of the time. p: Mann-Whitney test of these,\ncorrected among " +
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
        text += "\nNo delta is of the time before.";
    } else if (first.too_few) {
        text += "\n" + needed_text(*first.too_few, view.options.alpha, correction::none) +
                " among so many rows.";
    }
    if (view.counts.without_duration != 0) {
        text += "\n" + counted(view.counts.without_duration, "profile") +
                " left out, which are no deltas: they have no duration between 1 us and 31 years.";
    }
    return text;
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
    return all;
}

} // namespace

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

std::string members(const fleet_row& row) {
    const bool is_tested = tested_p(row).has_value();
    return "\"now\": " + json_number(row.now) + ", \"before\": " + json_number(row.before) +
           ", \"change\": " + json_number(row.change()) +
           ", \"p\": " + (is_tested ? json_number(row.test.p) : "null") +
           ", \"p_corrected\": " + (is_tested ? json_number(row.test.corrected_p) : "null") +
           ", \"verdict\": " + json_string(verdict_text(row));
}

std::string row_members(const top_view& view, const fleet_row& row) {
    std::string text = "\"name\": " + json_string(row.name) + ", " + members(row);
    if (!view.options.is_one) {
        const std::size_t shown = std::min(view.functions, row.rows.size());
        std::string rows;
        for (std::size_t i = 0; i < shown; ++i) {
            rows += (i == 0 ? "{" : ", {") + ("\"name\": " + json_string(row.rows[i].name)) + ", " +
                    members(row.rows[i]) + "}";
        }
        text += ", \"rows\": [" + rows +
                "], \"rows_left_out\": " + std::to_string(row.all_rows - shown);
    }
    return text;
}

std::string members(const top_view& view, const fleet_table& table) {
    std::vector<std::string> rows;
    for (std::size_t i = 0; i < std::min(view.top, table.rows.size()); ++i) {
        rows.push_back(row_members(view, table.rows[i]));
    }
    return type_members(table.type) + "\"rate\": " + (table.is_rate ? "true" : "false") +
           ", \"slots\": " + std::to_string(table.slots_now) +
           ", \"slots_before\": " + std::to_string(table.slots_before) +
           ", \"questions\": " + std::to_string(table.questions) + ", \"total\": {" +
           members(table.total) + "}, \"rows\": " + json_array(rows, 8) +
           ", \"rows_left_out\": " + std::to_string(table.rows.size() - rows.size()) +
           ", \"small_rows_left_out\": " + std::to_string(table.left_out);
}

std::string time_members(std::int64_t begin, std::int64_t end) {
    return R"({"begin": )" + json_string(time_text(begin)) +
           ", \"end\": " + json_string(time_text(end)) + "}";
}

} // namespace

std::string top_as_json(const top_view& view) {
    const fleet_options& options = view.options;
    std::vector<std::string> tables;
    for (const fleet_table& each : view.tables) {
        tables.push_back(members(view, each));
    }
    return "{\n  \"schema\": \"pprofdelta/top/1\",\n  \"version\": 1,\n  \"from\": " +
           json_string(view.from) +
           ",\n  \"against\": " + (view.against.empty() ? "null" : json_string(view.against)) +
           ",\n  \"now\": " + time_members(options.begin_nanos, options.end_nanos) +
           ",\n  \"before\": " +
           time_members(options.begin_nanos - options.ago_nanos,
                        options.end_nanos - options.ago_nanos) +
           ",\n  \"services\": " + std::to_string(view.services) +
           ",\n  \"deltas\": " + std::to_string(view.counts.now) +
           ",\n  \"deltas_before\": " + std::to_string(view.counts.before) +
           ",\n  \"of_another_time\": " + std::to_string(view.counts.elsewhere) +
           ",\n  \"of_other_types\": " + std::to_string(view.counts.of_other_types) +
           ",\n  \"without_duration\": " + std::to_string(view.counts.without_duration) +
           ",\n  \"bad\": " + std::to_string(view.bad) +
           ",\n  \"alpha\": " + json_number(options.alpha) +
           ",\n  \"min_change\": " + json_number(options.min_change) +
           ",\n  \"by\": " + json_string(what_rows_are(view)) +
           ",\n  \"cum\": " + (options.by_cum ? "true" : "false") +
           selection_members(options.selection) + ",\n  \"tables\": " + json_array(tables, 4) +
           budget_member(view.budget) + ",\n  \"next\": " + json_commands(view.next) + "\n}\n";
}

namespace {

// The means of a row stand where those of compare have medians.
std::string slots_json(const fleet_row& row) {
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
std::string rows_json(const fleet_table& table, page_names& names) {
    const std::size_t most = most_page_rows(table.slots_before + table.slots_now);
    std::vector<std::string> services;
    std::vector<std::string> functions;
    for (const fleet_row& service : table.rows) {
        if (services.size() == most) {
            break;
        }
        const std::string number = names.number(service.name);
        services.push_back("{\"name\":" + number + ",\"flat\":" + slots_json(service) +
                           ",\"cum\":null}");
        for (const fleet_row& function : service.rows) {
            if (functions.size() < most) {
                functions.push_back("{\"name\":" + names.number(function.name) +
                                    ",\"service\":" + number +
                                    ",\"flat\":null,\"cum\":" + slots_json(function) + "}");
            }
        }
    }
    services.insert(services.end(), functions.begin(), functions.end());
    return page_array(services);
}

std::string type_json(const fleet_table& table, page_names& names) {
    const std::size_t most = most_page_rows(table.slots_before + table.slots_now);
    const std::size_t left_out = table.rows.size() - std::min(most, table.rows.size());
    return "{" + page_type(table.type, false, "comparison") +
           "\"rate\":" + (table.is_rate ? "true" : "false") +
           ",\"total\":" + slots_json(table.total) + ",\"rows\":" + rows_json(table, names) +
           ",\"rows_left_out\":" + std::to_string(table.left_out + left_out) + ",\"tree\":null}";
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
    page_names names;
    std::vector<std::string> types;
    for (const fleet_table& table : view.tables) {
        types.push_back(type_json(table, names));
    }
    top_view plain = view;
    plain.has_colors = false;
    return html_page({.title = printable(head.title),
                      .json = page_data(head, types, names),
                      .text = top_as_text(plain)});
}

} // namespace pprofdelta::tool
