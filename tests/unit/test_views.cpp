// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include <pprofdelta/calls.hpp>
#include <pprofdelta/delta.hpp>
#include <pprofdelta/export.hpp>
#include <pprofdelta/overview.hpp>

#include "catch.hpp"
#include "error_from.hpp"
#include "letter_stacks.hpp"
#include "made_delta.hpp"
#include "profile_builder.hpp"
#include "random_profile.hpp"

using namespace pprofdelta;
using test::fails_as;
using test::stacks;

namespace {

using samples = test::letter_stacks<std::int64_t>;

std::string text(const value_pair& value) {
    return " " + std::to_string(value.previous) + ":" + std::to_string(value.current);
}

// The text is like "b 1:2 3:4 < a 1:2", with flat and cum.
std::string text(const call_list& list) {
    std::string all;
    for (const auto& f : list.functions) {
        all += f.name + text(f.flat) + text(f.cum);
        for (const auto& edge : f.edges) {
            all += " < " + edge.name + text(edge.value);
        }
        all += f.edges_left_out == 0
                   ? "\n"
                   : " + " + std::to_string(f.edges_left_out) + text(f.left_out) + "\n";
    }
    return all;
}

// A line for each node, such as "-b>c 1:2 3:4", with flat and cum.
std::string text(const call_tree& tree) {
    std::string all;
    for (const auto& node : tree.nodes) {
        std::string names;
        for (const std::string& frame : node.frames) {
            names += (names.empty() ? "" : ">") + frame;
        }
        all += std::string(node.depth, '-') + names +
               (names.empty() ? "+" + std::to_string(node.left_out) : text(node.flat)) +
               text(node.cum) + "\n";
    }
    return all;
}

// A line for each cause, such as " b itself 1:2", and what is left.
std::string text(const call_causes& causes) {
    std::string all;
    for (const auto& cause : causes.causes) {
        all += std::string(cause.depth, ' ');
        for (const std::string& frame : cause.frames) {
            all += frame;
        }
        all += std::string{" "} + to_string(cause.of) +
               (cause.previous_name.empty() ? "" : " " + cause.previous_name) + text(cause.value) +
               "\n";
    }
    return all + "rest" + text(causes.rest);
}

call_stacks read(const samples& previous, const samples& current) {
    call_stacks of;
    static_cast<void>(make_report(
        {std::string_view{stacks(previous)}, std::string_view{stacks(current)}}, {}, of));
    return of;
}

call_stacks read(const samples& only) {
    call_stacks of;
    static_cast<void>(make_report(std::string_view{stacks(only)}, {}, of));
    return of;
}

} // namespace

// Its bytes would be gone after the declaration.
static_assert(!std::is_constructible_v<viewed_profiles, std::string>);
static_assert(!std::is_constructible_v<viewed_profiles, std::string, std::string&>);
static_assert(!std::is_constructible_v<viewed_profiles, const std::string&, const std::string>);
static_assert(std::is_constructible_v<viewed_profiles, const std::string&, std::string&>);
static_assert(std::is_constructible_v<viewed_profiles, std::string_view>);

TEST_CASE("the callers of a function are edges of the samples that it is in") {
    const call_stacks of =
        read({{"abc", 10}, {"ab", 5}}, {{"abc", 14}, {"ab", 5}, {"dbc", 100}, {"db", 0}});
    CHECK(text(of.callers("^b$")) == "b 5:5 15:119 < d 0:100 < a 15:19\n");
    CHECK(text(of.callees("^b$")) == "b 5:5 15:119 < c 10:114\n");
    CHECK(text(of.callers("[cd]")) == "c 10:114 10:114 < b 10:114\nd 0:0 0:100\n");
    CHECK(of.callers("^b$").coverage == 1);
    CHECK(of.callers("^d$").coverage == 100.0 / 104);
    CHECK(of.callers("x").functions.empty());
    CHECK(of.callers("x").coverage == 0);
    CHECK(read({}, {}).callers(".").coverage == 0);
    CHECK(fails_as(error_kind::invalid_argument, [&] { return of.callers("("); }));
    CHECK(fails_as(error_kind::invalid_argument, [&] { return of.callees(""); }));
}

TEST_CASE("the largest callers are kept, and the others added up") {
    const call_stacks of = read({{"ah", 1}, {"bh", -20}, {"ch", 3}, {"dh", 3}, {"eg", 1}});
    CHECK(text(of.callers("h", {.most_functions = 9, .most_edges = 2})) ==
          "h 0:-13 0:-13 < b 0:-20 < c 0:3 + 2 0:4\n");
    const call_list first = of.callers(".", {.most_functions = 1, .most_edges = 0});
    CHECK(text(first) == "b 0:0 0:-20\n");
    CHECK(first.functions_left_out == 6);
    CHECK(first.coverage == 20.0 / 28);
}

TEST_CASE("inlined functions are frames") {
    test::profile p;
    p.types = {{"space", "bytes"}};
    for (const char* name : {"inner", "middle", "outer"}) {
        test::add_frame(p, name);
    }
    p.locations[0].lines.push_back(p.locations[1].lines[0]); // inner, inlined into middle
    p.samples = {{{1, 3}, {5}}};
    call_stacks of;
    static_cast<void>(make_report(std::string_view{test::serialize(p)}, {}, of));
    CHECK(text(of.callers("middle|inner")) ==
          "inner 0:5 0:5 < middle 0:5\nmiddle 0:0 0:5 < outer 0:5\n");
    CHECK(text(of.tree()) == "outer>middle>inner 0:5 0:5\n");
}

TEST_CASE("a tree has chains in one node, the largest change first, and what is small last") {
    const call_stacks of = read(
        {{"abcd", 500}, {"abce", 400}, {"abcf", 5}, {"abcg", 5}, {"h", 1000}, {"a", 3}, {"bb", 1}});
    const call_tree tree = of.tree();
    CHECK(text(tree) == "h 0:1000 0:1000\n"
                        "a 0:3 0:913\n"
                        "-b>c 0:0 0:910\n"
                        "--d 0:500 0:500\n"
                        "--e 0:400 0:400\n"
                        "--+2 0:10\n"
                        "+1 0:1\n");
    CHECK(tree.too_small == 3);
    CHECK(tree.too_deep == 0);
    CHECK(tree.coverage == 1903.0 / 1914);
    const call_tree low = of.tree({.deepest = 2});
    CHECK(text(low) == "h 0:1000 0:1000\na 0:3 0:913\n-b>c 0:0 0:910\n+1 0:1\n");
    CHECK(low.too_deep == 3);
    CHECK(low.coverage == 1913.0 / 1914);
    CHECK(text(of.tree({.smallest = 0.5})) == "h 0:1000 0:1000\n+2 0:914\n");
}

TEST_CASE("a tree keeps changes that cancel out, and the values of what has not changed") {
    const call_stacks of = read({{"abc", 100}, {"abd", 100}, {"abe", 7}},
                                {{"abc", 0}, {"abd", 200}, {"abe", 7}, {"b", -1}});
    CHECK(text(of.tree()) == "a>b 0:0 207:207\n"
                             "-c 100:0 100:0\n"
                             "-d 100:200 100:200\n"
                             "+1 0:-1\n");
}

// The parts that compare does as well are tested there.
TEST_CASE("the causes of a change are the fewest places that account for it") {
    const auto causes = [](const call_stacks& of, std::size_t most = 12) {
        return text(of.causes(most));
    };
    // All go through m; d and e have less than a twentieth of all changes.
    const call_stacks two =
        read({{"mab", 100}, {"mac", 100}, {"md", 20}}, {{"mab", 190}, {"ma", 40}, {"me", 5}});
    CHECK(causes(two) == "a stacks 200:230\n c stacks 100:0\n b stacks 100:190\n a itself 0:40\n"
                         "d stacks 20:0\nrest 0:5");
    CHECK(causes(two, 2) == "ac stacks 100:0\nab stacks 100:190\nrest 20:45");
    CHECK(causes(read({{"mab", 100}, {"f", 1}}, {{"mcb", 105}, {"f", 1}})) ==
          "c renamed a 100:105\nrest 1:1");
    CHECK(causes(read({{"a", 5}}, {{"a", 5}})) == "rest 5:5");
    // One profile is followed in the same way.
    CHECK(causes(read({{"mabc", 60}, {"mabd", 30}, {"me", 4}, {"", 6}})) ==
          "mab stacks 0:90\n c stacks 0:60\n d stacks 0:30\n(no stack) stacks 0:6\nrest 0:4");
    CHECK(causes(read({{"mab", 7}})) == "mab stacks 0:7\nrest 0:0");
    // Each has far more than what is left where they cancel.
    CHECK(causes(read({{"ma", 1003}, {"mb", 1002}, {"mc", -1001}, {"md", -1000}})) ==
          "a stacks 0:1003\nb stacks 0:1002\nc stacks 0:-1001\nd stacks 0:-1000\nrest 0:0");
    samples of_many;
    for (char caller = 'a'; caller < 'z'; ++caller) {
        of_many.push_back({std::string{caller} + "z", 1});
    }
    CHECK(causes(read(of_many)) == "z function 0:25\nrest 0:0");
}

TEST_CASE("an empty profile has no calls") {
    const call_stacks empty;
    CHECK(empty.callers(".").functions.empty());
    CHECK(empty.tree().nodes.empty());
    CHECK(empty.paths(3).paths.empty());
    CHECK(empty.paths(3).coverage == 1);
    const call_stacks of = read({{"ab", 3}}, {{"ab", 3}});
    CHECK(of.callers(".").functions.empty());
    CHECK(of.tree().nodes.empty());
    CHECK(of.paths(3).paths.empty());
}

TEST_CASE("paths are the whole stacks that changed most") {
    const call_stacks of =
        read({{"abc", 10}, {"ab", 5}, {"h", 2}}, {{"abc", 2}, {"ab", 7}, {"h", 2}, {"gab", 3}});
    const call_paths found = of.paths(2);
    REQUIRE(found.paths.size() == 2);
    CHECK(found.paths_left_out == 1);
    CHECK(found.coverage == 11.0 / 13);
    CHECK(text(found.paths[0].value) == " 10:2");
    REQUIRE(found.paths[1].frames.size() == 3);
    CHECK(found.paths[1].frames[0] == "g");
    CHECK(found.paths[1].left_out == 0);
}

TEST_CASE("the innermost frames of a stack that is too deep are kept") {
    std::string deep(1, 'a');
    for (int i = 1; i < 1500; ++i) {
        deep += i % 2 == 0 ? 'a' : 'c';
    }
    const call_stacks of = read({{deep + "b", 1}});
    const stack_path<value_pair> path = of.paths(1).paths.at(0);
    CHECK(path.frames.size() == call_paths::longest);
    CHECK(path.left_out == 501);
    CHECK(path.frames.back() == "b");
    CHECK(text(of.callers("b")) == "b 0:1 0:1 < c 0:1\n");
    const call_tree tree = of.tree();
    REQUIRE(tree.nodes.size() == 2); // a chain, and what is above it
    CHECK(tree.nodes[0].frames.size() == 500);
    CHECK(tree.nodes[1].left_out == 1);
    CHECK(tree.coverage == 0);
}

namespace {

// Values of two types for stacks, each the letters of its functions, outermost first.
struct valued_stack {
    std::string names;
    std::int64_t allocated = 0;
    std::int64_t in_use = 0;
};

std::string stacks(const std::vector<valued_stack>& all) {
    test::letter_stacks<std::vector<std::int64_t>> with_values;
    for (const auto& [names, allocated, in_use] : all) {
        with_values.push_back({names, {allocated, in_use}});
    }
    return test::stacks(with_values, {{"alloc_space", "bytes"}, {"inuse_space", "bytes"}});
}

// A line for each node, such as "-b 1 2": depth, name, previous and current value.
std::string text(const flame_graph& graph) {
    std::string all;
    for (const auto& node : graph.nodes) {
        all += std::string(node.depth, '-') + graph.names[node.name] + " " +
               std::to_string(node.value.previous) + " " + std::to_string(node.value.current) +
               "\n";
    }
    return all;
}

// The same for rows.
std::string text(const std::vector<report::row>& rows) {
    std::string all;
    for (const report::row& row : rows) {
        all += row.name + " " + std::to_string(row.flat.previous) + " " +
               std::to_string(row.flat.current) + " " + std::to_string(row.cum.previous) + " " +
               std::to_string(row.cum.current) + "\n";
    }
    return all;
}

// The parts of a report that are made of one type.
void require_same(const overview::type& found, const report& expected) {
    CHECK(found.of == expected.of);
    std::size_t changed = 0;
    for (const report::row& row : found.rows) {
        const auto same = std::find_if(expected.rows.begin(), expected.rows.end(),
                                       [&](const report::row& r) { return r.name == row.name; });
        const bool has_changed =
            row.flat.previous != row.flat.current || row.cum.previous != row.cum.current;
        CHECK((same != expected.rows.end()) == has_changed);
        if (same != expected.rows.end()) {
            ++changed;
            CHECK(same->flat == row.flat);
            CHECK(same->cum == row.cum);
        }
    }
    CHECK(changed == expected.rows.size());
}

} // namespace

TEST_CASE("an overview has rows and stacks of all types") {
    const std::string before = stacks({{"ab", 10, 4}, {"ac", 5, 0}, {"ad", 7, 7}});
    const std::string now = stacks({{"ab", 30, 4}, {"ae", 1, 0}});
    const overview seen = make_overview({before, now}, {}, {.keeps_previous = true});
    REQUIRE(seen.types.size() == 2);
    CHECK(seen.chosen == 1);
    CHECK(seen.types[0].total.change == 9);
    CHECK(text(seen.types[0].rows) == "a 0 0 22 31\nb 10 30 10 30\nd 7 0 7 0\nc 5 0 5 0\n"
                                      "e 0 1 0 1\n");
    CHECK(text(seen.types[0].stacks) == " 22 31\n-a 22 31\n--b 10 30\n--c 5 0\n--d 7 0\n--e 0 1\n");
    // Unchanged rows are there, too.
    CHECK(text(seen.types[1].rows) == "a 0 0 11 4\nd 7 0 7 0\nb 4 4 4 4\n");
    CHECK(text(seen.types[1].stacks) == " 11 4\n-a 11 4\n--b 4 4\n--d 7 0\n");
    CHECK(seen.types[1].stacks.vanished == 7);
}

TEST_CASE("frames left out below a frame are its last child") {
    const std::string now =
        stacks({{"a", 0, 1000}, {"ab", 0, 3}, {"abc", 0, 2}, {"ad", 0, 4}, {"e", 0, 1}});
    const overview seen = make_overview(now, {}, {.narrowest = 0.01, .sums_left_out = true});
    CHECK(text(seen.types[1].stacks) == " 0 1010\n-a 0 1009\n-- 0 9\n- 0 1\n");
    CHECK(seen.types[1].stacks.left_out == 3);
    // The same holds if there are too many, and with what was left out below these.
    const overview few =
        make_overview(now, {}, {.narrowest = 0.003, .most_nodes = 2, .sums_left_out = true});
    CHECK(text(few.types[1].stacks) == " 0 1010\n-a 0 1009\n-- 0 9\n- 0 1\n");
    const overview all = make_overview(now, {}, {.sums_left_out = true});
    CHECK(text(all.types[1].stacks) == " 0 1010\n-a 0 1009\n--b 0 5\n---c 0 2\n--d 0 4\n-e 0 1\n");
}

TEST_CASE("frames that were wide before are kept on request") {
    const std::string before = stacks({{"ab", 0, 990}, {"ac", 0, 10}});
    const std::string now = stacks({{"ab", 0, 1}, {"ac", 0, 999}});
    const flame_graph_limits limits{.narrowest = 0.05};
    CHECK(text(make_overview({before, now}, {}, limits).types[1].stacks) ==
          " 1000 1000\n-a 1000 1000\n--c 10 999\n");
    flame_graph_limits both = limits;
    both.keeps_previous = true;
    CHECK(text(make_overview({before, now}, {}, both).types[1].stacks) ==
          " 1000 1000\n-a 1000 1000\n--b 990 1\n--c 10 999\n");
}

TEST_CASE("functions have their file, and the lines in which they were seen") {
    test::profile p;
    p.types = {{"inuse_space", "bytes"}};
    for (const auto& [name, file, line] : {std::tuple{"f", "f.go", 12},
                                           {"f", "f.go", 7},
                                           {"f", "f.go", 9},
                                           {"g", "a.go", 1},
                                           {"g", "b.go", 1},
                                           {"h", "h.go", 0},
                                           {"i", "", 3}}) {
        test::add_frame(p, name, file, line);
    }
    p.samples.push_back({.stack = {1, 2, 3, 4, 5, 6, 7}, .values = {1}});
    const std::string profile = test::serialize(p);
    const auto text_of = [](const overview& seen) {
        std::string all;
        for (const auto& [name, place] : seen.places) {
            all += name + " " + place.file + " " + std::to_string(place.first_line) + " " +
                   std::to_string(place.last_line) + "\n";
        }
        return all;
    };
    CHECK(text_of(make_overview(profile)) == "f f.go 7 12\ng  0 0\nh h.go 0 0\n");
    CHECK(text_of(make_overview({profile, profile})) == text_of(make_overview(profile)));
    report_options by_file;
    by_file.by = grouping::file;
    CHECK(make_overview(profile, by_file).places.empty());
}

TEST_CASE("the overview of a delta has what reports on it have") {
    const std::string before = stacks({{"ab", 10, 4}, {"ac", 5, 2}});
    const std::string now = stacks({{"ab", 30, 4}, {"ac", 5, 1}});
    test::made_delta made{before, now};
    const overview seen = make_overview(made.of);
    CHECK(seen.types[0].of == report::content::delta);
    CHECK(seen.types[0].total.is_cumulative);
    CHECK(text(seen.types[0].rows) == "a 0 0 0 20\nb 0 20 0 20\n");
    CHECK(seen.types[0].total.change == 20);
    CHECK(seen.types[0].total.value.current == 35);
    CHECK(seen.types[1].of == report::content::comparison);
    CHECK(text(seen.types[1].rows) == "a 0 0 6 5\nb 4 4 4 4\nc 2 1 2 1\n");
    made.of.previous.reset();
    const overview alone = make_overview(made.of);
    CHECK(alone.types[1].of == report::content::profile);
    CHECK(text(alone.types[1].rows) == "a 0 0 0 5\nb 0 4 0 4\nc 0 1 0 1\n");
    CHECK_FALSE(alone.types[1].total.has_previous);
}

TEST_CASE("overviews of random profiles agree with reports and flame graphs of each type") {
    for (std::uint32_t seed = 1; seed <= 20; ++seed) {
        test::random_series series{seed};
        const std::string before = test::serialize(series.next());
        const std::string now = test::serialize(series.next());
        const overview seen = make_overview({before, now});
        for (const overview::type& type : seen.types) {
            report_options options;
            options.sample_type.emplace(to_string(type.total.type));
            const report expected = make_report({before, now}, options);
            require_same(type, expected);
            CHECK(text(type.stacks) == text(make_flame_graph({before, now}, options)));
        }
    }
}

TEST_CASE("parts of an overview are the samples with a label") {
    const auto with_labels = [](std::int64_t of_a, std::int64_t of_b) {
        test::profile p;
        p.types = {{"samples", "count"}, {"cpu", "nanoseconds"}};
        for (const char* const name : {"f", "g", "h"}) {
            test::add_frame(p, name);
        }
        p.samples = {{.stack = {1, 2}, .values = {1, of_a}, .labels = {{"t", "a"}}},
                     {.stack = {3, 2}, .values = {1, 3}, .labels = {{"t", "a"}, {"u=v", "\xff"}}},
                     {.stack = {3}, .values = {1, of_b}, .labels = {{"t", "b.*"}}},
                     {.stack = {1}, .values = {9, -2}, .labels = {{"t", "c"}, {"n", "", 8}}},
                     {.stack = {1}, .values = {1, 0}, .labels = {{"t", "d"}}},
                     {.stack = {1}, .values = {1, 50}, .labels = {{"", "no key"}}},
                     {.stack = {1}, .values = {1, 50}}};
        return test::serialize(p);
    };
    const std::string before = with_labels(1, 20);
    const std::string now = with_labels(7, 2);
    CHECK(make_overview({before, now}).parts.empty());
    const auto names_of = [](const overview& seen) {
        std::string all;
        for (const overview::part& part : seen.parts) {
            all += part.key + ":" + part.text + " ";
        }
        return all;
    };
    CHECK(names_of(make_overview(now, {}, {}, part_limits{9})) == "t:a u=v:\xff t:b.* t:c ");
    const overview seen = make_overview({before, now}, {}, {}, part_limits{3});
    REQUIRE(names_of(seen) == "t:b.* t:a u=v:\xff ");
    CHECK(seen.parts_left_out == 1);
    const overview::type& of_a = seen.parts[1].types[1];
    CHECK(text(of_a.rows) == "g 0 0 4 10\nf 1 7 1 7\nh 3 3 3 3\n");
    CHECK(text(of_a.stacks) == " 4 10\n-g 4 10\n--f 1 7\n--h 3 3\n");
    CHECK(of_a.total.value == value_pair{122, 110});
    // The parts are those of what a selection leaves.
    report_options focused;
    focused.selection.focus = "h";
    CHECK(names_of(make_overview({before, now}, focused, {}, part_limits{9})) ==
          "t:b.* t:a u=v:\xff ");
    CHECK(text(make_overview(now, focused, {}, part_limits{9}).parts[0].types[1].rows) ==
          "g 0 0 0 3\nh 0 3 0 3\n");
    report_options labeled;
    labeled.selection.labels = {"t=^a$"};
    const overview alone = make_overview({before, now}, labeled);
    for (std::size_t type = 0; type < 2; ++type) {
        CHECK(text(alone.types[type].rows) == text(seen.parts[1].types[type].rows));
        CHECK(text(alone.types[type].stacks) == text(seen.parts[1].types[type].stacks));
    }
}

TEST_CASE("all parts together have as many nodes as one type may, and so many rows") {
    test::profile p;
    p.types = {{"samples", "count"}};
    for (std::uint64_t i = 1; i <= 8; ++i) {
        test::add_frame(p, std::to_string(i));
        p.samples.push_back(
            {.stack = {i}, .values = {1}, .labels = {{"t", i % 2 == 0 ? "a" : "b"}}});
    }
    const overview seen = make_overview(std::string_view{test::serialize(p)}, {}, {.most_nodes = 4},
                                        part_limits{2, 6});
    REQUIRE(seen.parts.size() == 2);
    for (const overview::part& part : seen.parts) {
        CHECK(part.types[0].stacks.nodes.size() <= 3); // with the root
        CHECK(part.types[0].stacks.left_out >= 2);
        CHECK(part.types[0].rows.size() == 3);
        CHECK(part.types[0].rows_left_out == 1);
    }
}

// tests/pprof compares what is written with google/pprof.

namespace {

std::string folded(const std::string& profile, const report_options& options = {}) {
    std::string text;
    write_folded(profile, options, [&](std::string_view part) { text += part; });
    return text;
}

std::string rows(const std::string& profile, std::string_view name = "p") {
    std::string text;
    write_ndjson(profile, name, [&](std::string_view part) { text += part; });
    return text;
}

test::profile two_types() {
    test::profile p;
    p.types = {{"samples", "count"}, {"cpu", "nanoseconds"}};
    return p;
}

} // namespace

TEST_CASE("a name of a folded stack has nothing that means something else") {
    test::profile p = two_types();
    const std::uint64_t id = test::add_frame(p, "[T; 4]\n\x1b\u202e\xff\u009b\u00e9 5");
    p.samples = {{{id}, {1, 1}}};
    CHECK(folded(test::serialize(p)) ==
          "# folded stacks, exact\n[T: 4]\\x0a\\x1b\\u202e\\xff\\u009b\u00e9 5 1\n");
}

TEST_CASE("a line of folded stacks is no command of a CI system") {
    test::profile p = two_types();
    for (const char* const name : {"::error::x", ";;error::x", " ::error::x", "a##[error]x"}) {
        p.samples.push_back({{test::add_frame(p, name)}, {1, 1}});
    }
    CHECK(folded(test::serialize(p)) == "# folded stacks, exact\n\\x3a:error::x 1\n\\x3a:error::x "
                                        "1\n \\x3a:error::x 1\na\\x23#[error]x 1\n");
}

TEST_CASE("each sample is a row, whatever it has") {
    test::profile p = two_types();
    test::add_frame(p, "f\"", "a.c", -3);
    test::add_frame(p, "");
    p.locations[1].lines.push_back({p.functions[0].id, 7, 0, ""});
    p.locations.push_back({.id = 77, .mapping = 5, .address = 16});
    p.mappings = {{5, 0, 4096, 0, "/lib/libc.so.6"}};
    p.samples = {{{p.locations[0].id, p.locations[1].id, 77},
                  {1, -2},
                  {{"k", "x"}, {"n", "", 3, "bytes"}, {"k", "y"}, {"both", "z", 4}, {"alone"}}},
                 {{}, {0, 0}}};
    CHECK(rows(test::serialize(p), "a\nb") ==
          R"({"schema":"pprofdelta/row/1","profile":"a\u000ab","time_nanos":0,"duration_nanos":0,)"
          R"("value":{"samples/count":1,"cpu/nanoseconds":-2},"stack":[)"
          R"({"function":"f\"","file":"a.c","line":-3},)"
          R"({"function":"<unknown>","file":"","line":0},)"
          R"({"function":"f\"","file":"a.c","line":7},)"
          R"({"function":"[libc.so.6]","file":"","line":0}],)"
          R"("labels":{"both":["z"],"k":["x","y"]},)"
          R"("num_labels":{"alone":[0],"both":[4],"n":[3]},)"
          R"("num_units":{"alone":[""],"both":[""],"n":["bytes"]}})"
          "\n"
          R"({"schema":"pprofdelta/row/1","profile":"a\u000ab","time_nanos":0,"duration_nanos":0,)"
          R"("value":{"samples/count":0,"cpu/nanoseconds":0},"stack":[],)"
          R"("labels":{},"num_labels":{},"num_units":{}})"
          "\n");
    p.types[1] = p.types[0];
    CHECK(test::fails_as(error_kind::incompatible, [&] { rows(test::serialize(p)); }));
}

TEST_CASE("a text has no more than a multiple of the profile's size") {
    test::profile p = two_types();
    const std::uint64_t id = test::add_frame(p, std::string(100'000, 'x'));
    p.samples = {{std::vector<std::uint64_t>(100'000, id), {1, 1}}};
    const std::string bytes = test::serialize(p);
    std::size_t size = 0;
    const auto count = [&](std::string_view part) { size += part.size(); };
    CHECK(test::fails_as(error_kind::too_large, [&] { write_folded(bytes, {}, count); }));
    CHECK(test::fails_as(error_kind::too_large, [&] { write_ndjson(bytes, "p", count); }));
    CHECK(size < 2 * ((std::size_t{64} << 20U) + 1000 * bytes.size()));
}
