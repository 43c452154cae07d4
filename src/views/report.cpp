// SPDX-License-Identifier: Apache-2.0
#include "views/report.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <pprofdelta/json.hpp>
#include <pprofdelta/limits.hpp>
#include <pprofdelta/report.hpp>
#include <pprofdelta/report_json.hpp>

#include "base/json_parts.hpp"
#include "base/numbers.hpp"
#include "delta/series.hpp"
#include "profile/index.hpp"
#include "profile/stacks.hpp"
#include "select/rows.hpp"
#include "select/stacks.hpp"
#include "select/viewed_profiles.hpp"

namespace pprofdelta {

namespace {

std::optional<double> per_second(std::int64_t counted, std::int64_t duration_nanos) {
    constexpr double nanos_per_second = 1e9;
    if (duration_nanos <= 0) {
        return std::nullopt;
    }
    return static_cast<double>(counted) / (static_cast<double>(duration_nanos) / nanos_per_second);
}

} // namespace

std::vector<report::total> totals_of(viewed_profiles::impl& of) {
    const computed_delta* const delta = of.delta();
    const bool has_previous = of.has_previous();
    const profile_index& index = of.current().with_types();
    const std::vector<type_treatment> types =
        delta != nullptr ? delta->types
                         : treatments(index.types, plan_subtraction(index.types, {}));
    const std::int64_t duration_nanos =
        delta != nullptr ? delta->summary.duration_nanos : index.view.duration_nanos;
    const std::vector<std::int64_t>& now = of.current().totals();
    std::vector<report::total> all;
    for (std::size_t i = 0; i < now.size(); ++i) {
        const value_pair value{has_previous ? of.previous().totals()[i] : 0, now[i]};
        const bool is_cumulative = types[i].cumulative && (delta != nullptr || !has_previous);
        report::total& total = all.emplace_back();
        total.type = types[i].type;
        total.value = value;
        total.has_previous = has_previous;
        total.has_change = has_previous || (delta != nullptr && is_cumulative);
        total.is_cumulative = is_cumulative;
        total.size = of.main().sizes()[i];
        if (is_cumulative) {
            const std::int64_t counted = of.main().totals()[i];
            total.change = delta != nullptr ? counted : 0;
            total.per_second = per_second(counted, duration_nanos);
        } else if (delta != nullptr || has_previous) {
            total.change = fitting_subtract(value.current, value.previous);
        }
    }
    return all;
}

namespace {

void put_rows(report& r, const row_sums& sums, side_of_pair which) {
    r.rows.resize(std::max(r.rows.size(), sums.flat.size()));
    for (std::size_t i = 0; i < sums.flat.size(); ++i) {
        r.rows[i].flat.*which = sums.flat[i];
        r.rows[i].cum.*which = sums.cum[i];
    }
    r.shown.*which = sums.shown.front();
}

// Equal stacks are added up, of both sides, so there is less to go along than with samples.
void put_rows(report& r, const report_stacks& from) {
    r.rows.resize(from.names.size());
    std::vector<std::uint32_t> last(from.names.size(), stack_frames::none); // stacks, by row
    for (std::uint32_t stack = 0; stack < from.stacks.stacks().size(); ++stack) {
        const value_pair& value = from.stacks.value_of(stack);
        if (value.previous == 0 && value.current == 0) {
            continue;
        }
        add_pair(r.shown, value);
        stack_frames frames = from.frames(stack);
        std::uint32_t innermost = from.no_stack;
        for (std::uint32_t row = frames.take(); row != stack_frames::none; row = frames.take()) {
            if (std::exchange(last[row], stack) != stack) {
                add_pair(r.rows[row].cum, value);
            }
            innermost = row;
        }
        add_pair(r.rows[innermost].flat, value);
    }
}

void name_and_sort_rows(report& r, const row_names& names, row_order order) {
    for (std::uint32_t i = 0; i < r.rows.size(); ++i) {
        r.rows[i].name = names.name(i);
    }
    std::erase_if(r.rows, [](const report::row& row) {
        return change_size(row.flat) == 0 && change_size(row.cum) == 0;
    });
    sort_rows(r.rows, order);
}

report report_of(viewed_profiles::impl& of, const report_options& options, report_stacks* kept) {
    const std::size_t type = choose_type(of, options);
    report r;
    r.of = of.content_of(type);
    r.type = type;
    row_names own;
    row_names* names = &own;
    if (kept != nullptr) {
        *kept = report_stacks{type};
        names = &kept->names;
    }
    const stack_rules rules{options};
    of.for_each_side(type, [&](const profile_index& index, side_of_pair which) {
        const profile_stacks stacks{index, rules, true};
        const location_rows rows{stacks, *names};
        if (kept != nullptr) {
            kept->stacks.read(stacks, rows, which);
            kept->no_stack = rows.of_no_stack();
        } else {
            put_rows(r, sum_rows(stacks, rows, names->size(), {&type, 1}), which);
        }
    });
    if (kept != nullptr) {
        put_rows(r, *kept);
    }
    name_and_sort_rows(r, *names, options.order);
    r.totals = totals_of(of);
    if (const computed_delta* const delta = of.delta()) {
        r.duration_nanos = delta->summary.duration_nanos;
        r.time_nanos = delta->summary.time_nanos;
    } else if (!of.has_previous()) {
        r.duration_nanos = of.main().whole().view.duration_nanos;
        r.time_nanos = of.main().whole().view.time_nanos;
    }
    return r;
}

} // namespace

const char* to_string(grouping by) noexcept {
    switch (by) {
    case grouping::function:
        return "function";
    case grouping::file:
        return "file";
    case grouping::package:
        return "package";
    case grouping::line:
        return "line";
    case grouping::label:
        return "label";
    }
    return "";
}

std::string grouping_text(grouping by, std::string_view label_key) {
    return by == grouping::label ? to_string(by) + (":" + std::string{label_key}) : to_string(by);
}

const char* to_string(report::content of) noexcept {
    switch (of) {
    case report::content::comparison:
        return "comparison";
    case report::content::delta:
        return "delta";
    case report::content::profile:
        break;
    }
    return "profile";
}

const char* to_string(row_order order) noexcept {
    switch (order) {
    case row_order::flat:
        return "flat";
    case row_order::cum:
        return "cum";
    case row_order::percent:
        return "percent";
    }
    return "";
}

report make_report(const viewed_profiles& of, const report_options& options) {
    return report_of(of.content(), options, nullptr);
}

report make_report(const viewed_profiles& of, const report_options& options, report_stacks& kept) {
    return report_of(of.content(), options, &kept);
}

std::string json_string(std::string_view text) {
    std::string result;
    for_each_json_part(text, [&](std::string_view part) { result += part; });
    return result;
}

std::string json_strings(const std::vector<std::string>& texts) {
    std::string all;
    for (const std::string& text : texts) {
        all += (all.empty() ? "" : ", ") + json_string(text);
    }
    return "[" + all + "]";
}

std::string json_number(double value) {
    std::array<char, 400> text{};
    const auto [end, fault] = std::to_chars(text.data(), text.data() + text.size(), value);
    return {text.data(), end};
}

std::string json_numbers(const std::vector<double>& numbers) {
    std::string all;
    for (const double number : numbers) {
        all += (all.empty() ? "" : ", ") + json_number(number);
    }
    return "[" + all + "]";
}

std::string type_members(const value_type& type) {
    return "\"type\": " + json_string(type.type) + ", \"unit\": " + json_string(type.unit) + ", ";
}

std::string json_array(const std::vector<std::string>& objects, std::size_t indentation) {
    std::string text = "[";
    for (const std::string& object : objects) {
        text +=
            (text.size() == 1 ? "\n" : ",\n") + std::string(indentation, ' ') + "{" + object + "}";
    }
    return text + (objects.empty() ? "]" : "\n" + std::string(indentation - 2, ' ') + "]");
}

namespace {

// The difference of both values, which can need one bit more than a value has, unless the change
// is another one, as after a restart.
std::string change_text(const value_pair& value, std::int64_t change) {
    const auto previous = static_cast<std::uint64_t>(value.previous);
    const auto current = static_cast<std::uint64_t>(value.current);
    if (current - previous != static_cast<std::uint64_t>(change)) {
        return std::to_string(change);
    }
    return value.current < value.previous ? "-" + std::to_string(previous - current)
                                          : std::to_string(current - previous);
}

// Six digits are enough to tell what was done.
std::string factor_text(double factor) {
    std::array<char, 32> text{};
    const auto [end, fault] = std::to_chars(text.data(), text.data() + text.size(), factor,
                                            std::chars_format::general, 6);
    return {text.data(), end};
}

// What is not known is null.
std::string members(const value_pair& value, bool has_previous, std::int64_t change,
                    bool has_change) {
    return "\"previous\": " + (has_previous ? std::to_string(value.previous) : "null") +
           ", \"current\": " + std::to_string(value.current) +
           ", \"change\": " + (has_change ? change_text(value, change) : "null");
}

std::string pattern(const std::string& regex) {
    return regex.empty() ? "null" : json_string(regex);
}

std::string more_members(const report_context& context) {
    std::string all;
    for (const auto& [name, value] : context.more) {
        all += ",\n  " + json_string(name) + ": " + value;
    }
    return all;
}

std::string limit_members(const judgement& j) {
    std::string functions;
    for (const judgement::function& f : j.functions) {
        functions += (functions.empty() ? "{" : ", {") + ("\"name\": " + json_string(f.name)) +
                     ", " + members(f.value, j.has_previous, f.change, j.has_change) + "}";
    }
    return "\"limit\": " + json_string(j.limit) + ", " + type_members(j.type) +
           members({j.previous, j.current}, j.has_previous, j.change, j.has_change) +
           ", \"crossed\": " + (j.crossed ? "true" : "false") +
           (j.unknown.empty() ? "" : ", \"unknown\": " + json_string(j.unknown)) +
           (functions.empty() ? "" : ", \"functions\": [" + functions + "]");
}

} // namespace

std::string value_members(const value_pair& value, report::content of) {
    const std::uint64_t difference =
        static_cast<std::uint64_t>(value.current) - static_cast<std::uint64_t>(value.previous);
    return of == report::content::comparison
               ? members(value, true, static_cast<std::int64_t>(difference), true)
               : "\"value\": " + std::to_string(value.current);
}

std::string selection_members(const stack_selection& chosen) {
    return ",\n  \"focus\": " + pattern(chosen.focus) +
           ",\n  \"ignore\": " + pattern(chosen.ignore) +
           ",\n  \"labels\": " + json_strings(chosen.labels) +
           ",\n  \"no_labels\": " + json_strings(chosen.no_labels) +
           ",\n  \"hide\": " + pattern(chosen.hide) +
           ",\n  \"show_from\": " + pattern(chosen.show_from) +
           ",\n  \"renames\": " + json_strings(chosen.renames) +
           ",\n  \"label_roots\": " + json_strings(chosen.label_roots);
}

std::string limit_as_json(const judgement& found) {
    return std::string{"{"}.append(limit_members(found)).append("}");
}

std::string report_as_json(const report& content, const report_context& context) {
    const report& r = content;
    std::vector<std::string> totals;
    for (const report::total& t : r.totals) {
        totals.push_back(
            type_members(t.type) + members(t.value, t.has_previous, t.change, t.has_change) +
            ", \"per_second\": " + (t.per_second ? json_number(*t.per_second) : "null"));
        if (context.normalized_by) {
            totals.back() += ", \"factor\": " + factor_text(context.factors[totals.size() - 1]);
        }
    }
    const std::string by =
        context.normalized_by ? json_string(to_string(*context.normalized_by)) : "null";
    std::vector<std::string> limits;
    for (const judgement& j : context.judgements) {
        limits.push_back(limit_members(j));
    }
    std::vector<std::string> rows;
    for (std::size_t i = 0; i < std::min(context.top, r.rows.size()); ++i) {
        rows.push_back("\"name\": " + json_string(r.rows[i].name) + ", \"flat\": {" +
                       value_members(r.rows[i].flat, r.of) + "}, \"cum\": {" +
                       value_members(r.rows[i].cum, r.of) + "}");
    }
    const value_type& type = r.totals[r.type].type;
    return "{\n  \"schema\": \"pprofdelta/report/1\",\n  \"version\": 1,\n  \"previous\": " +
           (context.previous.empty() ? "null" : json_string(context.previous)) +
           ",\n  \"current\": " + json_string(context.current) +
           ",\n  \"time_nanos\": " + std::to_string(r.time_nanos) +
           ",\n  \"duration_nanos\": " + std::to_string(r.duration_nanos) +
           ",\n  \"normalized_by\": " + by + ",\n  \"totals\": " + json_array(totals, 4) +
           ",\n  \"limits\": " + json_array(limits, 4) +
           ",\n  \"type\": " + json_string(type.type) + ",\n  \"unit\": " + json_string(type.unit) +
           ",\n  \"by\": " +
           json_string(grouping_text(context.reported.by, context.reported.by_label)) +
           ",\n  \"order\": " + json_string(to_string(context.reported.order)) +
           selection_members(context.reported.selection) + ",\n  \"shown\": {" +
           value_members(r.shown, r.of) + "}" +
           ",\n  \"rows_of\": " + json_string(to_string(r.of)) +
           ",\n  \"rows\": " + json_array(rows, 4) +
           ",\n  \"rows_left_out\": " + std::to_string(r.rows.size() - rows.size()) +
           more_members(context) + "\n}\n";
}

} // namespace pprofdelta
