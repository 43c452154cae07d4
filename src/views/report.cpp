// SPDX-License-Identifier: Apache-2.0
#include "views/report.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include <pprofdelta/calls.hpp>
#include <pprofdelta/characters.hpp>
#include <pprofdelta/json.hpp>
#include <pprofdelta/limits.hpp>
#include <pprofdelta/report_json.hpp>

#include "base/numbers.hpp"
#include "base/text.hpp"
#include "delta/series.hpp"
#include "profile/index.hpp"
#include "profile/producers.hpp"
#include "profile/stacks.hpp"
#include "select/rows.hpp"
#include "select/stacks.hpp"
#include "views/limits.hpp"

namespace pprofdelta {

std::vector<report::total> totals_of(viewed_profiles::impl& views) {
    constexpr double nanos_per_second = 1e9;
    const computed_delta* const delta = views.delta();
    const profile_index& index = views.current().with_types();
    // Where the process may be the same one, prof.reset has forgotten what is in use, too, which is
    // no fall of it.
    const bool is_forgotten = delta != nullptr && delta->summary.reset &&
                              delta->summary.reason != reset_reason::process &&
                              form_of(index) != counter_form::usual;
    const std::vector<type_treatment> types =
        delta != nullptr ? delta->types
                         : treatments(index.types, plan_subtraction(index.types, {}));
    const std::int64_t duration_nanos =
        delta != nullptr ? delta->summary.duration_nanos : index.view.duration_nanos;
    const std::vector<std::int64_t>& now = views.current().totals();
    std::vector<report::total> all;
    for (std::size_t i = 0; i < now.size(); ++i) {
        report::total& total = all.emplace_back();
        const bool has_previous =
            views.has_previous() && !(is_forgotten && types[i].kind == value_kind::gauge);
        total.type = types[i].type;
        total.value = {has_previous ? views.previous().totals()[i] : 0, now[i]};
        total.has_previous = has_previous;
        const bool is_of_delta = delta != nullptr && types[i].is_cumulative();
        total.is_cumulative = is_of_delta || (!has_previous && types[i].kind != value_kind::gauge);
        total.has_change = has_previous || (delta != nullptr && total.is_cumulative);
        total.size = views.main().sizes()[i].sum;
        total.is_size_of_base = views.main().sizes()[i].is_of_base;
        if (total.is_cumulative) {
            const std::int64_t counted = views.main().totals()[i];
            total.change = delta != nullptr ? counted : 0;
            if (duration_nanos > 0) {
                total.per_second = static_cast<double>(counted) /
                                   (static_cast<double>(duration_nanos) / nanos_per_second);
            }
            if (delta != nullptr) {
                total.mean_wait_nanos = mean_of_longer_waits(index.types.sample_types, i,
                                                             views.main().totals(), duration_nanos);
            }
            if (total.mean_wait_nanos != 0) {
                total.per_second.reset();
            }
        } else if (delta != nullptr || has_previous) {
            total.change = fitting_subtract(total.value.current, total.value.previous);
        }
    }
    return all;
}

// The names follow the order of the declarations.

const char* to_string(grouping grouped) noexcept {
    constexpr std::array names{"function", "file", "package", "line", "label", "size"};
    return names[static_cast<std::size_t>(grouped)];
}

std::string grouping_text(grouping grouped, std::string_view label_key) {
    std::string text{to_string(grouped)};
    return grouped == grouping::label ? text.append(":").append(label_key) : text;
}

const char* to_string(report::content content) noexcept {
    constexpr std::array names{"comparison", "delta", "profile"};
    return names[static_cast<std::size_t>(content)];
}

const char* to_string(row_order order) noexcept {
    constexpr std::array names{"flat", "cum", "percent"};
    return names[static_cast<std::size_t>(order)];
}

report make_report(const viewed_profiles& profiles, const report_options& options) {
    viewed_stacks kept;
    return make_report(profiles, options, call_stacks::deepest, kept);
}

report make_report(const viewed_profiles& profiles, const report_options& options,
                   std::uint32_t deepest, viewed_stacks& kept) {
    viewed_profiles::impl& views = viewed_profiles::impl::of(profiles);
    report r;
    r.type = choose_type(views, options);
    r.of = views.content_of(r.type);
    viewed_stacks made = read_stacks(views, r.type, options, deepest);
    made.are_compared = r.of == report::content::comparison;
    made.rows = made.stacks.sum_rows(made.names.size(), made.no_stack,
                                     budget_of_frames(views.size_of(r.type)));
    kept = std::move(made);
    for (std::uint32_t i = 0; i < kept.rows.size(); ++i) {
        const auto& [flat, cum] = kept.rows[i];
        if (change_size(flat) != 0 || change_size(cum) != 0) {
            r.rows.push_back({kept.names.name(i), flat, cum});
        }
    }
    r.folded_functions = kept.names.folded();
    sort_rows(r.rows, options.order);
    for (std::uint32_t stack = 0; stack < kept.stacks.stacks().size(); ++stack) {
        add_pair(r.shown, kept.stacks.value_of(stack));
        add_pair(r.capture, kept.stacks.capture_of(stack));
    }
    if (r.of == report::content::comparison && views.delta() == nullptr) {
        views.for_each_side(r.type, [&](const profile_index& index, side_of_pair which) {
            const pprofdelta::cut_stacks cut = find_cut_stacks(index);
            r.cut_frames.*which = static_cast<std::int64_t>(cut.frames);
            r.cut_stacks.*which = static_cast<std::int64_t>(cut.samples.size());
        });
        if (r.cut_frames.previous == r.cut_frames.current) {
            r.cut_frames = r.cut_stacks = {};
        }
        const compared_profiles both = views.pair();
        if (have_other_intervals(both.before, both.now, r.type)) {
            r.durations = {both.before.view.duration_nanos, both.now.view.duration_nanos};
        }
    }
    r.totals = totals_of(views);
    if (const computed_delta* const delta = views.delta()) {
        r.duration_nanos = delta->summary.duration_nanos;
        r.time_nanos = delta->summary.time_nanos;
        r.is_unpublished = delta->summary.is_unpublished;
    } else if (!views.has_previous()) {
        r.duration_nanos = views.main().whole().view.duration_nanos;
        r.time_nanos = views.main().whole().view.time_nanos;
    }
    return r;
}

std::string json_string(std::string_view text) {
    std::string result{"\""};
    bool is_after_hash = false;
    while (!text.empty()) {
        text_scanner rest{text};
        const std::string_view plain =
            rest.take_while([](char c) { return is_plain(c) && c != '"' && c != '\\'; });
        if (!plain.empty()) {
            result += plain;
            text = rest.rest();
            is_after_hash = false;
            continue;
        }
        const character c = first_character(text);
        const std::string_view bytes = text.substr(0, std::max<std::size_t>(c.size, 1));
        text.remove_prefix(bytes.size());
        const bool is_escaped = !is_shown(c.code) || (c.code == '#' && is_after_hash);
        is_after_hash = c.code == '#' && !is_escaped;
        if (c.size == 0 || c.code == 0xfffd) {
            for (const char byte : bytes) {
                result += "\xef\xbf\xbd" + hexadecimal(static_cast<unsigned char>(byte), 2);
            }
        } else if (is_escaped) {
            result += "\\u" + hexadecimal(c.code, 4);
        } else {
            result += bytes == "\"" || bytes == "\\" ? "\\" : "";
            result += bytes;
        }
    }
    return result + "\"";
}

std::string json_number(double value) {
    std::array<char, 400> text{};
    const auto [end, fault] = std::to_chars(text.data(), text.data() + text.size(), value);
    return {text.data(), end};
}

namespace {

// Each value is a text of JSON.
using json_members = std::vector<std::pair<std::string, std::string>>;

std::string json_object(const json_members& members, const char* begin = "{",
                        const char* between = ", ", const char* end = "}") {
    std::string text;
    for (const auto& [name, value] : members) {
        text.append(text.empty() ? begin : between).append(json_string(name));
        text.append(": ").append(value);
    }
    return (text.empty() ? begin : "") + text + end;
}

std::string json_array(const std::vector<std::string>& items, const char* between = ", ",
                       const char* end = "") {
    std::string text;
    for (const std::string& item : items) {
        text.append(text.empty() ? "" : between).append(item);
    }
    return "[" + text + end + "]";
}

// An array with a line for each item.
std::string json_lines(const std::vector<std::string>& items) {
    return items.empty() ? "[]" : "[\n    " + json_array(items, ",\n    ", "\n  ").substr(1);
}

std::string json_strings(std::vector<std::string> texts) {
    std::ranges::transform(texts, texts.begin(), json_string);
    return json_array(texts);
}

json_members joined(std::initializer_list<json_members> parts) {
    json_members all;
    for (const json_members& part : parts) {
        all.insert(all.end(), part.begin(), part.end());
    }
    return all;
}

// The difference of both values, which can need one bit more than a value has, unless the change
// is another one, as after a restart.
std::string change_text(const value_pair& value, std::int64_t change) {
    const auto previous = static_cast<std::uint64_t>(value.previous);
    const auto current = static_cast<std::uint64_t>(value.current);
    if (current - previous != static_cast<std::uint64_t>(change)) {
        return std::to_string(change);
    }
    std::string text{value.current < value.previous ? "-" : ""};
    return text.append(std::to_string(text.empty() ? current - previous : previous - current));
}

// Six digits are enough to tell what was done.
std::string factor_text(double factor) {
    std::array<char, 32> text{};
    const auto [end, fault] = std::to_chars(text.data(), text.data() + text.size(), factor,
                                            std::chars_format::general, 6);
    return {text.data(), end};
}

std::string text_or_null(const std::string& text) {
    return text.empty() ? "null" : json_string(text);
}

json_members members_of(const value_type& type) {
    return {{"type", json_string(type.type)}, {"unit", json_string(type.unit)}};
}

// An unknown value is null.
json_members members_of(const value_pair& value, bool has_previous, std::int64_t change,
                        bool has_change) {
    return {{"previous", has_previous ? std::to_string(value.previous) : "null"},
            {"current", std::to_string(value.current)},
            {"change", has_change ? change_text(value, change) : "null"}};
}

json_members members_of(const stack_selection& chosen) {
    return {{"focus", text_or_null(chosen.focus)},
            {"ignore", text_or_null(chosen.ignore)},
            {"labels", json_strings(chosen.labels)},
            {"no_labels", json_strings(chosen.no_labels)},
            {"hide", text_or_null(chosen.hide)},
            {"show_from", text_or_null(chosen.show_from)},
            {"renames", json_strings(chosen.renames)},
            {"label_roots", json_strings(chosen.label_roots)}};
}

// A value of one profile, or of two with their difference.
json_members members_of(const value_pair& value, report::content content) {
    const std::uint64_t difference =
        static_cast<std::uint64_t>(value.current) - static_cast<std::uint64_t>(value.previous);
    return content == report::content::comparison
               ? members_of(value, true, static_cast<std::int64_t>(difference), true)
               : json_members{{"value", std::to_string(value.current)}};
}

} // namespace

std::string limit_as_json(const judgement& found) {
    const auto values = [&](const value_pair& value, std::int64_t change) {
        return members_of(value, found.has_previous, change, found.has_change);
    };
    json_members all = joined({{{"limit", json_string(found.limit)}},
                               members_of(found.type),
                               values({found.previous, found.current}, found.change),
                               {{"crossed", found.crossed ? "true" : "false"}}});
    if (!found.unknown.empty()) {
        all.emplace_back("unknown", json_string(found.unknown));
    }
    std::vector<std::string> functions;
    for (const judgement::function& each : found.functions) {
        functions.push_back(json_object(
            joined({{{"name", json_string(each.name)}}, values(each.value, each.change)})));
    }
    if (!functions.empty()) {
        all.emplace_back("functions", json_array(functions));
    }
    if (found.functions_left_out != 0) {
        all.emplace_back("functions_left_out", std::to_string(found.functions_left_out));
    }
    return json_object(all);
}

std::string report_as_json(const report& content, const report_context& context) {
    std::vector<std::string> totals;
    for (std::size_t i = 0; i < content.totals.size(); ++i) {
        const report::total& t = content.totals[i];
        json_members all =
            joined({members_of(t.type),
                    members_of(t.value, t.has_previous, t.change, t.has_change),
                    {{"per_second", t.per_second ? json_number(*t.per_second) : "null"}}});
        if (context.normalized_by) {
            all.emplace_back("factor", factor_text(context.factors[i]));
        }
        totals.push_back(json_object(all));
    }
    std::vector<std::string> limits;
    std::ranges::transform(context.judgements, std::back_inserter(limits), limit_as_json);
    const auto value = [&](const value_pair& pair) {
        return json_object(members_of(pair, content.of));
    };
    std::vector<std::string> rows;
    for (std::size_t i = 0; i < std::min(context.top, content.rows.size()); ++i) {
        rows.push_back(json_object({{"name", json_string(content.rows[i].name)},
                                    {"flat", value(content.rows[i].flat)},
                                    {"cum", value(content.rows[i].cum)}}));
    }
    const report_options& reported = context.reported;
    const json_members all =
        joined({{{"schema", json_string("pprofdelta/report/1")},
                 {"version", "1"},
                 {"previous", text_or_null(context.previous)},
                 {"current", json_string(context.current)},
                 {"time_nanos", std::to_string(content.time_nanos)},
                 {"duration_nanos", std::to_string(content.duration_nanos)},
                 {"normalized_by",
                  context.normalized_by ? json_string(to_string(*context.normalized_by)) : "null"},
                 {"totals", json_lines(totals)},
                 {"limits", json_lines(limits)}},
                members_of(content.totals[content.type].type),
                {{"by", json_string(grouping_text(reported.by, reported.by_label))},
                 {"order", json_string(to_string(reported.order))}},
                members_of(reported.selection),
                {{"shown", value(content.shown)},
                 {"capture", value(content.capture)},
                 {"rows_of", json_string(to_string(content.of))},
                 {"rows", json_lines(rows)},
                 {"rows_left_out", std::to_string(content.rows.size() - rows.size())}},
                context.more});
    return json_object(all, "{\n  ", ",\n  ", "\n}\n");
}

} // namespace pprofdelta
