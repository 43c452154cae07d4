// SPDX-License-Identifier: Apache-2.0
#include "document/top.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "base/lists.hpp"
#include "base/names.hpp"
#include "base/value_text.hpp"
#include "document/fields.hpp"

namespace pprofdelta::tool {

namespace {

// The number of services whose functions are shown.
constexpr std::size_t most_services_with_functions = 5;
constexpr std::int64_t day_nanos = 86'400'000'000'000;

std::string amount_text(const fleet_table& table, double value) {
    return table.is_rate ? human_rate(value, table.type.unit, rate_time::second)
                         : format_number(value, table.type.unit);
}

std::string signed_text(const fleet_table& table, double change) {
    return change == 0 ? "0" : (change > 0 ? "+" : "-") + amount_text(table, std::fabs(change));
}

// An amount with three digits, since many stand beside each other: "129KiB" of "128.74KiB/s".
std::string short_amount(const fleet_table& table, double value) {
    std::string text = amount_text(table, value);
    text.erase(table.is_rate ? text.rfind('/') : text.size());
    const std::string digits = text.substr(0, text.find_first_not_of("-.0123456789"));
    const double number = number_in<double>(digits).value_or(0);
    return std::fabs(number) < 10 || digits.find('.') == std::string::npos
               ? text
               : fixed_text(number, std::fabs(number) < 100 ? 1 : 0) + text.substr(digits.size());
}

// The data in the largest unit of which the window has two, such as "40m of 60m", or "40m/60m of
// 60m" if there is another time before.
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

// Whether a part of a time has no delta. One that is at work when a time ends is not there yet.
bool has_gap(std::int64_t covered, std::int64_t time) {
    constexpr double most = 0.9;
    return static_cast<double>(covered) < most * static_cast<double>(time);
}

// "*129KiB" if deltas cover a part of it, "-" if none does.
std::string period_text(const fleet_options& options, const fleet_table& table,
                        const fleet_row::period& period) {
    const bool is_part = has_gap(period.data.nanos, options.period_nanos);
    return period.value ? (is_part ? "*" : "") + short_amount(table, *period.value) : "-";
}

std::string short_text_of(std::int64_t nanos) { return short_text(nanos / nanos_per_second); }

// When each begins.
std::vector<std::string> begins_of(const fleet_options& options) {
    std::vector<std::string> all;
    for (std::int64_t begin = options.begin_nanos;
         options.period_nanos != 0 && begin < options.end_nanos; begin += options.period_nanos) {
        all.push_back(time_text(begin));
    }
    return all;
}

// "grew", "too few", "new" or "gone".
std::string change_verdict(const fleet_row& row) {
    return row.presence == fleet_row::state::appeared ? "new"
           : row.presence == fleet_row::state::gone   ? "gone"
                                                      : to_string(row.test.verdict);
}

std::string time_between(const fleet_options& options) {
    return time_text(options.begin_nanos) + " to " + time_text(options.end_nanos);
}

// "the day before", "7d before" or "90m before".
std::string ago_text(const fleet_options& options) {
    return options.ago_nanos == 0           ? "the same time"
           : options.ago_nanos == day_nanos ? "the day before"
                                            : short_text_of(options.ago_nanos) + " before";
}

std::string notes_of_periods(const top_view& view, bool is_page) {
    const std::string period = short_text_of(view.options.period_nanos);
    const std::string start = " the mean of " + period + " from then on, in UTC";
    std::string text =
        (is_page ? "A cell:" + start +
                       ". Its color: the change from the median of the first half of\n"
                       "its row, on one scale for all. Its height without a number: its part of\n"
                       "the largest value of its row.\nDashed: deltas cover less than 90%. Hatched"
                 : "A column:" + start + ". *: deltas cover less than 90%.\n-") +
        ": no delta, which the total lacks. Rows that change over time, rather than back and\n"
        "forth, come first. Nothing is tested; for a test, see --since " +
        period + " --ago " + period + ".";
    const std::int64_t usual = view.tables.front().usual_nanos;
    if (usual > view.options.period_nanos / 10 * 11) {
        text += "\nMost deltas are as long as " + short_text_of(usual) +
                ", of which all periods get the same.";
    }
    return text;
}

std::string notes_of_test(const top_view& view) {
    std::string text = "now, before: the mean of ";
    const fleet_table& first = view.tables.front();
    text += std::to_string(first.slots_now) + " and " + std::to_string(first.slots_before) +
            " time slots. p: Mann-Whitney test of these,\ncorrected among " +
            (view.options.is_one
                 ? counted(first.hypotheses, "row")
                 : counted(first.hypotheses, "service") + ", and those of a service by bh") +
            ".\ngrew, fell: p is at most " + factor_text(view.options.alpha) + ". same: within " +
            factor_text(view.options.min_change * 100) + "%.";
    return text;
}

std::string notes_below(const top_view& view, bool is_page = false) {
    const fleet_table& first = view.tables.front();
    const bool has_periods = view.options.period_nanos != 0;
    std::string text = has_periods ? notes_of_periods(view, is_page) : notes_of_test(view);
    if (first.left_out != 0) {
        text +=
            "\n" + left_out_text(first.left_out, factor_text(view.options.min_share * 100) + "%");
    }
    std::size_t folded = 0;
    for (const fleet_table& each : view.tables) {
        folded = std::max(folded, each.folded_functions);
    }
    text += (folded == 0 ? "" : "\n") + folded_text(folded);
    if (!has_periods && first.slots_before != 0 && first.too_few) {
        text += "\n" + needed_text(*first.too_few, view.options.alpha, correction::none) +
                " with this many rows.";
    }
    if (view.counts.without_duration != 0) {
        text += "\n" + counted(view.counts.without_duration, "profile") +
                " left out: they count from the start of a process, so their interval is unknown.";
    }
    if (const std::vector<std::string>& names = view.counts.unknown_services; !names.empty()) {
        constexpr std::size_t most = 3;
        text += "\n" + counted(names.size(), "service") +
                " left out, with no other profiles now or before: " +
                joined(first_of(names, most), ", ", printable) +
                (names.size() > most ? ", \u2026" : "") + ".";
    }
    return text;
}

std::string chosen_text(const top_view& view) {
    return selection_note(view.options.selection,
                          std::ranges::any_of(view.tables, [](const fleet_table& each) {
                              return each.total.before != 0 || each.total.now != 0;
                          }));
}

// "service" or "function".
std::string row_kind(const top_view& view) {
    return view.options.is_one ? grouping_text(view.options.by, view.options.by_label) : "service";
}

// "2 functions", "2 values of label:tenant".
std::string counted_rows(const top_view& view, std::size_t count) {
    const bool are_labels = view.options.is_one && view.options.by == grouping::label;
    return are_labels ? counted(count, "value") + " of " + row_kind(view)
                      : counted(count, row_kind(view));
}

// The times that are compared.
std::string when_text(const top_view& view) {
    return time_between(view.options) +
           (view.options.period_nanos != 0
                ? ", every " + short_text_of(view.options.period_nanos)
                : ", against " + (view.against.empty() ? "" : view.against + ", ") +
                      ago_text(view.options));
}

// The numbers of services and deltas.
std::string counts_text(const top_view& view) {
    std::set<std::string_view> named; // a service need not have all types
    for (const fleet_table& table : view.tables) {
        for (const fleet_row& row : table.rows) {
            named.insert(row.name);
        }
    }
    const std::size_t present = view.options.is_one ? view.services : named.size();
    return (present == view.services ? "" : std::to_string(present) + " of ") +
           counted(view.services, "service") + ", " + counted(view.counts.now, "delta") +
           (view.options.period_nanos != 0
                ? ""
                : " now, " + std::to_string(view.counts.before) + " before") +
           (view.bad == 0 ? "" : ", " + counted(view.bad, "bad file"));
}

using fleet_figures = fields<fleet_row>;

bool has_news(const fleet_row& row) {
    return row.is_significant() || row.presence != fleet_row::state::tested;
}

// Functions that stand together and have equal values are one row: those that call each other, and
// no others.
std::vector<fleet_row> without_equal_rows(const std::vector<fleet_row>& rows) {
    return joined_rows(
        rows,
        [](const fleet_row& a, const fleet_row& b) {
            return a.now == b.now && a.before == b.before && a.test.p == b.test.p;
        },
        [](const std::vector<std::string>& names) {
            return names.front() + " and " + counted(names.size() - 1, "other");
        });
}

// Those with a clear change, which come first, or all: if asked for, or if there is none.
std::vector<fleet_row> shown_rows(const top_view& view, const std::vector<fleet_row>& rows,
                                  bool are_functions) {
    std::vector<fleet_row> shown;
    if (!view.has_all) {
        std::ranges::copy_if(rows, std::back_inserter(shown), has_news);
    }
    shown = shown.empty() ? rows : shown;
    return are_functions && view.options.by_cum && view.options.period_nanos == 0
               ? without_equal_rows(shown)
               : shown;
}

// The slots of one of both times. The means of a row stand where those of compare have medians.
fleet_figures slots_of(const std::string& name, compared_values compared_row::*side,
                       double fleet_row::*mean) {
    return {{{.page_key = name, .value = [=](const auto& row) { return (row.test.*side).values; }},
             {.page_key = name + "_median", .value = mean}}};
}

// A member that is an array of what each period has.
template <typename Get>
field<fleet_row> list_of(const std::string& key, Get&& get) {
    return {.key = key, .page_key = key, .value = [=](const fleet_row& row) {
                return ordered_json(mapped(row.periods, get));
            }};
}

// Exact to what doubles of the time since 1970 are.
double covered_seconds(const fleet_row::data& data) {
    return std::round(static_cast<double>(data.nanos) / 1e6) / 1e3;
}

// Periods beside each other, of which most have one column for each hour, or each day.
fleet_figures figures_of_periods(const fleet_options& options, const fleet_table& fleet) {
    const std::vector<std::string> begins = begins_of(options);
    const bool has_seconds =
        std::ranges::any_of(begins, [](const auto& begin) { return !begin.ends_with(":00Z"); });
    const bool are_days = options.period_nanos % day_nanos == 0;
    fleet_figures all{{}, [](const auto&) { return false; }};
    for (std::size_t i = 0; i < begins.size(); ++i) {
        const std::string date = begins[i].substr(5, 5);
        const std::string time = begins[i].substr(11, has_seconds ? 8 : 5);
        const auto cell = [&, i](const auto& row) {
            return period_text(options, fleet, row.periods[i]);
        };
        all.add({{{{are_days ? date : time, are_days ? "" : date, table::place::last_that_fit},
                   cell}}});
    }
    all.add({{list_of("values",
                      [](const auto& each) {
                          return value_if(each.value.has_value(), each.value.value_or(0));
                      }),
              list_of("series", [](const auto& each) { return each.data.series; }),
              list_of("covered_seconds",
                      [](const auto& each) { return covered_seconds(each.data); })}});
    return all;
}

// All that the tables of a type, JSON and pages have of a row.
// @param fleet outlives what is returned, as do the options.
fleet_figures figures_of(const fleet_options& options, const fleet_table& fleet) {
    if (options.period_nanos != 0) {
        return figures_of_periods(options, fleet);
    }
    const auto now = [&](const auto& row) { return amount_text(fleet, row.now); };
    const auto before = [&](const auto& row) { return amount_text(fleet, row.before); };
    const auto change = [&](const auto& row) { return signed_text(fleet, row.change()); };
    const auto percent = [](const auto& row) { return percent_of(row.before, row.change()); };
    const auto in_short = [](const auto& row) {
        return tested_p(row) ? p_text(*tested_p(row)) : "";
    };
    const auto p = [](const auto& row) { return value_if(tested_p(row).has_value(), row.test.p); };
    fleet_figures all{{}, has_news};
    all.add(slots_of("base", &compared_row::base, &fleet_row::before));
    all.add(slots_of("head", &compared_row::head, &fleet_row::now));
    all.add({{
        {{"now"}, now, "now", "", &fleet_row::now},
        {{"before", "", table::place::where_it_fits}, before, "before", "", &fleet_row::before},
        {{"change"}, change, "change", "change", &fleet_row::change},
        {{"percent"}, percent},
        {.key = "p", .value = p},
        {{"p", "", table::place::where_it_fits}, in_short, "p_corrected", "p", tested_p},
        {{.head = "verdict", .cells = table::kind::verdict},
         change_verdict,
         "verdict",
         "verdict",
         change_verdict},
    }});
    return all;
}

// The data that there was of a service, or of the total. Columns are for what is worth one.
fleet_figures data_of(const fleet_options& options, bool has_gaps, bool has_several) {
    using in_words = std::function<std::string(const fleet_row&)>;
    if (options.period_nanos != 0) {
        return {{}}; // each has its own
    }
    const auto data = [&](const auto& row) { return data_text(options, row); };
    const auto both = [](const auto& row) {
        return std::to_string(row.data_now.series) + "/" + std::to_string(row.data_before.series);
    };
    return {{
        {{"data", "", table::place::where_it_fits}, has_gaps ? in_words{data} : nullptr},
        {{"series", "", table::place::where_it_fits}, has_several ? in_words{both} : nullptr},
        {.key = "series", .value = [](const auto& row) { return row.data_now.series; }},
        {.key = "series_before", .value = [](const auto& row) { return row.data_before.series; }},
        {.key = "covered_seconds",
         .value = [](const auto& row) { return covered_seconds(row.data_now); }},
        {.key = "covered_seconds_before",
         .value = [](const auto& row) { return covered_seconds(row.data_before); }},
    }};
}

document::rows_of_type rows_of(const top_view& view, const fleet_table& table) {
    const auto any = [&](auto&& is_so) {
        return !view.options.is_one && std::ranges::any_of(table.rows, is_so);
    };
    fleet_figures all = figures_of(view.options, table);
    const std::int64_t window = view.options.end_nanos - view.options.begin_nanos;
    all.add(data_of(view.options, any([=](const fleet_row& row) {
                        return has_gap(std::min(row.data_now.nanos, row.data_before.nanos), window);
                    }),
                    any([](const fleet_row& row) {
                        return row.data_now.series > 1 || row.data_before.series > 1;
                    })));
    const std::vector<fleet_row> shown = shown_rows(view, table.rows, view.options.is_one);
    return {.type = to_string(table.type),
            .heading = table.is_rate ? " per second" : "",
            .count_note =
                !view.has_all && !shown.empty() && has_news(shown.front()) ? " that changed" : "",
            .rows = all.table_of(row_kind(view), shown, view.top),
            .all = shown.size()};
}

document::rows_of_type functions_of(const top_view& view, const fleet_table& table,
                                    const fleet_row& service) {
    const std::vector<fleet_row> shown = shown_rows(view, service.rows, true);
    const bool has_all = view.has_all || !has_news(shown.front());
    return {.type = service.name,
            .heading = view.options.by_cum ? ", cum of " : ", flat of ",
            .heading_text = to_string(table.type),
            .count_note = has_all ? "" : " that changed",
            .rows = figures_of(view.options, table)
                        .table_of(grouping_text(view.options.by, view.options.by_label), shown,
                                  view.functions),
            .all = has_all ? service.all_rows : shown.size()};
}

void add_services(const top_view& view, const fleet_table& table, document& to) {
    std::size_t shown = 0;
    for (std::size_t i = 0; i < std::min(view.top, table.rows.size()); ++i) {
        const fleet_row& row = table.rows[i];
        const bool is_shown = row.is_significant() || (i == 0 && shown == 0);
        if (is_shown && !row.rows.empty() && view.functions != 0 &&
            shown < most_services_with_functions) {
            to.types.push_back(functions_of(view, table, row));
            ++shown;
        }
    }
}

// "each:alloc_space>+20%: alloc_space/bytes: 1 service: shop/cart 51.8KiB/s, +17.3KiB/s (+50.16%),
// p 0.0002"
std::string describe(const top_limit& found, const top_view& view) {
    const std::string start = found.limit + ": " + to_string(found.type) + ": ";
    if (found.has_older_waits) {
        return start + "not judged: the waits are longer than their deltas, so some began before";
    }
    if (found.has_unknown_services) {
        return start + "not judged: services came or went within a window, or lack deltas there";
    }
    if (!found.is_judged) {
        return start + "not judged: nothing has enough data of both times";
    }
    if (found.rows.empty()) {
        return start + "no real growth beyond it";
    }
    const auto table = std::ranges::find(view.tables, found.type, &fleet_table::type);
    const bool is_total = found.rows.front().name.empty();
    return start + (is_total ? "" : counted_rows(view, found.rows.size()) + ": ") +
           listed_text(found.rows, [&](const fleet_row& row) {
               return row.name + (row.name.empty() ? "" : " ") + amount_text(*table, row.now) +
                      ", " + signed_text(*table, row.change()) + " (" +
                      percent_of(row.before, row.change()) + "), p " + p_text(row.test.corrected_p);
           });
}

ordered_json json_of(const top_view& view, const fleet_table& table) {
    const fleet_figures of = figures_of(view.options, table);
    fleet_figures with_data = of;
    with_data.add(data_of(view.options, false, false));
    ordered_json all = type_json(table.type);
    all["rate"] = table.is_rate;
    all["slots"] = table.slots_now;
    all["slots_before"] = table.slots_before;
    all["questions"] = table.hypotheses;
    all["total"] = with_data.with_members(ordered_json::object(), table.total);
    ordered_json& rows = all["rows"] =
        (view.options.is_one ? of : with_data).array(table.rows, view.top);
    const bool has_functions = !view.options.is_one && view.options.period_nanos == 0;
    for (std::size_t i = 0; i < rows.size() && has_functions; ++i) {
        const fleet_row& service = table.rows[i];
        rows[i]["rows"] = of.array(service.rows, view.functions);
        rows[i]["rows_left_out"] = service.all_rows - rows[i]["rows"].size();
    }
    all["rows_left_out"] = beyond(view.top, table.rows.size());
    all["small_rows_left_out"] = table.left_out;
    add_folded(all, table.folded_functions);
    return all;
}

ordered_json json_of(const top_view& view, const top_limit& limit) {
    ordered_json all{{"limit", limit.limit}};
    all.update(type_json(limit.type));
    all["crossed"] = limit.crossed;
    all["judged"] = limit.is_judged;
    all["rows"] =
        figures_of(view.options, view.tables.front()).array(limit.rows, limit.rows.size());
    return all;
}

// Members that JSON and pages have of these.
ordered_json periods_json(const fleet_options& options) {
    return options.period_nanos == 0
               ? ordered_json::object()
               : ordered_json{{"every_seconds", options.period_nanos / nanos_per_second},
                              {"periods", begins_of(options)}};
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
    return mapped(view.limits, [&](const top_limit& each) -> document::limit {
        return {.text = describe(each, view),
                .as = !each.is_judged ? document::judged::unknown
                      : each.crossed  ? document::judged::crossed
                                      : document::judged::kept,
                .limit = each.limit,
                .json = to_text(json_of(view, each), json_layout::line)};
    });
}

std::pair<std::int64_t, std::int64_t> largest_step(const std::vector<fleet_row::period>& all) {
    std::pair<std::int64_t, std::int64_t> found;
    std::int64_t last = -1;
    fleet_row::period before;
    double most = -1;
    // Where much of the data is missing on one side, the step is that of what is missing.
    const auto have_same_data = [](const fleet_row::period& a, const fleet_row::period& b) {
        const auto [few, many] = std::minmax(a.data.series, b.data.series);
        constexpr std::size_t part = 10;
        return (many - few) * part <= many;
    };
    for (std::int64_t at = 0; const fleet_row::period& each : all) {
        if (each.value && last < 0) {
            found = {at - 1, at};
        } else if (each.value && have_same_data(before, each) &&
                   std::fabs(*each.value - *before.value) > most) {
            most = std::fabs(*each.value - *before.value);
            found = {last, at};
        }
        if (each.value) {
            last = at;
            before = each;
        }
        ++at;
    }
    return found;
}

namespace {

// In whole minutes or seconds.
std::int64_t whole(std::int64_t nanos, bool is_least) {
    const std::int64_t minute = 60 * nanos_per_second;
    const std::int64_t step = nanos < 2 * minute ? nanos_per_second : minute;
    const std::int64_t steps = (nanos + (is_least ? step - 1 : 0)) / step;
    return std::max(steps, std::int64_t{1}) * step;
}

// "--since 9m --ago 9m", or without the latter for the same time of another folder.
std::string window_text(std::int64_t since, std::int64_t ago) {
    return "--since " + short_text_of(since) + (ago == 0 ? "" : " --ago " + short_text_of(ago));
}

// Which window to ask for where this one cannot be judged: half of what there is against the other
// half, or one with as many slots as a test needs.
std::string advice(const top_view& view, const fleet_table& table) {
    if (table.slots_before == 0 && view.counts.now <= view.services && view.against.empty()) {
        return "there is one delta of each service, and none of the earlier window; wait for more";
    }
    if (table.slots_before == 0) {
        const std::int64_t half = whole(table.total.data_now.nanos / 2, false);
        return "there is no delta of the earlier window" +
               (view.against.empty() ? "; try " + window_text(half, half) : "");
    }
    const std::int64_t window = view.options.end_nanos - view.options.begin_nanos;
    constexpr std::array<std::size_t, 5> numbers{2, 3, 4, 6, 12}; // slots can become these
    const auto* const enough = std::ranges::find_if(numbers, [&](std::size_t number) {
        return table.too_few && number >= table.too_few->enough;
    });
    const std::int64_t needed =
        enough == numbers.end() ? 0 : static_cast<std::int64_t>(*enough) * table.usual_nanos;
    if (needed <= window) {
        return {};
    }
    // The question stays the same, as far as windows do not overlap.
    const std::int64_t since = whole(needed, true);
    const std::int64_t ago =
        view.options.ago_nanos == 0 ? 0 : std::max(view.options.ago_nanos, since);
    const std::string text = window_text(since, ago);
    const bool has_all =
        view.counts.earliest_nanos - table.usual_nanos < view.options.end_nanos - since - ago;
    return "the window has too few deltas; " +
           (has_all ? "try " + text
                    : text + " would do, but there are none before " +
                          time_text(view.counts.earliest_nanos) + "; wait for more");
}

// Why the total cannot be judged.
std::string unknown_text(const fleet_table& table) {
    return "services have no delta before some time of a window (" + std::to_string(table.came) +
           ") or after one (" + std::to_string(table.went) +
           "); whether they were there decides what the fleet did";
}

std::string change_text(const fleet_row& row, const fleet_options& options) {
    if (row.has_unknown_services) {
        return "cannot be judged";
    }
    switch (row.test.verdict) {
    case verdict::grew:
    case verdict::fell:
        return growth_text(row.change(), percent_of(row.before, row.change()));
    case verdict::same:
        return row.test.corrected_p <= options.alpha
                   ? "changed by less than " + factor_text(options.min_change * 100) + "%"
                   : "did not change";
    case verdict::too_few:
        return "cannot be judged";
    case verdict::unsure:
        break;
    }
    return "shows no clear change";
}

// The services that changed, and below each the functions that did; or the functions of a fleet.
table changes_of(const top_view& view, const fleet_table& fleet) {
    constexpr std::size_t most_rows = 5;
    constexpr std::size_t most_functions = 3;
    table made{"where it comes from",
               {{"change"}, {"percent"}, {.head = "verdict", .cells = table::kind::verdict}}};
    const auto add = [&](const fleet_row& row, std::size_t indent) {
        made.rows.push_back({cut_name(row.name),
                             {signed_text(fleet, row.change()),
                              percent_of(row.before, row.change()), change_verdict(row)},
                             true,
                             indent});
    };
    const auto add_changed = [&](const std::vector<fleet_row>& rows, std::size_t most,
                                 std::size_t indent, auto&& add_parts) {
        std::size_t added = 0;
        for (const fleet_row& row : rows) {
            if (has_news(row) && added < most) {
                ++added;
                add(row, indent);
                add_parts(row);
            }
        }
    };
    if (fleet.slots_before != 0) {
        add_changed(fleet.rows, most_rows, 0, [&](const fleet_row& service) {
            const std::vector<fleet_row> functions =
                view.options.by_cum ? without_equal_rows(service.rows) : service.rows;
            add_changed(functions, most_functions, 1, [&](const fleet_row& function) {
                for (const top_chain& chain : view.chains) {
                    if (&fleet == &view.tables.front() && chain.service == service.name &&
                        chain.frames.back() == function.name) {
                        made.rows.push_back({short_chain_text(mapped(chain.frames, cut_name)),
                                             {signed_text(fleet, chain.change), "", ""},
                                             true,
                                             2});
                    }
                }
            });
        });
    }
    return made;
}

// Tells what may have changed, and what it would take to know.
std::vector<document::note> unsure_note(const top_view& view, const fleet_table& fleet) {
    constexpr std::size_t most = 3;
    std::vector<document::note> parts;
    for (const fleet_row& row : fleet.rows) {
        if (row.is_suspect() && parts.size() < 3 * most) {
            add_named(parts, parts.empty() ? "unsure: " : ", ", row.name,
                      " " + signed_text(fleet, row.change()) + " (" +
                          percent_of(row.before, row.change()) + ", p " +
                          p_text(row.test.corrected_p) + ")");
        }
    }
    if (!parts.empty()) {
        const std::int64_t window = view.options.end_nanos - view.options.begin_nanos;
        parts.push_back(
            {"; a longer window tells more, as of --since " + short_text_of(2 * window)});
    }
    return parts;
}

// The largest step from one period to the next: its change, and when the later one begins; nothing
// without a change.
std::vector<std::string> step_cells(const top_view& view, const fleet_table& fleet,
                                    const fleet_row& row) {
    const auto [first, second] = largest_step(row.periods);
    if (first < 0 || first == second) {
        return {};
    }
    const auto value = [&](std::int64_t at) {
        return row.periods[static_cast<std::size_t>(at)].value.value_or(0);
    };
    const double change = value(second) - value(first);
    return change == 0 ? std::vector<std::string>{}
                       : std::vector{signed_text(fleet, change),
                                     begins_of(view.options)[static_cast<std::size_t>(second)]};
}

// When a service is there no longer that was, and its last value; nothing for others. A last period
// can lack deltas that are still to come.
std::vector<std::string> end_cells(const top_view& view, const fleet_table& fleet,
                                   const fleet_row& row) {
    constexpr std::ptrdiff_t least = 2; // periods
    const auto last = std::ranges::find_if(row.periods.rbegin(), row.periods.rend(),
                                           [](const auto& each) { return each.value.has_value(); });
    const auto periods_with_data = std::count_if(
        fleet.total.periods.rbegin(), fleet.total.periods.rbegin() + (last - row.periods.rbegin()),
        [](const fleet_row::period& each) { return each.value.has_value(); });
    if (last == row.periods.rend() || periods_with_data < least || last->value == 0) {
        return {};
    }
    return {signed_text(fleet, -*last->value),
            "gone since " +
                begins_of(view.options)[static_cast<std::size_t>(row.periods.rend() - last)]};
}

document::finding finding_of_periods(const top_view& view, const fleet_table& fleet) {
    constexpr std::size_t most = 3;
    const std::vector<std::string> step = step_cells(view, fleet, fleet.total);
    document::finding found{to_string(fleet.type),
                            step.empty() ? "of the fleet shows no step from one period to the next"
                                         : "of the fleet changed most at " + step[1],
                            step.empty() ? "" : " by " + step[0] + ", which is not tested"};
    found.from = table{"where the largest steps are", {{"change"}, {"period"}}};
    for (std::size_t i = 0; i < fleet.rows.size() && found.from.rows.size() < 2 * most; ++i) {
        const fleet_row& row = fleet.rows[i];
        std::vector<std::string> cells = end_cells(view, fleet, row);
        if (cells.empty() && i < most) {
            cells = step_cells(view, fleet, row);
        }
        if (!cells.empty()) {
            found.from.rows.push_back({cut_name(row.name), cells});
        }
    }
    return found;
}

document::finding finding_of(const top_view& view, const fleet_table& fleet) {
    if (view.options.period_nanos != 0) {
        return finding_of_periods(view, fleet);
    }
    const fleet_row& total = fleet.total;
    const std::string p = tested_p(total) ? ", p " + p_text(*tested_p(total)) : "";
    const std::string change =
        signed_text(fleet, total.change()) + " of " + amount_text(fleet, total.before) + p;
    document::finding found{
        to_string(fleet.type), "of the fleet " + change_text(total, view.options),
        " against " + ago_text(view.options) + " (" +
            (fleet.slots_before == 0 ? amount_text(fleet, total.now) + " now" : change) + ")",
        changes_of(view, fleet)};
    if (const std::string text = advice(view, fleet); !text.empty()) {
        found.notes = {text};
    }
    if (total.has_unknown_services) {
        found.notes.push_back(unknown_text(fleet));
    }
    return found;
}

} // namespace

document findings_of(const top_view& view) {
    document found{.totals = {}, .limits = limits_of(view)};
    for (const fleet_table& each : view.tables) {
        found.findings.push_back(finding_of(view, each));
        if (const auto parts = unsure_note(view, each); !parts.empty()) {
            found.notes_of_findings.push_back(parts);
        }
    }
    return found;
}

document document_of(const top_view& view) {
    document all = findings_of(view);
    all.notes = {{view.from + ": " + when_text(view), true}, {counts_text(view), false}};
    all.totals = figures_of(view.options, view.tables.front()).empty_table("total");
    all.notes_below = {{notes_below(view)}};
    add_note(all.notes, chosen_text(view), true);
    const bool has_periods = view.options.period_nanos != 0;
    for (const fleet_table& each : view.tables) {
        all.totals.rows.push_back(
            figures_of(view.options, each)
                .row(each.total,
                     to_string(each.type) + (has_periods && each.is_rate ? " per second" : "")));
        all.types.push_back(rows_of(view, each));
        add_services(view, each, all);
    }
    return all;
}

std::string as_json(const top_view& view) {
    const fleet_options& options = view.options;
    ordered_json all{{"schema", "pprofdelta/top/1"},
                     {"version", 1},
                     {"summary", summary_json(findings_of(view))},
                     {"from", view.from},
                     {"against", text_or_null(view.against)},
                     {"now", time_json(options.begin_nanos, options.end_nanos)},
                     {"before", options.period_nanos != 0
                                    ? nullptr
                                    : time_json(options.begin_nanos - options.ago_nanos,
                                                options.end_nanos - options.ago_nanos)},
                     {"services", view.services},
                     {"deltas", view.counts.now},
                     {"deltas_before", view.counts.before},
                     {"of_another_time", view.counts.elsewhere},
                     {"of_other_types", view.counts.of_other_types},
                     {"without_duration", view.counts.without_duration},
                     {"unknown_services", view.counts.unknown_services},
                     {"empty", view.counts.empty},
                     {"bad", view.bad},
                     {"alpha", value_if(options.period_nanos == 0, options.alpha)},
                     {"min_change", value_if(options.period_nanos == 0, options.min_change)},
                     {"by", row_kind(view)},
                     {"cum", options.by_cum}};
    all.update(periods_json(options));
    add_selection(all, options.selection);
    all["tables"] =
        mapped(view.tables, [&](const fleet_table& each) { return json_of(view, each); });
    all["limits"] = mapped(view.limits, [&](const top_limit& each) { return json_of(view, each); });
    add_end(all, view.budget, view.next);
    return to_text(all, json_layout::lines);
}

// Services have flat values, and their functions others, so that the table has one of both.
static ordered_json page_rows_of(const fleet_options& options, const fleet_table& table,
                                 std::size_t most, page_names& names) {
    const fleet_figures of = figures_of(options, table);
    ordered_json services = ordered_json::array();
    ordered_json functions = ordered_json::array();
    for (const fleet_row& service : first_of(table.rows, most)) {
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

std::string page_of(const top_view& view, page_head head) {
    head.command = "top";
    head.about = view.from;
    head.sides = {"before", "now"};
    if (const std::string chosen = chosen_text(view); !chosen.empty()) {
        head.notes.push_back(chosen);
    }
    head.notes.push_back(notes_below(view, true));
    head.answer = findings_of(view);
    head.interval = when_text(view) + "; " + counts_text(view);
    head.by = row_kind(view);
    page_names names;
    ordered_json types = ordered_json::array();
    for (const fleet_table& table : view.tables) {
        const std::size_t most =
            most_page_rows(table.slots_before + table.slots_now + table.total.periods.size());
        ordered_json shown = page_type(table.type, false, "comparison");
        shown["rate"] = table.is_rate;
        shown["total"] = figures_of(view.options, table).on_page(&table.total);
        shown["rows"] = page_rows_of(view.options, table, most, names);
        shown["rows_left_out"] = table.left_out + beyond(most, table.rows.size());
        shown["tree"] = nullptr;
        types.push_back(std::move(shown));
    }
    return page_of(head, std::move(types), names, periods_json(view.options), document_of(view));
}

} // namespace pprofdelta::tool
