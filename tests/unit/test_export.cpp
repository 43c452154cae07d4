// SPDX-License-Identifier: Apache-2.0
// tests/pprof compares what is written with google/pprof.
#include <pprofdelta/export.hpp>

#include <string>

#include "catch.hpp"
#include "error_from.hpp"
#include "profile_builder.hpp"

using namespace pprofdelta;

namespace {

std::string folded(const std::string& profile, const report_options& options = {}) {
    std::string text;
    write_folded(profile, options, [&](std::string_view part) { text += part; });
    return text;
}

std::string folded(const std::string& previous, const std::string& current) {
    std::string text;
    write_folded(previous, current, {}, [&](std::string_view part) { text += part; });
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

TEST_CASE("equal stacks are one line, the outermost frame first") {
    test::profile p = two_types();
    const std::uint64_t leaf = test::add_frame(p, "leaf", "a.c", 3);
    const std::uint64_t other = test::add_frame(p, "leaf", "a.c", 4);
    const std::uint64_t root = test::add_frame(p, "root");
    p.locations[2].lines.insert(p.locations[2].lines.begin(), {p.functions[0].id, 9, 0, ""});
    p.samples = {{{leaf, root}, {1, 10}},
                 {{other, root}, {2, -30}},
                 {{root}, {0, 5}},
                 {{}, {4, 7}},
                 {{leaf}, {-3, 2}}};
    const std::string bytes = test::serialize(p);
    CHECK(folded(bytes) == "root;leaf;leaf -20\nroot;leaf 5\n(no stack) 7\nleaf 2\n");
    report_options by_count;
    by_count.sample_type.emplace("samples");
    CHECK(folded(bytes, by_count) == "root;leaf;leaf 3\n(no stack) 4\nleaf -3\n");
    by_count.by = grouping::line;
    by_count.selection.focus = "^root$";
    CHECK(folded(bytes, by_count) ==
          "root;leaf a.c:9;leaf a.c:3 1\nroot;leaf a.c:9;leaf a.c:4 2\n");
}

TEST_CASE("of two profiles each line has both values") {
    test::profile p = two_types();
    const std::uint64_t a = test::add_frame(p, "a");
    const std::uint64_t b = test::add_frame(p, "b");
    test::profile q = p;
    p.samples = {{{b, a}, {1, 10}}, {{a}, {1, 4}}, {{b}, {1, 0}}};
    q.samples = {{{b}, {1, 3}}, {{b, a}, {1, 12}}};
    CHECK(folded(test::serialize(p), test::serialize(q)) == "a;b 10 12\na 4 0\nb 0 3\n");
    q.types = {{"samples", "count"}, {"wall", "nanoseconds"}};
    CHECK(test::fails_as(error_kind::incompatible,
                         [&] { folded(test::serialize(p), test::serialize(q)); }));
}

TEST_CASE("a name of a folded stack has nothing that means something else") {
    test::profile p = two_types();
    const std::uint64_t id = test::add_frame(p, "[T; 4]\n\x1b\u202e\xff\u009b\u00e9 5");
    p.samples = {{{id}, {1, 1}}};
    CHECK(folded(test::serialize(p)) == "[T: 4]\\x0a\\x1b\\u202e\\xff\\u009b\u00e9 5 1\n");
}

TEST_CASE("a line of folded stacks is no command of a CI system") {
    test::profile p = two_types();
    for (const char* const name : {"::error::x", ";;error::x", " ::error::x", "a##[error]x"}) {
        p.samples.push_back({{test::add_frame(p, name)}, {1, 1}});
    }
    CHECK(folded(test::serialize(p)) ==
          "\\x3a:error::x 1\n\\x3a:error::x 1\n \\x3a:error::x 1\na\\x23#[error]x 1\n");
}

TEST_CASE("each sample is a row, whatever it has") {
    test::profile p = two_types();
    test::add_frame(p, "f\"", "a.c", -3);
    test::add_frame(p, "");
    p.locations[1].lines.push_back({p.functions[0].id, 7, 0, ""});
    p.locations.push_back({.id = 77, .mapping = 5, .address = 16});
    p.mappings = {{5, 0, 4096, 0, "/lib/libc.so.6", "", false, ""}};
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

TEST_CASE("what takes a text can end it") {
    test::profile p = two_types();
    p.samples = {{{test::add_frame(p, "a")}, {1, 1}}};
    const text_sink refuse = [](std::string_view) { throw 5; };
    CHECK_THROWS_AS(write_folded(test::serialize(p), {}, refuse), int);
    CHECK_THROWS_AS(write_ndjson(test::serialize(p), "p", refuse), int);
}
