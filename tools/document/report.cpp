// SPDX-License-Identifier: Apache-2.0
#include "document/report.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include <pprofdelta/calls.hpp>
#include <pprofdelta/report.hpp>
#include <pprofdelta/report_json.hpp>

#include "base/json.hpp"
#include "base/names.hpp"
#include "base/value_text.hpp"
#include "document/document.hpp"
#include "document/page.hpp"

namespace pprofdelta::tool {

/// Adds the columns for a value: the change, both values and the change in percent of a comparison,
/// and otherwise the value and its share of the whole.
void add_value_columns(table& to, const report_view& view, const std::string& name);

/// Adds the cells for these columns.
void add_value_cells(table::row& to, const report_view& view, const value_pair& value);

/// The change in a comparison, and otherwise the value.
[[nodiscard]] std::string amount_text(const report_view& view, const value_pair& value);

void add_value_columns(table& to, const report_view& view, const std::string& name) {
    if (view.content.of == report::content::comparison) {
        to.columns.insert(to.columns.end(), {{"change", name},
                                             {"previous", name, table::place::where_it_fits},
                                             {"current", name},
                                             {"percent", name}});
    } else {
        to.columns.insert(to.columns.end(), {{name}, {name + "%"}});
    }
}

void add_value_cells(table::row& to, const report_view& view, const value_pair& value) {
    const report& r = view.content;
    to.cells.push_back(amount_text(view, value));
    if (r.of == report::content::comparison) {
        const std::string& unit = r.totals[r.type].type.unit;
        to.cells.insert(to.cells.end(), {human(value.previous, unit), human(value.current, unit),
                                         percent_text(value.previous, value.current)});
    } else {
        to.cells.push_back(share_text(value.current, r.totals[r.type].size));
    }
}

std::string amount_text(const report_view& view, const value_pair& value) {
    const report& r = view.content;
    const std::string& unit = r.totals[r.type].type.unit;
    if (r.of == report::content::comparison) {
        return human_change(value, unit);
    }
    const char* const sign = r.of == report::content::delta && value.current > 0 ? "+" : "";
    return sign + (view.per ? human_rate(value.current, r.duration_nanos, unit, *view.per)
                            : human(value.current, unit));
}

/// What a report shows of the stacks behind it.
[[nodiscard]] std::vector<document::rows_of_type> outlines_of(const report_view& view);

namespace {

std::int64_t change(const value_pair& value) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(value.current) -
                                     static_cast<std::uint64_t>(value.previous));
}

class outline_maker {
public:
    explicit outline_maker(const report_view& view)
        : m_view{view}, m_is_comparison{view.content.of == report::content::comparison} {}

    [[nodiscard]] document::rows_of_type of_list(const call_list& list, const std::string& edges,
                                                 const std::string& regex) const {
        document::rows_of_type made = start(", " + edges + " of ", regex);
        made.rows = flat_and_cum();
        made.rows.columns.push_back({"of cum"});
        for (const call_list::function& f : list.functions) {
            made.rows.rows.push_back(row(name(f.name), 0, &f.flat, f.cum));
            made.rows.rows.back().cells.emplace_back();
            const auto add_edge = [&](const std::string& name_of, const value_pair& value) {
                made.rows.rows.push_back(row(name_of, 1, nullptr, value));
                made.rows.rows.back().cells.push_back(
                    change(f.cum) == 0 ? "" : share_text(change(value), change(f.cum)));
            };
            for (const call_list::edge& edge : f.edges) {
                add_edge(name(edge.name), edge.value);
            }
            if (f.edges_left_out != 0) {
                add_edge(others_text(f.edges_left_out), f.left_out);
            }
        }
        made.outline = counted_text(list.functions.size(), list.functions_left_out,
                                    groupings_text(m_view.reported.by, m_view.reported.by_label) +
                                        " that match, in ") +
                       covered(list.coverage);
        return finished(std::move(made));
    }

    [[nodiscard]] document::rows_of_type of_tree(const call_tree& tree) const {
        document::rows_of_type made = start(", tree", "");
        made.rows = flat_and_cum();
        for (const call_tree::node& node : tree.nodes) {
            made.rows.rows.push_back(
                node.names.empty()
                    ? row(others_text(node.left_out), node.depth, nullptr, node.cum)
                    : row(chain_text(names(node.names)), node.depth, &node.flat, node.cum));
        }
        const std::string small = std::to_string(tree.too_small) + " below " +
                                  fixed_text(m_view.calls.smallest_of_tree * 100, 0) + "%";
        const std::string deep = std::to_string(tree.too_deep) + " deeper";
        made.outline = covered(tree.coverage) +
                       (tree.too_small != 0 || tree.too_deep != 0 ? "; left out: " : "") +
                       (tree.too_small != 0 ? small : "") +
                       (tree.too_small != 0 && tree.too_deep != 0 ? ", " : "") +
                       (tree.too_deep != 0 ? deep : "");
        return finished(std::move(made));
    }

    [[nodiscard]] document::rows_of_type of_paths(const call_paths& paths) const {
        document::rows_of_type made = start(", stacks", "");
        made.rows.of = head_of_names();
        add_value_columns(made.rows, m_view, "value");
        for (const call_paths::path& path : paths.paths) {
            table::row first;
            add_value_cells(first, m_view, path.value);
            add_stack(made.rows, std::move(first), names(path.names), path.left_out);
        }
        made.outline = counted_text(paths.paths.size(), paths.paths_left_out, "stacks, ") +
                       covered(paths.coverage);
        return finished(std::move(made));
    }

private:
    [[nodiscard]] document::rows_of_type start(const std::string& what,
                                               const std::string& whose) const {
        const report& r = m_view.content;
        return {.filter = m_view.filter_text,
                .type = to_string(r.totals[r.type].type),
                .what = (r.of == report::content::delta ? " in between" : "") + what,
                .whose = whose,
                .rows = {}};
    }

    static document::rows_of_type finished(document::rows_of_type made) {
        made.all = made.rows.rows.size();
        return made;
    }

    [[nodiscard]] std::string covered(double coverage) const {
        return fixed_text(coverage * 100, 2) + "%" +
               (m_is_comparison ? " of all changes" : " of the whole");
    }

    [[nodiscard]] std::string head_of_names() const {
        return grouping_text(m_view.reported.by, m_view.reported.by_label);
    }
    [[nodiscard]] std::string name(std::uint32_t number) const {
        return cut_name(m_view.calls.stacks->name(number));
    }

    [[nodiscard]] std::vector<std::string> names(const std::vector<std::uint32_t>& numbers) const {
        std::vector<std::string> all;
        std::transform(numbers.begin(), numbers.end(), std::back_inserter(all),
                       [&](std::uint32_t number) { return name(number); });
        return all;
    }

    // A comparison has only the change of what is flat, which leaves room for names.
    [[nodiscard]] table flat_and_cum() const {
        table made{head_of_names()};
        if (m_is_comparison) {
            made.columns.push_back({"flat"});
        } else {
            add_value_columns(made, m_view, "flat");
        }
        add_value_columns(made, m_view, "cum");
        return made;
    }

    [[nodiscard]] table::row row(const std::string& name, std::uint32_t indent,
                                 const value_pair* flat, const value_pair& cum) const {
        table::row made{.name = name, .cells = {}, .indent = indent};
        if (flat == nullptr) {
            made.cells.resize(m_is_comparison ? 1 : 2);
        } else if (m_is_comparison) {
            made.cells.push_back(amount_text(m_view, *flat));
        } else {
            add_value_cells(made, m_view, *flat);
        }
        add_value_cells(made, m_view, cum);
        return made;
    }

    const report_view& m_view;
    bool m_is_comparison;
};

} // namespace

std::vector<document::rows_of_type> outlines_of(const report_view& view) {
    const outline_maker make{view};
    const call_views& calls = view.calls;
    std::vector<document::rows_of_type> all;
    if (calls.callers) {
        all.push_back(make.of_list(*calls.callers, "callers", calls.callers_of));
    }
    if (calls.callees) {
        all.push_back(make.of_list(*calls.callees, "callees", calls.callees_of));
    }
    if (calls.tree) {
        all.push_back(make.of_tree(*calls.tree));
    }
    if (calls.paths) {
        all.push_back(make.of_paths(*calls.paths));
    }
    for (std::size_t i = 1; i < all.size(); ++i) {
        all[i].filter.clear(); // which is of all
    }
    return all;
}

const char* reset_text(reset_reason reason) noexcept {
    return reason == reset_reason::process ? "this is another process"
                                           : "values fell, as after a restart";
}

std::vector<std::string> series_findings(const delta_summary& of) {
    std::vector<std::string> all;
    if (of.process_returned) {
        all.emplace_back("a profile is from an earlier process again, so several processes answer "
                         "in turn, as behind a load balancer; give each process its own series");
    }
    if (of.starts_over_each_time) {
        all.emplace_back("third counter reset in a row: each profile probably covers an interval "
                         "of its own, and is already a delta");
    }
    return all;
}

namespace {

// What was counted has no percentage: it would be of the time since the process began.
std::vector<std::string> cells_of(const report::total& total, bool is_alone, rate_time per) {
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

// The table of all sample types, without columns that say nothing of any.
table totals_of(const report_view& view) {
    const report& r = view.content;
    const bool is_alone =
        std::none_of(r.totals.begin(), r.totals.end(), [](const report::total& total) {
            return total.has_previous || total.has_change;
        });
    table totals{
        "total",
        {{is_alone ? "value" : "change"}, {"rate"}, {"previous"}, {"current"}, {"percent"}}};
    for (const report::total& total : r.totals) {
        totals.rows.push_back({to_string(total.type),
                               cells_of(total, is_alone, view.per.value_or(rate_time::second))});
    }
    erase_columns(totals, [&](std::size_t column) {
        return std::all_of(totals.rows.begin(), totals.rows.end(),
                           [&](const table::row& row) { return row.cells[column].empty(); });
    });
    return totals;
}

table rows_of(const report_view& view, std::size_t most) {
    const report& r = view.content;
    table rows{grouping_text(view.reported.by, view.reported.by_label)};
    add_value_columns(rows, view, "flat");
    add_value_columns(rows, view, "cum");
    for (std::size_t i = 0; i < std::min(most, r.rows.size()); ++i) {
        rows.rows.push_back({cut_name(r.rows[i].name), {}});
        add_value_cells(rows.rows.back(), view, r.rows[i].flat);
        add_value_cells(rows.rows.back(), view, r.rows[i].cum);
    }
    return rows;
}

document::rows_of_type changes_of(const report_view& view, std::size_t most_rows) {
    const report& r = view.content;
    const bool has_others = !view.reported.sample_type && r.totals.size() > 1;
    return {.filter = view.filter_text,
            .type = to_string(r.totals[r.type].type),
            .what = r.of == report::content::delta ? " in between" : "",
            .which = std::string{r.of == report::content::comparison ? " that changed" : ""} +
                     (has_others ? " (for others --sample-type)" : ""),
            .rows = rows_of(view, most_rows),
            .all = r.rows.size()};
}

document document_of(const report_view& view, std::size_t most_rows) {
    const report& r = view.content;
    document all{.totals = totals_of(view)};
    if (const std::string interval = interval_of(r); !interval.empty()) {
        all.notes.push_back({interval});
    }
    if (view.normalized_by) {
        all.notes.push_back({view.normalization_text, true});
    }
    const report::total& total = r.totals[r.type];
    if (r.of != report::content::comparison &&
        static_cast<double>(total.size) != std::fabs(static_cast<double>(shares_of(r).current))) {
        all.notes.push_back({"some values are negative: shares are of " +
                             human(total.size, total.type.unit) +
                             ", the sum of their absolute values"});
    }
    all.types =
        view.calls.stacks == nullptr ? std::vector{changes_of(view, most_rows)} : outlines_of(view);
    all.limits = limits_of(view.judgements, view.normalized_by);
    return all;
}

} // namespace

std::string interval_of(const report& r) {
    const bool is_delta = std::any_of(r.totals.begin(), r.totals.end(),
                                      [](const report::total& each) { return each.has_change; });
    return interval_text(is_delta ? r.time_nanos : 0, r.duration_nanos);
}

std::string report_as_text(const report_view& view) {
    return as_text(document_of(view, view.top), view.width, view.has_colors);
}

std::string report_as_markdown(const report_view& view) {
    return as_markdown(document_of(view, std::min(view.top, most_rows_of_markdown)));
}

namespace {

// What a report in JSON has besides that of the library.
std::vector<std::pair<std::string, std::string>> members_of(const report_view& view) {
    const call_views& calls = view.calls;
    const report::content of = view.content.of;
    std::vector<std::pair<std::string, std::string>> all;
    if (calls.callers) {
        all.emplace_back("callers", call_list_as_json(*calls.callers, *calls.stacks, of, "callers",
                                                      calls.callers_of));
    }
    if (calls.callees) {
        all.emplace_back("callees", call_list_as_json(*calls.callees, *calls.stacks, of, "callees",
                                                      calls.callees_of));
    }
    if (calls.tree) {
        all.emplace_back("tree", call_tree_as_json(*calls.tree, *calls.stacks, of));
    }
    if (calls.paths) {
        all.emplace_back("paths", call_paths_as_json(*calls.paths, *calls.stacks, of));
    }
    ordered_json end;
    add_end(end, view.budget, view.next);
    for (const auto& [name, value] : end.items()) {
        all.emplace_back(name, to_text(value, json_layout::line));
    }
    return all;
}

} // namespace

std::string report_as_json(const report_view& view) {
    return pprofdelta::report_as_json(view.content, {.previous = view.previous,
                                                     .current = view.current,
                                                     .reported = view.reported,
                                                     .judgements = view.judgements,
                                                     .normalized_by = view.normalized_by,
                                                     .factors = view.factors,
                                                     .top = view.top,
                                                     .more = members_of(view)});
}

namespace {

ordered_json total_json(const report::total& total) {
    return {{"previous", total.has_previous ? ordered_json(total.value.previous) : nullptr},
            {"current", total.value.current},
            {"change", total.has_change ? ordered_json(total.change) : nullptr},
            {"per_second", total.per_second},
            {"size", total.size}};
}

// Adds members that a part has as the whole does.
ordered_json with_stacks(ordered_json start, const overview::type& type, page_names& names) {
    ordered_json rows = ordered_json::array();
    for (std::size_t i = 0; i < std::min(type.rows.size(), page_parts_limits.most_rows); ++i) {
        const report::row& row = type.rows[i];
        rows.push_back({names.number(row.name), row.flat.previous, row.flat.current,
                        row.cum.previous, row.cum.current});
    }
    const std::size_t left_out = type.rows.size() - rows.size() + type.rows_left_out;
    start["rows"] = std::move(rows);
    start["rows_left_out"] = left_out;
    start["tree"] = page_tree(type.stacks, names, false);
    return start;
}

ordered_json type_json(const overview::type& type, page_names& names) {
    ordered_json start = page_type(type.total.type, type.total.is_cumulative, to_string(type.of));
    start["total"] = total_json(type.total);
    return with_stacks(std::move(start), type, names);
}

ordered_json part_json(const overview::part& part, page_names& names) {
    ordered_json all{{"label", page_text(part.key + "=" + part.text)}};
    ordered_json& types = all["types"] = ordered_json::array();
    for (const overview::type& type : part.types) {
        types.push_back(with_stacks(ordered_json::object(), type, names));
    }
    return all;
}

} // namespace

std::vector<document::limit> limits_of(const std::vector<judgement>& judgements,
                                       std::optional<normalization> by) {
    std::vector<document::limit> limits;
    limits.reserve(judgements.size());
    for (const judgement& j : judgements) {
        limits.push_back({describe(j, by), j.crossed           ? document::judged::crossed
                                           : j.unknown.empty() ? document::judged::kept
                                                               : document::judged::unknown});
    }
    return limits;
}

std::string report_page_data(page_head head, const overview& contents) {
    page_names names;
    ordered_json types = ordered_json::array();
    for (const overview::type& type : contents.types) {
        types.push_back(type_json(type, names));
    }
    ordered_json parts = ordered_json::array();
    for (const overview::part& part : contents.parts) {
        parts.push_back(part_json(part, names));
    }
    ordered_json more{{"places", names.places(contents.places)}};
    if (!parts.empty()) {
        more["parts"] = std::move(parts);
        more["parts_left_out"] = contents.parts_left_out;
    }
    head.type = contents.chosen;
    return page_data(head, types, names, more);
}

std::string report_as_page(const page_head& head, const overview& contents,
                           const std::string& text) {
    return html_page(
        {.title = printable(head.title), .json = report_page_data(head, contents), .text = text});
}

} // namespace pprofdelta::tool
