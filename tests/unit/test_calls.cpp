// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/calls.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "error_from.hpp"
#include "letter_stacks.hpp"
#include "profile_builder.hpp"

using namespace pprofdelta;
using test::fails_as;
using test::stacks;

namespace {

using samples = test::letter_stacks<std::int64_t>;

std::string text(const value_pair& value) {
    return " " + std::to_string(value.previous) + ":" + std::to_string(value.current);
}

// Such as "b 1:2 3:4 < a 1:2", with flat and cum.
std::string text(const call_list& list, const call_stacks& of) {
    std::string all;
    for (const auto& f : list.functions) {
        all += of.name(f.name) + text(f.flat) + text(f.cum);
        for (const auto& edge : f.edges) {
            all += " < " + of.name(edge.name) + text(edge.value);
        }
        all += f.edges_left_out == 0
                   ? "\n"
                   : " + " + std::to_string(f.edges_left_out) + text(f.left_out) + "\n";
    }
    return all;
}

// A line for each node, such as "-b>c 1:2 3:4", with flat and cum.
std::string text(const call_tree& tree, const call_stacks& of) {
    std::string all;
    for (const auto& node : tree.nodes) {
        std::string names;
        for (const std::uint32_t name : node.names) {
            names += (names.empty() ? "" : ">") + of.name(name);
        }
        all += std::string(node.depth, '-') + names +
               (names.empty() ? "+" + std::to_string(node.left_out) : text(node.flat)) +
               text(node.cum) + "\n";
    }
    return all;
}

// A line for each row.
std::string text(const report& r) {
    std::string all = "shown" + text(r.shown) + "\n";
    for (const auto& row : r.rows) {
        all += row.name + text(row.flat) + text(row.cum) + "\n";
    }
    for (const auto& total : r.totals) {
        all += text(total.value);
    }
    return all;
}

call_stacks read(const samples& previous, const samples& current) {
    call_stacks of;
    static_cast<void>(make_report(stacks(previous), stacks(current), {}, of));
    return of;
}

call_stacks read(const samples& only) {
    call_stacks of;
    static_cast<void>(make_report(stacks(only), {}, of));
    return of;
}

} // namespace

TEST_CASE("the callers of a function are edges of the samples that it is in") {
    const call_stacks of =
        read({{"abc", 10}, {"ab", 5}}, {{"abc", 14}, {"ab", 5}, {"dbc", 100}, {"db", 0}});
    CHECK(text(of.callers("^b$"), of) == "b 5:5 15:119 < d 0:100 < a 15:19\n");
    CHECK(text(of.callees("^b$"), of) == "b 5:5 15:119 < c 10:114\n");
    CHECK(text(of.callers("[cd]"), of) == "c 10:114 10:114 < b 10:114\nd 0:0 0:100\n");
    CHECK(of.callers("^b$").coverage == 1);
    CHECK(of.callers("^d$").coverage == 100.0 / 104);
    CHECK(of.callers("x").functions.empty());
    CHECK(of.callers("x").coverage == 0);
    CHECK(fails_as(error_kind::invalid_argument, [&] { return of.callers("("); }));
    CHECK(fails_as(error_kind::invalid_argument, [&] { return of.callees(""); }));
}

TEST_CASE("a sample counts once for an edge and for a function, and not for itself") {
    const call_stacks of = read({{"aabab", 7}, {"bb", 1}});
    CHECK(text(of.callers("b"), of) == "b 0:8 0:8 < a 0:7\n");
    CHECK(text(of.callers("a"), of) == "a 0:0 0:7 < b 0:7\n");
    CHECK(text(of.callees("b"), of) == "b 0:8 0:8 < a 0:7\n");
}

TEST_CASE("of callers the largest are kept, and the others added up") {
    const call_stacks of = read({{"ah", 1}, {"bh", -20}, {"ch", 3}, {"dh", 3}, {"eg", 1}});
    CHECK(text(of.callers("h", {.most_functions = 9, .most_edges = 2}), of) ==
          "h 0:-13 0:-13 < b 0:-20 < c 0:3 + 2 0:4\n");
    const call_list first = of.callers(".", {.most_functions = 1, .most_edges = 0});
    CHECK(text(first, of) == "b 0:0 0:-20\n");
    CHECK(first.functions_left_out == 6);
    CHECK(first.coverage == 20.0 / 28);
}

TEST_CASE("what has not changed is no edge, and what cancels out is one") {
    const call_stacks of =
        read({{"ac", 5}, {"bc", 5}, {"dc", 4}}, {{"ac", 8}, {"bc", 2}, {"dc", 4}});
    CHECK(text(of.callers("c"), of) == "c 14:14 14:14 < a 5:8 < b 5:2\n");
    CHECK(of.callers("c").coverage == 1);
}

TEST_CASE("inlined functions are frames") {
    test::profile p;
    p.types = {{"space", "bytes"}};
    for (const char* name : {"inner", "middle", "outer"}) {
        test::add_frame(p, name);
    }
    p.locations[0].lines.push_back(p.locations[1].lines[0]); // inner, inlined into middle
    p.samples = {{{1, 3}, {5}, {}, ""}};
    call_stacks of;
    static_cast<void>(make_report(test::serialize(p), {}, of));
    CHECK(text(of.callers("middle|inner"), of) ==
          "inner 0:5 0:5 < middle 0:5\nmiddle 0:0 0:5 < outer 0:5\n");
    CHECK(text(of.tree(), of) == "outer>middle>inner 0:5 0:5\n");
}

TEST_CASE("a tree has chains in one node, the largest change first, and what is small last") {
    const call_stacks of = read(
        {{"abcd", 500}, {"abce", 400}, {"abcf", 5}, {"abcg", 5}, {"h", 1000}, {"a", 3}, {"bb", 1}});
    const call_tree tree = of.tree();
    CHECK(text(tree, of) == "h 0:1000 0:1000\n"
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
    CHECK(text(low, of) == "h 0:1000 0:1000\na 0:3 0:913\n-b>c 0:0 0:910\n+1 0:1\n");
    CHECK(low.too_deep == 3);
    CHECK(low.coverage == 1913.0 / 1914);
    CHECK(text(of.tree({.smallest = 0.5}), of) == "h 0:1000 0:1000\n+2 0:914\n");
}

TEST_CASE("a tree keeps changes that cancel out, and the values of what has not changed") {
    const call_stacks of = read({{"abc", 100}, {"abd", 100}, {"abe", 7}},
                                {{"abc", 0}, {"abd", 200}, {"abe", 7}, {"b", -1}});
    CHECK(text(of.tree(), of) == "a>b 0:0 207:207\n"
                                 "-c 100:0 100:0\n"
                                 "-d 100:200 100:200\n"
                                 "+1 0:-1\n");
}

TEST_CASE("of nothing there is nothing") {
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

TEST_CASE("samples without a stack have a name") {
    const call_stacks of = read({{"", 5}, {"a", 2}});
    CHECK(text(of.tree(), of) == "(no stack) 0:5 0:5\na 0:2 0:2\n");
    CHECK(of.paths(1).paths.at(0).names.size() == 1);
    CHECK(of.name(of.paths(1).paths.at(0).names.at(0)) == "(no stack)");
    CHECK(text(of.callers("stack"), of) == "(no stack) 0:5 0:5\n");
}

TEST_CASE("paths are the whole stacks that changed most") {
    const call_stacks of =
        read({{"abc", 10}, {"ab", 5}, {"h", 2}}, {{"abc", 2}, {"ab", 7}, {"h", 2}, {"gab", 3}});
    const call_paths found = of.paths(2);
    REQUIRE(found.paths.size() == 2);
    CHECK(found.paths_left_out == 1);
    CHECK(found.coverage == 11.0 / 13);
    CHECK(text(found.paths[0].value) == " 10:2");
    REQUIRE(found.paths[1].names.size() == 3);
    CHECK(of.name(found.paths[1].names[0]) == "g");
    CHECK(found.paths[1].left_out == 0);
}

TEST_CASE("of a stack that is too deep the innermost frames are kept") {
    const call_stacks of = read({{std::string(1500, 'a') + "b", 1}});
    const call_paths::path path = of.paths(1).paths.at(0);
    CHECK(path.names.size() == call_paths::longest);
    CHECK(path.left_out == 501);
    CHECK(of.name(path.names.back()) == "b");
    CHECK(text(of.callers("b"), of) == "b 0:1 0:1 < a 0:1\n");
    const call_tree tree = of.tree();
    REQUIRE(tree.nodes.size() == 2); // a chain, and what is above it
    CHECK(tree.nodes[0].names.size() == 500);
    CHECK(tree.nodes[1].left_out == 1);
    CHECK(tree.coverage == 0);
}

TEST_CASE("edges and trees of random stacks are what samples add up to") {
    std::mt19937 random{1};
    const auto invent = [&] {
        samples all;
        for (int i = 0; i < 40; ++i) {
            std::string names;
            for (auto length = random() % 6; names.size() < length;) {
                names += static_cast<char>('a' + random() % 4);
            }
            all.emplace_back(names, static_cast<std::int64_t>(random() % 9) - 3);
        }
        return all;
    };
    for (int round = 0; round < 50; ++round) {
        const std::array<samples, 2> sides{invent(), invent()};
        std::map<std::pair<char, char>, value_pair> edges;
        std::map<std::string, value_pair> nodes;
        for (const std::size_t side : {0U, 1U}) {
            const auto which = side == 0 ? &value_pair::previous : &value_pair::current;
            for (const auto& [names, value] : sides[side]) {
                std::set<std::pair<char, char>> own;
                for (std::size_t i = 0; i < names.size(); ++i) {
                    nodes[names.substr(0, i + 1)].*which += value;
                    if (i > 0 && names[i - 1] != names[i]) {
                        own.emplace(names[i - 1], names[i]);
                    }
                }
                for (const auto& edge : own) {
                    edges[edge].*which += value;
                }
            }
        }
        std::erase_if(edges, [](const auto& e) { return e.second.previous == e.second.current; });
        call_stacks of;
        const std::string before = stacks(sides[0]);
        const std::string now = stacks(sides[1]);
        CHECK(text(make_report(before, now, {}, of)) == text(make_report(before, now)));
        for (const bool are_callers : {true, false}) {
            const call_list list = are_callers ? of.callers("[a-d]") : of.callees("[a-d]");
            std::size_t count = 0;
            for (const auto& f : list.functions) {
                for (const auto& edge : f.edges) {
                    const std::string one = of.name(edge.name);
                    const std::string other = of.name(f.name);
                    const auto found = edges.find(are_callers ? std::pair{one[0], other[0]}
                                                              : std::pair{other[0], one[0]});
                    REQUIRE(found != edges.end());
                    CHECK(text(edge.value) == text(found->second));
                    ++count;
                }
            }
            CHECK(count == edges.size());
        }
        std::vector<std::string> above;
        for (const auto& node : of.tree({.smallest = 0}).nodes) {
            above.resize(node.depth);
            std::string names = above.empty() ? "" : above.back();
            for (const std::uint32_t name : node.names) {
                names += of.name(name);
            }
            above.push_back(names);
            if (!names.starts_with('(')) {
                CHECK(text(node.cum) == text(nodes[names]));
            }
        }
    }
}
