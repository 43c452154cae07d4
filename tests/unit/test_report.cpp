// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/report.hpp>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <pprofdelta/flame_graph.hpp>
#include <pprofdelta/overview.hpp>

#include "catch.hpp"
#include "error_from.hpp"
#include "letter_stacks.hpp"
#include "made_delta.hpp"
#include "profile_builder.hpp"
#include "select/rows.hpp"

using namespace pprofdelta;
using test::fails_as;
using test::made_delta;

namespace {

// main calls work, which calls itself and has `leaf` inlined.
test::profile base() {
    test::profile p;
    p.types = {{"objects", "count"}, {"space", "bytes"}};
    test::add_frame(p, "leaf", "a.c", 1);
    test::add_frame(p, "work", "a.c", 2);
    test::add_frame(p, "main", "b.c", 3);
    p.locations[0].lines.push_back(p.locations[1].lines[0]);
    p.samples = {{{1, 2, 2, 3}, {1, 10}}, {{3}, {1, 100}}};
    return p;
}

std::string text(const report& r) {
    std::string all;
    for (const report::row& row : r.rows) {
        for (const std::int64_t value :
             {row.flat.previous, row.flat.current, row.cum.previous, row.cum.current}) {
            all += std::to_string(value) + " ";
        }
        all += row.name + "\n";
    }
    return all;
}

} // namespace

TEST_CASE("a stack counts once in a row, and inlined lines are frames") {
    const test::profile before = base();
    test::profile now = before;
    now.samples[0].values = {2, 15};
    const std::string previous = test::serialize(before);
    const std::string current = test::serialize(now);
    const report r = make_report({previous, current});
    REQUIRE(r.totals.size() == 2);
    CHECK(r.type == 1);
    CHECK(r.totals[0].value.current == 3);
    CHECK(r.totals[1].value.previous == 110);
    CHECK(text(r) == "10 15 10 15 leaf\n"
                     "100 100 110 115 main\n"
                     "0 0 10 15 work\n");
    const auto text_by = [&](grouping by) {
        report_options options;
        options.by = by;
        return text(make_report({previous, current}, options));
    };
    CHECK(text_by(grouping::file) == "10 15 10 15 a.c\n"
                                     "100 100 110 115 b.c\n");
    CHECK(text_by(grouping::line) == "10 15 10 15 leaf a.c:1\n"
                                     "100 100 110 115 main b.c:3\n"
                                     "0 0 10 15 work a.c:2\n");
    CHECK(make_report({previous, previous}).rows.empty());
}

TEST_CASE("the type to report on is the one asked for, or the default, or the last") {
    test::profile p = base();
    const auto chosen = [&](const char* type) {
        const std::string bytes = test::serialize(p);
        report_options options;
        if (type != nullptr) {
            options.sample_type.emplace(type);
        }
        return make_report({bytes, bytes}, options).type;
    };
    CHECK(chosen(nullptr) == 1);
    CHECK(chosen("objects/count") == 0);
    p.default_type = "objects";
    CHECK(chosen(nullptr) == 0);
    p.default_type = "none";
    CHECK(chosen(nullptr) == 1);
    CHECK(fails_as(error_kind::incompatible, [&] { chosen("none"); }));
    p.types[1] = {"objects", "bytes"};
    CHECK(fails_as(error_kind::incompatible, [&] { chosen("objects"); }));
    CHECK(chosen("objects/bytes") == 1);
    p.types.clear();
    p.samples.clear();
    CHECK(fails_as(error_kind::incompatible, [&] { chosen(nullptr); }));
}

TEST_CASE("rows are in the order that is asked for, the largest change first") {
    // Root, a small one, a large one, a fresh one and one that stays.
    const std::string previous = test::stacks({{"rs", 1}, {"rl", 1000}, {"ro", 30}});
    const std::string current = test::stacks({{"rs", 4}, {"rl", 900}, {"rf", 5}, {"ro", 30}});
    const auto names = [&](row_order order) {
        report_options options;
        options.order = order;
        std::string all;
        for (const report::row& row : make_report({previous, current}, options).rows) {
            all += row.name + " ";
        }
        return all;
    };
    CHECK(names(row_order::flat) == "l f s r ");
    CHECK(names(row_order::cum) == "l r f s ");
    CHECK(names(row_order::percent) == "f s l r ");
}

TEST_CASE("percentages are compared exactly, and nothing is no part of anything") {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
    std::vector<report::row> rows;
    for (const auto& [name, value] :
         std::vector<std::pair<const char*, value_pair>>{{"none", {0, 0}},
                                                         {"same", {7, 7}},
                                                         {"a bit less", {most, most - 2}},
                                                         {"a bit", {most - 1, most - 3}},
                                                         {"turned", {least, most}},
                                                         {"new", {0, 1}},
                                                         {"newer", {0, -2}}}) {
        rows.push_back({name, {0, 0}, value});
    }
    sort_rows(rows, row_order::percent);
    std::string all;
    for (const report::row& row : rows) {
        all += std::string{row.name} + ", ";
    }
    CHECK(all == "newer, new, turned, a bit, a bit less, none, same, ");
}

TEST_CASE("the lines of a location are looked at once for a stack, however often it is there") {
    test::profile p = base();
    for (std::int64_t number = 0; number < 998; ++number) {
        p.locations[0].lines.push_back({2, number, 0, ""});
    }
    p.samples[0].stack.assign(100'000, 1); // times 1000 lines are more than may be looked at
    p.samples.push_back({{1, 3, 1}, {1, 7}});
    const std::string now = test::serialize(p);
    p.samples = {};
    const std::string before = test::serialize(p);
    CHECK(text(make_report({before, now})) == "0 100 0 107 main\n"
                                              "0 17 0 17 leaf\n"
                                              "0 0 0 17 work\n");
}

TEST_CASE("stacks of far more inlined frames than bytes are refused") {
    test::profile p = base();
    p.locations[0].lines.resize(1000, p.locations[0].lines[0]);
    p.samples.resize(67'000, {{1}, {1, 1}});
    const std::string most = test::serialize(p);
    CHECK(make_report({most, most}).rows.empty());
    p.samples.resize(80'000, p.samples[0]);
    const std::string more = test::serialize(p);
    for (const auto& both : {std::pair{most, more}, std::pair{more, most}}) {
        CHECK(fails_as(error_kind::too_large, [&] {
            static_cast<void>(make_report({both.first, both.second}));
        }));
    }
}

namespace {

// A heap whose process has allocated `allocated` bytes in main.work, and holds `held`.
std::string heap(std::int64_t allocated, std::int64_t held, std::int64_t seconds,
                 const char* by = "work") {
    test::profile p;
    p.types = {{"alloc_objects", "count"}, {"alloc_space", "bytes"}, {"inuse_space", "bytes"}};
    const auto leaf = test::add_frame(p, by);
    const auto main = test::add_frame(p, "main");
    p.samples = {{{leaf, main}, {1, allocated, held}}, {{main}, {1, 1000, 7}}};
    p.time = seconds * 1'000'000'000;
    p.default_type = "inuse_space";
    return test::serialize(p);
}

} // namespace

TEST_CASE("a report on a delta has what the delta has") {
    const made_delta d{heap(100, 50, 10), heap(160, 50, 20)};
    report_options options;
    options.sample_type.emplace("alloc_space");
    const report r = make_report(d.of, options);
    CHECK(r.of == report::content::delta);
    CHECK(text(r) == "0 60 0 60 work\n0 0 0 60 main\n");
    CHECK(r.totals[1].value.previous == 1100);
    CHECK(r.totals[1].value.current == 1160);
    CHECK(r.totals[1].change == 60);
    CHECK(r.totals[2].change == 0);
    // Gauges compare the profiles.
    const made_delta grown{heap(100, 50, 10), heap(100, 58, 20)};
    options.sample_type.emplace("inuse_space");
    CHECK(make_report(grown.of, options).of == report::content::comparison);
    CHECK(text(make_report(grown.of, options)) == "50 58 50 58 work\n7 7 57 65 main\n");
}

TEST_CASE("a delta with other types than its own is refused") {
    const made_delta d{heap(100, 50, 10), heap(160, 50, 20)};
    for (const std::size_t count : {0U, 1U, 5U}) {
        computed_delta other = d.of;
        other.types.resize(count);
        CHECK(
            fails_as(error_kind::invalid_argument, [&] { static_cast<void>(make_report(other)); }));
        CHECK(fails_as(error_kind::invalid_argument,
                       [&] { static_cast<void>(make_flame_graph(other)); }));
    }
}

TEST_CASE("shares of a difference that pprof wrote are of its base, in each type that has one") {
    test::profile p = base();
    const auto size_of = [&](std::size_t type) {
        const std::string bytes = test::serialize(p);
        const report r = make_report({bytes});
        return std::pair{r.totals[type].size, r.totals[type].is_size_of_base};
    };
    p.samples.push_back({{2}, {-3, 0}});
    CHECK(size_of(0) == std::pair{std::int64_t{5}, false});
    p.samples.back().labels = {{"pprof::base", "true"}};
    CHECK(size_of(0) == std::pair{std::int64_t{3}, true});
    CHECK(size_of(1) == std::pair{std::int64_t{110}, false}); // as nothing of it was subtracted
    p.samples.back().labels = {{"pprof::base", "false"}};
    CHECK(size_of(0) == std::pair{std::int64_t{5}, false});
}

TEST_CASE("a report after a restart has the values of the delta, and totals of both") {
    const made_delta d{heap(100'000, 50, 10), heap(300, 40, 20)};
    REQUIRE(d.of.summary.reset);
    report_options options;
    options.sample_type.emplace("alloc_space");
    const report r = make_report(d.of, options);
    CHECK(text(r) == "0 1000 0 1300 main\n0 300 0 300 work\n");
    CHECK(r.totals[1].value.previous == 101'000);
    CHECK(r.totals[1].value.current == 1300);
    CHECK(r.totals[1].change == 1300);
    CHECK(r.totals[2].change == -10);
}

TEST_CASE("a delta is reported in what was counted, and else in a gauge that changed") {
    const auto chosen = [](const made_delta& made, const report_options& options = {}) {
        const std::size_t type = make_report(made.of, options).type;
        CHECK(make_overview(made.of, options, {}).chosen == type);
        CHECK(to_string(make_flame_graph(made.of, options).type) ==
              to_string(make_report(made.of, options).totals[type].type));
        return type;
    };
    CHECK(chosen(made_delta{heap(100, 50, 10), heap(160, 51, 20)}) == 1);
    CHECK(chosen(made_delta{heap(100, 50, 10), heap(100, 51, 20)}) == 2);
    CHECK(chosen(made_delta{heap(100, 50, 10), heap(100, 50, 20)}) == 1);
    // The selection decides: what was counted is left out.
    report_options without;
    without.selection.ignore = "work";
    CHECK(chosen(made_delta{heap(100, 50, 10), heap(160, 51, 20)}, without) == 1);
    // A state does not have the gauge's values before.
    made_delta by_state{heap(100, 50, 10), heap(160, 51, 20)};
    by_state.of.previous.reset();
    const report r = make_report(by_state.of);
    CHECK(r.type == 1);
    CHECK_FALSE(r.totals[1].has_previous);
    CHECK(r.totals[1].has_change);
    CHECK_FALSE(r.totals[2].has_change);
    report_options options;
    options.sample_type.emplace("inuse_space");
    CHECK(make_report(by_state.of, options).of == report::content::profile);
    CHECK(text(make_report(by_state.of, options)) == "0 51 0 51 work\n0 7 0 58 main\n");
}

TEST_CASE("a comparison is of a type that changed") {
    const auto chosen = [](const std::string& before, const std::string& now,
                           const report_options& options = {}) {
        const std::size_t type = make_report({before, now}, options).type;
        CHECK(make_overview({before, now}, options).chosen == type);
        CHECK(to_string(make_flame_graph({before, now}, options).type) ==
              to_string(make_report({before, now}, options).totals[type].type));
        return type;
    };
    CHECK(chosen(heap(100, 50, 10), heap(160, 51, 20)) == 2);
    CHECK(chosen(heap(100, 50, 10), heap(160, 50, 20)) == 1);
    CHECK(chosen(heap(100, 50, 10), heap(100, 50, 20)) == 2);
    // The total is the same, the rows are not.
    CHECK(chosen(heap(160, 50, 10), heap(100, 50, 20, "rest")) == 2);
    // A gauge that changed is better than one that did not, and the selection decides.
    test::profile p = base();
    p.types = {{"goroutines", "count"}, {"held", "bytes"}};
    p.default_type = "held";
    const std::string before = test::serialize(p);
    p.samples[0].values[0] = 9;
    const std::string now = test::serialize(p);
    CHECK(chosen(before, now) == 0);
    report_options options;
    options.selection.ignore = "work";
    CHECK(chosen(before, now, options) == 1);
    options.selection = {};
    options.sample_type.emplace("held");
    CHECK(chosen(before, now, options) == 1);
}
