// SPDX-License-Identifier: Apache-2.0
// The report on two profiles, whose names are the bytes: its totals are those of the reference's
// reader, and each form of it keeps its own rules whatever the names are.
#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pprofdelta/calls.hpp>
#include <pprofdelta/flame_graph.hpp>
#include <pprofdelta/lifetimes.hpp>
#include <pprofdelta/limits.hpp>
#include <pprofdelta/overview.hpp>
#include <pprofdelta/report.hpp>

#include "base/numbers.hpp"
#include "base/value_text.hpp"
#include "document/document.hpp"
#include "document/report.hpp"
#include "fuzz.hpp"
#include "json.hpp"
#include "made_delta.hpp"
#include "named_profile.hpp"
#include "printed.hpp"
#include "profile_builder.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

namespace {

void require_json(const tool::report_view& view) {
    const json whole = parse_json(tool::as_json(view));
    require(whole.at("version") == 1, "the version is 1");
    const json& previous = whole.at("previous");
    require(view.previous.empty() ? previous.is_null() : name_of(previous) == view.previous,
            "names of files are exact");
    const json& rows = whole.at("rows");
    require(rows.size() == std::min(view.top, view.content.rows.size()),
            "as many rows as are asked for");
    require(whole.at("rows_left_out") == view.content.rows.size() - rows.size(),
            "the rest is counted");
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const json& flat = rows[i].at("flat");
        const value_pair& value = view.content.rows[i].flat;
        require(flat.at("previous") == value.previous && flat.at("current") == value.current,
                "values are those of the report");
        require(name_of(rows[i].at("name")) == view.content.rows[i].name, "names are exact");
        require((flat.at("change").get<double>() < 0) == (value.current < value.previous),
                "a change has its sign");
    }
    require(whole.at("totals").size() == view.content.totals.size() &&
                whole.at("limits").size() == view.judgements.size(),
            "all totals and limits are there");
}

void require_plain_text(const tool::report_view& view, std::size_t width) {
    const tool::document shown = tool::document_of(view);
    const std::vector<std::string> plain = require_text(tool::as_text(shown, width, false));
    const std::size_t rows = std::min(view.top, view.content.rows.size());
    // Normalizing adds a line, and maybe a blank one.
    const std::size_t of_note = !view.normalized_by ? 0 : view.normalization_text.empty() ? 1 : 2;
    const std::size_t others = (view.judgements.empty() ? 6 : 7) + of_note +
                               require_text(tool::findings_as_text(shown, width, false)).size();
    require(plain.size() == view.content.totals.size() + rows + view.judgements.size() + others,
            "each row has a line");
    std::string colored = tool::as_text(shown, width, true);
    std::string without;
    for (const std::string& line : plain) {
        without += line + "\n";
    }
    for (const std::string_view color : {"\x1b[31m", "\x1b[32m", "\x1b[0m"}) {
        for (auto at = colored.find(color); at != std::string::npos; at = colored.find(color)) {
            colored.erase(at, color.size());
        }
    }
    require(colored == without, "colours add nothing but themselves");
}

void require_annotations(const tool::report_view& view) {
    std::vector<std::string> errors;
    for (const judgement& each : view.judgements) {
        errors.push_back(tool::describe(each, view.normalized_by));
    }
    const std::vector<std::string> lines = lines_of(tool::github_annotations(errors, {}));
    constexpr std::size_t most = 10;
    require(lines.size() <= most, "no more than are shown");
    for (const std::string& line : lines) {
        require(is_printable(line), "annotations are printable");
        require(line.starts_with("::error title=pprofdelta::") ||
                    line.starts_with("::warning title=pprofdelta::"),
                "each line is a command");
    }
}

void require_well_counted(const report& r, std::string_view previous, std::string_view current) {
    require_different_names(r.rows);
    for (const report::row& row : r.rows) {
        require(row.flat.previous != row.flat.current || row.cum.previous != row.cum.current,
                "a row has changed");
    }
    const auto before = parse_if_valid(previous);
    const auto now = parse_if_valid(current);
    if (before && now) {
        const auto old_sums = sums(*before);
        const auto new_sums = sums(*now);
        for (std::size_t i = 0; i < r.totals.size(); ++i) {
            require(r.totals[i].type == now->types[i] &&
                        r.totals[i].value.previous == old_sums[i] &&
                        r.totals[i].value.current == new_sums[i],
                    "a total is that of all samples");
        }
    }
}

void check(std::string_view previous, std::string_view current, steering& choices) {
    const unsigned bits = choices.byte();
    report_options options;
    options.by = static_cast<grouping>(bits % 4);
    options.order = static_cast<row_order>(bits % 3);
    report content;
    if (!is_accepted([&] { content = make_report({previous, current}, options); })) {
        return;
    }
    require_well_counted(content, previous, current);
    std::vector<judgement> judgements;
    for (unsigned i = 0; i < bits / 4 % 16 && !content.totals.empty(); ++i) {
        const report::total& total = content.totals[i % content.totals.size()];
        judgement j;
        j.limit = content.rows.empty() ? "any>1" : content.rows[0].name;
        j.type = total.type;
        j.previous = total.value.previous;
        j.current = total.value.current;
        j.change = total.change;
        j.crossed = i % 2 == 0;
        j.has_match = i % 3 != 0;
        judgements.push_back(std::move(j));
    }
    const std::string name{choices.take(5)};
    const std::size_t width = bits % 2 == 0 ? 0 : 60;
    tool::report_view view{.content = content,
                           .judgements = judgements,
                           .previous = name,
                           .current = "current",
                           .reported = options,
                           .top = bits};
    if (bits % 5 == 0) {
        view.normalized_by = normalization::total;
        view.factors.assign(content.totals.size(), 0.5 * bits);
        view.normalization_text = name;
    }
    require_json(view);
    require_markdown(tool::as_markdown(tool::markdown_document_of(view)));
    require_plain_text(view, width);
    require_annotations(view);
}

// The text of a JSON string, as names are in pages.
bool is_page_name(const std::string& name) { return is_printable(name) && name.size() < 2100; }

void require_tree(const call_tree& tree) {
    std::size_t deepest = 0;
    for (const call_tree::node& node : tree.nodes) {
        require(node.frames.empty() == (node.left_out != 0), "a node has names or stands for some");
        require(node.depth <= deepest, "a node is at most one below the one before");
        deepest = node.depth + 1;
    }
    require(tree.coverage >= -1e-9 && tree.coverage <= 1 + 1e-9, "a part of the whole is covered");
}

// The text for people about stacks.
void check_calls(std::string_view previous, std::string_view current, steering& choices) {
    const unsigned bits = choices.byte();
    report_options options;
    options.by = static_cast<grouping>(bits % 4);
    call_stacks stacks;
    report content;
    if (!is_accepted([&] { content = make_report({previous, current}, options, stacks); })) {
        return;
    }
    const call_limits limits{.most_functions = bits % 8, .most_edges = bits / 32};
    tool::call_views calls;
    if (!is_accepted([&] {
            calls.lists = {{"callers", ".", stacks.callers(".", limits)},
                           {"callees", "[a-m]", stacks.callees("[a-m]")}};
            calls.tree = stacks.tree({.smallest = bits % 4 * 0.01, .deepest = 1 + bits / 4});
            calls.causes = stacks.causes(bits % 16);
        })) {
        return; // a sum does not fit
    }
    value_pair found = calls.causes.rest;
    for (const change_cause<value_pair>& each : calls.causes.causes) {
        if (each.depth == 0) {
            found.previous = wrapping_add(found.previous, each.value.previous);
            found.current = wrapping_add(found.current, each.value.current);
        }
    }
    const value_pair& total = content.totals[content.type].value;
    require(found.previous == total.previous && found.current == total.current,
            "causes and the rest add up to the total");
    tool::report_view view{.content = content, .top = bits, .calls = calls};
    require_text(tool::as_text(tool::document_of(view), 0, false));
    view.calls.paths = stacks.paths(bits % 16);
    require_tree(*calls.tree);
    const json whole = parse_json(tool::as_json(view));
    require(whole.at("tree").at("nodes").size() == calls.tree->nodes.size() &&
                whole.at("paths").at("paths").size() == view.calls.paths->paths.size() &&
                whole.at("callers").at("functions").size() ==
                    calls.lists[0].found.functions.size() &&
                whole.at("causes").size() == calls.causes.causes.size(),
            "all is there");
    require_text(tool::as_text(tool::document_of(view), 0, false));
    require(tool::as_markdown(tool::markdown_document_of(view)).size() < 65536, "Markdown fits");
}

// How long memory lives, by two heap profiles of one process, a second apart.
void check_lifetimes(steering& choices) {
    const auto number = [&] {
        const std::uint64_t word = choices.word();
        return static_cast<std::int64_t>(word << choices.byte() % 64);
    };
    profile before;
    before.types = heap_types();
    before.period_type = {"space", "bytes"};
    before.period = number();
    profile now = before;
    now.time = 1'000'000'000 + before.time;
    before.time = 1;
    for (const char* const name : {"a", "b", "c", "d"}) {
        const std::vector<std::uint64_t> stack{add_frame(before, name)};
        std::vector<std::int64_t> values{number(), number(), number(), number()};
        before.samples.push_back({stack, values});
        values = {wrapping_add(values[0], choices.word()), wrapping_add(values[1], choices.word()),
                  number(), number()};
        now.samples.push_back({stack, values});
    }
    now.functions = before.functions;
    now.locations = before.locations;
    report_options options;
    options.order = choices.byte() % 2 == 0 ? row_order::flat : row_order::cum;
    lifetimes found;
    if (!is_accepted([&] {
            const made_delta made{serialize(before), serialize(now)};
            found = make_lifetimes(viewed_profiles{made.of}, options);
        })) {
        return; // started over, or a sum does not fit
    }
    for (const lifetimes::row& row : found.rows) {
        require(row.value.freed >= 0, "nothing is freed that was not there");
        require(row.seconds.has_value() == (row.value.freed > 0), "what was freed has a lifetime");
        require(!row.within || (row.within->low >= 0 && row.within->low <= row.within->high),
                "an interval has its ends in order");
    }
}

// The trees of all types of a page, or of a part of it.
void require_trees(const json& types, std::size_t count, std::size_t names) {
    require(types.size() == count, "all types are there");
    for (const json& type : types) {
        const json& tree = type.at("tree");
        const std::size_t nodes = tree.at("name").size();
        require(nodes >= 1 && nodes == tree.at("depth").size() &&
                    nodes == tree.at("current").size() && nodes == tree.at("previous").size(),
                "a tree has as many of each");
        std::size_t deepest = 0;
        for (std::size_t i = 0; i < nodes; ++i) {
            const std::size_t depth = tree.at("depth")[i].get<std::size_t>();
            require(i == 0 ? depth == 0 : depth >= 1 && depth <= deepest + 1,
                    "a node stands below the one before");
            require(tree.at("name")[i].get<std::size_t>() < names, "a node has a name");
            deepest = depth;
        }
    }
}

// The data of a page, with trees that are cut.
void check_page(std::string_view previous, std::string_view current, steering& choices) {
    const unsigned bits = choices.byte();
    report_options options;
    options.by = static_cast<grouping>(bits % 4);
    flame_graph_limits limits = tool::page_limits;
    limits.most_nodes = bits % 16;
    limits.deepest = 1 + bits / 16;
    overview seen;
    if (!is_accepted([&] { seen = make_overview({previous, current}, options, limits, {3, 5}); })) {
        return;
    }
    tool::page_head head;
    head.about = std::string{choices.take(5)};
    head.notes = {head.about};
    head.warnings = {head.about};
    const json whole = parse_json(tool::report_page_data(head, seen));
    const json& names = whole.at("names");
    for (const json& name : names) {
        require(is_page_name(name), "names are printable, and not too long");
    }
    require_trees(whole.at("types"), seen.types.size(), names.size());
    if (!seen.parts.empty()) {
        for (const json& part : whole.at("parts")) {
            require(is_page_name(part.at("label")), "labels are as names");
            require_trees(part.at("types"), seen.types.size(), names.size());
        }
    }
}

} // namespace

FUZZ_TARGET(report, data, size) {
    steering bytes{data, size};
    if (bytes.byte() % 2 == 0) {
        steering choices{data, std::min<std::size_t>(size, 8)};
        const std::string_view previous = bytes.take(bytes.word() % 4096);
        check(previous, bytes.rest(), choices);
        check_page(previous, bytes.rest(), choices);
        check_calls(previous, bytes.rest(), choices);
        check_lifetimes(choices);
        return 0;
    }
    const std::vector<std::string> names = choose_names(bytes);
    const std::string previous = serialize(invent(names, bytes));
    const std::string current = serialize(invent(names, bytes));
    check(previous, current, bytes);
    check_page(previous, current, bytes);
    check_calls(previous, current, bytes);
    check_lifetimes(bytes);
    return 0;
}
