// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/report.hpp>

#include <string>
#include <utility>

#include "catch.hpp"
#include "error_from.hpp"
#include "profile_builder.hpp"
#include "report/frame_name.hpp"

using namespace pprofdelta;
using test::fails_as;

namespace {

// main calls work, which calls itself and has `leaf` inlined.
test::profile base() {
    test::profile p;
    p.types = {{"objects", "count"}, {"space", "bytes"}};
    test::add_frame(p, "leaf", "a.c", 1);
    test::add_frame(p, "work", "a.c", 2);
    test::add_frame(p, "main", "b.c", 3);
    p.locations[0].lines.push_back(p.locations[1].lines[0]);
    p.samples = {{{1, 2, 2, 3}, {1, 10}, {}, ""}, {{3}, {1, 100}, {}, ""}};
    return p;
}

std::string text(const report& r) {
    std::string all;
    for (const report::row& row : r.rows) {
        for (const std::int64_t value : {row.flat.previous, row.flat.current,
                                         row.cumulative.previous, row.cumulative.current}) {
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
    const report r = make_report(previous, current);
    REQUIRE(r.totals.size() == 2);
    CHECK(r.type == 1);
    CHECK(r.totals[0].value.current == 3);
    CHECK(r.totals[1].value.previous == 110);
    CHECK(text(r) == "10 15 10 15 leaf\n"
                     "100 100 110 115 main\n"
                     "0 0 10 15 work\n");
    CHECK(text(make_report(previous, current, {grouping::file, {}})) == "10 15 10 15 a.c\n"
                                                                        "100 100 110 115 b.c\n");
    CHECK(text(make_report(previous, current, {grouping::line, {}})) ==
          "10 15 10 15 leaf a.c:1\n"
          "100 100 110 115 main b.c:3\n"
          "0 0 10 15 work a.c:2\n");
    CHECK(make_report(previous, previous).rows.empty());
}

TEST_CASE("the type to report on is the one asked for, or the default, or the last") {
    test::profile p = base();
    const auto chosen = [&](const char* type) {
        const std::string bytes = test::serialize(p);
        report_options options;
        if (type != nullptr) {
            options.sample_type.emplace(type);
        }
        return make_report(bytes, bytes, options).type;
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

TEST_CASE("frames without a name have the binary's") {
    test::profile p = base();
    p.mappings = {{1, 0x1000, 0x2000, 0, "/usr/bin/program", "", false, ""}};
    p.locations.push_back({4, 1, 0x1100, {}, false, ""});
    p.locations.push_back({5, 0, 0x9, {}, false, ""});
    const std::string previous = test::serialize(p);
    p.samples = {{{4, 5}, {1, 1}, {}, ""}};
    CHECK(text(make_report(previous, test::serialize(p))) == "100 0 110 0 main\n"
                                                             "10 0 10 0 leaf\n"
                                                             "0 1 0 1 [program]\n"
                                                             "0 0 10 0 work\n"
                                                             "0 0 0 1 <unknown>\n");
}

TEST_CASE("a location has at most 1000 lines") {
    test::profile p = base();
    p.locations[0].lines.resize(1000, p.locations[0].lines[0]);
    const std::string most = test::serialize(p);
    CHECK(make_report(most, most).rows.empty());
    p.locations[0].lines.resize(1001, p.locations[0].lines[0]);
    const std::string more = test::serialize(p);
    for (const auto& both : {std::pair{most, more}, std::pair{more, most}}) {
        CHECK(fails_as(error_kind::too_large,
                       [&] { static_cast<void>(make_report(both.first, both.second)); }));
    }
}

TEST_CASE("the lines of a location are looked at once for a stack, however often it is there") {
    test::profile p = base();
    for (std::int64_t number = 0; number < 998; ++number) {
        p.locations[0].lines.push_back({2, number, 0, ""});
    }
    p.samples[0].stack.assign(100'000, 1); // times 1000 lines are more than may be looked at
    p.samples.push_back({{1, 3, 1}, {1, 7}, {}, ""});
    const std::string now = test::serialize(p);
    p.samples = {};
    const std::string before = test::serialize(p);
    CHECK(text(make_report(before, now)) == "0 100 0 107 main\n"
                                            "0 17 0 17 leaf\n"
                                            "0 0 0 17 work\n");
}

TEST_CASE("stacks of far more inlined frames than bytes are refused") {
    test::profile p = base();
    p.locations[0].lines.resize(1000, p.locations[0].lines[0]);
    p.samples.resize(67'000, {{1}, {1, 1}, {}, ""});
    const std::string most = test::serialize(p);
    CHECK(make_report(most, most).rows.empty());
    p.samples.resize(80'000, p.samples[0]);
    const std::string more = test::serialize(p);
    for (const auto& both : {std::pair{most, more}, std::pair{more, most}}) {
        CHECK(fails_as(error_kind::too_large,
                       [&] { static_cast<void>(make_report(both.first, both.second)); }));
    }
}

TEST_CASE("packages are what names and files tell") {
    CHECK(package_name("compress/flate.(*compressor).init", "deflate.go") == "compress/flate");
    CHECK(package_name("main.Map[go.shape.*a/b.T]", "main.go") == "main");
    CHECK(package_name("gopkg.in/yaml%2ev3.f", "") == "gopkg.in/yaml%2ev3");
    CHECK(package_name("std::vector<a::b>::push(c::d)", "v.h") == "std");
    CHECK(package_name("f<a::b>", "f.cpp").empty());
    CHECK(package_name("tokio::runtime::park", "park.rs") == "tokio::runtime");
    CHECK(package_name("java.util.HashMap.put", "HashMap.java") == "java.util");
    CHECK(package_name("render", "/app/node_modules/x/index.js") == "/app/node_modules/x");
    CHECK(package_name("f", "").empty());
}
