// SPDX-License-Identifier: Apache-2.0
#include "merge/trimmer.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "canonical.hpp"
#include "catch.hpp"
#include "error_from.hpp"
#include "message_builder.hpp"
#include "profile_builder.hpp"
#include "profile_reader.hpp"
#include "random_profile.hpp"
#include "slow_sum.hpp"

using namespace pprofdelta;
using test::error_from;
using test::fails_as;

namespace {

test::profile trimmed(const test::profile& from, const trim_options& options) {
    std::string out = "left over";
    const std::size_t samples = trimmer{options}.trim(test::serialize(from), out);
    CHECK(samples == from.samples.size());
    return test::parse(out).content;
}

trim_options keeping(const std::vector<std::string>& types) {
    trim_options options;
    for (const auto& type : types) {
        options.keep_types.emplace_back(type);
    }
    return options;
}

trim_options for_pgo() {
    trim_options options;
    options.for_pgo = true;
    return options;
}

// One stack: leaf in a.c, called by root in b.c, called by an address without a name.
test::profile heap() {
    test::profile p;
    p.types = test::heap_types();
    p.mappings = {{1, 0x400000, 0x500000, 0, "/bin/server", "abc", true, ""}};
    const auto leaf = test::add_frame(p, "leaf", "a.c", 5);
    const auto root = test::add_frame(p, "root", "b.c", 6);
    p.locations.push_back({3, 1, 0x400030, {}, false, ""});
    p.locations[0].mapping = 1;
    p.locations[0].address = 0x400010;
    p.locations[0].lines[0].column = 7;
    p.samples = {{{leaf, root, 3}, {1, 2, 3, 4}, {{"pid", "1", 0, "", ""}}, ""}};
    return p;
}

test::profile cpu() {
    test::profile p;
    p.types = {{"samples", "count"}, {"cpu", "nanoseconds"}};
    for (const char* const name : {"leaf", "root"}) {
        test::add_frame(p, name, "a.go", 5);
        p.functions.back().start_line = 3;
        p.locations.back().address = 0x10 * p.locations.size();
    }
    p.samples = {{{1, 2}, {1, 10}, {}, ""}};
    return p;
}

std::vector<std::uint64_t> addresses_of(const test::profile& p, const test::sample& of) {
    std::vector<std::uint64_t> addresses;
    for (const std::uint64_t id : of.stack) {
        for (const auto& location : p.locations) {
            if (location.id == id) {
                addresses.push_back(location.address);
            }
        }
    }
    return addresses;
}

} // namespace

TEST_CASE("types that are kept stay in their order, with their values") {
    const test::profile p = heap();
    test::profile found = trimmed(p, keeping({"inuse_space/bytes", "alloc_objects"}));
    CHECK(found.types ==
          std::vector<value_type>{{"alloc_objects", "count"}, {"inuse_space", "bytes"}});
    CHECK(found.samples[0].values == std::vector<std::int64_t>{1, 4});
    CHECK(found.samples[0].labels == p.samples[0].labels);
    found = trimmed(p, keeping({"alloc_space", "alloc_space/bytes"}));
    CHECK(found.samples[0].values == std::vector<std::int64_t>{2});
}

TEST_CASE("a type to keep that the profile does not have is refused, and named") {
    const auto fault = error_from([] { trimmed(heap(), keeping({"alloc_space", "cpu"})); });
    REQUIRE(fault);
    CHECK(fault->kind() == error_kind::incompatible);
    CHECK(std::string{fault->what()}.find("no sample type is cpu;") == 0);
    CHECK(fails_as(error_kind::incompatible,
                   [] { trimmed(heap(), keeping({"alloc_space/count"})); }));
}

TEST_CASE("a default sample type goes with its type") {
    test::profile p = heap();
    p.default_type = "alloc_space";
    CHECK(trimmed(p, keeping({"alloc_space"})).default_type == "alloc_space");
    CHECK(trimmed(p, keeping({"inuse_space"})).default_type.empty());
}

TEST_CASE("a label is dropped if a pattern matches its whole key") {
    test::profile p = heap();
    const auto label = [](const char* key) { return test::label{key, "text", 0, "", ""}; };
    p.samples[0].labels = {label("pid"), label("pid_namespace"), label("tid"), label("")};
    p.samples.push_back(p.samples[0]);
    trim_options options;
    options.drop_labels = {"pid"};
    const std::vector<test::label> others{label("pid_namespace"), label("tid"), label("")};
    test::profile found = trimmed(p, options);
    CHECK(found.samples[0].labels == others);
    CHECK(found.samples[1].labels == others);
    options.drop_labels = {".id", "none"};
    CHECK(trimmed(p, options).samples[0].labels ==
          std::vector<test::label>{label("pid_namespace"), label("")});
    options.drop_labels = {"pid.*", "tid"};
    CHECK(trimmed(p, options).samples[0].labels == std::vector<test::label>{label("")});
    options.drop_labels = {".*"};
    CHECK(trimmed(p, options).samples[0].labels.empty());
    // Alternatives are whole as well.
    options.drop_labels = {"pid|t"};
    CHECK(trimmed(p, options).samples[0].labels == others);
}

TEST_CASE("a label is added in the place of those with its key") {
    test::profile p = heap();
    const auto label = [](const char* key, const char* text) {
        return test::label{key, text, 0, "", ""};
    };
    p.samples[0].labels = {label("team", "own"), label("pid", "1"), {"team", "", 5, "", ""}};
    p.samples.push_back({{1}, {5, 6, 7, 8}, {}, ""});
    trim_options options;
    options.add_labels = {{"team", "shop"}, {"pod", "a/..\"b"}, {"none", ""}};
    const test::profile found = trimmed(p, options);
    CHECK(found.samples[0].labels == std::vector<test::label>{label("pid", "1"),
                                                              label("team", "shop"),
                                                              label("pod", "a/..\"b")});
    CHECK(found.samples[1].labels ==
          std::vector<test::label>{label("team", "shop"), label("pod", "a/..\"b")});
    options.drop_labels = {"p.*"};
    CHECK(trimmed(p, options).samples[0].labels == std::vector<test::label>{label("team", "shop")});
}

TEST_CASE("a profile without samples or strings can get labels") {
    trim_options options;
    options.add_labels = {{"team", "shop"}};
    CHECK(trimmed({}, options).samples.empty());
}

TEST_CASE("samples are chosen by a function, a file or a binary") {
    test::profile p = heap();
    p.samples.push_back({{2}, {5, 6, 7, 8}, {}, ""});
    const auto kept = [&p](const char* focus, const char* ignore) {
        trim_options options;
        options.focus = focus;
        options.ignore = ignore;
        std::vector<std::int64_t> first_values;
        for (const auto& sample : trimmed(p, options).samples) {
            first_values.push_back(sample.values[0]);
        }
        return first_values;
    };
    using list = std::vector<std::int64_t>;
    CHECK(kept("root", "") == list{1, 5});
    CHECK(kept("leaf", "") == list{1});
    CHECK(kept("a\\.c$", "") == list{1});
    CHECK(kept("server", "") == list{1});
    CHECK(kept("none", "").empty());
    CHECK(kept("", "leaf") == list{5});
    CHECK(kept("root", "^le") == list{5});
    CHECK(kept("", "root").empty());
}

TEST_CASE("a regular expression that is none is refused at once") {
    for (auto set :
         {+[](trim_options& o) {
              o.drop_labels = {"a", "("};
          },
          +[](trim_options& o) { o.focus = "("; }, +[](trim_options& o) { o.ignore = "("; }}) {
        trim_options options;
        set(options);
        CHECK(fails_as(error_kind::invalid_argument, [&] { trimmer{options}; }));
    }
}

TEST_CASE("without lines, addresses stay where there is no name") {
    test::profile p = heap();
    p.locations.push_back({4, 1, 0x400040, {{0, 8, 0, ""}}, false, ""});
    p.samples[0].stack.push_back(4);
    trim_options options;
    options.drop_lines = true;
    const test::profile found = trimmed(p, options);
    REQUIRE(found.locations.size() == 4);
    CHECK(found.locations[0].lines == std::vector<test::line>{{1, 0, 0, ""}});
    CHECK(found.locations[0].address == 0);
    CHECK(found.locations[0].mapping == 1);
    CHECK(found.locations[1].lines == std::vector<test::line>{{2, 0, 0, ""}});
    CHECK(found.locations[2].address == 0x400030);
    CHECK(found.locations[3].address == 0x400040);
    CHECK(found.locations[3].lines == std::vector<test::line>{{0, 0, 0, ""}});
    CHECK(found.functions == p.functions);
}

TEST_CASE("what is not to be left out stays, with fields that profile.proto does not have") {
    test::profile p = heap();
    const auto field = [](std::uint64_t number) {
        return test::message_builder{}.number(100, number).str();
    };
    p.comments = {"one", "two", "one"};
    p.drop_frames = "dropped";
    p.keep_frames = "kept";
    p.doc_url = "https://example.org/doc";
    p.default_type = "alloc_space";
    p.period_type = {"space", "bytes"};
    p.period = 524288;
    p.time = 1000;
    p.duration = -5;
    p.unknown = field(1);
    p.samples[0].unknown = field(2);
    p.samples[0].labels[0].unknown = field(3);
    p.mappings[0].unknown = field(4);
    p.locations[0].unknown = field(5);
    p.locations[0].lines[0].unknown = field(6);
    p.locations[2].folded = true;
    p.functions[0].unknown = field(7);
    p.functions[0].start_line = 2;
    p.functions[0].system_name = "_leaf";
    trim_options nothing_matches;
    nothing_matches.drop_labels = {"none"};
    CHECK_FALSE(trimmer{nothing_matches}.leaves_all());
    CHECK(trimmer{{}}.leaves_all());
    CHECK(trimmed(p, nothing_matches) == p);
}

TEST_CASE("for PGO the first type is kept that the compiler knows") {
    test::profile p = cpu();
    CHECK(trimmed(p, for_pgo()).types == std::vector<value_type>{{"samples", "count"}});
    CHECK(trimmed(p, for_pgo()).samples[0].values == std::vector<std::int64_t>{1});
    p.types = {{"other", "count"}, {"cpu", "nanoseconds"}};
    trim_options options = keeping({"other"}); // which does not count
    options.for_pgo = true;
    CHECK(trimmed(p, options).types == std::vector<value_type>{{"cpu", "nanoseconds"}});
    CHECK(trimmed(p, options).samples[0].values == std::vector<std::int64_t>{10});
    p.types[1].unit = "count";
    CHECK(fails_as(error_kind::incompatible, [&] { trimmed(p, options); }));
}

TEST_CASE("for PGO nothing stays that the compiler does not read") {
    test::profile p = cpu();
    const std::string unknown = test::message_builder{}.number(100, 7).str();
    p.mappings = {{1, 0x1000, 0x2000, 0, "/bin/server", "abc", true, unknown}};
    p.locations[0].mapping = 1;
    p.locations[0].folded = true;
    p.locations[0].unknown = unknown;
    p.locations[0].lines[0].column = 9;
    p.locations[0].lines[0].unknown = unknown;
    p.functions[0].system_name = "_leaf";
    p.functions[0].unknown = unknown;
    p.samples[0].labels = {{"pid", "1", 0, "", ""}};
    p.samples[0].unknown = unknown;
    p.comments = {"one"};
    p.drop_frames = p.keep_frames = "f";
    p.doc_url = "https://example.org/doc";
    p.default_type = "samples";
    p.period_type = {"cpu", "nanoseconds"};
    p.period = p.time = p.duration = 5;
    p.unknown = unknown;
    test::profile expected;
    expected.types = {{"samples", "count"}};
    expected.functions = {{1, "leaf", "", "", 3, ""}, {2, "root", "", "", 3, ""}};
    expected.locations = {{1, 0, 0, {{1, 5, 0, ""}}, false, ""},
                          {2, 0, 0, {{2, 5, 0, ""}}, false, ""}};
    expected.samples = {{{1, 2}, {1}, {}, ""}};
    CHECK(trimmed(p, for_pgo()) == expected);
}

TEST_CASE("for PGO a stack keeps its addresses if only they tell two of its frames apart") {
    test::profile p = cpu();
    test::location again = p.locations[0];
    again.id = 3;
    again.address = 0x30;
    p.locations.push_back(again);
    p.samples.push_back({{3, 1, 2}, {2, 20}, {}, ""});
    // At one address recursion needs none.
    p.samples.push_back({{1, 1, 2}, {3, 30}, {}, ""});
    // On another line it is another frame.
    again.id = 4;
    again.lines[0].number = 6;
    p.locations.push_back(again);
    p.samples.push_back({{4, 1, 2}, {4, 40}, {}, ""});
    const test::profile found = trimmed(p, for_pgo());
    using list = std::vector<std::uint64_t>;
    REQUIRE(found.samples.size() == 4);
    CHECK(addresses_of(found, found.samples[0]) == list{0, 0});
    CHECK(addresses_of(found, found.samples[1]) == list{0x30, 0x10, 0x20});
    CHECK(addresses_of(found, found.samples[2]) == list{0, 0, 0});
    CHECK(addresses_of(found, found.samples[3]) == list{0, 0, 0});
}

TEST_CASE("for PGO frames without a name are told apart by their addresses") {
    test::profile p = cpu();
    p.locations[0].lines.clear();
    p.locations[1].lines[0].function = 0;
    const test::profile found = trimmed(p, for_pgo());
    CHECK(addresses_of(found, found.samples[0]) == std::vector<std::uint64_t>{0x10, 0x20});
}

TEST_CASE("for PGO functions need start lines, as the compiler refuses a profile without") {
    test::profile p = cpu();
    p.functions[0].start_line = 0;
    CHECK(trimmed(p, for_pgo()).functions.size() == 2);
    p.functions[1].start_line = 0;
    CHECK(fails_as(error_kind::incompatible, [&] { trimmed(p, for_pgo()); }));
    p.functions.clear();
    for (auto& location : p.locations) {
        location.lines.clear();
    }
    CHECK(fails_as(error_kind::incompatible, [&] { trimmed(p, for_pgo()); }));
    p.samples.clear();
    CHECK(trimmed(p, for_pgo()).samples.empty());
}

TEST_CASE("a trimmer can be used again") {
    trim_options options = keeping({"alloc_space"});
    options.drop_labels = {"pid"};
    trimmer both{options};
    std::string out;
    both.trim(test::serialize(heap()), out);
    const std::string first = out;
    CHECK(fails_as(error_kind::malformed, [&] { both.trim("x", out); }));
    CHECK(fails_as(error_kind::incompatible, [&] { both.trim(test::serialize(cpu()), out); }));
    both.trim(test::serialize(heap()), out);
    CHECK(out == first);
}

TEST_CASE("invented profiles are trimmed as the slow reference does") {
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
        test::random_series series{seed};
        test::profile p = series.next();
        trim_options options;
        options.drop_lines = seed % 2 == 0;
        options.focus = seed % 3 == 0 ? "f|main" : "";
        options.ignore = seed % 5 == 0 ? "g" : "";
        options.drop_labels = {"f.*"};
        if (seed % 7 == 0) {
            options.keep_types.emplace_back(p.types[seed / 7 % p.types.size()].type);
        }
        options.for_pgo = seed % 11 == 0;
        if (options.for_pgo) {
            p.types[0] = {"cpu", "nanoseconds"};
            p.functions[0].start_line = 1;
        }
        std::string out;
        trimmer{options}.trim(test::serialize(p, series.next_layout()), out);
        const test::profile found = test::parse(out).content;
        const test::profile expected = test::slow_trim(p, options);
        REQUIRE(difference(canonical_form(expected, match_mode::exact),
                           canonical_form(found, match_mode::exact)) == "none");
        REQUIRE(found.samples.size() == expected.samples.size());
    }
}
