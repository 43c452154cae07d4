// SPDX-License-Identifier: Apache-2.0
#include "document/trend.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include <nlohmann/json.hpp>

#include <pprofdelta/statistics.hpp>

#include "base/json.hpp"
#include "base/names.hpp"
#include "base/value_text.hpp"
#include "document/capture_cells.hpp"
#include "document/document.hpp"
#include "document/page.hpp"

namespace pprofdelta::tool {

namespace {

std::string per_second(const trend_view& view) { return view.is_rate ? "/s" : ""; }

std::string of_captures(const trend_view& view) {
    return ", of " + std::to_string(view.captures.size()) + " captures";
}

// "10:37:17" in a series of less than a day, else "2026-11-22"; empty if it has no times.
std::string short_time(const trend_view& view, const trend_capture& of) {
    const std::string all = view.options.seconds_between ? "" : time_text(of.time_nanos);
    const std::size_t middle = all.find('T');
    if (middle == std::string::npos) {
        return {};
    }
    return view.captures.back().hours < 24 ? all.substr(middle + 1, 8) : all.substr(0, middle);
}

// That after the step: "9, 2026-11-03".
std::string capture_text(const trend_view& view, const trend_row& row) {
    const std::size_t capture = view.places[row.step];
    const std::string when = short_time(view, view.captures[capture]);
    return std::to_string(capture + 1) + (when.empty() ? "" : ", " + when);
}

std::string in_short(const trend_view& view, const trend_row& row) {
    const std::string p = ", p " + p_text(row.corrected_p);
    if (row.verdict == trend_verdict::steps) {
        return "steps since capture " + capture_text(view, row) + ", from " +
               value_text(view, row.before) + " to " + value_text(view, row.after) + p;
    }
    return slope_text(view, row) + " per hour, from " + value_text(view, row.first()) + " to " +
           value_text(view, row.last()) + ", " + verdict_text(view, row) +
           (row.through ? " as " + row.through->name + " does, " +
                              human_change(row.through->per_hour, view.type.unit) +
                              per_second(view) + " per hour"
                        : "") +
           p;
}

} // namespace

std::string value_text(const trend_view& view, double value) {
    return human_number(value, view.type.unit) + per_second(view);
}

std::string slope_text(const trend_view& view, const trend_row& row) {
    const std::string& unit = view.type.unit;
    const std::string per = per_second(view);
    if (row.verdict == trend_verdict::steps) {
        return human_change(row.after - row.before, unit) + per + " once";
    }
    return human_change(row.slope.value, unit) + per + " " +
           reach_text(row.slope.value, row.slope.within, unit, per);
}

std::string share_text(const trend_row& row) {
    // Rounded before, as there is no -0 %.
    return row.share && row.verdict != trend_verdict::steps
               ? fixed_text(std::round(*row.share * 100) + 0.0, 0) + "%"
               : "";
}

std::string verdict_text(const trend_view& view, const trend_row& row) {
    std::string word = to_string(row.verdict);
    if (row.verdict == trend_verdict::steps) {
        return word + " at " + capture_text(view, row);
    }
    return word;
}

std::string sparkline(const trend_row& row) {
    constexpr std::array<const char*, 8> steps{"\u2581", "\u2582", "\u2583", "\u2584",
                                               "\u2585", "\u2586", "\u2587", "\u2588"};
    const std::size_t count = row.values.size();
    const std::size_t parts = std::min(count, steps.size());
    std::vector<double> heights;
    for (std::size_t i = 0; i < parts; ++i) {
        const std::size_t begin = count * i / parts;
        heights.push_back(
            median(std::span{row.values}.subspan(begin, count * (i + 1) / parts - begin)));
    }
    if (heights.empty()) {
        return {};
    }
    const auto [lowest, highest] = std::minmax_element(heights.begin(), heights.end());
    const double range = *highest - *lowest;
    std::string text;
    for (const double height : heights) {
        const double step = range > 0 ? (height - *lowest) / range * (steps.size() - 1) : 0;
        text += steps[static_cast<std::size_t>(std::lround(step))];
    }
    return text;
}

std::string describe(const trend_view& view, const trend_limit& found) {
    const std::string start = found.limit + ": " + to_string(found.type) + ": ";
    if (!limit::is_each(found.of)) {
        return start + in_short(view, found.row) + of_captures(view);
    }
    constexpr std::size_t most = 5;
    const std::size_t count = found.functions.size();
    std::string text = start + (count == 0   ? "no function"
                                : count == 1 ? "1 function: "
                                             : std::to_string(count) + " functions: ");
    for (std::size_t i = 0; i < std::min(count, most); ++i) {
        const trend_row& row = found.functions[i];
        text += (i == 0 ? "" : "; ") + row.name + " " + in_short(view, row);
    }
    return text + (count > most ? "; and " + std::to_string(count - most) + " more" : "") +
           of_captures(view);
}

std::string describe(const trend_view& view, const too_few_captures& found) {
    const std::string enough = std::to_string(found.enough) +
                               (view.options.are_independent ? "" : " of one run") + " are enough";
    if (found.least_p <= found.needed_p) {
        return std::to_string(view.captures.size()) +
               " captures are too few to tell growth from fluctuation; " + enough;
    }
    return std::to_string(view.captures.size()) + " captures are too few: " +
           needed_text(found, view.options.alpha, view.options.corrected) + "; " + enough;
}

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
            row.verdict == trend_verdict::grows || row.verdict == trend_verdict::falls};
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

std::vector<document::limit> limits_of(const trend_view& view) {
    std::vector<document::limit> limits;
    for (const trend_limit& limit : view.limits) {
        limits.push_back({describe(view, limit),
                          limit.crossed ? document::judged::crossed : document::judged::kept});
    }
    return limits;
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
    all.limits = limits_of(view);
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
    text += (are_independent ? ".\nsteps: p is at most " : ".\ngrows, falls: p is at most ") +
            factor_text(view.options.alpha) +
            (are_independent
                 ? ". grows, falls: also over the whole time. unsure: none of these.\nlevel: "
                 : ", the interval excludes 0, and it continues in the last two "
                   "thirds.\nlevels off: it is weaker there. level: ") +
            "within " + factor_text(view.options.min_change * 100) + "%.";
    text += are_independent ? "" : " unsure: none of these; four times the time halves \u00b1.";
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

namespace {

// Adds the figures of a row.
ordered_json with_figures(ordered_json start, const trend_row& row, const trend_view& view) {
    const bool steps = row.verdict == trend_verdict::steps;
    start["first"] = row.first();
    start["last"] = row.last();
    start["per_hour"] = row.slope.value;
    add_interval(start, row.slope.within);
    start["growth"] = row.growth;
    start["share"] = row.share;
    start["s"] = row.s;
    start["p"] = row.p;
    start["p_corrected"] = row.corrected_p;
    start["verdict"] = to_string(row.verdict);
    start["step"] = steps ? ordered_json(view.places[row.step]) : nullptr;
    start["before"] = steps ? ordered_json(row.before) : nullptr;
    start["after"] = steps ? ordered_json(row.after) : nullptr;
    start["through"] = row.through ? ordered_json(row.through->name) : nullptr;
    start["values"] = row.values;
    return start;
}

ordered_json rows_json(const trend_view& view, const std::vector<trend_row>& rows,
                       std::size_t most) {
    ordered_json all = ordered_json::array();
    for (std::size_t i = 0; i < std::min(most, rows.size()); ++i) {
        all.push_back(with_figures(ordered_json::object({{"name", rows[i].name}}), rows[i], view));
    }
    return all;
}

ordered_json json_of(const trend_limit& limit, const trend_view& view) {
    ordered_json all{{"limit", limit.limit}};
    all.update(type_json(limit.type));
    all = with_figures(std::move(all), limit.row, view);
    all["crossed"] = limit.crossed;
    if (!limit.functions.empty()) {
        all["functions"] = rows_json(view, limit.functions, limit.functions.size());
    }
    return all;
}

} // namespace

std::string limit_as_json(const trend_limit& limit, const trend_view& view) {
    return to_text(json_of(limit, view), json_layout::line);
}

std::string trend_as_json(const trend_view& view) {
    const trend_options& options = view.options;
    const trend_rows& rows = view.rows;
    ordered_json all{{"schema", "pprofdelta/trend/1"},
                     {"version", 1},
                     {"alpha", options.alpha},
                     {"correction", to_string(options.corrected)},
                     {"min_change", options.min_change}};
    ordered_json& captures = all["captures"] = ordered_json::array();
    for (std::size_t i = 0; i < view.captures.size(); ++i) {
        const trend_capture& c = view.captures[i];
        captures.push_back({{"name", view.files[i]},
                            {"time", text_or_null(time_text(c.time_nanos))},
                            {"hours", c.hours},
                            {"run", c.run}});
    }
    all.update(type_json(view.type));
    all["rate"] = view.is_rate;
    all["values_of"] = view.places;
    all["total"] = with_figures(ordered_json::object(), rows.total, view);
    ordered_json& limits = all["limits"] = ordered_json::array();
    for (const trend_limit& limit : view.limits) {
        limits.push_back(json_of(limit, view));
    }
    all["by"] = grouping_text(options.by, options.by_label);
    add_selection(all, options.selection);
    all["questions"] = rows.questions;
    all["flat"] = rows_json(view, rows.flat, view.top);
    all["cum"] = rows_json(view, rows.cum, view.top);
    all["rows_left_out"] = rows.flat.size() + rows.cum.size() -
                           std::min(view.top, rows.flat.size()) -
                           std::min(view.top, rows.cum.size());
    all["small_rows_left_out"] = rows.left_out;
    add_end(all, view.budget, view.next);
    return to_text(all, json_layout::lines);
}

namespace {

// A row of a page. Its values are one for each capture, null where there is none.
ordered_json page_row(const trend_row* row, const std::vector<std::size_t>& places,
                      std::size_t captures) {
    if (row == nullptr) {
        return {};
    }
    const bool steps = row->verdict == trend_verdict::steps;
    std::vector<ordered_json> values(captures);
    for (std::size_t i = 0; i < places.size(); ++i) {
        values[places[i]] = row->values[i];
    }
    ordered_json all{{"values", std::move(values)},
                     {"first", row->first()},
                     {"last", row->last()},
                     {"slope", row->slope.value}};
    add_interval(all, row->slope.within);
    all["p"] = row->corrected_p;
    all["verdict"] = to_string(row->verdict);
    all["step"] = steps ? ordered_json(places[row->step]) : nullptr;
    all["jump"] = steps ? ordered_json(row->after - row->before) : nullptr;
    all["share"] = row->share;
    return all;
}

ordered_json page_type_of(profile_trend& trend, std::size_t type, const flame_graph* stacks,
                          page_names& names) {
    const trend_rows rows = trend.rows(type);
    const std::size_t captures = trend.captures().size();
    const auto shown = [&](const trend_row* row) {
        return page_row(row, trend.places(type), captures);
    };
    const page_rows<trend_row> listed{rows.flat, rows.cum, captures};
    ordered_json all = page_type(trend.types()[type], trend.is_rate(type), "comparison");
    all["rate"] = trend.is_rate(type);
    all["total"] = shown(&rows.total);
    ordered_json& array = all["rows"] = ordered_json::array();
    for (const auto& [name, row] : listed.by_name()) {
        array.push_back(
            {{"name", names.number(name)}, {"flat", shown(row.flat)}, {"cum", shown(row.cum)}});
    }
    all["rows_left_out"] = rows.left_out + listed.left_out();
    all["tree"] = stacks == nullptr ? nullptr : page_tree(*stacks, names, false);
    return all;
}

} // namespace

std::string trend_as_page(const trend_view& view, profile_trend& trend,
                          const std::optional<overview>& ends,
                          const std::vector<page_input>& inputs,
                          const std::vector<std::string>& given,
                          const std::vector<std::string>& warnings) {
    page_head head{.command = "trend",
                   .title = "Trend of " + std::to_string(view.files.size()) + " captures",
                   .sides = {"first", "last"},
                   .inputs = inputs,
                   .options = given,
                   .warnings = warnings,
                   .notes = {captures_text(view), notes_below(view)},
                   .by = grouping_text(view.options.by, view.options.by_label),
                   .type = view.place_of_type,
                   .alpha = view.options.alpha};
    head.limits = limits_of(view);
    page_names names;
    ordered_json types = ordered_json::array();
    for (std::size_t type = 0; type < trend.types().size(); ++type) {
        types.push_back(
            page_type_of(trend, type, ends ? &ends->types[type].stacks : nullptr, names));
    }
    ordered_json more;
    ordered_json& captures = more["captures"] = ordered_json::array();
    for (const trend_capture& c : view.captures) {
        captures.push_back({{"hours", c.hours}, {"series", c.run}});
    }
    if (ends) {
        more["places"] = names.places(ends->places);
    }
    trend_view plain = view;
    plain.has_colors = false;
    return html_page({.title = printable(head.title),
                      .json = page_data(head, types, names, more),
                      .text = trend_as_text(plain)});
}

} // namespace pprofdelta::tool
