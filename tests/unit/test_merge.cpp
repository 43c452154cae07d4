// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <pprofdelta/merge.hpp>

#include "catch.hpp"
#include "error_from.hpp"
#include "message_builder.hpp"
#include "profile_builder.hpp"
#include "profile_reader.hpp"
#include "random_profile.hpp"

using namespace pprofdelta::test;
using namespace pprofdelta;

namespace {

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
/// The longest duration that counts as one.
constexpr std::int64_t longest = 1'000'000'000'000'000'000;

profile written(const profile_sum& sum) {
    std::string bytes;
    sum.write(bytes);
    CHECK(find_fault(bytes) == "none");
    return parse(bytes).content;
}

profile mean_of(const profile_sum& sum) {
    std::string bytes;
    sum.write_mean(bytes);
    CHECK(find_fault(bytes) == "none");
    return parse(bytes).content;
}

void add(profile_sum& sum, const profile& p, double weight = 1) { sum.add(serialize(p), weight); }

profile sum_of(const std::vector<profile>& profiles) {
    profile_sum sum;
    for (const auto& each : profiles) {
        add(sum, each);
    }
    return written(sum);
}

/// A profile of a binary that the system loaded at `start`, with a frame that has no name at its
/// offset 0x10 and others behind it.
profile loaded_at(std::uint64_t start, std::size_t frames = 1) {
    profile p;
    p.types = {{"space", "bytes"}};
    p.mappings = {{7, start, start + 0x1000, 0, "/bin/server", "abc"}};
    for (std::size_t i = 0; i < frames; ++i) {
        p.locations.push_back({i + 1, 7, start + 0x10 * (i + 1)});
        p.samples.push_back({{i + 1}, {10}});
    }
    return p;
}

} // namespace

// The parts that neither tests/pprof compares with google/pprof's sums, nor tests/fuzz/merge.cpp:
// records as they are copied, and what does not fit.
TEST_CASE("processes have a binary at different places, and the sum has it where the first does") {
    const profile sum = sum_of({loaded_at(0x400000), loaded_at(0x7f0000, 3)});
    REQUIRE(sum.mappings.size() == 1);
    CHECK(sum.mappings[0].start == 0x400000);
    REQUIRE(sum.locations.size() == 3);
    CHECK(sum.locations[0].address == 0x400010);
    CHECK(sum.locations[1].address == 0x400020);
    CHECK(sum.locations[2].address == 0x400030);
    CHECK(values_of(sum) == rows_of_values{{20}, {10}, {10}});
}

TEST_CASE("binaries that differ have a mapping each, and the first one stays first") {
    profile other = loaded_at(0x400000);
    other.mappings[0].build_id = "def";
    // A first mapping that no sample refers to stands for the main binary all the same.
    profile first = loaded_at(0x400000);
    first.mappings.insert(first.mappings.begin(), {1, 0x1000, 0x2000, 0, "/bin/main"});
    const profile sum = sum_of({first, other});
    REQUIRE(sum.mappings.size() == 3);
    CHECK(sum.mappings[0].file == "/bin/main");
    CHECK(sum.mappings[1].build_id == "abc");
    CHECK(sum.mappings[2].build_id == "def");
    CHECK(sum.samples.size() == 2);
    // The second profile's is the first one where the first has none.
    profile without = with_values({});
    without.types = first.types;
    CHECK(sum_of({without, first}).mappings[0].file == "/bin/main");
}

TEST_CASE("a profile that could not be added says nothing of its process") {
    profile refused = loaded_at(0x550000000000);
    refused.mappings[0].build_id = "";
    profile_sum sum;
    CHECK(fails_as(error_kind::too_large, [&] { add(sum, refused, 1e300); }));
    add(sum, loaded_at(0x550000000000));
    add(sum, loaded_at(0x560000000000)); // the same binary in another process
    CHECK(values_of(written(sum)) == rows_of_values{{20}});
}

TEST_CASE("the time of a sum is the first profile's, or the last one's if that is asked for") {
    for (const bool ends_last : {false, true}) {
        profile_sum sum{merge_options{.ends_last = ends_last}};
        for (const std::int64_t time : {2000, 1000, 0}) {
            profile p = with_values({{1, 1}});
            p.time = time;
            p.doc_url = time == 2000 ? "" : "https://example.org/" + std::to_string(time);
            add(sum, p);
        }
        CHECK(written(sum).time == (ends_last ? 2000 : 1000));
        CHECK(written(sum).doc_url == "https://example.org/1000"); // the first that there is
    }
}
TEST_CASE("fields that profile.proto does not have are those of the first record") {
    const auto field = [](std::uint64_t number) {
        return message_builder{}.number(100, number).str();
    };
    profile p = with_values({{1, 1}});
    p.samples[0].unknown = field(1);
    p.functions[0].unknown = field(2);
    p.locations[0].unknown = field(3);
    p.locations[0].lines[0].unknown = field(4);
    profile next = with_values({{1, 1}, {2, 2}});
    next.samples[0].unknown = field(5);
    next.functions[0].unknown = field(6);
    next.locations[0].unknown = field(7);
    next.samples[1].unknown = field(8);
    next.functions[1].unknown = field(9);
    const profile sum = sum_of({p, next});
    CHECK(sum.samples[0].unknown == field(1));
    CHECK(sum.functions[0].unknown == field(2));
    CHECK(sum.locations[0].unknown == field(3));
    CHECK(sum.locations[0].lines[0].unknown == field(4));
    CHECK(sum.samples[1].unknown == field(8));
    CHECK(sum.functions[1].unknown == field(9));
}

TEST_CASE("adding a profile says the same of it as reading it does") {
    profile_sum sum;
    random_series series{1};
    for (int step = 0; step < 5; ++step) {
        const std::string bytes = serialize(series.next(), series.next_layout());
        const profile_info expected = read_profile_info(bytes);
        const profile_info found = sum.add(bytes);
        CHECK(found.types.size() == expected.types.size());
        CHECK(found.period_type == expected.period_type);
        CHECK(found.time_nanos == expected.time_nanos);
        CHECK(found.duration_nanos == expected.duration_nanos);
        CHECK(found.binary == expected.binary);
        CHECK(found.process == expected.process);
        CHECK(found.samples == expected.samples);
        CHECK(found.strings == expected.strings);
    }
}

TEST_CASE("a weight that is not positive and finite is refused") {
    profile_sum sum;
    const double infinity = std::numeric_limits<double>::infinity();
    for (const double weight : {0.0, -1.0, infinity, std::numeric_limits<double>::quiet_NaN()}) {
        CHECK(fails_as(error_kind::invalid_argument, [&] {
            add(sum, with_values({{1, 1}}), weight);
        }));
    }
    CHECK(sum.size() == 0);
}

TEST_CASE("a sum that does not fit is refused, and what was added of the profile is taken back") {
    profile_sum sum;
    const rows_of_values before{{most, least + 100}, {0, 200}};
    add(sum, with_values(before));
    // All samples and both values are looked at, whichever is too large.
    for (const rows_of_values& next :
         {rows_of_values{{1, 0}}, rows_of_values{{0, -101}}, rows_of_values{{1, -101}},
          rows_of_values{{-5, -5}, {0, most}}}) {
        CHECK(fails_as(error_kind::too_large, [&] { add(sum, with_values(next)); }));
    }
    CHECK(values_of(written(sum)) == before);
}

TEST_CASE("a duration that does not fit is refused") {
    profile p = with_values({{1, 1}});
    p.duration = longest;
    profile_sum sum;
    for (int i = 0; i < 9; ++i) {
        add(sum, p);
    }
    CHECK(fails_as(error_kind::too_large, [&] { add(sum, p); }));
    CHECK(written(sum).duration == 9 * longest);
}

TEST_CASE("the time since 1970 is no duration, and a sum of what has none has none") {
    profile p = with_values({{1, 1}});
    p.types = {{"samples", "count"}, {"cpu", "nanoseconds"}};
    profile_sum sum;
    p.duration = longest + 1;
    for (int i = 0; i < 10; ++i) {
        add(sum, p);
    }
    p.duration = 22;
    add(sum, p);
    std::string bytes;
    const merge_summary summary = sum.write(bytes);
    CHECK(summary.profiles == 11);
    CHECK(summary.without_duration == 10);
    CHECK(summary.duration_nanos == 0);
    CHECK(written(sum).duration == 0);
    CHECK(mean_of(sum).duration == 0);
}

namespace {

test::profile trimmed(const test::profile& from, const trim_options& options) {
    return test::parse(trim(test::serialize(from), options)).content;
}

// One stack: leaf in a.c, called by root in b.c, called by an address without a name.
test::profile heap() {
    test::profile p;
    p.types = test::heap_types();
    p.mappings = {{1, 0x400000, 0x500000, 0, "/bin/server", "abc", true, ""}};
    const auto leaf = test::add_frame(p, "leaf", "a.c", 5);
    const auto root = test::add_frame(p, "root", "b.c", 6);
    p.locations.push_back({3, 1, 0x400030});
    p.locations[0].mapping = 1;
    p.locations[0].address = 0x400010;
    p.locations[0].lines[0].column = 7;
    p.samples = {{{leaf, root, 3}, {1, 2, 3, 4}, {{"pid", "1"}}}};
    return p;
}
} // namespace

TEST_CASE("a selection takes lines out of locations, renames functions and adds roots") {
    test::profile p = heap();
    p.locations[1].lines.insert(p.locations[1].lines.begin(), p.locations[0].lines.front());
    p.locations[1].lines[0].unknown = test::message_builder{}.number(100, 1).str();
    trim_options options;
    options.selection = {.hide = "b\\.c", .renames = {"leaf=twig"}, .label_roots = {"pid", "none"}};
    const test::profile found = trimmed(p, options);
    REQUIRE(found.samples.size() == 1);
    REQUIRE(found.samples[0].stack.size() == 5);
    std::vector<std::string> frames;
    for (const std::uint64_t id : found.samples[0].stack) {
        for (const auto& each : found.locations.at(id - 1).lines) {
            const auto f = std::find_if(found.functions.begin(), found.functions.end(),
                                        [&](const auto& of) { return of.id == each.function; });
            REQUIRE(f != found.functions.end());
            frames.push_back(f->name + " " + f->file);
        }
    }
    CHECK(frames == std::vector<std::string>{"twig a.c", "twig a.c", "(no none) none", "1 pid"});
    CHECK(found.locations[1].lines.at(0).unknown == p.locations[1].lines[0].unknown);
    CHECK(found.samples[0].labels == p.samples[0].labels);
    options.for_pgo = true;
    p.types[0] = {"cpu", "nanoseconds"};
    p.functions[0].start_line = 1;
    CHECK(trimmed(p, options).samples[0].stack.size() == 5);
}

TEST_CASE("a label is added in the place of those with its key") {
    test::profile p = heap();
    const auto label = [](const char* key, const char* text) { return test::label{key, text}; };
    p.samples[0].labels = {label("team", "own"), label("pid", "1"), {"team", "", 5}};
    p.samples.push_back({{1}, {5, 6, 7, 8}});
    trim_options options{.add_labels = {{"team", "shop"}, {"pod", "a/..\"b"}, {"none", ""}}};
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
    CHECK(trimmed({}, {.add_labels = {{"team", "shop"}}}).samples.empty());
}

TEST_CASE("records that are kept stay whole, with fields that profile.proto does not have") {
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
    CHECK_FALSE(nothing_matches.are_empty());
    CHECK(trim_options{}.are_empty());
    CHECK(trimmed(p, nothing_matches) == p);
}
