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
#include "profile_builder.hpp"

using namespace pprofdelta;
using test::fails_as;

namespace {

// Each stack is the letters of its functions, outermost first.
using values_by_stack = std::map<std::string, std::int64_t>;

std::string capture(const values_by_stack& values, std::int64_t time) {
    test::profile p;
    p.types = {{"space", "bytes"}};
    std::map<char, std::uint64_t> frames;
    for (const auto& [names, value] : values) {
        test::sample s;
        for (auto name = names.rbegin(); name != names.rend(); ++name) {
            auto found = frames.find(*name);
            if (found == frames.end()) {
                found = frames.emplace(*name, test::add_frame(p, {*name})).first;
            }
            s.stack.push_back(found->second);
        }
        s.values = {value};
        p.samples.push_back(s);
    }
    p.time = time;
    return test::serialize(p);
}

// Eight captures of each side, of which each has a little more than the one before.
void add_all(profile_comparison& to, const values_by_stack& base, const values_by_stack& head) {
    for (std::int64_t i = 0; i < 8; ++i) {
        for (const auto& [side, given] :
             {std::pair{compare_side::base, &base}, {compare_side::head, &head}}) {
            values_by_stack values = *given;
            for (auto& [stack, value] : values) {
                value += value == 0 ? 0 : i;
            }
            to.add(side, capture(values, 2 * i + (side == compare_side::base ? 1 : 2)));
        }
    }
}

std::string text(const compared_row& row) {
    return row.name + " " + std::to_string(static_cast<std::int64_t>(row.base.values.front())) +
           ":" + std::to_string(static_cast<std::int64_t>(row.head.values.front())) + " " +
           to_string(row.verdict);
}

// Such as "b 1:2 grew < a 1:2 grew".
std::string text(const compared_calls& calls) {
    std::string all;
    for (const compared_calls::function& f : calls.functions) {
        all += text(f.cum);
        for (const compared_row& edge : f.edges) {
            all += " < " + text(edge);
        }
        all += f.left_out == 0 ? "\n" : " + " + std::to_string(f.left_out) + "\n";
    }
    return all;
}

compare_options asking(const std::string& callers_of, const std::string& callees_of = {}) {
    compare_options options;
    options.callers_of = callers_of;
    options.callees_of = callees_of;
    return options;
}

using values_by_call = std::map<std::string, std::int64_t>;

// Of functions by their name, and of edges by both names.
values_by_call heads_of(const compared_calls& calls) {
    values_by_call all;
    for (const compared_calls::function& f : calls.functions) {
        all[f.cum.name] = static_cast<std::int64_t>(f.cum.head.median);
        for (const compared_row& edge : f.edges) {
            all[f.cum.name + edge.name] = static_cast<std::int64_t>(edge.head.median);
        }
    }
    return all;
}

values_by_call values_of(const call_list& list, const call_stacks& of) {
    values_by_call all;
    for (const call_list::function& f : list.functions) {
        all[of.name(f.name)] = f.cum.current;
        for (const call_list::edge& edge : f.edges) {
            all[of.name(f.name) + of.name(edge.name)] = edge.value.current;
        }
    }
    return all;
}

} // namespace

TEST_CASE("callers and callees have verdicts of their own", "[compare]") {
    profile_comparison c{asking("^c$", "^a$")};
    add_all(c, {{"abc", 1000}, {"adc", 3000}, {"ab", 5000}}, {{"abc", 2000}, {"adc", 3000}});
    const compared_calls callers = c.callers(0);
    CHECK(text(callers) == "c 4000:5000 grew < b 1000:2000 grew < d 3000:3000 same\n");
    // c and b grow in the same order, and what is together is c alone.
    CHECK(callers.questions == 2);
    CHECK(text(callers.together) == " 4000:5000 grew");
    CHECK(text(c.callees(0)) == "a 9000:5000 fell < b 6000:2000 fell < d 3000:3000 same\n");
}

TEST_CASE("a sample counts once for a call, and what calls itself is no call", "[compare]") {
    profile_comparison c{asking("b")};
    add_all(c, {{"abbab", 100}, {"b", 50}}, {{"abbab", 100}, {"b", 50}});
    CHECK(text(c.callers(0)) == "b 150:150 unsure < a 100:100 unsure\n");
}

TEST_CASE("small calls are left out, by the total, and counted", "[compare]") {
    compare_options options = asking("[bx]");
    options.min_share = 0.1;
    profile_comparison c{options};
    const values_by_stack values{{"ab", 1000}, {"cb", 10}, {"db", 10}, {"ax", 20}};
    add_all(c, values, values);
    const compared_calls callers = c.callers(0);
    CHECK(text(callers) == "b 1020:1020 same < a 1000:1000 same + 2\n");
    CHECK(callers.left_out == 1);
    CHECK(text(callers.together) == " 1040:1040 same");
}

TEST_CASE("calls can be of any rows, and of none", "[compare]") {
    profile_comparison none{asking("nothing")};
    add_all(none, {{"ab", 1}}, {{"ab", 1}});
    CHECK(none.callers(0).functions.empty());
    CHECK(none.callers(0).together.base.values == std::vector<double>(8));
    CHECK(none.callees(0).questions == 0);
    profile_comparison no_stack{asking("no stack")};
    add_all(no_stack, {{"", 7}}, {{"", 9}});
    CHECK(text(no_stack.callers(0)) == "(no stack) 7:9 unsure\n");
    CHECK(fails_as(error_kind::invalid_argument, [] { profile_comparison{asking("(")}; }));
}

TEST_CASE("a capture that is refused leaves no calls", "[compare]") {
    profile_comparison c{asking("b", "x")};
    const std::string first = capture({{"ab", 1}}, 1);
    c.add(compare_side::base, first);
    CHECK(fails_as(error_kind::incompatible, [&] { c.add(compare_side::head, first); }));
    c.add(compare_side::head, capture({{"xb", 2}}, 2));
    CHECK(c.callers(0).functions.size() == 1);
    CHECK(c.callees(0).functions.size() == 1);
    CHECK(c.callees(0).functions[0].edges.size() == 1);
}

TEST_CASE("calls are those of a report", "[compare]") {
    std::mt19937 random{7};
    values_by_stack values;
    for (int i = 0; i < 200; ++i) {
        std::string stack;
        for (std::size_t depth = random() % 6; depth != 0; --depth) {
            stack += static_cast<char>('a' + random() % 5);
        }
        values[stack] = static_cast<std::int64_t>(1 + random() % 100);
    }
    compare_options options = asking("[abc]", "[bcd]");
    options.is_tested = false;
    options.min_share = 0;
    profile_comparison c{options};
    c.add(compare_side::base, capture({}, 1));
    c.add(compare_side::head, capture(values, 2));
    call_stacks stacks;
    static_cast<void>(make_report(capture(values, 2), report_options{}, stacks));
    CHECK(heads_of(c.callers(0)) == values_of(stacks.callers(options.callers_of), stacks));
    CHECK(heads_of(c.callees(0)) == values_of(stacks.callees(options.callees_of), stacks));
}
