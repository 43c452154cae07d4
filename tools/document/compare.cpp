// SPDX-License-Identifier: Apache-2.0
#include "document/compare.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include <pprofdelta/statistics.hpp>

#include "base/names.hpp"
#include "base/value_text.hpp"
#include "document/fields.hpp"

namespace pprofdelta::tool {

namespace {

// The name of a row's difference: "shift", as in u_test::estimate(), which differs from that of the
// medians beside it; "change", which is that of the medians, without a test.
const char* difference_name(const compare_options& options) {
    return options.is_tested ? "shift" : "change";
}

// The correction of totals, and of what limits judge, if rows are corrected by this: "wy" instead
// of "bh", for Westfall and Young.
const char* strict_name(const compare_options& options) {
    return options.corrected != correction::benjamini_hochberg ? to_string(options.corrected)
           : options.test == test_kind::moderated              ? to_string(correction::holm)
                                                               : "wy";
}

// The median and how far its interval goes: "1.50MiB ±2%"; "±∞" for want of captures. A median of 0
// has its interval as a value, "0 ±1MiB". A single capture has its value alone.
std::string median_text(const compared_values& side, const std::string& unit) {
    const std::string text = format_number(side.median, unit);
    return side.values.size() == 1 ? text : text + " " + reach_text(side.median, side.within, unit);
}

// "8+8".
std::string count_text(const compared_row& row) {
    return std::to_string(row.base.values.size()) + "+" + std::to_string(row.head.values.size());
}

using compared_figures = fields<compared_row>;

compared_figures side_figures(const std::string& name, compared_values compared_row::*side,
                              const std::string& unit) {
    const auto of = [=](const compared_row& row) -> const auto& { return row.*side; };
    const auto in_json = [=](const compared_row& row) {
        return ordered_json{{"median", of(row).median},
                            {"low", low_of(of(row).within)},
                            {"high", high_of(of(row).within)},
                            {"values", of(row).values}};
    };
    return {
        {{.column = {name},
          .cell = [=](const auto& row) { return median_text(of(row), unit); },
          .key = name,
          .value = in_json},
         {.page_key = name, .value = [=](const auto& row) { return of(row).values; }},
         {.page_key = name + "_median", .value = [=](const auto& row) { return of(row).median; }},
         {.page_key = name + "_low",
          .value = [=](const auto& row) { return low_of(of(row).within); }},
         {.page_key = name + "_high",
          .value = [=](const auto& row) { return high_of(of(row).within); }}}};
}

// All that the tables of a comparison, JSON and pages have of a row. A figure that was not tested
// is null.
compared_figures figures_of(const compare_options& options, const std::string& unit = "") {
    using in_words = std::function<std::string(const compared_row&)>;
    const bool is_tested = options.is_tested;
    const bool has_ranks = is_tested && !options.are_paired;
    const std::string difference = difference_name(options);
    const auto change = [=](const auto& row) { return human_change(row.change, unit); };
    const auto u = [=](const auto& row) { return value_if(has_ranks && !row.moderated, row.u); };
    const auto p = [=](const auto& row) { return value_if(is_tested, row.p); };
    const auto corrected = [=](const auto& row) { return value_if(is_tested, row.corrected_p); };
    in_words in_short;
    in_words verdict;
    if (is_tested) {
        in_short = [](const auto& row) { return p_text(row.corrected_p); };
        verdict = [](const auto& row) { return to_string(row.verdict); };
    }
    const auto found = [=](const auto& row) { return value_if(is_tested, to_string(row.verdict)); };
    // A change that may be noise is no news.
    compared_figures all{{}, [=](const auto& row) { return !is_tested || row.is_significant(); }};
    all.add(side_figures("base", &compared_row::base, unit));
    all.add(side_figures("head", &compared_row::head, unit));
    all.add({{
        {{difference, "", table::place::markdown},
         change,
         "change",
         "change",
         &compared_row::change},
        {{"percent", "", table::place::markdown}, percent_of_row},
        {{difference, "", table::place::text}, percent_of_row},
        {{}, {}, "low", "low", [](const auto& row) { return low_of(row.within); }},
        {{}, {}, "high", "high", [](const auto& row) { return high_of(row.within); }},
        {.key = "u", .value = u},
        {.key = "p", .value = p},
        {{"p"}, in_short, "p_corrected", "p", corrected},
        {{"n"}, count_text},
        {.key = "detectable", .value = &compared_row::detectable},
        {{.head = "verdict", .cells = table::kind::verdict}, verdict, "verdict", "verdict", found},
    }});
    return all;
}

std::string no_match_text(const compared_limit& found) {
    return std::string{"no "} + (found.of == limit::scope::label ? "label" : "function") +
           " matches";
}

ordered_json json_of(const compared_limit& limit, const compare_options& options) {
    const compared_figures of = figures_of(options);
    ordered_json all{{"limit", limit.limit}};
    all.update(type_json(limit.type));
    all = of.with_members(std::move(all), limit.row);
    all["crossed"] = limit.crossed;
    all["undecided"] = limit.is_undecided;
    all["rounds_differ"] = limit.do_rounds_differ;
    all["too_noisy"] = limit.is_too_noisy;
    all["judged"] = limit.judged;
    all["noisy"] = limit.noisy;
    all["detectable_part"] = limit.detectable_part;
    if (!limit.has_match) {
        all["unknown"] = no_match_text(limit);
    }
    if (!limit.functions.empty()) {
        all["functions"] = of.array(limit.functions, limit.functions.size());
    }
    if (limit.functions_left_out != 0) {
        all["functions_left_out"] = limit.functions_left_out;
    }
    return all;
}

// " (could see 40%)", and of rows how many: " 14 of 20 functions (could see 40%)".
std::string noise_text(const compared_limit& found) {
    return (found.judged > 1
                ? " " + counted_text(found.noisy, found.judged - found.noisy, "functions")
                : "") +
           (found.detectable_part ? " (could see " + part_text(*found.detectable_part) + ")"
                                  : " (could see nothing)");
}

// A limit and what was found: "LIMIT: TYPE/UNIT: base 1MiB ±2%, head 2MiB ±1%, shift +1MiB
// (+100.00%), p 0.0012 (8+8)"; of a limit on each function the worst of those that cross it.
std::string describe(const compared_limit& found, const compare_options& options) {
    const std::string& unit = found.type.unit;
    std::string text = found.limit + ": " + to_string(found.type) + ": ";
    if (!found.has_match) {
        return text + "not judged: " + no_match_text(found);
    }
    if (!found.functions.empty()) {
        text += counted(found.functions.size() + found.functions_left_out, "function") + ": " +
                listed_text(found.functions, [&](const compared_row& row) {
                    return row.name + " " + median_text(row.head, unit) + ", " +
                           human_change(row.change, unit) + " (" + percent_of_row(row) + ")" +
                           (options.is_tested ? ", p " + p_text(row.corrected_p) : "");
                });
    } else if (limit::is_each(found.of)) {
        text += "no function";
    } else {
        text += "base " + median_text(found.row.base, unit) + ", head " +
                median_text(found.row.head, unit) + ", " + difference_name(options) + " " +
                human_change(found.row.change, unit) + " (" + percent_of_row(found.row) + ")";
        // A value is judged by its interval, which has no p.
        const bool has_p = options.is_tested && found.on != limit::bound::value;
        text += has_p ? ", p " + p_text(found.row.corrected_p) : "";
    }
    return text + ", of " + count_text(found.row) + " captures" +
           (options.is_tested ? "" : ", medians without a test") +
           (found.is_too_noisy ? "; too noisy to judge" + noise_text(found) +
                                     (found.type.unit == "bytes"
                                          ? "; try more captures, or for Go -memprofilerate 1"
                                          : "; try more captures, or longer ones")
                               : "") +
           (found.do_rounds_differ ? "; unknown, as the rounds of benchmarks differ: go test "
                                     "-benchtime Nx makes them equal"
            : found.have_other_durations
                ? "; undecided: the durations differ, and runs of the same work take longer if it "
                  "costs more (see --normalize)"
            : found.is_rare ? "; undecided: it grew, but in so few captures that their middle is "
                              "no measure of it"
            : found.is_undecided ? "; undecided: all captures of one side are older, so something "
                                   "other than the code may have changed (see --order)"
                                 : "");
}

} // namespace

std::string percent_of_row(const compared_row& row) {
    return percent_of(row.base.median, row.change);
}

namespace {

std::string short_name(const std::string& name) {
    const std::string_view benchmark = benchmark_name(name);
    return benchmark.empty() ? name : std::string{benchmark};
}

// "21.4% more", "443 times as much".
std::string more_text(const compared_row& row) {
    const std::string_view factor = "\u00d7";
    std::string percent = percent_of_row(row);
    if (percent == "new") {
        return percent;
    }
    if (percent.starts_with(factor)) {
        return percent.substr(factor.size()) + " times as much";
    }
    constexpr double one_digit = 10;
    const double size = std::fabs(row.change / row.base.median) * 100;
    return fixed_text(size, size < one_digit ? 1 : 0) + "%" + (row.change < 0 ? " less" : " more");
}

// A sentence goes on after the name of a row with this: "allocates 21% more (22.3MiB to
// 27.1MiB)".
void add_deed(std::vector<document::note>& line, const compared_row& row, const value_type& type) {
    const std::string more = more_text(row);
    const std::string head = format_number(row.head.median, type.unit);
    if (more == "new") {
        line.push_back({"is new, with " + head + " of "});
        line.push_back({to_string(type), true});
        return;
    }
    const bool is_known = type.type == "alloc_space" || type.type == "alloc_objects" ||
                          type.type == "inuse_space" || type.type == "cpu";
    line.push_back({type.type == "alloc_space"     ? "allocates " + more
                    : type.type == "alloc_objects" ? "allocates " + more + " objects"
                    : type.type == "inuse_space"   ? "keeps " + more
                    : type.type == "cpu"           ? "takes " + more + " CPU time"
                                                   : "has " + more + " of "});
    if (!is_known) {
        line.push_back({to_string(type), true});
    }
    line.push_back({" (" + format_number(row.base.median, type.unit) + " \u2192 " + head + ")"});
}

std::string deed_text(const compared_row& row, const value_type& type) {
    std::vector<document::note> line;
    add_deed(line, row, type);
    return joined(line, "", [](const document::note& each) { return each.text; });
}

// The functions of a crossed limit that a reviewer has to know: benchmarks, or if none is among
// them the one that changed most.
std::vector<const compared_row*> worst_of(const compared_limit& limit) {
    std::vector<const compared_row*> rows;
    for (const compared_row& row : limit.functions) {
        if (!benchmark_name(row.name).empty()) {
            rows.push_back(&row);
        }
    }
    if (rows.empty() && !limit.functions.empty()) {
        rows.push_back(&limit.functions.front());
    }
    return rows;
}

bool is_unknown(const compared_limit& limit) {
    return limit.is_too_noisy || limit.is_undecided || limit.do_rounds_differ || !limit.has_match;
}

// A few words about a limit.
std::string in_short(const compared_limit& limit) {
    if (limit.do_rounds_differ) {
        return "the rounds of benchmarks differ: go test -benchtime Nx makes them equal";
    }
    if (limit.is_undecided) {
        return limit.have_other_durations ? "the durations differ"
               : limit.is_rare            ? "it grew, but in few captures"
                                          : "all captures of one side are older";
    }
    if (!limit.has_match) {
        return no_match_text(limit);
    }
    if (limit.is_too_noisy) {
        return "too noisy to judge" + noise_text(limit);
    }
    if (limit.crossed && !limit.functions.empty()) {
        return listed_text(worst_of(limit), [&](const compared_row* row) {
            return printable(short_name(row->name)) + " " + deed_text(*row, limit.type);
        });
    }
    return limit::is_each(limit.of) ? "no function" : deed_text(limit.row, limit.type);
}

// The function that a row's change comes from, by the causes of its type: the innermost one with
// most of it. Empty if the causes do not name one.
std::string origin_of(const compare_view& view, const compared_row& row, const value_type& type) {
    const auto shown = std::ranges::find_if(
        view.shown, [&](const compared_type& each) { return view.types[each.type] == type; });
    if (shown == view.shown.end()) {
        return {};
    }
    const auto& causes = shown->causes.causes;
    auto cause = std::ranges::find_if(causes, [&](const change_cause<compared_row>& each) {
        return std::ranges::find(each.frames, row.name) != each.frames.end();
    });
    if (cause == causes.end()) {
        return {};
    }
    const std::string* name = &cause->frames.back();
    for (auto next = cause + 1; next != causes.end() && next->depth == cause->depth + 1 &&
                                std::fabs(next->value.change) * 2 > std::fabs(cause->value.change);
         ++next) {
        cause = next;
        name = &cause->frames.back();
    }
    return *name == row.name ? "" : *name;
}

// "BenchmarkTokens allocates 21% more (22.3MiB to 27.1MiB), in textkit.Tokens", one for each.
std::vector<std::vector<document::note>> verdicts_of(const compare_view& view) {
    constexpr std::size_t most = 10;
    std::vector<std::vector<document::note>> lines;
    for (const compared_limit& limit : view.limits) {
        if (is_unknown(limit)) {
            lines.push_back({{"\u26a0\ufe0f "}, {limit.limit, true}, {": " + in_short(limit)}});
        }
        if (!limit.crossed) {
            continue;
        }
        std::vector<const compared_row*> worst = worst_of(limit);
        if (worst.empty()) {
            lines.push_back({{"\u274c "}, {limit.limit, true}, {": "}});
            add_deed(lines.back(), limit.row, limit.type);
        }
        for (const compared_row* const row : first_of(worst, most)) {
            lines.push_back({{"\u274c "}, {short_name(row->name), true}, {" "}});
            add_deed(lines.back(), *row, limit.type);
            if (const std::string origin = origin_of(view, *row, limit.type); !origin.empty()) {
                lines.back().push_back({", in "});
                lines.back().push_back({origin, true});
            }
        }
        if (worst.size() > most) {
            lines.push_back({{"and " + std::to_string(worst.size() - most) + " more"}});
        }
    }
    return lines;
}

// Tells how sure a change is, in words that need no explanation.
std::string sureness_of(const compared_row& row, const compare_options& options) {
    const bool was_there = row.base.has_any(); // even if its median is 0
    const bool is_there = row.head.has_any();
    if (!row.other_name.empty()) {
        const std::string other{benchmark_name(row.other_name)}; // others may be Markdown
        return other.empty() ? "renamed" : (is_there ? "renamed: was " : "renamed: is ") + other;
    }
    if (was_there != is_there) {
        return was_there ? "gone" : "new";
    }
    switch (row.verdict) {
    case verdict::grew:
    case verdict::fell:
        return "sure (p " + p_text(row.corrected_p) + ")";
    case verdict::same:
        return "within " + factor_text(options.min_change * 100) + "%";
    default:
        return options.is_tested ? "not clear (p " + p_text(row.corrected_p) + ")" : "not tested";
    }
}

// "240 \u2192 480", with a dash for a side where a benchmark is not. Where the function can be of
// several sub-benchmarks, the one that changed most, or the range if none did, and their number.
std::string both_costs(const go_costs& base, const go_costs& head, double go_benchmark::*cost) {
    struct sides {
        std::optional<double> base{};
        std::optional<double> head{};
        [[nodiscard]] double factor() const { // those of one side alone come last
            return base && head ? 1 + std::fabs(std::log((*head + 1) / (*base + 1))) : 1;
        }
    };
    std::map<std::string, sides> all;
    for (const auto& [name, each] : base) {
        all[name].base = each.*cost;
    }
    for (const auto& [name, each] : head) {
        all[name].head = each.*cost;
    }
    std::size_t differing = 0;
    auto most = all.cend();
    double least_cost = HUGE_VAL;
    double most_cost = 0;
    for (auto each = all.cbegin(); each != all.cend(); ++each) {
        const sides& both = each->second;
        if (both.base != both.head) {
            ++differing;
            most = most == all.cend() || both.factor() > most->second.factor() ? each : most;
        }
        least_cost = std::min(least_cost, both.base.value_or(HUGE_VAL));
        most_cost = std::max(most_cost, both.base.value_or(0));
    }
    const auto text = [](const std::optional<double>& number) {
        return number ? format_number(*number, "") : "\u2013";
    };
    const auto change = [&](const sides& both) {
        return text(both.base) + " \u2192 " + text(both.head);
    };
    if (all.size() < 2) {
        return all.empty() ? "" : change(all.begin()->second);
    }
    const std::string count = std::to_string(all.size()) + ")";
    if (most != all.cend()) {
        constexpr std::size_t widest = 40;
        return name_in_cell(most->first.substr(most->first.find('/') + 1), widest) + " " +
               change(most->second) + " (" + std::to_string(differing) + " of " + count;
    }
    return text(least_cost) + (least_cost == most_cost ? "" : " to " + text(most_cost)) + " (" +
           count;
}

// Whether another row has the costs of a function: the one that it is a part of, or the first of
// those that a benchmark gives to b.Run, as nothing says whose they are.
bool are_costs_elsewhere(const compared_row& row, const std::vector<compared_row>& rows,
                         bool has_subs) {
    const std::string_view name = benchmark_name(row.name);
    const std::size_t inner = name.find('.');
    const std::string start = row.name.substr(0, row.name.size() - name.size() + inner + 1);
    return inner != std::string_view::npos &&
           std::ranges::any_of(rows, [&](const compared_row& other) {
               return has_subs ? &other < &row && other.name.starts_with(start)
                               : row.name.starts_with(other.name + '.');
           });
}

std::vector<std::string> costs_cells(const compare_view& view, const compared_row& row,
                                     const std::vector<compared_row>& rows) {
    const go_costs base = costs_of(view.benchmarks.front(), row.name);
    const go_costs head = costs_of(view.benchmarks.back(), row.name);
    const auto is_sub = [](const auto& each) { return each.first.find('/') != std::string::npos; };
    const bool has_subs = std::ranges::any_of(base, is_sub) || std::ranges::any_of(head, is_sub);
    if (are_costs_elsewhere(row, rows, has_subs)) {
        return {"", ""};
    }
    return {both_costs(base, head, &go_benchmark::bytes),
            both_costs(base, head, &go_benchmark::allocations)};
}

// "unknown: rounds 1017 \u2192 1985" of a benchmark whose rounds differ; otherwise empty.
std::string rounds_text(const compare_view& view, const compared_row& row) {
    if (view.benchmarks.empty()) {
        return {};
    }
    const go_costs base = costs_of(view.benchmarks.front(), row.name);
    const go_costs head = costs_of(view.benchmarks.back(), row.name);
    return do_rounds_differ(base, head)
               ? "unknown: rounds " + both_costs(base, head, &go_benchmark::rounds)
               : "";
}

// The row as a limit on each function has judged it, if it crosses one: a limit asks fewer
// questions than the table, and two answers about one function would contradict each other.
const compared_row& as_judged(const compare_view& view, const value_type& type,
                              const compared_row& row) {
    for (const compared_limit& limit : view.limits) {
        if (limit.of == limit::scope::each_through && limit.type == type) {
            const auto found = std::ranges::find(limit.functions, row.name, &compared_row::name);
            if (found != limit.functions.end()) {
                return *found;
            }
        }
    }
    return row;
}

// The benchmarks of the types that are shown, those first that changed most.
table brief_of(const compare_view& view) {
    constexpr std::size_t most = 10;
    table made{"benchmark", {{"of"}, {"base"}, {"head"}, {"change"}, {"how sure"}}};
    if (!view.benchmarks.empty()) {
        constexpr auto cells = table::kind::markdown;
        made.columns.insert(made.columns.end() - 1, {{.head = "B/op", .cells = cells},
                                                     {.head = "allocs/op", .cells = cells}});
    }
    for (const compared_type& shown : view.shown) {
        const value_type& type = view.types[shown.type];
        for (const compared_row& each : shown.rows.cum.rows) {
            const compared_row& row = as_judged(view, type, each);
            const bool is_gone = !row.head.has_any() && !row.other_name.empty();
            if (benchmark_name(row.name).empty() || is_gone || made.rows.size() == most) {
                continue;
            }
            const bool is_single = row.base.has_any() != row.head.has_any();
            const std::string rounds = is_single ? "" : rounds_text(view, row);
            made.rows.push_back({short_name(row.name),
                                 {type.type, format_number(row.base.median, type.unit),
                                  format_number(row.head.median, type.unit),
                                  is_single || !rounds.empty() ? "" : percent_of_row(row),
                                  rounds.empty() ? sureness_of(row, view.options) : rounds},
                                 row.is_significant() && rounds.empty()});
            if (!view.benchmarks.empty()) {
                std::vector<std::string>& cells = made.rows.back().cells;
                const auto costs = costs_cells(view, each, shown.rows.cum.rows);
                cells.insert(cells.end() - 1, costs.begin(), costs.end());
            }
        }
    }
    return made;
}

} // namespace

std::vector<document::limit> limits_of(const compare_view& view) {
    return mapped(view.limits, [&](const compared_limit& each) -> document::limit {
        return {.text = describe(each, view.options),
                .as = each.crossed       ? document::judged::crossed
                      : is_unknown(each) ? document::judged::unknown
                                         : document::judged::kept,
                .limit = each.limit,
                .json = to_text(json_of(each, view.options), json_layout::line),
                .has_match = each.has_match,
                .is_gone = each.is_gone,
                .must_match = true,
                .must_be_judged = each.is_undecided || (view.is_strict && each.has_match),
                .in_short = in_short(each)};
    });
}

std::string describe(const too_few_captures& found, const compare_options& options) {
    const std::string enough = std::to_string(found.enough);
    return "too few captures: " + needed_text(found, options.alpha, options.corrected) + "; " +
           enough + "+" + enough + " are enough, and --no-test compares medians";
}

namespace {

// "grew by 29.83%"
std::string change_text(const compared_row& row, const compare_options& options) {
    if (options.is_tested && !row.is_significant()) {
        const bool is_real = row.corrected_p <= options.alpha; // though it is small
        const std::string small = factor_text(options.min_change * 100) + "%";
        return row.verdict == verdict::same
                   ? is_real ? "changed by less than " + small : "did not change"
               : row.verdict == verdict::too_few ? "cannot be judged"
                                                 : "shows no clear change";
    }
    return growth_text(row.change, percent_of_row(row));
}

document::finding finding_of(const compare_view& view, std::size_t type) {
    const compared_row& total = view.totals.rows[type];
    const std::string& unit = view.types[type].unit;
    const compare_options& options = view.options;
    std::string how =
        " (" + human_change(total.change, unit) +
        (total.is_significant() || !options.is_tested ? "" : ", " + percent_of_row(total)) +
        " of " + format_number(total.base.median, unit);
    // It is not corrected, and would seem to say that the change is real where p does not.
    const auto has_zero = [](const interval& range) { return range.low <= 0 && range.high >= 0; };
    if (total.within && (total.is_significant() || has_zero(*total.within))) {
        how += ", " + factor_text((1 - options.alpha) * 100) + "% interval " +
               human_change(total.within->low, unit) + " to " +
               human_change(total.within->high, unit);
    }
    how += "; " + count_text(total) + " captures" +
           (options.is_tested ? ", p " + p_text(total.corrected_p) : ", medians without a test") +
           ")";
    return {to_string(view.types[type]), change_text(total, options), how};
}

table causes_of(const compare_view& view, const compared_type& shown) {
    const auto cells = [&](const compared_row& row) {
        const bool is_gone = row.base.median > 0 && row.head.median == 0 && row.change < 0;
        return std::vector{human_change(row.change, view.types[shown.type].unit),
                           is_gone ? "gone" : percent_of_row(row)};
    };
    const auto is_sure = [&](const std::string& name, const std::string& previous_name) {
        return std::ranges::any_of(shown.rows.cum.rows, [&](const compared_row& row) {
            return row.name == name && row.other_name == previous_name;
        });
    };
    const auto cause = [&](const change_cause<compared_row>& each) {
        shown_cause made = with_cells(each, cells(each.value));
        if (each.of == cause_kind::renamed && is_sure(each.frames.back(), each.previous_name)) {
            made.value.renamed = ", renamed: was ";
        }
        return made;
    };
    std::vector<std::string> others = mapped(shown.rows.flat.rows, &compared_row::name);
    const std::vector<std::string> of_cum = mapped(shown.rows.cum.rows, &compared_row::name);
    others.insert(others.end(), of_cum.begin(), of_cum.end());
    table made =
        causes_table({{"change"}, {"percent"}}, mapped(shown.causes.causes, cause), others);
    if (!made.rows.empty()) {
        const compared_row& rest = shown.causes.rest;
        const bool is_news = !view.options.is_tested || rest.is_significant();
        const bool is_real = rest.corrected_p <= view.options.alpha; // though it is small
        made.rows.push_back(
            {std::string{"everything else"} +
                 (is_news   ? ""
                  : is_real ? ", below " + factor_text(view.options.min_change * 100) + "%"
                            : ", within noise"),
             cells(rest), is_news});
    }
    return made;
}

double mean_of(const compared_row& row) {
    double sum = 0;
    for (const compared_values* const side : {&row.base, &row.head}) {
        sum = std::accumulate(side->values.begin(), side->values.end(), sum);
    }
    return sum / static_cast<double>(row.base.values.size() + row.head.values.size());
}

// The row whose share of the total is nearest to a tenth; none if none could be found to change.
const compared_row* typical_row(const std::vector<compared_row>& rows, double total) {
    const compared_row* typical = nullptr;
    const auto distance = [&](const compared_row& row) {
        return std::fabs(std::log(std::fabs(mean_of(row) / total) * 10));
    };
    for (const compared_row& row : rows) {
        if (row.detectable.value_or(0) != 0 && mean_of(row) != 0 &&
            std::fabs(mean_of(row)) <= std::fabs(total) &&
            (typical == nullptr || distance(row) < distance(*typical))) {
            typical = &row;
        }
    }
    return typical;
}

// The changes that these captures could tell, in the first type that is shown. Values without
// noise, such as totals that were made equal, say nothing.
std::vector<document::note> detectable_note(const compare_view& view) {
    const compared_type& first = view.shown.front();
    const compared_row& total = view.totals.rows[first.type];
    const double whole = mean_of(total);
    std::vector<document::note> changes;
    const auto add = [&](double part, const std::string& name) {
        changes.push_back({changes.empty() ? "" : ", or "});
        changes.push_back({part_text(part) + " of "});
        changes.push_back({name, true});
    };
    if (total.detectable.value_or(0) != 0 && whole != 0) {
        add(*total.detectable / std::fabs(whole), to_string(view.types[first.type]));
    }
    const compared_row* const row = whole == 0 ? nullptr : typical_row(first.rows.flat.rows, whole);
    if (row != nullptr) {
        add(*row->detectable / std::fabs(mean_of(*row)), row->name);
        changes.push_back({" (" + part_text(std::fabs(mean_of(*row) / whole)) + " of the total)"});
    }
    if (!changes.empty()) {
        const std::string least = std::to_string(first.least_samples);
        const std::string most = std::to_string(first.most_samples);
        changes.insert(changes.begin(),
                       {"4 of 5 comparisons like this one would find a change of "});
        changes.push_back({"; a capture has " + (least == most ? most : least + " to " + most) +
                           (most == "1" ? " sample" : " samples")});
    }
    return changes;
}

} // namespace

document findings_of(const compare_view& view) {
    document found;
    std::vector<bool> is_told(view.types.size());
    for (const compared_type& shown : view.shown) {
        found.findings.push_back(finding_of(view, shown.type));
        if (&shown == &view.shown.front()) {
            found.findings.back().how += text_of_roots(shown.causes.differing_roots);
            found.findings.back().from = causes_of(view, shown);
            add_unnamed(found.findings.back().notes, view.options.by, shown.rows.flat.rows,
                        [](const compared_row&) { return true; });
        }
        if (view.durations.current != 0) {
            const std::string head = format_value(view.durations.current, "nanoseconds");
            const std::string base = format_value(view.durations.previous, "nanoseconds");
            std::string note = "per " + head;
            note.append(", as the durations differ: ").append(base).append(" in the base and ");
            note.append(head).append(" in the head; gauges are as they are; for runs of the same "
                                     "work add --normalize none");
            found.findings.back().notes.push_back(std::move(note));
        }
        is_told[shown.type] = true;
    }
    std::vector<document::note> unchanged;
    for (std::size_t type = 0; type < view.types.size(); ++type) {
        if (is_told[type]) {
            continue;
        }
        if (view.totals.rows[type].is_significant()) {
            found.findings.push_back(finding_of(view, type));
        } else if (view.options.is_tested) {
            unchanged.push_back({unchanged.empty() ? "no clear change: " : ", "});
            unchanged.push_back({to_string(view.types[type]), true});
        }
    }
    for (const std::vector<document::note>& parts : {unchanged, detectable_note(view)}) {
        if (!parts.empty()) {
            found.notes_of_findings.push_back(parts);
        }
    }
    return found;
}

bool has_limit(const compare_view& view, std::size_t type) {
    return std::ranges::find(view.limits, view.types[type], &compared_limit::type) !=
           view.limits.end();
}

namespace {

// A table of rows of a sample type.
document::rows_of_type table_of_type(const compare_view& view, const compared_type& shown,
                                     const std::string& what, table rows,
                                     const std::string& outline = "") {
    return {.type = to_string(view.types[shown.type]),
            .heading = what,
            .rows = std::move(rows),
            .outline = outline};
}

std::string row_names(const compare_view& view) {
    return grouping_text(view.options.by, view.options.by_label);
}

std::string part_of_sides(const compared_part& part) {
    return fixed_text(part.base * 100, 2) + "% of the base and " + fixed_text(part.head * 100, 2) +
           "% of the head";
}

// Rows, and indented below each those that call it or that it calls.
document::rows_of_type outline_of(const compare_view& view, const compared_type& shown,
                                  const shown_calls<compared_calls>& asked) {
    const compared_calls& calls = asked.found;
    const compared_figures of = figures_of(view.options, view.types[shown.type].unit);
    table rows = of.empty_table(row_names(view));
    const std::size_t most = std::min(view.top, calls.functions.size());
    for (const compared_calls::function& f : first_of(calls.functions, view.top)) {
        rows.rows.push_back(of.row(f.cum, cut_name(f.cum.name)));
        for (const compared_row& edge : first_of(f.edges, view.top)) {
            rows.rows.push_back(of.row(edge, cut_name(edge.name), 1));
        }
        if (const std::size_t left_out = beyond(view.top, f.edges.size()); left_out != 0) {
            rows.rows.push_back({.name = counted(left_out, "other"),
                                 .cells = std::vector<std::string>(rows.columns.size()),
                                 .indent = 1});
        }
    }
    const compared_row& total = view.totals.rows[shown.type];
    const auto part = [](double of_total, double whole) {
        return whole == 0 ? 0 : of_total / whole;
    };
    document::rows_of_type made =
        table_of_type(view, shown, ", " + asked.edges + " of ", std::move(rows),
                      counted_text(most, calls.functions.size() - most,
                                   groupings_text(view.options.by, view.options.by_label)) +
                          " that match, in " +
                          part_of_sides({part(calls.together.base.median, total.base.median),
                                         part(calls.together.head.median, total.head.median)}));
    made.heading_text = asked.regex;
    return made;
}

// The outlines of the stacks of a sample type.
std::vector<document::rows_of_type> outlines_of(const compare_view& view,
                                                const compared_type& shown) {
    const compared_figures of = figures_of(view.options, view.types[shown.type].unit);
    std::vector<document::rows_of_type> all =
        mapped(shown.calls, [&](const auto& each) { return outline_of(view, shown, each); });
    if (shown.tree) {
        table rows = of.empty_table(row_names(view));
        rows.rows = mapped(shown.tree->nodes, [&](const stack_node<compared_row>& node) {
            return of.row(node.cum, chain_text(node.frames), node.depth);
        });
        all.push_back(
            table_of_type(view, shown, ", tree", std::move(rows),
                          counted_text(shown.tree->nodes.size(), shown.tree->left_out, "nodes, ") +
                              part_of_sides(shown.tree->coverage)));
    }
    if (shown.paths) {
        table rows = of.empty_table(row_names(view));
        for (const stack_path<compared_row>& path : shown.paths->paths) {
            add_stack(rows, of.row(path.value, ""), path.frames, path.left_out);
        }
        all.push_back(table_of_type(
            view, shown, ", stacks", std::move(rows),
            counted_text(shown.paths->paths.size(), shown.paths->left_out, "stacks, ") +
                part_of_sides(shown.paths->coverage)));
    }
    return all;
}

// Whether a row of a table is shown to people.
bool is_shown(const compare_view& view, const compared_row& row) {
    return view.has_all || !view.options.is_tested || row.is_significant();
}

table totals_of(const compare_view& view) {
    table totals = figures_of(view.options).empty_table("total");
    for (std::size_t i = 0; i < view.types.size(); ++i) {
        const compared_row& row = view.totals.rows[i];
        if (is_shown(view, row) || has_limit(view, i)) {
            totals.rows.push_back(
                figures_of(view.options, view.types[i].unit).row(row, to_string(view.types[i])));
        }
    }
    return totals;
}

// The first ones of those that are shown, which come first.
document::rows_of_type rows_of(const compare_view& view, const compared_type& type,
                               const std::string& what, const std::vector<compared_row>& rows) {
    const auto count = static_cast<std::size_t>(
        std::ranges::count_if(rows, [&](const compared_row& row) { return is_shown(view, row); }));
    document::rows_of_type shown =
        table_of_type(view, type, what,
                      figures_of(view.options, view.types[type.type].unit)
                          .table_of(row_names(view), rows, std::min(view.top, count)));
    shown.count_note = view.has_all || !view.options.is_tested ? "" : " that changed";
    shown.all = count;
    return shown;
}

document::note side_note(const char* side, const std::vector<std::string>& files) {
    return {std::string{side} + ": " + counted(files.size(), "capture") + ", " + ends_text(files),
            true};
}

// Visits the views of a type's stacks in the order of the outlines.
template <typename Visit>
void for_each_call_view(const compared_type& shown, Visit&& visit) {
    for (const shown_calls<compared_calls>& each : shown.calls) {
        visit(each.found);
    }
    if (shown.tree) {
        visit(*shown.tree);
    }
    if (shown.paths) {
        visit(*shown.paths);
    }
}

// "17+20 rows, flat and cum separately"; of several types, in the order of their tables, "17+20 and
// 15+18 rows, flat and cum separately"; of callers and callees, "8 and 5 rows".
std::string questions_text(const compare_view& view) {
    std::vector<std::string> all;
    for (const compared_type& shown : view.shown) {
        for_each_call_view(
            shown, [&](const auto& calls) { all.push_back(std::to_string(calls.hypotheses)); });
        if (!shown.has_calls()) {
            all.push_back(std::to_string(shown.rows.flat.hypotheses) + "+" +
                          std::to_string(shown.rows.cum.hypotheses));
        }
    }
    std::string text;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const bool is_last = i + 1 == all.size();
        text += (text.empty() ? "" : is_last ? " and " : ", ") + all[i];
    }
    return text + (text == "1" ? " row" : " rows") +
           (view.shown.front().has_calls() ? "" : ", flat and cum separately");
}

// The number of rows left out of the tables.
std::size_t small_rows(const compared_type& shown) {
    std::size_t count = shown.has_calls() ? 0 : shown.rows.left_out;
    for (const shown_calls<compared_calls>& calls : shown.calls) {
        count += calls.found.left_out;
        for (const compared_calls::function& each : calls.found.functions) {
            count += each.left_out;
        }
    }
    count += shown.tree ? shown.tree->too_small : 0;
    count += shown.paths ? shown.paths->too_small : 0;
    return count;
}

// The meaning of the shift that the test of these options estimates.
std::string shift_text(const compare_options& options) {
    return options.test == test_kind::moderated
               ? "the difference of both sides' means of square roots."
           : options.are_paired ? "the median of the differences of pairs."
                                : "the median of all differences between a head and a base.";
}

// The method, in words.
std::string method_text(const compare_view& view) {
    const compare_options& options = view.options;
    if (!options.is_tested) {
        return "Medians, without a test: what changed may be noise.";
    }
    const bool is_moderated = options.test == test_kind::moderated;
    std::string text = is_moderated ? "p: moderated t test"
                       : options.are_paired
                           ? "p: permutation test of pairs" + order_text({view.base, view.head})
                           : "p: Mann-Whitney U test";
    if (options.corrected != correction::none) {
        text += std::string{", corrected by "} + strict_name(options) + " among " +
                counted(view.totals.hypotheses, "total") + ", by " + to_string(options.corrected) +
                " among " + questions_text(view);
    }
    return text + ".\nshift: " + shift_text(options) + "\ngrew, fell: p is at most " +
           factor_text(options.alpha) + ". same: the shift is within " +
           factor_text(options.min_change * 100) + "%.";
}

// The types of the rows and the reason for them, unless they were asked for: "rows:
// alloc_space/bytes (grew); --sample-type has others". Empty if there is but one type.
std::string shown_text(const compare_view& view) {
    if (view.types.size() == 1 || view.shown.front().why.empty()) {
        return {};
    }
    std::string text;
    for (const compared_type& shown : view.shown) {
        text += (text.empty() ? "rows: " : ", ") + to_string(view.types[shown.type]) + " (" +
                shown.why + ")";
    }
    return text + (view.shown.size() == view.types.size() ? "" : "; --sample-type has others");
}

} // namespace

std::optional<too_few_captures>
needing_more_captures(const std::optional<too_few_captures>& one,
                      const std::optional<too_few_captures>& other) {
    return !one || (other && other->enough > one->enough) ? other : one;
}

std::vector<std::optional<too_few_captures>> too_few_of(const compared_type& shown) {
    if (!shown.has_calls()) {
        return {shown.rows.flat.too_few, shown.rows.cum.too_few};
    }
    std::vector<std::optional<too_few_captures>> all;
    for_each_call_view(shown, [&](const auto& calls) { all.push_back(calls.too_few); });
    return all;
}

std::vector<document::note> notes_below(const compare_view& view) {
    std::vector<document::note> notes{{method_text(view)}};
    std::size_t left_out = 0;
    std::size_t folded = 0;
    std::optional<too_few_captures> worst;
    for (const compared_type& shown : view.shown) {
        folded = std::max(folded, shown.rows.folded_functions);
        left_out += small_rows(shown);
        for (const auto& too_few : too_few_of(shown)) {
            worst = needing_more_captures(worst, too_few);
        }
    }
    if (left_out > 0) {
        notes.push_back({left_out_text(left_out, view.least_size_text)});
    }
    add_note(notes, folded_text(folded), false);
    if (worst) {
        notes.push_back({"Rows: " + describe(*worst, view.options) + "."});
    }
    return notes;
}

document document_of(const compare_view& view) {
    document all = findings_of(view);
    all.notes = {side_note("base", view.base), side_note("head", view.head)};
    all.totals = totals_of(view);
    all.notes_below = notes_below(view);
    if (view.options.normalized_by) {
        all.notes.push_back({std::string{"captures normalized by "} +
                             to_string(*view.options.normalized_by) +
                             ", to the median of the head"});
    }
    const auto has_samples = [](const compared_type& shown) { return shown.most_samples != 0; };
    add_note(all.notes,
             selection_note(view.options.selection, std::ranges::any_of(view.shown, has_samples)),
             true);
    add_note(all.notes, shown_text(view), true);
    std::size_t unchanged = 0;
    for (const compared_type& shown : view.shown) {
        for (document::rows_of_type& outline : outlines_of(view, shown)) {
            all.types.push_back(std::move(outline));
        }
        if (&shown != &view.shown.front()) {
            table causes = causes_of(view, shown);
            if (!causes.rows.empty()) {
                all.types.push_back(
                    table_of_type(view, shown, ", causes", std::move(causes),
                                  change_text(view.totals.rows[shown.type], view.options)));
            }
        }
        if (shown.has_calls()) {
            continue;
        }
        for (const auto& [what, family] :
             {std::pair{", flat", &shown.rows.flat}, std::pair{", cum", &shown.rows.cum}}) {
            document::rows_of_type rows = rows_of(view, shown, what, family->rows);
            unchanged += family->rows.size() - rows.all;
            if (rows.all != 0 || rows.count_note.empty()) {
                all.types.push_back(std::move(rows));
            }
        }
    }
    if (unchanged != 0) {
        all.notes_below.insert(
            all.notes_below.begin(),
            {counted(unchanged, "row") + " without a clear change left out; --all shows them."});
    }
    all.limits = limits_of(view);
    all.verdicts = verdicts_of(view);
    all.brief = brief_of(view);
    all.brief_note = view.options.is_tested ? "base, head: medians. change: not theirs, but " +
                                                  shift_text(view.options)
                                            : "";
    return all;
}

namespace {

// Adds how many are left out, and of how many that is for their size.
void add_left_out(ordered_json& to, const std::string& what, std::size_t left_out,
                  std::size_t small) {
    to[what + "_left_out"] = left_out;
    to["small_" + what + "_left_out"] = small;
}

ordered_json calls_json(const compare_view& view, const shown_calls<compared_calls>& asked) {
    const compared_calls& calls = asked.found;
    const compared_figures of = figures_of(view.options);
    const auto function = [&](const compared_calls::function& f) {
        ordered_json made = of.with_members(ordered_json::object({{"name", f.cum.name}}), f.cum);
        made[asked.edges] = of.array(f.edges, view.top);
        add_left_out(made, asked.edges, beyond(view.top, f.edges.size()), f.left_out);
        return made;
    };
    ordered_json all{{"regex", asked.regex},
                     {"questions", calls.hypotheses},
                     {"together", of.with_members(ordered_json::object(), calls.together)},
                     {"functions", mapped(first_of(calls.functions, view.top), function)}};
    add_left_out(all, "functions", beyond(view.top, calls.functions.size()), calls.left_out);
    return all;
}

// The JSON that a tree and whole stacks share.
template <typename Stacks>
ordered_json stacks_json(const Stacks& stacks, const std::string& what, ordered_json all) {
    ordered_json made{
        {"questions", stacks.hypotheses},
        {"coverage", {{"base", stacks.coverage.base}, {"head", stacks.coverage.head}}},
        {what, std::move(all)}};
    add_left_out(made, what, stacks.left_out, stacks.too_small);
    return made;
}

// Adds the rows of a sample type.
ordered_json with_rows(ordered_json start, const compare_view& view, const compared_type& shown) {
    const compare_options& options = view.options;
    const compared_figures of = figures_of(options);
    const compared_family& flat = shown.rows.flat;
    const compared_family& cum = shown.rows.cum;
    start.update(type_json(view.types[shown.type]));
    start["by"] = grouping_text(options.by, options.by_label);
    start["questions"] = flat.hypotheses;
    start["cum_questions"] = cum.hypotheses;
    start["flat"] = of.array(flat.rows, view.top);
    start["cum"] = of.array(cum.rows, view.top);
    add_left_out(start, "rows",
                 beyond(view.top, flat.rows.size()) + beyond(view.top, cum.rows.size()),
                 shown.rows.left_out);
    add_folded(start, shown.rows.folded_functions);
    start["causes"] = mapped(shown.causes.causes, [&](const change_cause<compared_row>& each) {
        return of.with_members(cause_json(each), each.value);
    });
    start["rest"] = of.with_members(ordered_json::object(), shown.causes.rest);
    if (shown.causes.differing_roots) {
        start["differing_roots"] = *shown.causes.differing_roots;
    }
    for (const shown_calls<compared_calls>& each : shown.calls) {
        start[each.edges] = calls_json(view, each);
    }
    if (shown.tree) {
        const auto node_json = [&](const stack_node<compared_row>& node) {
            return of.with_members({{"depth", node.depth}, {"frames", node.frames}}, node.cum);
        };
        start["tree"] = stacks_json(*shown.tree, "nodes", mapped(shown.tree->nodes, node_json));
    }
    if (shown.paths) {
        const auto path_json = [&](const stack_path<compared_row>& path) {
            return of.with_members({{"frames", path.frames}, {"frames_left_out", path.left_out}},
                                   path.value);
        };
        start["paths"] = stacks_json(*shown.paths, "paths", mapped(shown.paths->paths, path_json));
    }
    return start;
}

} // namespace

std::string as_json(const compare_view& view) {
    const compare_options& options = view.options;
    ordered_json all{
        {"schema", "pprofdelta/compare/1"},
        {"version", 1},
        {"tested", options.is_tested},
        {"alpha", options.alpha},
        {"correction", to_string(options.corrected)},
        {"strict_correction", strict_name(options)},
        {"test", text_or_null(options.is_tested ? to_string(options.test) : "")},
        {"paired", options.are_paired},
        {"min_change", options.min_change},
        {"base", view.base},
        {"head", view.head},
        {"normalized_by",
         text_or_null(options.normalized_by ? to_string(*options.normalized_by) : "")}};
    add_selection(all, options.selection);
    all["total_questions"] = view.totals.hypotheses;
    ordered_json& totals = all["totals"] = ordered_json::array();
    for (std::size_t i = 0; i < view.types.size(); ++i) {
        totals.push_back(
            figures_of(options).with_members(type_json(view.types[i]), view.totals.rows[i]));
    }
    document answer = findings_of(view);
    answer.limits = limits_of(view);
    for (document::limit& each : answer.limits) {
        each.text = each.limit + ": " + each.in_short;
    }
    all["summary"] = summary_json(answer);
    all["limits"] =
        mapped(view.limits, [&](const compared_limit& limit) { return json_of(limit, options); });
    all = with_rows(std::move(all), view, view.shown.front());
    all["other_types"] = mapped(std::span{view.shown}.subspan(1), [&](const compared_type& shown) {
        return with_rows(ordered_json::object(), view, shown);
    });
    add_end(all, view.budget, view.next);
    return to_text(all, json_layout::lines);
}

std::string page_of(const compare_view& view, profile_comparison& captures, page_head head) {
    const compare_options& options = view.options;
    head.command = "compare";
    head.about = std::to_string(view.base.size()) + " base and " +
                 std::to_string(view.head.size()) + " head captures";
    head.sides = {"base", "head"};
    head.by = grouping_text(options.by, options.by_label);
    head.type = view.shown.front().type;
    for (const document::note& note : notes_below(view)) {
        head.notes.push_back(line_of({note}));
    }
    if (options.normalized_by) {
        head.notes.push_back(std::string{"Captures are normalized by "} +
                             to_string(*options.normalized_by) + ", to the median of the head.");
    }
    head.answer = findings_of(view);
    head.begins_with_change = view.totals.rows[head.type].is_significant();
    head.answer.limits = limits_of(view);
    // Crossed ones first.
    std::ranges::stable_sort(head.answer.limits, {}, &document::limit::as);
    const compared_figures of = figures_of(options);
    page_names names;
    ordered_json types = ordered_json::array();
    for (std::size_t type = 0; type < view.types.size(); ++type) {
        const compared_rows rows = captures.rows(type);
        ordered_json shown = page_type(view.types[type], false, "comparison");
        shown["total"] = of.on_page(&view.totals.rows[type]);
        of.add_to_page(shown, rows.flat.rows, rows.cum.rows, view.base.size() + view.head.size(),
                       rows.left_out, names);
        shown["tree"] = page_tree(captures.flame_graph(type, page_limits), names, true);
        types.push_back(std::move(shown));
    }
    return page_of(head, std::move(types), names, ordered_json::object(), document_of(view));
}

namespace {

std::string plain(double value) { return fixed_text(value, value == std::trunc(value) ? 0 : 1); }

// All captures, the smallest first.
std::string captures_text(const compare_view& view, const compared_row& row,
                          const std::string& unit, std::size_t width) {
    const std::vector<double> rank = ranks(row.base.values, row.head.values);
    std::vector<std::size_t> order(rank.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order,
                             [&](std::size_t a, std::size_t b) { return rank[a] < rank[b]; });
    table all{"capture", {{"rank"}, {"side"}, {"value"}, {""}}};
    for (const std::size_t i : order) {
        const bool is_base = i < row.base.values.size();
        const std::size_t place = is_base ? i : i - row.base.values.size();
        const double value = (is_base ? row.base : row.head).values[place];
        all.rows.push_back({(is_base ? view.base : view.head)[place],
                            {plain(rank[i]), is_base ? "base" : "head", plain(value),
                             format_number(value, unit)}});
    }
    return as_text(all, width, false);
}

std::string side_text(const char* name, const compared_values& side, const std::string& unit,
                      double alpha) {
    std::string text = std::string{name} + ": median " + plain(side.median) + " (" +
                       format_number(side.median, unit) + "), ";
    if (!side.within) {
        return text + "too few captures for an interval\n";
    }
    return text + "at " + factor_text((1 - alpha) * 100) + "% confidence from " +
           plain(side.within->low) + " to " + plain(side.within->high) + "\n";
}

// The ways that chance is as likely to take, and the share of them that is as far off as what is
// so.
std::string permutation_text(std::size_t pairs) {
    const bool is_exact = permutation_test::of_pairs(pairs).is_exact();
    return (is_exact ? ", exact: of all ways" : ", of 20000 random ways") +
           std::string{" to swap base and head in these pairs, the share with a sum of differences "
                       "of logarithms as extreme\n"};
}

std::string test_text(const compare_view& view, const compared_row& row, const char* corrected_by,
                      std::size_t hypotheses) {
    const std::size_t base = row.base.values.size();
    const std::size_t head = row.head.values.size();
    std::string text;
    if (row.moderated) {
        const moderated_test::result& found = *row.moderated;
        text += "t: " + factor_text(found.t()) + ", of means of square roots " +
                factor_text(found.base.mean) + " and " + factor_text(found.head.mean) +
                ", with the noise of rows of this size\n";
        text += "p: " + factor_text(row.p) + ", by Student's distribution with " +
                plain(found.freedom) + " degrees of freedom\n";
    } else if (view.options.are_paired) {
        text += "p: " + factor_text(row.p) + permutation_text(base);
    } else {
        text += "U: the head is larger in " + plain(row.u) + " of all " +
                std::to_string(base * head) +
                " pairs of a base and a head (ties count half); by chance in " +
                plain(static_cast<double>(base * head) / 2) + "\n";
        text += "p: " + factor_text(row.p) +
                (u_test{base, head}.is_exact()
                     ? ", exact: of all ways to choose " + std::to_string(base) + " of these " +
                           std::to_string(base + head) +
                           " as the base, twice the share with a U as extreme\n"
                     : ", by the normal distribution, as there are many captures\n");
    }
    text += "corrected: " + factor_text(row.corrected_p);
    if (view.options.corrected == correction::none) {
        return text + ", unchanged, because --correct is none\n";
    }
    return text + ", by " + corrected_by + " among " + counted(hypotheses, "test") + "\n";
}

std::string shift_text(const compare_view& view, const compared_row& row, const std::string& unit) {
    std::string text =
        "shift: " + human_change(row.change, unit) + " (" + percent_of_row(row) + ")";
    text += row.moderated             ? ", of means of square roots"
            : view.options.are_paired ? ", the median of the differences of pairs"
                                      : ", the median of all differences";
    if (!row.within) {
        return text + "; too few captures for an interval\n";
    }
    return text + "; at " + factor_text((1 - view.options.alpha) * 100) + "% from " +
           human_change(row.within->low, unit) + " to " + human_change(row.within->high, unit) +
           "\n";
}

std::string verdict_text(const compare_view& view, const compared_row& row) {
    const std::string least = factor_text(view.options.min_change * 100) + "% of the base's median";
    const std::string alpha = factor_text(view.options.alpha);
    const std::string start = std::string{"verdict: "} + to_string(row.verdict) + ", because ";
    if (row.verdict == verdict::same) {
        return start + "all of the interval is within " + least + "\n";
    }
    if (row.verdict == verdict::too_few) {
        return start + "no p of so few captures is at most " + alpha + "\n";
    }
    return start + (row.is_significant() ? "p is at most " : "p is more than ") + alpha +
           ", and the interval is not within " + least + "\n";
}

std::string explain_values(const compare_view& view, const compared_row& row,
                           const value_type& type, const std::string& title, std::size_t width) {
    const double alpha = view.options.alpha;
    return printable(to_string(type) + ", " + title) + "\n" +
           captures_text(view, row, type.unit, width) + "\n" +
           side_text("base", row.base, type.unit, alpha) +
           side_text("head", row.head, type.unit, alpha);
}

std::string explain_test(const compare_view& view, const compared_row& row, const value_type& type,
                         const char* corrected_by, std::size_t hypotheses) {
    if (!view.options.is_tested) {
        return "change: " + human_change(row.change, type.unit) + " (" + percent_of_row(row) +
               "), the difference of the medians, without a test\n";
    }
    return test_text(view, row, corrected_by, hypotheses) + shift_text(view, row, type.unit) +
           verdict_text(view, row);
}

// Explains the rows of this name in one sample type; empty if there are none.
std::string explain_rows(const compare_view& view, const compared_type& shown,
                         const std::string& name, std::size_t width) {
    const value_type& type = view.types[shown.type];
    const auto find = [&](const compared_family& family) -> const compared_row* {
        const auto found = std::ranges::find(family.rows, name, &compared_row::name);
        return found == family.rows.end() ? nullptr : &*found;
    };
    const compared_row* const flat = find(shown.rows.flat);
    const compared_row* const cum = find(shown.rows.cum);
    const auto values = [&](const compared_row& row, const std::string& kind) {
        return explain_values(view, row, type, kind + ": " + name, width);
    };
    const auto test = [&](const compared_row& row) {
        return explain_test(view, row, type, to_string(view.options.corrected),
                            (&row == flat ? shown.rows.flat : shown.rows.cum).hypotheses);
    };
    if (flat != nullptr && cum != nullptr && flat->base.values == cum->base.values &&
        flat->head.values == cum->head.values) {
        const std::string both = values(*flat, "flat and cum");
        return view.options.is_tested ? both + "flat:\n" + test(*flat) + "cum:\n" + test(*cum)
                                      : both + test(*flat);
    }
    std::string text = flat == nullptr ? "" : values(*flat, "flat") + test(*flat);
    if (cum != nullptr) {
        text += (text.empty() ? "" : "\n") + values(*cum, "cum") + test(*cum);
    }
    return text;
}

} // namespace

std::vector<std::string> find_names(const compare_view& view, const std::string& part) {
    std::set<std::string> names;
    for (const compared_type& shown : view.shown) {
        for (const compared_family* family : {&shown.rows.flat, &shown.rows.cum}) {
            for (const compared_row& row : family->rows) {
                if (row.name == part) {
                    return {part};
                }
                if (row.name.find(part) != std::string::npos) {
                    names.insert(row.name);
                }
            }
        }
    }
    return {names.begin(), names.end()};
}

std::string explain(const compare_view& view, const std::string& name, std::size_t width) {
    std::string text;
    for (const compared_type& shown : view.shown) {
        const compared_row& total = view.totals.rows[shown.type];
        const value_type& type = view.types[shown.type];
        const std::string found =
            name == "total" ? explain_values(view, total, type, name, width) +
                                  explain_test(view, total, type, strict_name(view.options),
                                               view.totals.hypotheses)
                            : explain_rows(view, shown, name, width);
        text += (text.empty() || found.empty() ? "" : "\n") + found;
    }
    return text;
}

} // namespace pprofdelta::tool
