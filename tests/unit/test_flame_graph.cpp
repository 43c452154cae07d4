// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/flame_graph.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <pprofdelta/compare.hpp>

#include "base/numbers.hpp"

#include "catch.hpp"
#include "error_from.hpp"
#include "letter_stacks.hpp"
#include "profile_builder.hpp"
#include "random_profile.hpp"

using namespace pprofdelta;
using test::fails_as;
using test::stacks;

namespace {

// A line for each node, such as "-b 1 2 2": depth, name, previous and current value, width.
std::string text(const flame_graph& graph) {
    std::string all;
    for (const auto& node : graph.nodes) {
        all += std::string(node.depth, '-') + graph.names[node.name] + " " +
               std::to_string(node.value.previous) + " " + std::to_string(node.value.current) +
               " " + std::to_string(static_cast<int>(node.width)) + "\n";
    }
    return all;
}

using path = std::vector<std::string>; // names, outermost first

// Frames as test::profile has them, without anything of the library.
path names_of(const test::profile& p, const test::sample& s) {
    path names;
    const auto by_id = [](const auto& records, std::uint64_t id) {
        return std::find_if(records.begin(), records.end(),
                            [id](const auto& record) { return record.id == id; });
    };
    for (auto id = s.stack.rbegin(); id != s.stack.rend(); ++id) {
        const auto location = by_id(p.locations, *id);
        const auto mapping = by_id(p.mappings, location->mapping);
        const std::string file = mapping == p.mappings.end() ? "" : mapping->file;
        const std::string base = file.substr(file.rfind('/') + 1);
        const std::string binary = base.empty() ? "<unknown>" : "[" + base + "]";
        for (auto line = location->lines.rbegin(); line != location->lines.rend(); ++line) {
            const auto function = by_id(p.functions, line->function);
            const bool has_name = function != p.functions.end() && !function->name.empty();
            names.push_back(has_name ? function->name : binary);
        }
        if (location->lines.empty()) {
            names.push_back(binary);
        }
    }
    return names;
}

// The tree in the most obvious way: of all that stacks begin with, in the order of the nodes.
std::map<path, flame_graph::node> slow_tree(const test::profile& previous,
                                            const test::profile& current, std::size_t type) {
    std::map<path, value_pair> stacks;
    for (const auto& s : previous.samples) {
        std::int64_t& sum = stacks[names_of(previous, s)].previous;
        sum = wrapping_add(sum, s.values[type]);
    }
    for (const auto& s : current.samples) {
        std::int64_t& sum = stacks[names_of(current, s)].current;
        sum = wrapping_add(sum, s.values[type]);
    }
    std::map<path, flame_graph::node> nodes{{path{}, {}}};
    for (const auto& [names, value] : stacks) {
        for (std::size_t depth = 0; depth <= names.size(); ++depth) {
            flame_graph::node& node =
                nodes[{names.begin(), names.begin() + static_cast<long>(depth)}];
            node.value.previous = wrapping_add(node.value.previous, value.previous);
            node.value.current = wrapping_add(node.value.current, value.current);
            node.width += std::fabs(static_cast<double>(value.current));
        }
    }
    std::erase_if(nodes, [](const auto& n) { return n.second.width == 0 && !n.first.empty(); });
    return nodes;
}

// A profile with this many samples of a thousand inlined frames, of which 500 are looked at.
std::string inlined(std::size_t samples) {
    test::profile p;
    p.types = {{"space", "bytes"}};
    test::add_frame(p, "f");
    p.locations[0].lines.resize(1000, p.locations[0].lines[0]);
    p.samples.resize(samples, {{1}, {1}});
    return test::serialize(p);
}

flame_graph graph(const std::string& previous, const std::string& current,
                  const flame_graph_limits& limits = {}) {
    return make_flame_graph({previous, current}, {}, limits);
}

// The values are so small that sums of them fit 64 bits.
test::profile summable(test::profile p) {
    constexpr std::int64_t most = std::int64_t{1} << 40U;
    for (test::sample& each : p.samples) {
        for (std::int64_t& value : each.values) {
            value = std::clamp(value, -most, most);
        }
    }
    return p;
}

} // namespace

TEST_CASE("stacks make a tree of both profiles, with children by name") {
    const flame_graph g = graph(stacks({{"abc", 1}, {"ab", 2}, {"ad", 4}, {"abc", 8}}),
                                stacks({{"ad", 3}, {"abc", 5}, {"e", 7}, {"", 9}}));
    CHECK(text(g) == " 15 24 24\n"
                     "-a 15 8 8\n"
                     "--b 11 5 5\n"
                     "---c 9 5 5\n"
                     "--d 4 3 3\n"
                     "-e 0 7 7\n");
    CHECK(g.type == value_type{"space", "bytes"});
    CHECK(g.vanished == 2);
    CHECK(g.left_out == 0);
}

TEST_CASE("a vanished frame has no width, and a negative one that of its size") {
    const flame_graph g = graph(stacks({{"ab", 10}, {"c", 20}, {"d", 1}, {"e", 40}}),
                                stacks({{"a", 5}, {"d", -3}, {"e", 1}, {"e", -1}}));
    CHECK(text(g) == " 71 2 8\n"
                     "-a 10 5 5\n"
                     "-d 1 -3 3\n");
    CHECK(g.vanished == 70);
    CHECK(g.left_out == 0);
    CHECK(text(graph(stacks({{"a", 5}}), stacks({}))) == " 5 0 0\n");
}

TEST_CASE("a frame that is too narrow is left out with all above it") {
    const std::string now = stacks({{"abc", 90}, {"abd", 1}, {"ef", 9}});
    CHECK(text(graph(now, now, {.narrowest = 0.09})) == " 100 100 100\n"
                                                        "-a 91 91 91\n"
                                                        "--b 91 91 91\n"
                                                        "---c 90 90 90\n"
                                                        "-e 9 9 9\n"
                                                        "--f 9 9 9\n");
    const flame_graph g = graph(now, now, {.narrowest = 0.1});
    CHECK(g.nodes.size() == 4);
    CHECK(g.left_out == 2); // e and d, but not f
}

TEST_CASE("the widest of too many nodes are kept") {
    const std::string now = stacks({{"abc", 5}, {"abd", 3}, {"efgh", 2}});
    const flame_graph g = graph(now, now, {.most_nodes = 5});
    CHECK(text(g) == " 10 10 10\n"
                     "-a 8 8 8\n"
                     "--b 8 8 8\n"
                     "---c 5 5 5\n"
                     "---d 3 3 3\n");
    CHECK(g.left_out == 1);
    CHECK(graph(now, now, {.most_nodes = 8}).nodes.size() == 5); // or one of three equal ones
    CHECK(graph(now, now, {.most_nodes = 9}).nodes.size() == 9);
    CHECK(graph(now, now, {.most_nodes = 0}).nodes.size() == 1);
}

TEST_CASE("a stack is followed to some depth") {
    const std::string before = stacks({{std::string(1000, 'a') + "b", 7}});
    const std::string now = stacks({{std::string(1000, 'a') + "c", 5}, {"aaa", 6}});
    const flame_graph g = graph(before, now, {.deepest = 3});
    CHECK(text(g) == " 7 11 11\n"
                     "-a 7 11 11\n"
                     "--a 7 11 11\n"
                     "---a 7 11 11\n");
    CHECK(g.left_out == 1);
    CHECK(g.vanished == 7);                                              // of the whole stack
    const report::row deepest = make_report({before, now}).rows.front(); // as are rows
    CHECK((deepest.name == "b" && deepest.flat.previous == 7 && deepest.flat.current == 0));
    CHECK(graph(before, now).nodes.size() == 501);
    CHECK(graph(before, now, {.deepest = 0}).nodes.size() == 1);
}

TEST_CASE("trees of invented profiles are those of the obvious way") {
    std::size_t nodes = 0;
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
        test::random_series series{seed};
        const test::profile before = summable(series.next());
        const test::profile now = summable(series.next());
        const std::string previous = test::serialize(before, series.next_layout());
        const std::string current = test::serialize(now, series.next_layout());
        for (std::size_t type = 0; type < now.types.size(); ++type) {
            CAPTURE(seed, type);
            if (std::count(now.types.begin(), now.types.end(), now.types[type]) != 1) {
                continue; // which one could not be said
            }
            report_options options;
            options.sample_type.emplace(to_string(now.types[type]));
            const flame_graph g =
                make_flame_graph({previous, current}, options,
                                 {.narrowest = 0, .most_nodes = 1000000, .deepest = 1000000});
            const auto expected = slow_tree(before, now, type);
            REQUIRE(g.nodes.size() == expected.size());
            auto node = g.nodes.begin();
            for (const auto& [names, values] : expected) {
                REQUIRE(node->depth == names.size());
                REQUIRE(g.names[node->name] == (names.empty() ? "" : names.back()));
                REQUIRE(node->value.previous == values.value.previous);
                REQUIRE(node->value.current == values.value.current);
                REQUIRE(std::fabs(node->width - values.width) <= 1e-9 * values.width);
                ++node;
            }
            nodes += g.nodes.size();
        }
    }
    CHECK(nodes > 3000);
}

TEST_CASE(
    "a node of several captures has their medians, and children share what their parent has") {
    profile_comparison captures;
    profile_comparison scaled{{.normalized_by = normalization::total}};
    const auto add = [&](compare_side to, const std::string& profile) {
        captures.add(to, profile);
        scaled.add(to, profile);
    };
    for (const std::int64_t value : {1, 2, 9}) {
        add(compare_side::base, stacks({{"ab", value}, {"ac", 10}, {"d", 5}}));
    }
    for (const std::int64_t value : {10, 20, 60}) {
        add(compare_side::head, stacks({{"ab", value}, {"ac", 70 - value}}));
    }
    const flame_graph g = captures.flame_graph(0);
    // 20 and 50 of b and c are all that a has.
    CHECK(text(g) == " 17 70 70\n"
                     "-a 12 70 70\n"
                     "--b 2 20 20\n"
                     "--c 10 50 50\n");
    CHECK(g.vanished == 5);
    CHECK(g.total.previous == 17);
    CHECK(g.total.current == 70);
    // 1, 2 and 9 of 16, 17 and 24, as parts of 70.
    CHECK(text(scaled.flame_graph(0)) == " 70 70 70\n"
                                         "-a 49 70 70\n"
                                         "--b 8 20 20\n"
                                         "--c 41 50 50\n");
}

TEST_CASE("frames wide enough in either side's captures are kept, and the rest summed up") {
    flame_graph_limits limits;
    limits.narrowest = 0.1;
    limits.keeps_previous = true;
    limits.sums_left_out = true;
    profile_comparison captures;
    for (int i = 0; i < 3; ++i) {
        captures.add(compare_side::base,
                     std::string_view{stacks({{"a", 15}, {"b", 80}, {"c", 5}})});
        captures.add(compare_side::head, std::string_view{stacks({{"a", 1}, {"b", 95}, {"c", 4}})});
    }
    const flame_graph g = captures.flame_graph(0, limits);
    CHECK(text(g) == " 100 100 100\n"
                     "-a 15 1 1\n"
                     "-b 80 95 95\n"
                     "- 5 4 4\n");
    CHECK(g.left_out == 1);
}

TEST_CASE("frames of a capture whose total is negative are as wide as their sizes") {
    compare_options options;
    options.normalized_by = normalization::total;
    profile_comparison captures{options};
    captures.add(compare_side::base, std::string_view{stacks({{"a", 20}, {"c", -50}})});
    captures.add(compare_side::head, std::string_view{stacks({{"a", 70}})});
    const flame_graph g = captures.flame_graph(0);
    CHECK(text(g) == " 70 70 70\n-a -47 70 70\n");
    CHECK(g.vanished == 117);
}

TEST_CASE("a graph of several captures needs one of each side") {
    profile_comparison captures;
    captures.add(compare_side::base, std::string_view{stacks({{"a", 1}})});
    CHECK(fails_as(error_kind::invalid_argument, [&] { (void)captures.flame_graph(0); }));
}

TEST_CASE("a capture that cannot be drawn leaves a graph of medians as before") {
    profile_comparison captures;
    captures.add(compare_side::base, std::string_view{stacks({{"ab", 3}})});
    CHECK(fails_as(error_kind::too_large,
                   [&] { captures.add(compare_side::head, std::string_view{inlined(200'000)}); }));
    captures.add(compare_side::head, std::string_view{stacks({{"abc", 4}, {"ad", 1}})});
    CHECK(text(captures.flame_graph(0)) == " 3 5 5\n"
                                           "-a 3 5 5\n"
                                           "--b 3 4 4\n"
                                           "---c 0 4 4\n"
                                           "--d 0 1 1\n");
}

TEST_CASE("any number of different frames is drawn") {
    constexpr std::uint64_t functions = 5000;
    constexpr std::size_t depth = 100;
    test::profile p;
    p.types = {{"space", "bytes"}};
    for (std::uint64_t i = 0; i < functions; ++i) {
        test::add_frame(p, "f" + std::to_string(i));
    }
    std::mt19937_64 random{1};
    for (int i = 0; i < 82'000; ++i) {
        test::sample s;
        for (std::size_t frame = 0; frame < depth; ++frame) {
            s.stack.push_back(1 + random() % functions);
        }
        s.values = {1};
        p.samples.push_back(std::move(s));
    }
    const std::string bytes = test::serialize(p);
    profile_comparison captures;
    captures.add(compare_side::base, bytes);
    captures.add(compare_side::head, bytes);
    const flame_graph g = captures.flame_graph(0);
    CHECK(g.total.current == 82'000);
    CHECK(g.left_out == functions);
}
