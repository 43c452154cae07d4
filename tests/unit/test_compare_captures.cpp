// SPDX-License-Identifier: Apache-2.0
// The captures of each side: which may be added, and how they are scaled.
#include <pprofdelta/compare.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "catch.hpp"
#include "compare_captures.hpp"
#include "error_from.hpp"
#include "study_rows.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

TEST_CASE("captures are scaled to the head's median total") {
    profile_comparison c{{.normalized_by = normalization::total}, limits({"flat:f:space>+0"})};
    CHECK(c.factors(base, space).empty());
    add(c, base, {{"f", {1000, 0, 3000}}, {"g", {1000, 0, 3000}}});
    add(c, head, {{"f", {3000, 300, 30}}, {"g", {1000, 100, 10}}});
    // The head has 4000, 400 and 40: all have 400 then.
    CHECK(c.factors(base, 0) == numbers{0.2, 0, 40.0 / 600});
    CHECK(c.factors(base, space) == numbers{0.2, 0, 400.0 / 6000});
    CHECK(c.factors(head, space) == numbers{0.1, 1, 10});
    CHECK(c.totals().rows[space].base.values == numbers{400, 0, 400});
    CHECK(c.totals().rows[space].head.values == numbers{400, 400, 400});
    const compared_rows rows = c.rows(space);
    CHECK(row(rows.flat.rows, "f").base.values == numbers{200, 0, 200});
    CHECK(row(rows.flat.rows, "f").head.values == numbers{300, 300, 300});
    CHECK(c.judge()[0].row.head.values == numbers{300, 300, 300});
}

TEST_CASE("captures are scaled to the head's median duration") {
    profile_comparison c{{.normalized_by = normalization::duration}};
    std::int64_t time = 0;
    const auto add_one = [&](compare_side to, std::int64_t value, std::int64_t duration) {
        test::profile p = capture({{"f", value}}, ++time);
        p.duration = duration;
        c.add(to, test::serialize(p));
    };
    add_one(base, 100, 5);
    add_one(base, 150, 15);
    add_one(head, 70, 10);
    add_one(head, 60, 8);
    add_one(head, 51, 30);
    CHECK(c.factors(base, space) == numbers{2, 10.0 / 15});
    CHECK(c.totals().rows[space].base.values == numbers{200, 100});
    CHECK(c.totals().rows[space].head.values == numbers{70, 75, 17});
    CHECK(fails_as(error_kind::incompatible, [&] { add_one(head, 60, 0); }));
    CHECK(fails_as(error_kind::incompatible, [&] { add_one(head, 60, -1); }));
    CHECK(c.captures(head) == 3);
    profile_comparison as_they_are;
    as_they_are.add(base, test::serialize(capture({{"f", 1}}, 1)));
    CHECK(as_they_are.factors(base, space) == numbers{1});
}

TEST_CASE("a capture that was added before is refused") {
    profile_comparison c;
    const std::string first = test::serialize(capture({{"f", 100}}, 1));
    const std::string second = test::serialize(capture({{"f", 100}}, 2));
    c.add(base, first);
    c.add(base, second);
    for (const compare_side to : {base, head}) {
        const auto fault = error_from([&] { c.add(to, second); });
        REQUIRE(fault);
        CHECK(fault->kind() == error_kind::incompatible);
        CHECK(fault->what() ==
              std::string{"it is a copy of capture 2 of the base, and would count twice"});
    }
    CHECK(c.captures(base) == 2);
    CHECK(c.captures(head) == 0);
}

TEST_CASE("two runs without a time can be alike in all bytes") {
    profile_comparison c;
    const std::string untimed = test::serialize(capture({{"f", 100}}, 0));
    c.add(base, untimed);
    c.add(base, untimed);
    c.add(head, untimed);
    CHECK(c.captures(base) == 2);
    CHECK(c.captures(head) == 1);
}

TEST_CASE("after a capture that cannot be added nothing has changed") {
    profile_comparison c;
    // Nor is the first that fails the one that others have to fit.
    test::profile strange = capture({{"strange", 100}}, 1);
    strange.types = {{"time", "nanoseconds"}, {"calls", "count"}};
    strange.samples.push_back({{77}, {1, 1}, {}, ""});
    CHECK(fails_as(error_kind::malformed, [&] { c.add(base, test::serialize(strange)); }));
    CHECK(c.types().empty());
    CHECK(c.captures(base) == 0);

    add(c, base, usual);
    add(c, head, changed);
    const compared_rows before = c.rows(space);
    strange.samples.pop_back();
    CHECK(fails_as(error_kind::incompatible, [&] { c.add(base, test::serialize(strange)); }));
    test::profile broken = capture({{"broken", 100000}}, 99);
    broken.samples.push_back({{77}, {1, 1}, {}, ""});
    CHECK(fails_as(error_kind::malformed, [&] { c.add(head, test::serialize(broken)); }));
    CHECK(fails_as(error_kind::malformed, [&] { c.add(head, "no profile"); }));
    test::profile fewer = capture({{"f", 1}}, 100);
    fewer.types.pop_back();
    fewer.samples[0].values.pop_back();
    CHECK(fails_as(error_kind::incompatible, [&] { c.add(head, test::serialize(fewer)); }));

    CHECK(c.captures(base) == 8);
    CHECK(c.captures(head) == 8);
    const compared_rows after = c.rows(space);
    CHECK(names(after.flat.rows) == names(before.flat.rows));
    CHECK(after.left_out == before.left_out);
    for (std::size_t i = 0; i < before.flat.rows.size(); ++i) {
        CHECK(after.flat.rows[i].head.values == before.flat.rows[i].head.values);
        CHECK(after.flat.rows[i].corrected_p == before.flat.rows[i].corrected_p);
    }
    // What failed may be added once it is right.
    broken.samples.pop_back();
    c.add(head, test::serialize(broken));
    CHECK(c.captures(head) == 9);
    CHECK(row(c.rows(space).flat.rows, "broken").head.values.back() == 100000);
}

TEST_CASE("there are no rows before each side has a capture") {
    for (const compare_side only : {base, head}) {
        profile_comparison c{{}, limits({"space>1"})};
        c.add(only, test::serialize(capture({{"f", 100}}, 1)));
        CHECK(fails_as(error_kind::invalid_argument, [&] { (void)c.rows(space); }));
        CHECK(fails_as(error_kind::invalid_argument, [&] { (void)c.totals(); }));
        CHECK(fails_as(error_kind::invalid_argument, [&] { (void)c.judge(); }));
        c.add(only == base ? head : base, test::serialize(capture({{"f", 200}}, 2)));
        CHECK(c.rows(space).flat.rows.size() == 1);
    }
}

TEST_CASE("a side that is older as a whole was not taken in turn with the other") {
    const auto older = [](const std::vector<std::int64_t>& of_base,
                          const std::vector<std::int64_t>& of_head) {
        profile_comparison c;
        std::int64_t value = 0;
        for (const std::int64_t time : of_base) {
            c.add(base, test::serialize(capture({{"f", ++value}}, time)));
        }
        for (const std::int64_t time : of_head) {
            c.add(head, test::serialize(capture({{"f", ++value}}, time)));
        }
        return c.older_side();
    };
    CHECK(older({30, 40}, {10, 20}) == head);
    CHECK(older({10, 20}, {30, 40}) == base);
    CHECK_FALSE(older({10, 30}, {20, 40}));
    CHECK_FALSE(older({20, 30}, {10, 25}));
    CHECK_FALSE(older({20, 30}, {10, 20}));
    CHECK_FALSE(older({10, 20}, {20, 30}));
    CHECK(older({30, 0}, {0, 10}) == head);
    CHECK(older({0, 10}, {20, 0, 15}) == base);
    CHECK_FALSE(older({0, 0}, {10, 20}));
    CHECK_FALSE(older({30, 40}, {0, 0}));
    CHECK_FALSE(older({}, {10}));
}

TEST_CASE("pairs need as many captures on both sides") {
    profile_comparison c{{.are_paired = true}, limits({"space>+1"})};
    add(c, base, {{"f", {100, 200}}});
    add(c, head, {{"f", {300}}});
    CHECK(fails_as(error_kind::invalid_argument, [&] { (void)c.rows(space); }));
    CHECK(fails_as(error_kind::invalid_argument, [&] { (void)c.judge(); }));
    add(c, head, {{"f", {400}}});
    CHECK(c.rows(space).flat.rows.size() == 1);
}

TEST_CASE("captures tell which programs they are of, by the names of the files") {
    profile_comparison c;
    CHECK(c.programs(base).empty());
    std::int64_t time = 0;
    const auto add_one = [&](compare_side of, const std::string& file,
                             const values_by_name& values) {
        test::profile p = capture(values, ++time);
        p.mappings = {{1, 0x1000, 0x2000, 0, file, "", false, ""},
                      {2, 0x3000, 0x4000, 0, "/lib/libc.so", "", false, ""}};
        c.add(of, test::serialize(p));
    };
    const values_by_name values{{"a", 10}, {"b", 20}, {"c", 30}};
    add_one(base, "/opt/v1/server", values);
    add_one(base, "/opt/v2/server (deleted)", values); // it was replaced while it ran
    add_one(base, "", values);
    CHECK(c.programs(base) == std::vector<std::string>{"server"});
    add_one(head, "server", {{"d", 1}, {"e", 1}, {"f", 1}});
    CHECK_FALSE(c.is_head_foreign()); // it has the same name
    add_one(head, "client", {{"d", 1}, {"e", 1}, {"f", 1}});
    CHECK(c.programs(head) == std::vector<std::string>{"server", "client"});
    CHECK(c.is_head_foreign());
    add_one(head, "client", values);
    CHECK_FALSE(c.is_head_foreign()); // it has the same functions
}
