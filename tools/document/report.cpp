// SPDX-License-Identifier: Apache-2.0
#include "document/report.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <utility>

#include <pprofdelta/report_json.hpp>

#include "base/names.hpp"
#include "document/fields.hpp"
#include "document/lifetimes.hpp"

namespace pprofdelta::tool {

namespace {

// The values of a row; nullptr for one that is not shown.
struct amounts {
    const value_pair* flat;
    const value_pair* cum;
};
using value_fields = fields<amounts>;

std::int64_t change(const value_pair& value) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(value.current) -
                                     static_cast<std::uint64_t>(value.previous));
}

bool is_comparison(const report_view& view) {
    return view.content.of == report::content::comparison;
}

const std::string& unit_of(const report_view& view) {
    return view.content.totals[view.content.type].type.unit;
}

// The change in a comparison, and otherwise the value.
std::string amount_text(const report_view& view, const value_pair& value) {
    const report& r = view.content;
    if (is_comparison(view)) {
        return human_change(value, unit_of(view));
    }
    const char* const sign = r.of == report::content::delta && value.current > 0 ? "+" : "";
    return sign + (view.per ? human_rate(value.current, r.duration_nanos, unit_of(view), *view.per)
                            : format_value(value.current, unit_of(view)));
}

// The cells of a value: in a comparison the change, both values and the change in percent, and
// otherwise the value and its share of the whole.
// @param view outlives what is returned.
value_fields values(const report_view& view, const std::string& name,
                    const value_pair* amounts::*which) {
    const auto in_words = [which](auto&& words) {
        return [=](const amounts& found) {
            return found.*which == nullptr ? "" : words(*(found.*which));
        };
    };
    const auto amount = [&](const value_pair& value) { return amount_text(view, value); };
    const auto share = [&](const value_pair& value) {
        return share_text(value.current, view.content.totals[view.content.type].size);
    };
    const auto previous = [&](const auto& value) {
        return format_value(value.previous, unit_of(view));
    };
    const auto current = [&](const auto& value) {
        return format_value(value.current, unit_of(view));
    };
    const auto percent = [](const auto& value) {
        return percent_text(value.previous, value.current);
    };
    if (!is_comparison(view)) {
        return {{{{name}, in_words(amount)}, {{name + "%"}, in_words(share)}}};
    }
    return {{{{"change", name}, in_words(amount)},
             {{"previous", name, table::place::where_it_fits}, in_words(previous)},
             {{"current", name}, in_words(current)},
             {{"percent", name}, in_words(percent)}}};
}

value_fields flat_and_cum(const report_view& view) {
    value_fields all = values(view, "flat", &amounts::flat);
    all.add(values(view, "cum", &amounts::cum));
    return all;
}

std::string names_text(const report_view& view) {
    return grouping_text(view.reported.by, view.reported.by_label);
}

// The rows of stacks, with an outline in place of their number.

document::rows_of_type of_stacks(const report_view& view, const std::string& what,
                                 const std::string& heading_text, table rows,
                                 const std::string& outline) {
    const report& r = view.content;
    return {.filter = view.filter_text,
            .type = to_string(r.totals[r.type].type),
            .heading = (r.of == report::content::delta ? " in between" : "") + what,
            .heading_text = heading_text,
            .rows = std::move(rows),
            .outline = outline};
}

// A comparison has only the change of what is flat, which leaves room for names.
value_fields outlined(const report_view& view) {
    if (!is_comparison(view)) {
        return flat_and_cum(view);
    }
    value_fields all{{{{"flat"}, [&](const amounts& found) {
                           return found.flat == nullptr ? "" : amount_text(view, *found.flat);
                       }}}};
    all.add(values(view, "cum", &amounts::cum));
    return all;
}

std::string covered(const report_view& view, double coverage) {
    return fixed_text(coverage * 100, 2) + "%" +
           (is_comparison(view) ? " of all changes" : " of the whole");
}

document::rows_of_type outline_of(const report_view& view, const shown_calls<call_list>& calls) {
    const call_list& list = calls.found;
    const value_fields of = outlined(view);
    table rows = of.empty_table(names_text(view));
    rows.columns.push_back({"of cum"});
    for (const call_list::function& f : list.functions) {
        const auto add = [&](const std::string& name, const value_pair* flat, const value_pair& cum,
                             const std::string& share) {
            rows.rows.push_back(of.row({flat, &cum}, name, flat == nullptr ? 1 : 0));
            rows.rows.back().cells.push_back(share);
        };
        const auto add_edge = [&](const std::string& name, const value_pair& value) {
            add(name, nullptr, value,
                change(f.cum) == 0 ? "" : share_text(change(value), change(f.cum)));
        };
        add(cut_name(f.name), &f.flat, f.cum, "");
        for (const call_list::edge& edge : f.edges) {
            add_edge(cut_name(edge.name), edge.value);
        }
        if (f.edges_left_out != 0) {
            add_edge(counted(f.edges_left_out, "other"), f.left_out);
        }
    }
    return of_stacks(view, ", " + calls.edges + " of ", calls.regex, std::move(rows),
                     counted_text(list.functions.size(), list.functions_left_out,
                                  groupings_text(view.reported.by, view.reported.by_label) +
                                      " that match, in ") +
                         covered(view, list.coverage));
}

document::rows_of_type outline_of(const report_view& view, const call_tree& tree) {
    const value_fields of = outlined(view);
    table rows = of.empty_table(names_text(view));
    for (const call_tree::node& node : tree.nodes) {
        const bool is_rest = node.frames.empty();
        rows.rows.push_back(of.row(
            {is_rest ? nullptr : &node.flat, &node.cum},
            is_rest ? counted(node.left_out, "other") : chain_text(node.frames), node.depth));
    }
    const std::string small = std::to_string(tree.too_small) + " below " +
                              fixed_text(view.calls.smallest_of_tree * 100, 0) + "%";
    const std::string deep = std::to_string(tree.too_deep) + " deeper";
    return of_stacks(view, ", tree", "", std::move(rows),
                     covered(view, tree.coverage) +
                         (tree.too_small != 0 || tree.too_deep != 0 ? "; left out: " : "") +
                         (tree.too_small != 0 ? small : "") +
                         (tree.too_small != 0 && tree.too_deep != 0 ? ", " : "") +
                         (tree.too_deep != 0 ? deep : ""));
}

document::rows_of_type outline_of(const report_view& view, const call_paths& paths) {
    const value_fields of = values(view, "value", &amounts::cum);
    table rows = of.empty_table(names_text(view));
    for (const stack_path<value_pair>& path : paths.paths) {
        add_stack(rows, of.row({nullptr, &path.value}, ""), path.frames, path.left_out);
    }
    return of_stacks(view, ", stacks", "", std::move(rows),
                     counted_text(paths.paths.size(), paths.paths_left_out, "stacks, ") +
                         covered(view, paths.coverage));
}

std::vector<document::rows_of_type> outlines_of(const report_view& view) {
    const call_views& calls = view.calls;
    std::vector<document::rows_of_type> all =
        mapped(calls.lists, [&](const auto& each) { return outline_of(view, each); });
    if (calls.tree) {
        all.push_back(outline_of(view, *calls.tree));
    }
    if (calls.paths) {
        all.push_back(outline_of(view, *calls.paths));
    }
    for (std::size_t i = 1; i < all.size(); ++i) {
        all[i].filter.clear(); // which is of all
    }
    return all;
}

// The columns of a total, in tables and pages. A counter has no percentage: it would be one of the
// time since the process began.
fields<report::total> totals(bool is_alone, rate_time per) {
    using total = report::total;
    const auto change = [](const total& sum) { return value_if(sum.has_change, sum.change); };
    const auto in_words = [=](const total& sum) {
        return is_alone         ? format_value(sum.value.current, sum.type.unit)
               : sum.has_change ? human_change(sum.value, sum.change, sum.type.unit)
                                : "";
    };
    const auto rate = [=](const total& sum) {
        return sum.per_second ? human_rate(*sum.per_second, sum.type.unit, per) : "";
    };
    const auto previous = [](const total& sum) {
        return sum.has_previous ? format_value(sum.value.previous, sum.type.unit) : "";
    };
    const auto current = [=](const total& sum) {
        return is_alone ? "" : format_value(sum.value.current, sum.type.unit);
    };
    const auto percent = [](const total& sum) {
        return sum.has_previous && !sum.is_cumulative ? percent_text(sum.value, sum.change) : "";
    };
    return {{
        {.page_key = "previous",
         .value = [](const auto& sum) { return value_if(sum.has_previous, sum.value.previous); }},
        {.page_key = "current", .value = [](const auto& sum) { return sum.value.current; }},
        {{is_alone ? "value" : "change"}, in_words, "", "change", change},
        {{"rate"}, rate, "", "per_second", &total::per_second},
        {{"previous"}, previous},
        {{"current"}, current},
        {{"percent"}, percent},
        {.page_key = "size", .value = &total::size},
    }};
}

// The table of all sample types, without columns that say nothing of any.
table totals_of(const report_view& view) {
    const std::vector<report::total>& all = view.content.totals;
    const bool is_alone = std::ranges::none_of(
        all, [](const report::total& total) { return total.has_previous || total.has_change; });
    const fields<report::total> of = totals(is_alone, view.per.value_or(rate_time::second));
    table shown = of.empty_table("total");
    shown.rows = mapped(
        all, [&](const report::total& total) { return of.row(total, to_string(total.type)); });
    erase_columns(shown, [&](std::size_t column) {
        return std::ranges::all_of(
            shown.rows, [&](const table::row& row) { return row.cells[column].empty(); });
    });
    return shown;
}

table rows_of(const report_view& view) {
    const value_fields of = flat_and_cum(view);
    table shown = of.empty_table(names_text(view));
    shown.rows = mapped(first_of(view.content.rows, view.top), [&](const report::row& row) {
        return of.row({&row.flat, &row.cum}, cut_name(row.name));
    });
    return shown;
}

document::rows_of_type changes_of(const report_view& view) {
    const report& r = view.content;
    const bool has_others = !view.reported.sample_type && r.totals.size() > 1;
    return {.filter = view.filter_text,
            .type = to_string(r.totals[r.type].type),
            .heading = r.of == report::content::delta ? " in between" : "",
            .count_note = std::string{r.of == report::content::comparison ? " that changed" : ""} +
                          (has_others ? " (for others --sample-type)" : ""),
            .rows = rows_of(view),
            .all = r.rows.size()};
}

std::vector<document::rows_of_type> types_of(const report_view& view) {
    if (view.lives != nullptr) {
        document::rows_of_type lives = table_of(*view.lives, names_text(view), view.top, false);
        lives.filter = view.filter_text;
        return {std::move(lives)};
    }
    return view.calls.are_shown() ? outlines_of(view) : std::vector{changes_of(view)};
}

// A total's change or, if it is compared with nothing, its value.
document::finding finding_of(const report_view& view, const report::total& total) {
    const std::string& unit = total.type.unit;
    const std::string rate =
        !total.per_second
            ? ""
            : " in " + format_value(view.content.duration_nanos, "nanoseconds") + " (" +
                  human_rate(*total.per_second, unit, view.per.value_or(rate_time::second)) + ")";
    document::finding found{to_string(total.type), {}, {}};
    if (!total.has_change) {
        found.what = "is " + format_value(total.value.current, unit);
        found.how = rate;
    } else if (total.is_cumulative) {
        const std::string size = human_change(total.change, unit);
        found.what = total.change == 0
                         ? (view.content.is_unpublished ? "did not change" : "did not grow")
                         : (total.change > 0 ? "grew by " : "fell by ") + size.substr(1);
        found.how = rate;
    } else {
        found.what =
            growth_text(static_cast<double>(total.change), percent_text(total.value, total.change));
        found.how = total.change == 0 ? " (" + format_value(total.value.current, unit) + ")"
                                      : " (" + human_change(total.value, total.change, unit) +
                                            " of " + format_value(total.value.previous, unit) + ")";
    }
    return found;
}

table causes_of(const report_view& view) {
    const report& r = view.content;
    const call_causes& of = view.calls.causes;
    const auto cells = [&](const value_pair& value) {
        return std::vector{amount_text(view, value),
                           is_comparison(view) ? percent_text(value.previous, value.current)
                                               : share_text(value.current, r.totals[r.type].size)};
    };
    const auto cause = [&](const change_cause<value_pair>& each) {
        shown_cause made = with_cells(each, cells(each.value));
        made.value.renamed = view.are_builds ? made.value.renamed : " in place of ";
        return made;
    };
    table made = causes_table({{r.of == report::content::profile ? "value" : "change"},
                               {is_comparison(view) ? "percent" : "share"}},
                              mapped(of.causes, cause),
                              mapped(first_of(r.rows, view.top), &report::row::name));
    if (!made.rows.empty() && amount_text(view, of.rest) != "0") {
        made.rows.push_back({"everything else", cells(of.rest)});
    }
    return made;
}

// Parts of a total that are no news of the program.
std::vector<std::string> notes_on(const report_view& view) {
    std::vector<std::string> notes;
    const report& r = view.content;
    const std::int64_t capture = is_comparison(view) ? change(r.capture) : r.capture.current;
    if (capture != 0) {
        notes.push_back(format_value(capture, unit_of(view)) +
                        " of this is from taking the profile; --no-capture leaves it out");
    }
    add_unnamed(notes, view.reported.by, r.rows,
                [](const report::row& row) { return row.flat != value_pair{}; });
    if (r.durations.current != 0) {
        notes.push_back("previous was counted in " +
                        format_value(r.durations.previous, "nanoseconds") + " and current in " +
                        format_value(r.durations.current, "nanoseconds") +
                        "; --normalize duration compares rates");
    }
    for (const auto& [side, stacks, frames] :
         {std::tuple{"previous", r.cut_stacks.previous, r.cut_frames.previous},
          std::tuple{"current", r.cut_stacks.current, r.cut_frames.current}}) {
        if (stacks != 0) {
            notes.push_back(counted(static_cast<std::size_t>(stacks), "stack") + " of " + side +
                            " cut off at " + std::to_string(frames) +
                            " frames: cum of functions above cannot be compared");
        }
    }
    if (r.is_unpublished) {
        notes.emplace_back("no garbage collection seems to have ended in between, so Go published "
                           "nothing; heap?gc=1 runs one");
    }
    if (const std::int64_t mean = r.totals[r.type].mean_wait_nanos; mean != 0) {
        notes.push_back("waits of " + format_value(mean, "nanoseconds") +
                        " on average, longer than the interval of " +
                        format_value(r.duration_nanos, "nanoseconds") +
                        ": some began before it, so there is no rate");
    }
    return notes;
}

} // namespace

std::vector<std::string> series_findings(const delta_summary& summary) {
    std::vector<std::string> all;
    if (summary.process_returned) {
        all.emplace_back("a profile is from an earlier process again, so several processes answer "
                         "in turn, as behind a load balancer; give each process its own series");
    }
    if (summary.starts_over_each_time) {
        all.emplace_back("third counter reset in a row: each profile probably covers an interval "
                         "of its own, and is already a delta");
    }
    if (summary.clock_was_set) {
        all.emplace_back("its clock was set back: it is earlier than the previous profile, of the "
                         "same process, and its counters have grown; the duration is unknown");
    }
    return all;
}

std::string interval_of(const report& r) {
    const bool is_delta =
        std::ranges::any_of(r.totals, [](const report::total& each) { return each.has_change; });
    return interval_text(is_delta ? r.time_nanos : 0, r.duration_nanos);
}

std::vector<document::limit> limits_of(const std::vector<judgement>& judgements,
                                       std::optional<normalization> normalize) {
    return mapped(judgements, [&](const judgement& j) -> document::limit {
        return {.text = describe(j, normalize),
                .as = j.crossed           ? document::judged::crossed
                      : j.unknown.empty() ? document::judged::kept
                                          : document::judged::unknown,
                .limit = j.limit,
                .json = limit_as_json(j),
                .has_match = j.has_match,
                .is_gone = j.is_gone,
                .must_match = j.are_compared,
                .must_be_judged = has_unknown_rate(j)};
    });
}

document findings_of(const report_view& view) {
    document found;
    if (view.lives != nullptr) {
        found.findings = {finding_of(*view.lives)};
        return found;
    }
    const report& r = view.content;
    const report::total& chosen = r.totals[r.type];
    found.findings = {finding_of(view, chosen)};
    found.findings.back().how += text_of_roots(view.calls.causes.differing_roots);
    found.findings.back().from = causes_of(view);
    found.findings.back().notes = notes_on(view);
    std::vector<document::note> unchanged;
    for (const report::total& total : r.totals) {
        if (&total == &chosen || !total.has_change) {
            continue;
        }
        if (total.change != 0) {
            found.findings.push_back(finding_of(view, total));
        } else {
            unchanged.push_back({unchanged.empty() ? "no change: " : ", "});
            unchanged.push_back({to_string(total.type), true});
        }
    }
    if (!unchanged.empty()) {
        found.notes_of_findings = {unchanged};
    }
    return found;
}

// The note on shares that are of something else than the value above them, or none.
std::string base_of_shares(const report_view& view) {
    const report& r = view.content;
    const report::total& total = r.totals[r.type];
    if (is_comparison(view) ||
        static_cast<double>(total.size) == std::fabs(static_cast<double>(shares_of(r).current))) {
        return {};
    }
    if (is_unknown_sum(total.size)) {
        return "there are no shares: the absolute values do not add up in 64 bits";
    }
    const std::string size = format_value(total.size, total.type.unit);
    return total.is_size_of_base
               ? "pprof subtracted a base from this: shares are of " + size + ", the base's values"
               : "some values are negative: shares are of " + size +
                     ", the sum of their absolute values";
}

document document_of(const report_view& view) {
    const report& r = view.content;
    document all;
    if (!view.calls.are_shown()) { // else it was asked for something else
        all = findings_of(view);
    }
    all.totals = totals_of(view);
    all.types = types_of(view);
    all.limits = limits_of(view.judgements, view.normalized_by);
    add_note(all.notes, interval_of(r), false);
    if (view.normalized_by) {
        all.notes.push_back({view.normalization_text, true});
    }
    add_note(all.notes, base_of_shares(view), false);
    add_note(all.notes_below, folded_text(r.folded_functions), false);
    return all;
}

namespace {

// Changes have up to 65 bits.
ordered_json value_json(const report_view& view, const value_pair& value) {
    if (!is_comparison(view)) {
        return {{"value", value.current}};
    }
    const auto [from, to] = std::minmax(value.previous, value.current);
    return {{"previous", value.previous},
            {"current", value.current},
            {"change", written((value.current < value.previous ? "-" : "") +
                               std::to_string(static_cast<std::uint64_t>(to) -
                                              static_cast<std::uint64_t>(from)))}};
}

// Adds these members to others.
ordered_json with_value(ordered_json start, const report_view& view, const value_pair& value) {
    start.update(value_json(view, value));
    return start;
}

ordered_json calls_json(const report_view& view, const shown_calls<call_list>& calls) {
    const call_list& list = calls.found;
    const auto edge_json = [&](const call_list::edge& edge) {
        return with_value({{"name", edge.name}}, view, edge.value);
    };
    const auto function_json = [&](const call_list::function& f) {
        return ordered_json{
            {"name", f.name},
            {"flat", value_json(view, f.flat)},
            {"cum", value_json(view, f.cum)},
            {calls.edges, written(to_text(mapped(f.edges, edge_json), json_layout::line))},
            {calls.edges + "_left_out", f.edges_left_out},
            {"left_out", value_json(view, f.left_out)}};
    };
    return {{"regex", calls.regex},
            {"coverage", list.coverage},
            {"functions", mapped(list.functions, function_json)},
            {"functions_left_out", list.functions_left_out}};
}

// The members that the program adds to the library's JSON of a report.
ordered_json members_of(const report_view& view) {
    const call_views& calls = view.calls;
    ordered_json all;
    add_folded(all, view.content.folded_functions);
    all["causes"] = mapped(calls.causes.causes, [&](const change_cause<value_pair>& each) {
        return with_value(cause_json(each), view, each.value);
    });
    all["rest"] = value_json(view, calls.causes.rest);
    if (calls.causes.differing_roots) {
        all["differing_roots"] = *calls.causes.differing_roots;
    }
    for (const shown_calls<call_list>& each : calls.lists) {
        all[each.edges] = calls_json(view, each);
    }
    if (calls.tree) {
        const auto node_json = [&](const call_tree::node& node) {
            return ordered_json{{"depth", node.depth},
                                {"frames", node.frames},
                                {"flat", value_json(view, node.flat)},
                                {"cum", value_json(view, node.cum)},
                                {"left_out", node.left_out}};
        };
        all["tree"] = {{"too_small", calls.tree->too_small},
                       {"coverage", calls.tree->coverage},
                       {"nodes", mapped(calls.tree->nodes, node_json)},
                       {"nodes_left_out", calls.tree->too_deep}};
    }
    if (calls.paths) {
        const auto path_json = [&](const stack_path<value_pair>& path) {
            return with_value({{"frames", path.frames}, {"frames_left_out", path.left_out}}, view,
                              path.value);
        };
        all["paths"] = {{"coverage", calls.paths->coverage},
                        {"paths", mapped(calls.paths->paths, path_json)},
                        {"paths_left_out", calls.paths->paths_left_out}};
    }
    if (view.lives != nullptr) {
        all["lifetimes"] = written(to_text(as_json(*view.lives, view.top), json_layout::line));
    }
    document shown = findings_of(view);
    shown.limits = limits_of(view.judgements, view.normalized_by);
    all["summary"] = summary_json(shown);
    add_end(all, view.budget, view.next);
    return all;
}

} // namespace

std::string as_json(const report_view& view) {
    std::vector<std::pair<std::string, std::string>> more;
    const ordered_json members = members_of(view);
    for (const auto& [name, value] : members.items()) {
        more.emplace_back(name, to_text(value, json_layout::member));
    }
    std::string text =
        pprofdelta::report_as_json(view.content, {.previous = view.previous,
                                                  .current = view.current,
                                                  .reported = view.reported,
                                                  .judgements = view.judgements,
                                                  .normalized_by = view.normalized_by,
                                                  .factors = view.factors,
                                                  .top = view.top,
                                                  .more = std::move(more)});
    if (view.budget && view.budget->most_rows == std::size_t{0} &&
        text.size() > view.budget->max_bytes) {
        ordered_json summary{
            {"schema", "pprofdelta/report/1"}, {"version", 1}, {"summary", members.at("summary")}};
        add_end(summary, view.budget, view.next);
        return to_text(summary, json_layout::lines);
    }
    return text;
}

namespace {

// Adds members that a part has as the whole does.
ordered_json with_stacks(ordered_json start, const overview::type& type, page_names& names) {
    ordered_json rows = ordered_json::array();
    for (std::size_t i = 0; i < std::min(type.rows.size(), page_parts_limits.most_rows); ++i) {
        const report::row& row = type.rows[i];
        rows.push_back(written_numbers(std::array{static_cast<std::int64_t>(names.number(row.name)),
                                                  row.flat.previous, row.flat.current,
                                                  row.cum.previous, row.cum.current}));
    }
    const std::size_t left_out = type.rows.size() - rows.size() + type.rows_left_out;
    start["rows"] = std::move(rows);
    start["rows_left_out"] = left_out;
    start["tree"] = page_tree(type.stacks, names, false);
    return start;
}

ordered_json overview_json(const overview::type& type, page_names& names) {
    ordered_json start = page_type(type.total.type, type.total.is_cumulative, to_string(type.of));
    start["total"] = totals(false, rate_time::second).on_page(&type.total);
    return with_stacks(std::move(start), type, names);
}

ordered_json part_json(const overview::part& part, page_names& names) {
    return {{"label", page_text(part.key + "=" + part.text)},
            {"types", mapped(part.types, [&](const overview::type& type) {
                 return with_stacks(ordered_json::object(), type, names);
             })}};
}

// The chosen type comes first, as the picture in SVG has no other.
group_colors groups_of(const overview& contents) {
    std::vector<const flame_graph*> graphs{&contents.types[contents.chosen].stacks};
    const auto add = [&](const std::vector<overview::type>& types) {
        for (const overview::type& type : types) {
            graphs.push_back(&type.stacks);
        }
    };
    add(contents.types);
    for (const overview::part& part : contents.parts) {
        add(part.types);
    }
    return group_colors{graphs};
}

} // namespace

std::string report_page_data(page_head head, const overview& contents) {
    page_names names;
    ordered_json types = mapped(
        contents.types, [&](const overview::type& type) { return overview_json(type, names); });
    ordered_json parts =
        mapped(contents.parts, [&](const overview::part& part) { return part_json(part, names); });
    ordered_json more{{"places", names.places(contents.places)},
                      {"groups", names.groups(groups_of(contents))}};
    if (!parts.empty()) {
        more["parts"] = std::move(parts);
        more["parts_left_out"] = contents.parts_left_out;
    }
    head.type = contents.chosen;
    return page_data(head, std::move(types), names, std::move(more));
}

std::string report_as_page(const page_head& head, const overview& contents,
                           const std::string& text) {
    return html_page(page_title(head), report_page_data(head, contents), text);
}

} // namespace pprofdelta::tool
