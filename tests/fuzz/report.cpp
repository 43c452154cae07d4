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

#include <pprofdelta/compare.hpp>
#include <pprofdelta/flame_graph.hpp>
#include <pprofdelta/limits.hpp>
#include <pprofdelta/overview.hpp>
#include <pprofdelta/report.hpp>
#include <pprofdelta/trend.hpp>

#include "compare_format.hpp"
#include "fuzz.hpp"
#include "json.hpp"
#include "printed.hpp"
#include "profile_builder.hpp"
#include "report_format.hpp"
#include "report_page.hpp"
#include "trend_format.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

namespace {

void require_json(const tool::report_view& view) {
    const json_value whole = parse_json(tool::report_as_json(view));
    require(whole.at("version").text == "1", "the version is 1");
    const std::string& previous = whole.at("previous").text;
    require(view.previous.empty() ? previous == "null" : name_of(previous) == view.previous,
            "names of files are exact");
    const json_value& rows = whole.at("rows");
    require(rows.members.size() == std::min(view.top, view.content.rows.size()),
            "as many rows as are asked for");
    require(std::stoull(whole.at("rows_left_out").text) ==
                view.content.rows.size() - rows.members.size(),
            "the rest is counted");
    for (std::size_t i = 0; i < rows.members.size(); ++i) {
        const json_value& flat = rows.members[i].value.at("flat");
        const value_pair& value = view.content.rows[i].flat;
        require(flat.at("previous").text == std::to_string(value.previous) &&
                    flat.at("current").text == std::to_string(value.current),
                "values are those of the report");
        require(name_of(rows.members[i].value.at("name").text) == view.content.rows[i].name,
                "names are exact");
        require((flat.at("change").text[0] == '-') == (value.current < value.previous),
                "a change has its sign");
    }
    require(whole.at("totals").members.size() == view.content.totals.size() &&
                whole.at("limits").members.size() == view.judgements.size(),
            "all totals and limits are there");
}

void require_text(tool::report_view view) {
    view.has_colors = false;
    const std::vector<std::string> plain = lines_of(tool::report_as_text(view));
    const std::size_t rows = std::min(view.top, view.content.rows.size());
    const std::size_t others = (view.judgements.empty() ? 5 : 6) + (view.normalized_by ? 2 : 0);
    require(plain.size() == view.content.totals.size() + rows + view.judgements.size() + others,
            "each row has a line");
    require(std::all_of(plain.begin(), plain.end(), is_printable), "text is printable");
    require(std::none_of(plain.begin(), plain.end(), is_command), "a line of text is no command");
    view.has_colors = true;
    std::string colored = tool::report_as_text(view);
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
    const std::vector<std::string> lines =
        lines_of(tool::github_annotations(view.judgements, view.normalized_by));
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
    for (std::size_t i = 0; i < r.rows.size(); ++i) {
        const report::row& row = r.rows[i];
        require(row.flat.previous != row.flat.current ||
                    row.cumulative.previous != row.cumulative.current,
                "a row has changed");
        require(std::none_of(r.rows.begin(), r.rows.begin() + static_cast<std::ptrdiff_t>(i),
                             [&](const report::row& other) { return other.name == row.name; }),
                "a name has one row");
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
    if (!is_accepted([&] { content = make_report(previous, current, options); })) {
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
                           .top = bits,
                           .width = width};
    if (bits % 5 == 0) {
        view.normalized_by = normalization::total;
        view.factors.assign(content.totals.size(), 0.5 * bits);
        view.normalization_text = name;
    }
    require_json(view);
    require_markdown(tool::report_as_markdown(view));
    require_text(view);
    require_annotations(view);
}

// The same profiles as captures of two versions, which are the same whatever side they are of.
void check_compared(std::string_view one, std::string_view other, steering& choices) {
    const unsigned bits = choices.byte();
    compare_options options;
    options.by = static_cast<grouping>(bits % 4);
    options.is_tested = bits % 8 < 4;
    options.min_share = 0;
    if (bits % 16 == 0) {
        options.normalized_by = normalization::total;
    }
    const std::vector<limit> limits{parse_limit("each:delay>+1%")};
    profile_comparison captures{options, bits % 32 < 16 ? limits : std::vector<limit>{}};
    median_flame_graph graph;
    const auto add = [&](compare_side to, std::string_view profile) {
        captures.add(to, profile);
        graph.add(to, profile);
    };
    if (!is_accepted([&] {
            add(compare_side::base, one);
            add(compare_side::head, other);
        })) {
        return;
    }
    tool::compare_view view;
    if (!is_accepted([&] { view.limits = captures.judge(); })) {
        return; // no such type, or no number that a limit could be compared with
    }
    view.types = captures.types();
    view.totals = captures.totals();
    for (std::size_t type = 0; type < view.types.size(); ++type) {
        view.shown.push_back({.type = type, .why = "one of all", .rows = captures.rows(type)});
    }
    view.base = {"base"};
    view.head = {std::string{choices.take(5)}};
    view.options = options;
    view.top = bits;
    view.width = 100;
    static_cast<void>(graph.make());
    const compared_rows& rows = view.shown.front().rows;
    for (const compared_row& row : rows.flat.rows) {
        require(row.change == row.head.median - row.base.median, "of one capture each");
        require(!row.is_real() && row.p >= 1, "one capture each tells nothing");
    }
    const std::vector<std::string> lines = lines_of(tool::compare_as_text(view));
    require(std::all_of(lines.begin(), lines.end(), is_printable), "text is printable");
    require(std::none_of(lines.begin(), lines.end(), is_command), "a line of text is no command");
    require_markdown(tool::compare_as_markdown(view));
    const json_value whole = parse_json(tool::compare_as_json(view));
    require(whole.at("flat").members.size() == std::min(view.top, rows.flat.rows.size()),
            "as many rows as are asked for");
}

// The text of a JSON string, as names are in pages.
bool is_page_name(const json_value& name) {
    return is_printable(name.text) && name.text.size() < 2100;
}

// What a page is made of, with trees that are cut.
void check_page(std::string_view previous, std::string_view current, steering& choices) {
    const unsigned bits = choices.byte();
    report_options options;
    options.by = static_cast<grouping>(bits % 4);
    flame_graph_limits limits = tool::page_limits;
    limits.most_nodes = bits % 16;
    limits.deepest = 1 + bits / 16;
    overview seen;
    if (!is_accepted([&] { seen = make_overview(previous, current, options, limits); })) {
        return;
    }
    tool::page_head head;
    head.title = std::string{choices.take(5)};
    head.notes = {head.title};
    head.warnings = {head.title};
    const json_value whole = parse_json(tool::report_page_data(head, seen));
    const json_value& names = whole.at("names");
    for (const auto& name : names.members) {
        require(is_page_name(name.value), "names are printable, and not too long");
    }
    require(whole.at("types").members.size() == seen.types.size(), "all types are there");
    for (const auto& type : whole.at("types").members) {
        const json_value& tree = type.value.at("tree");
        const std::size_t nodes = tree.at("name").members.size();
        require(nodes >= 1 && nodes == tree.at("depth").members.size() &&
                    nodes == tree.at("current").members.size() &&
                    nodes == tree.at("previous").members.size(),
                "a tree has as many of each");
        std::size_t deepest = 0;
        for (std::size_t i = 0; i < nodes; ++i) {
            const std::size_t depth = std::stoul(tree.at("depth").members[i].value.text);
            require(i == 0 ? depth == 0 : depth >= 1 && depth <= deepest + 1,
                    "a node stands below the one before");
            require(std::stoul(tree.at("name").members[i].value.text) < names.members.size(),
                    "a node has a name");
            deepest = depth;
        }
    }
}

// The same profiles as two captures, each way around.
void check_trend(std::string_view one, std::string_view other, steering& choices) {
    const unsigned bits = choices.byte();
    trend_options options;
    options.by = static_cast<grouping>(bits % 4);
    options.are_independent = bits % 8 < 4;
    options.min_share = 0;
    options.seconds_between = 1 + bits;
    profile_trend trend{options, {}};
    if (!is_accepted([&] {
            trend.add(one);
            trend.add(other);
        })) {
        return;
    }
    tool::trend_view view;
    view.files = {std::string{choices.take(5)}, "other"};
    view.captures = trend.captures();
    view.place_of_type = trend.find_type({});
    view.type = trend.types()[view.place_of_type];
    view.is_rate = trend.is_rate(view.place_of_type);
    view.places = trend.places(view.place_of_type);
    view.rows = trend.rows(view.place_of_type);
    view.options = options;
    view.top = bits;
    view.width = 100;
    for (const trend_row& row : view.rows.flat) {
        require(row.values.size() == view.places.size(), "a value for each place");
        require(row.is != trend_verdict::grows && row.is != trend_verdict::falls,
                "two captures tell nothing");
    }
    const std::vector<std::string> lines = lines_of(tool::trend_as_text(view));
    require(std::all_of(lines.begin(), lines.end(), is_printable), "text is printable");
    require(std::none_of(lines.begin(), lines.end(), is_command), "a line of text is no command");
    require_markdown(tool::trend_as_markdown(view));
    const json_value whole = parse_json(tool::trend_as_json(view));
    require(whole.at("flat").members.size() == std::min(view.top, view.rows.flat.size()),
            "as many rows as are asked for");
}

// A profile of few functions, whose names and numbers are the bytes.
profile invent(const std::vector<std::string>& names, steering& choices) {
    const auto name = [&] { return names[choices.byte() % names.size()]; };
    profile p;
    p.types = {{names.front(), "bytes"}, {"delay", names.back()}, {names.front(), "count"}};
    const unsigned functions = 1 + choices.byte() % 8;
    for (unsigned i = 0; i < functions; ++i) {
        add_frame(p, name(), name(), choices.byte());
    }
    p.locations.push_back({functions + 1, 0, 0, {}, false, ""}); // a frame without a name
    const unsigned samples = choices.byte() % 8;
    for (unsigned i = 0; i < samples; ++i) {
        sample s;
        for (unsigned depth = choices.byte() % 4; depth > 0; --depth) {
            s.stack.push_back(1 + choices.byte() % (functions + 1));
        }
        for (std::size_t j = 0; j < p.types.size(); ++j) {
            const std::uint64_t number = choices.word();
            s.values.push_back(static_cast<std::int64_t>(number << choices.byte() % 64));
        }
        p.samples.push_back(std::move(s));
    }
    return p;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    steering bytes{data, size};
    if (bytes.byte() % 2 == 0) {
        steering choices{data, std::min<std::size_t>(size, 8)};
        const std::string_view previous = bytes.take(bytes.word() % 4096);
        check(previous, bytes.rest(), choices);
        check_compared(previous, bytes.rest(), choices);
        check_page(previous, bytes.rest(), choices);
        check_trend(previous, bytes.rest(), choices);
        return 0;
    }
    std::vector<std::string> names{""};
    for (unsigned count = bytes.byte() % 8; count > 0; --count) {
        const std::size_t repeats = bytes.byte() % 16 == 15 ? 100 : 1;
        const std::string_view part = bytes.take(bytes.byte() % 32);
        std::string& name = names.emplace_back();
        for (std::size_t i = 0; i < repeats; ++i) {
            name += part;
        }
    }
    const std::string previous = serialize(invent(names, bytes));
    const std::string current = serialize(invent(names, bytes));
    check(previous, current, bytes);
    check_compared(previous, current, bytes);
    check_page(previous, current, bytes);
    check_trend(previous, current, bytes);
    return 0;
}
