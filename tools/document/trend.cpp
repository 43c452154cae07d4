// SPDX-License-Identifier: Apache-2.0
#include "document/trend.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <set>
#include <span>
#include <utility>

#include <pprofdelta/statistics.hpp>

#include "base/names.hpp"
#include "base/value_text.hpp"
#include "document/fields.hpp"
#include "document/lifetimes.hpp"

namespace pprofdelta::tool {

namespace {

using shown_type = trend_view::shown_type;

std::string per_second(const shown_type& shown) { return shown.is_rate ? "/s" : ""; }

// "10:37:17" in a series of less than a day, else "2026-11-22"; empty if it has no times.
std::string short_time(const trend_view& view, const trend_capture& capture) {
    const std::string all = view.options.seconds_between ? "" : time_text(capture.time_nanos);
    const std::size_t middle = all.find('T');
    if (middle == std::string::npos) {
        return {};
    }
    return view.captures.back().hours < 24 ? all.substr(middle + 1, 8) : all.substr(0, middle);
}

// The capture after the step: "9, 2026-11-03".
std::string capture_text(const trend_view& view, const shown_type& shown, const trend_row& row) {
    const std::size_t capture = shown.places[row.step];
    const std::string when = short_time(view, view.captures[capture]);
    return std::to_string(capture + 1) + (when.empty() ? "" : ", " + when);
}

// A value of a row, such as "1.50MiB", or "1.50MiB/s" of a rate.
std::string value_text(const shown_type& shown, double value) {
    return format_number(value, shown.type.unit) + per_second(shown);
}

// A row's growth in an hour, and how far the interval of that goes: "+1.50MiB ±20%"; the jump of a
// row that steps: "+1.50MiB once".
std::string slope_text(const shown_type& shown, const trend_row& row) {
    const std::string& unit = shown.type.unit;
    const std::string per = per_second(shown);
    if (row.verdict == trend_verdict::steps) {
        return human_change(row.after - row.before, unit) + per + " once";
    }
    return human_change(row.slope.value, unit) + per + " " +
           reach_text(row.slope.value, row.slope.within, unit, per);
}

// The row's part of the total's growth: "42%"; empty if the total does not grow, or the row steps.
std::string row_share_text(const trend_row& row) {
    // Rounded before, as there is no -0 %.
    return row.share && row.verdict != trend_verdict::steps
               ? fixed_text(std::round(*row.share * 100) + 0.0, 0) + "%"
               : "";
}

// "grows"; "steps at 12, 10:37:17" with the number of the capture, from 1, and its time of the day,
// or in longer series the day.
std::string verdict_text(const trend_view& view, const shown_type& shown, const trend_row& row) {
    const std::string word = to_string(row.verdict);
    return row.verdict == trend_verdict::steps ? word + " at " + capture_text(view, shown, row)
                                               : word;
}

// The values in eight steps of time and of height: the medians of as many parts of the captures.
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
    const auto [lowest, highest] = std::ranges::minmax_element(heights);
    const double range = *highest - *lowest;
    std::string text;
    for (const double height : heights) {
        const double step = range > 0 ? (height - *lowest) / range * (steps.size() - 1) : 0;
        text += steps[static_cast<std::size_t>(std::lround(step))];
    }
    return text;
}

std::string in_short(const trend_view& view, const shown_type& shown, const trend_row& row) {
    const std::string p = ", p " + p_text(row.corrected_p);
    if (row.verdict == trend_verdict::steps) {
        return "steps since capture " + capture_text(view, shown, row) + ", from " +
               value_text(shown, row.before) + " to " + value_text(shown, row.after) + p;
    }
    return slope_text(shown, row) + " per hour, from " + value_text(shown, row.first()) + " to " +
           value_text(shown, row.last()) + ", " + verdict_text(view, shown, row) +
           (row.through ? " as " + row.through->name + " does, " +
                              human_change(row.through->per_hour, shown.type.unit) +
                              per_second(shown) + " per hour"
                        : "") +
           p;
}

using trend_figures = fields<trend_row>;

// All that the tables, JSON and pages have of a row.
// @param shown their type; outlives what is returned, as `view`.
trend_figures figures_of(const trend_view& view, const shown_type& shown) {
    // One for each capture, null where there is none.
    const auto values = [&](const trend_row& row) {
        std::vector<ordered_json> all(view.captures.size());
        for (std::size_t i = 0; i < shown.places.size(); ++i) {
            all[shown.places[i]] = row.values[i];
        }
        return all;
    };
    const auto steps = [](const trend_row& row) { return row.verdict == trend_verdict::steps; };
    const auto step = [=, &shown](const trend_row& row) {
        return steps(row) ? ordered_json(shown.places[row.step]) : nullptr;
    };
    const auto before = [=](const auto& row) { return value_if(steps(row), row.before); };
    const auto after = [=](const auto& row) { return value_if(steps(row), row.after); };
    const auto jump = [=](const auto& row) { return value_if(steps(row), row.after - row.before); };
    const auto through = [](const trend_row& row) {
        return row.through ? ordered_json(row.through->name) : nullptr;
    };
    const auto first = [&](const auto& row) { return value_text(shown, row.first()); };
    const auto last = [&](const auto& row) { return value_text(shown, row.last()); };
    const auto slope = [&](const auto& row) { return slope_text(shown, row); };
    const auto per_hour = [](const auto& row) { return row.slope.value; };
    const auto p = [](const auto& row) { return p_text(row.corrected_p); };
    const auto verdict = [&](const auto& row) { return verdict_text(view, shown, row); };
    const auto word = [](const auto& row) { return to_string(row.verdict); };
    constexpr table::place fits = table::place::where_it_fits;
    return {
        {{.page_key = "values", .value = values},
         {{"first", "", fits}, first, "first", "first", &trend_row::first},
         {{"last"}, last, "last", "last", &trend_row::last},
         {{"per hour"}, slope, "per_hour", "slope", per_hour},
         {{}, {}, "low", "low", [](const auto& row) { return low_of(row.slope.within); }},
         {{}, {}, "high", "high", [](const auto& row) { return high_of(row.slope.within); }},
         {.key = "growth", .value = &trend_row::growth},
         {{"share", "", fits}, row_share_text, "share", "", &trend_row::share},
         {.key = "s", .value = &trend_row::s},
         {.key = "p", .value = &trend_row::p},
         {{"p", "", fits}, p, "p_corrected", "p", &trend_row::corrected_p},
         {{.head = "verdict", .cells = table::kind::verdict}, verdict, "verdict", "verdict", word},
         {{.head = "trend", .shown = fits, .cells = table::kind::drawing}, sparkline},
         {{}, {}, "step", "step", step},
         {.key = "before", .value = before},
         {.key = "after", .value = after},
         {.page_key = "jump", .value = jump},
         {.key = "through", .value = through},
         {.key = "values", .value = &trend_row::values},
         {.page_key = "share", .value = &trend_row::share}},
        [](const auto& row) {
            return row.verdict == trend_verdict::grows || row.verdict == trend_verdict::falls;
        }};
}

bool has_changed(const trend_row& row) {
    return row.verdict == trend_verdict::grows || row.verdict == trend_verdict::falls ||
           row.verdict == trend_verdict::steps || row.verdict == trend_verdict::levels_off;
}

// Whether tables have rows without a clear change: if asked for, or if there are no others.
bool shows_all(const trend_view& view) {
    return view.has_all || (std::ranges::none_of(view.rows.flat, has_changed) &&
                            std::ranges::none_of(view.rows.cum, has_changed));
}

// Rows that stand together and have equal values are one, which is called by all of their names.
std::vector<trend_row> with_chains(const std::vector<trend_row>& rows) {
    return joined_rows(
        rows, [](const trend_row& a, const trend_row& b) { return a.values == b.values; },
        short_chain_text);
}

// @param rows of cum if they call each other.
document::rows_of_type rows_of(const trend_view& view, const char* what,
                               const std::vector<trend_row>& rows) {
    const bool has_all = shows_all(view);
    std::vector<trend_row> shown;
    std::ranges::copy_if(rows, std::back_inserter(shown),
                         [&](const trend_row& row) { return has_all || has_changed(row); });
    if (&rows == &view.rows.cum) {
        shown = with_chains(shown);
    }
    return {.heading = what,
            .count_note = has_all ? "" : " that changed",
            .rows = figures_of(view, view.of)
                        .table_of(grouping_text(view.options.by, view.options.by_label), shown,
                                  view.top),
            .all = shown.size()};
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

} // namespace

std::size_t trend_view::clocks_set_back() const {
    std::size_t count = 0;
    for (std::size_t i = 1; !options.seconds_between && i < captures.size(); ++i) {
        count += captures[i].time_nanos < captures[i - 1].time_nanos ? 1 : 0;
    }
    return count;
}

namespace {

// The line above the tables, which describes their captures.
std::string captures_text(const trend_view& view) {
    std::string text = std::to_string(view.files.size()) + " captures, " + ends_text(view.files) +
                       ": " + time_between(view.captures.back().hours);
    const std::string start = time_text(view.captures.front().time_nanos);
    text += view.options.seconds_between ? "," + order_text({view.files})
            : start.empty()              ? ""
                                         : " from " + start;
    const std::size_t set_back = view.clocks_set_back();
    std::size_t periods = 0;
    std::size_t restarts = 0;
    for (std::size_t i = 1; i < view.captures.size(); ++i) {
        const trend_capture& before = view.captures[i - 1];
        const trend_capture& now = view.captures[i];
        const bool is_set_back = set_back != 0 && now.time_nanos < before.time_nanos;
        periods += now.has_other_period ? 1 : 0;
        restarts += now.run != before.run && !is_set_back && !now.has_other_period ? 1 : 0;
    }
    text += restarts > 0 ? ", " + counted(restarts, "restart") : "";
    text += periods > 0 ? ", " + counted(periods, "change") + " of the sampling period" : "";
    text += set_back == 0   ? ""
            : set_back == 1 ? ", times go back once"
                            : ", times go back " + std::to_string(set_back) + " times";
    return text +
           (view.left_out > 0 ? ", " + std::to_string(view.left_out) + " empty left out" : "");
}

// The lines below the tables, which say how they were made and what they lack.
std::string notes_below(const trend_view& view, bool is_page = false) {
    const bool are_independent = view.options.are_independent;
    std::string text =
        std::string{"per hour: the median slope. p: "} +
        (are_independent ? "Mann-Whitney test where captures change most" : "Mann-Kendall test") +
        (view.options.corrected == correction::none
             ? ""
             : std::string{", corrected by "} + to_string(view.options.corrected) + " among " +
                   counted(view.rows.hypotheses, "row"));
    text += (are_independent ? ".\nsteps: p is at most " : ".\ngrows, falls: p is at most ") +
            factor_text(view.options.alpha) +
            (are_independent
                 ? ". grows, falls: also over the whole time. unsure: none of these.\nlevel: "
                 : ", the interval excludes 0, and it continues in the last two "
                   "thirds.\nlevels off: it is weaker there. level: ") +
            "within " + factor_text(view.options.min_change * 100) + "%.";
    text += are_independent ? ""
                            : std::string{" unsure: none of these; four times the time halves "} +
                                  (is_page ? "the interval." : "\u00b1.");
    if (view.rows.left_out > 0) {
        text += "\n" + left_out_text(view.rows.left_out, view.least_size_text);
    }
    const std::string folded = folded_text(view.rows.folded_functions);
    return text + (folded.empty() ? "" : "\n") + folded;
}

// "in 19m", "in 3 runs of 19m"
std::string duration_text(const trend_view& view) {
    return "in " + time_between(view.captures.back().hours);
}

// "grows by 15.46MiB an hour"
std::string course_text(const trend_view& view, const shown_type& shown, const trend_row& row) {
    const std::string by =
        " by " + format_number(std::fabs(row.slope.value), shown.type.unit) + per_second(shown);
    switch (row.verdict) {
    case trend_verdict::grows:
        return "grows" + by + " an hour";
    case trend_verdict::falls:
        return "falls" + by + " an hour";
    case trend_verdict::steps:
        return "steps from " + value_text(shown, row.before) + " to " +
               value_text(shown, row.after) + " at " + capture_text(view, shown, row);
    case trend_verdict::levels_off:
        return "levels off";
    case trend_verdict::level:
        return "stays level";
    case trend_verdict::too_few:
        return "cannot be judged";
    case trend_verdict::unsure:
        break;
    }
    return "shows no clear trend";
}

document::finding finding_of(const trend_view& view, const shown_type& shown,
                             const trend_row& total) {
    const std::string& unit = shown.type.unit;
    const std::string per = per_second(shown);
    std::string how = " (";
    if (total.verdict != trend_verdict::steps) {
        how += total.verdict == trend_verdict::grows || total.verdict == trend_verdict::falls
                   ? ""
                   : human_change(total.slope.value, unit) + per + " an hour, ";
        if (total.slope.within) {
            how += factor_text((1 - view.options.alpha) * 100) + "% interval " +
                   human_change(total.slope.within->low, unit) + per + " to " +
                   human_change(total.slope.within->high, unit) + per + "; ";
        }
    }
    how += std::to_string(view.captures.size()) + " captures " + duration_text(view) + "), " +
           value_text(shown, total.last()) + " now";
    return {to_string(shown.type), course_text(view, shown, total), how};
}

table causes_of(const trend_view& view) {
    const trend_causes& found = view.causes;
    const std::string& unit = view.of.type.unit;
    const bool has_steps = view.rows.total.verdict == trend_verdict::steps;
    const auto cells = [&](double change, const std::string& word) {
        const double share = found.total == 0 ? 0 : change / found.total;
        return std::vector{
            human_change(change, unit) + per_second(view.of) + (has_steps ? "" : "/h"),
            found.total == 0 ? "" : fixed_text(std::round(share * 100) + 0.0, 0) + "%", word};
    };
    double rest = found.total;
    const auto cause = [&](const change_cause<trend_causes::growth>& each) {
        const auto& [change, row] = each.value;
        rest -= each.depth == 0 ? change : 0;
        return with_cells(
            each, cells(change, row.verdict == trend_verdict::level ? "" : to_string(row.verdict)));
    };
    std::vector<std::string> others = mapped(view.rows.flat, &trend_row::name);
    const std::vector<std::string> of_cum = mapped(view.rows.cum, &trend_row::name);
    others.insert(others.end(), of_cum.begin(), of_cum.end());
    table made =
        causes_table({{"change"}, {"share"}, {.head = "verdict", .cells = table::kind::verdict}},
                     mapped(found.causes, cause), others);
    for (std::size_t i = 0; i < made.rows.size(); ++i) {
        made.rows[i].is_news = has_changed(found.causes[i].value.row);
    }
    if (!made.rows.empty() && found.total != 0) {
        made.rows.push_back({"everything else", cells(rest, ""), false});
    }
    return made;
}

// "40 more minutes": until the interval of a slope that stays is away from 0. Noise that stays
// makes it narrower with the square root of the time. Empty if that says nothing.
std::string time_to_tell(const trend_view& view, const trend_row& row) {
    constexpr double longest = 20; // times the time so far; a guess from less is none
    if (!row.slope.within || row.slope.value == 0) {
        return {};
    }
    const double end = row.slope.value > 0 ? row.slope.within->low : row.slope.within->high;
    const double part = std::fabs((row.slope.value - end) / row.slope.value);
    const double hours = view.captures.back().hours * (part * part - 1);
    if (!(part > 1) || part * part > longest || !(hours > 0)) {
        return {};
    }
    const auto text = [](double count, double step, const char* unit) {
        const auto rounded = static_cast<std::size_t>(std::ceil(count / step) * step);
        return std::to_string(rounded) + " more " + unit + (rounded == 1 ? "" : "s");
    };
    constexpr double many = 10;
    const double minutes = hours * 60;
    const double days = hours / 24;
    return minutes < many       ? text(minutes, 1, "minute")
           : minutes < 9 * many ? text(minutes, 5, "minute")
           : hours < 36         ? text(hours, 1, "hour")
                                : text(days, 1, "day");
}

// Tells what is unsure of the causes, and what it would take to know.
std::vector<document::note> unsure_note(const trend_view& view) {
    constexpr std::size_t most = 3;
    std::vector<document::note> parts;
    std::set<std::string> told;
    const auto add = [&](const std::string& name, const trend_row& row, bool needs_time) {
        const std::string time = time_to_tell(view, row);
        if (row.verdict == trend_verdict::unsure && parts.size() < 3 * most &&
            !(needs_time && time.empty()) && told.insert(name).second) {
            add_named(parts, parts.empty() ? "unsure: " : "; ", name,
                      time.empty() ? "" : ": about " + time + " would tell");
        }
    };
    add(to_string(view.of.type), view.rows.total, true);
    for (const change_cause<trend_causes::growth>& each : view.causes.causes) {
        add(cut_name(each.frames.back()), each.value.row, false);
    }
    return parts;
}

// Tells what jumped once beside a total that does not.
std::vector<document::note> steps_note(const trend_view& view) {
    constexpr std::size_t most = 3;
    std::vector<document::note> parts;
    for (const trend_row& row : view.rows.flat) {
        if (row.verdict == trend_verdict::steps && parts.size() < 3 * most) {
            const std::string jump = human_change(row.after - row.before, view.of.type.unit);
            add_named(parts, parts.empty() ? "steps: " : ", ", row.name,
                      " " + jump + per_second(view.of) + " at " + capture_text(view, view.of, row));
        }
    }
    return view.rows.total.verdict == trend_verdict::steps ? std::vector<document::note>{} : parts;
}

// A limit and what was found: "LIMIT: TYPE/UNIT: +2MiB ±10% per hour, from 10MiB to 16MiB, grows,
// p 0.0012, of 20 captures"; of a limit on each function the worst of those that cross it.
std::string describe(const trend_view& view, const shown_type& shown, const trend_limit& found) {
    const std::size_t count = found.functions.size() + found.functions_left_out;
    const std::string start = found.limit + ": " + to_string(found.type) + ": ";
    if (found.has_other_periods) {
        return start + "not judged: the sampling period changed in between, and what was sampled "
                       "before is scaled by the new one until it is freed";
    }
    return start +
           (!limit::is_each(found.of) ? in_short(view, shown, found.row)
            : count == 0              ? "no function"
                                      : counted(count, "function") + ": " +
                               listed_text(found.functions,
                                           [&](const trend_row& row) {
                                               return row.name + " " + in_short(view, shown, row);
                                           })) +
           ", of " + std::to_string(view.captures.size()) + " captures";
}

void add_type(ordered_json& to, const shown_type& shown) {
    to.update(type_json(shown.type));
    to["rate"] = shown.is_rate;
    to["values_of"] = shown.places;
}

ordered_json json_of(const trend_view& view, const shown_type& type, const trend_limit& limit) {
    const trend_figures of = figures_of(view, type);
    ordered_json all{{"limit", limit.limit}};
    add_type(all, type);
    all = of.with_members(std::move(all), limit.row);
    all["crossed"] = limit.crossed;
    if (limit.has_other_periods) {
        all["other_periods"] = true;
    }
    if (!limit.functions.empty()) {
        all["functions"] = of.array(limit.functions, limit.functions.size());
    }
    if (limit.functions_left_out != 0) {
        all["functions_left_out"] = limit.functions_left_out;
    }
    return all;
}

} // namespace

trend_view::shown_type shown_type_of(profile_trend& trend, std::size_t type) {
    return {type, trend.types()[type], trend.is_rate(type), trend.places(type)};
}

void add_limits(trend_view& view, profile_trend& trend) {
    for (trend_limit& each : trend.judge()) {
        const auto place = std::ranges::find(trend.types(), each.type) - trend.types().begin();
        const auto type = static_cast<std::size_t>(place);
        view.limits.push_back({std::move(each), shown_type_of(trend, type)});
    }
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

std::vector<document::limit> limits_of(const trend_view& view) {
    return mapped(view.limits, [&](const auto& each) -> document::limit {
        return {.text = describe(view, each.of, each.found),
                .as = each.found.has_other_periods ? document::judged::unknown
                      : each.found.crossed         ? document::judged::crossed
                                                   : document::judged::kept,
                .limit = each.found.limit,
                .json = to_text(json_of(view, each.of, each.found), json_layout::line),
                .has_match = each.found.has_match,
                .must_be_judged = each.found.has_other_periods};
    });
}

// The rows of each type, in place of which lifetimes can be shown.
static std::vector<document::rows_of_type> types_of(const trend_view& view) {
    if (!view.lives) {
        return {rows_of(view, "flat", view.rows.flat), rows_of(view, "cum", view.rows.cum)};
    }
    std::vector<document::rows_of_type> all;
    for (const auto& [what, of] :
         {std::pair{", flat", &view.lives->flat}, std::pair{", cum", &view.lives->cum}}) {
        all.push_back(
            table_of(*of, grouping_text(view.options.by, view.options.by_label), view.top, true));
        all.back().heading += what;
    }
    return all;
}

document findings_of(const trend_view& view) {
    document found{.totals = {}, .limits = limits_of(view)};
    if (view.lives) {
        found.findings = {finding_of(view.lives->flat)};
        return found;
    }
    found.findings = {finding_of(view, view.of, view.rows.total)};
    found.findings.back().from = causes_of(view);
    if (view.too_few) {
        found.findings.back().notes = {describe(view, *view.too_few)};
    }
    add_unnamed(found.findings.back().notes, view.options.by, view.rows.flat,
                [](const trend_row&) { return true; });
    for (const trend_view::shown_total& each : view.others) {
        found.findings.push_back(finding_of(view, each.of, each.row));
    }
    for (const std::vector<document::note>& parts : {unsure_note(view), steps_note(view)}) {
        if (!parts.empty()) {
            found.notes_of_findings.push_back(parts);
        }
    }
    return found;
}

document document_of(const trend_view& view) {
    const std::string type = to_string(view.of.type);
    document all = findings_of(view);
    all.notes = {{captures_text(view), true}};
    all.types = types_of(view);
    if (!view.lives) {
        const trend_figures of = figures_of(view, view.of);
        all.notes.push_back({type + (view.of.is_rate ? ", per second" : ""), true});
        all.totals = of.empty_table("total");
        all.totals.rows = {of.row(view.rows.total, type)};
        all.notes_below = {{notes_below(view)}};
    }
    add_note(
        all.notes,
        selection_note(view.options.selection, !view.rows.flat.empty() || view.rows.left_out != 0),
        true);
    return all;
}

std::string as_json(const trend_view& view) {
    const trend_options& options = view.options;
    const trend_rows& rows = view.rows;
    const trend_figures of = figures_of(view, view.of);
    ordered_json all{{"schema", "pprofdelta/trend/1"},
                     {"version", 1},
                     {"summary", summary_json(findings_of(view))},
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
    add_type(all, view.of);
    all["total"] = of.with_members(ordered_json::object(), rows.total);
    all["limits"] =
        mapped(view.limits, [&](const auto& each) { return json_of(view, each.of, each.found); });
    all["by"] = grouping_text(options.by, options.by_label);
    add_selection(all, options.selection);
    all["questions"] = rows.hypotheses;
    all["flat"] = of.array(rows.flat, view.top);
    all["cum"] = of.array(rows.cum, view.top);
    all["rows_left_out"] = beyond(view.top, rows.flat.size()) + beyond(view.top, rows.cum.size());
    all["small_rows_left_out"] = rows.left_out;
    add_folded(all, rows.folded_functions);
    if (view.lives) {
        const ordered_json both{{"flat", as_json(view.lives->flat, view.top)},
                                {"cum", as_json(view.lives->cum, view.top)}};
        all["lifetimes"] = written(to_text(both, json_layout::line));
    }
    add_end(all, view.budget, view.next);
    return to_text(all, json_layout::lines);
}

std::string page_of(const trend_view& view, profile_trend& trend,
                    const std::optional<overview>& ends, page_head head) {
    head.command = "trend";
    head.about = std::to_string(view.files.size()) + " captures";
    head.sides = {"first", "last"};
    head.notes = {captures_text(view), notes_below(view, true)};
    head.by = grouping_text(view.options.by, view.options.by_label);
    head.type = view.of.place;
    head.answer = findings_of(view);
    if (view.lives) {
        head.answer.types = types_of(view);
    }
    page_names names;
    ordered_json types = ordered_json::array();
    for (std::size_t type = 0; type < trend.types().size(); ++type) {
        const trend_rows rows = trend.rows(type);
        const shown_type about = shown_type_of(trend, type);
        const trend_figures of = figures_of(view, about);
        ordered_json shown = page_type(about.type, about.is_rate, "comparison");
        shown["rate"] = about.is_rate;
        shown["total"] = of.on_page(&rows.total);
        of.add_to_page(shown, rows.flat, rows.cum, view.captures.size(), rows.left_out, names);
        shown["tree"] = ends ? page_tree(ends->types[type].stacks, names, false) : nullptr;
        types.push_back(std::move(shown));
    }
    ordered_json others;
    others["captures"] = mapped(view.captures, [](const trend_capture& c) {
        return ordered_json{{"hours", c.hours}, {"series", c.run}};
    });
    if (ends) {
        others["places"] = names.places(ends->places);
    }
    return page_of(head, std::move(types), names, std::move(others), document_of(view));
}

} // namespace pprofdelta::tool
