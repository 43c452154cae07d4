// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/compare.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <pprofdelta/calls.hpp>

#include "catch.hpp"
#include "error_from.hpp"
#include "letter_stacks.hpp"

using namespace pprofdelta;
using test::fails_as;
using test::stacks;

namespace {

using stack_values = test::letter_stacks<std::int64_t>;

compare_options keeping_stacks(double min_share = 0.01) {
    compare_options options;
    options.keeps_stacks = true;
    options.min_share = min_share;
    return options;
}

// Eight captures of each side, of which each has a little more than the one before.
void add_sides(profile_comparison& to, const stack_values& base, const stack_values& head) {
    for (std::int64_t i = 0; i < 8; ++i) {
        for (const auto& [side, given] :
             {std::pair{compare_side::base, &base}, {compare_side::head, &head}}) {
            stack_values values = *given;
            for (auto& [stack, value] : values) {
                value += i;
            }
            to.add(side, stacks(values));
        }
    }
}

// The frames as letters.
std::string letters(const std::vector<std::string>& frames) {
    std::string all;
    for (const std::string& frame : frames) {
        all += frame;
    }
    return all;
}

std::string text_of(const std::vector<std::string>& frames, const compared_row& row) {
    return letters(frames) + " " +
           std::to_string(static_cast<std::int64_t>(row.base.values.front())) + ":" +
           std::to_string(static_cast<std::int64_t>(row.head.values.front())) + " " +
           to_string(row.verdict) + "\n";
}

std::string text_of(const compared_tree& tree) {
    std::string all;
    for (const compared_tree::node& node : tree.nodes) {
        all += std::string(node.depth, ' ') + text_of(node.frames, node.cum);
    }
    return all;
}

std::string text_of(const compared_paths& paths) {
    std::string all;
    for (const compared_paths::path& path : paths.paths) {
        all += text_of(path.frames, path.value);
    }
    return all;
}

// Stacks that have changed, all of them.
std::pair<stack_values, stack_values> random_sides() {
    std::mt19937 random{7};
    std::map<std::string, std::pair<std::int64_t, std::int64_t>> values;
    for (int i = 0; i < 300; ++i) {
        std::string stack{"h"};
        for (std::size_t depth = random() % 6; depth != 0; --depth) {
            stack += static_cast<char>('a' + random() % 4);
        }
        const auto base = static_cast<std::int64_t>(random() % 100);
        values[stack] = {base, base + 1 + static_cast<std::int64_t>(random() % 100)};
    }
    std::pair<stack_values, stack_values> sides;
    for (const auto& [stack, value] : values) {
        sides.first.emplace_back(stack, value.first);
        sides.second.emplace_back(stack, value.second);
    }
    return sides;
}

std::string pair_text(std::int64_t previous, std::int64_t current) {
    return " " + std::to_string(previous) + ":" + std::to_string(current) + "\n";
}

std::string pair_text(const compared_row& row) {
    return pair_text(static_cast<std::int64_t>(row.base.median),
                     static_cast<std::int64_t>(row.head.median));
}

std::string letters(const std::vector<std::uint32_t>& names, const call_stacks& of) {
    std::string all;
    for (const std::uint32_t name : names) {
        all += of.name(name);
    }
    return all;
}

} // namespace

TEST_CASE("nodes of a tree have verdicts of their own", "[compare]") {
    profile_comparison c{keeping_stacks()};
    add_sides(c, {{"abc", 1000}, {"ad", 3000}, {"ae", 5000}},
              {{"abc", 2000}, {"ad", 3000}, {"ae", 3000}});
    const compared_tree tree = c.tree(0);
    CHECK(text_of(tree) == "a 9000:8000 fell\n"
                           " e 5000:3000 fell\n"
                           " bc 1000:2000 grew\n"
                           " d 3000:3000 same\n");
    // What falls has the same order.
    CHECK(tree.questions == 3);
    CHECK(tree.coverage.base == 1);
    CHECK(tree.left_out == 0);
    CHECK(tree.too_small == 0);
}

TEST_CASE("the stacks that really changed come first", "[compare]") {
    profile_comparison c{keeping_stacks()};
    add_sides(c, {{"abc", 1000}, {"abd", 3000}, {"a", 6000}},
              {{"abc", 1500}, {"abd", 3001}, {"a", 4000}});
    CHECK(text_of(c.paths(0, 9)) == "a 6000:4000 fell\n"
                                    "abc 1000:1500 grew\n"
                                    "abd 3000:3001 same\n");
    const compared_paths first = c.paths(0, 1);
    CHECK(text_of(first) == "a 6000:4000 fell\n");
    CHECK(first.left_out == 2);
    CHECK(first.questions == 3);
    // Of medians, which are 3.5 larger for each stack.
    CHECK(first.coverage.base == 6003.5 / 10010.5);
    CHECK(first.coverage.head == 4003.5 / 8511.5);
}

TEST_CASE("small nodes and stacks are left out, by the total, and counted", "[compare]") {
    profile_comparison c{keeping_stacks(0.1)};
    const stack_values values{{"ab", 1000}, {"ac", 10}, {"ade", 10}, {"f", 20}};
    add_sides(c, values, values);
    const compared_tree tree = c.tree(0);
    CHECK(text_of(tree) == "a 1020:1020 same\n b 1000:1000 same\n");
    CHECK(tree.too_small == 3);
    CHECK(tree.coverage.head == 1003.5 / 1054);
    const compared_paths paths = c.paths(0, 9);
    CHECK(text_of(paths) == "ab 1000:1000 same\n");
    CHECK(paths.too_small == 3);
}

TEST_CASE("limits of a tree do not change what is found", "[compare]") {
    profile_comparison c{keeping_stacks()};
    add_sides(c, {{"abc", 1000}, {"abd", 100}, {"ae", 50}, {"f", 500}},
              {{"abc", 2000}, {"abd", 100}, {"ae", 50}, {"f", 500}});
    const compared_tree all = c.tree(0);
    CHECK(all.nodes.size() == 6);
    const compared_tree flat = c.tree(0, {.deepest = 1});
    CHECK(text_of(flat) == "a 1150:2150 grew\nf 500:500 same\n");
    CHECK(flat.left_out == 4);
    CHECK(flat.coverage.head == 1);
    CHECK(flat.questions == all.questions);
    const compared_tree large = c.tree(0, {.most_nodes = 4});
    CHECK(text_of(large) == "a 1150:2150 grew\n b 1100:2100 grew\n  c 1000:2000 grew\n"
                            "f 500:500 same\n");
    CHECK(large.left_out == 2);
    CHECK(large.coverage.head == 2507.0 / 2664);
    CHECK(c.tree(0, {.most_nodes = 0}).coverage.head == 0);
}

TEST_CASE("samples without a stack are a node", "[compare]") {
    profile_comparison c{keeping_stacks(0.1)};
    add_sides(c, {{"", 700}, {"a", 1000}}, {{"", 900}, {"a", 1000}});
    CHECK(text_of(c.tree(0)) == "(no stack) 700:900 grew\na 1000:1000 same\n");
    CHECK(text_of(c.paths(0, 1)) == "(no stack) 700:900 grew\n");
    profile_comparison small{keeping_stacks(0.1)};
    add_sides(small, {{"", 7}, {"a", 1000}}, {{"", 9}, {"a", 1000}});
    CHECK(text_of(small.tree(0)) == "a 1000:1000 same\n");
    CHECK(small.tree(0).too_small == 1);
}

TEST_CASE("the values of a tree are those of rows, also scaled ones", "[compare]") {
    compare_options options = keeping_stacks();
    options.normalized_by = normalization::total;
    profile_comparison c{options};
    add_sides(c, {{"ab", 1001}, {"ac", 37}, {"d", 713}}, {{"ab", 517}, {"ac", 229}, {"d", 101}});
    const compared_rows rows = c.rows(0);
    std::map<std::string, compared_row> cum;
    for (const compared_row& row : rows.cum.rows) {
        cum[row.name] = row;
    }
    const compared_tree tree = c.tree(0);
    CHECK(tree.nodes.size() == 4);
    for (const compared_tree::node& node : tree.nodes) {
        CHECK(node.cum.base.values == cum[node.frames.front()].base.values);
        CHECK(node.cum.head.values == cum[node.frames.front()].head.values);
        CHECK(node.cum.change == cum[node.frames.front()].change);
    }
}

TEST_CASE("one capture of each side has the tree and the stacks of a report", "[compare]") {
    const auto [base, head] = random_sides();
    compare_options options = keeping_stacks(0);
    options.is_tested = false;
    profile_comparison c{options};
    c.add(compare_side::base, stacks(base));
    c.add(compare_side::head, stacks(head));
    call_stacks of;
    static_cast<void>(make_report(stacks(base), stacks(head), report_options{}, of));

    std::string expected;
    for (const call_tree::node& node : of.tree({.smallest = 0}).nodes) {
        expected += std::string(node.depth, ' ') + letters(node.names, of) +
                    pair_text(node.cum.previous, node.cum.current);
    }
    std::string found;
    for (const compared_tree::node& node : c.tree(0).nodes) {
        found += std::string(node.depth, ' ') + letters(node.frames) + pair_text(node.cum);
    }
    CHECK(found == expected);
    CHECK(found.size() > 1000);

    expected.clear();
    for (const call_paths::path& path : of.paths(50).paths) {
        expected += letters(path.names, of) + pair_text(path.value.previous, path.value.current);
    }
    found.clear();
    for (const compared_paths::path& path : c.paths(0, 50).paths) {
        found += letters(path.frames) + pair_text(path.value);
    }
    CHECK(found == expected);
}

TEST_CASE("stacks that are not kept cannot be asked for", "[compare]") {
    profile_comparison c;
    add_sides(c, {{"a", 1}}, {{"a", 2}});
    CHECK(fails_as(error_kind::invalid_argument, [&] { static_cast<void>(c.tree(0)); }));
    CHECK(fails_as(error_kind::invalid_argument, [&] { static_cast<void>(c.paths(0, 1)); }));
}

TEST_CASE("stacks are asked for again when there are more captures", "[compare]") {
    profile_comparison c{keeping_stacks()};
    c.add(compare_side::base, stacks({{"a", 1000}}));
    c.add(compare_side::head, stacks({{"a", 1000}}));
    CHECK(c.tree(0).nodes.front().cum.head.values.size() == 1);
    CHECK(c.paths(0, 1).paths.front().value.head.values.size() == 1);
    c.add(compare_side::head, stacks({{"ab", 1000}}));
    CHECK(c.tree(0).nodes.size() == 2);
    CHECK(c.paths(0, 9).paths.size() == 2);
}
