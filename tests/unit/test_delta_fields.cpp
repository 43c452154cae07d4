// SPDX-License-Identifier: Apache-2.0
// What a delta says besides samples: headers, the records it copies, and what it leaves out.
#include <pprofdelta/delta.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "allocations.hpp"
#include "canonical.hpp"
#include "catch.hpp"
#include "profile_builder.hpp"
#include "profile_reader.hpp"
#include "random_profile.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

namespace {

const std::string unknown_a = message_builder{}.number(100, 7).str();
const std::string unknown_b = message_builder{}.bytes(101, "later").str();

profile example(std::int64_t value, std::int64_t time = 0, std::int64_t duration = 0) {
    profile p;
    p.types = {{"alloc_space", "bytes"}};
    p.samples = {{{add_frame(p, "f", "f.c", 3)}, {value}, {}, ""}};
    p.time = time;
    p.duration = duration;
    return p;
}

profile delta_of(const profile& previous, const profile& current) {
    delta_computer computer;
    computer.prime(serialize(previous));
    std::string delta;
    computer.compute(serialize(current), delta);
    const mapping* const main = current.mappings.empty() ? nullptr : current.mappings.data();
    CHECK(find_fault(delta, main) == "none");
    return parse(delta).content;
}

} // namespace

TEST_CASE("time is the current profile's, duration lies between the two") {
    const profile p = delta_of(example(1, 1000, 3), example(2, 1500, 4));
    CHECK(p.time == 1500);
    CHECK(p.duration == 500);
    CHECK(delta_of(example(1, 1000), example(2, 1000, 4)).duration == 0);
}

TEST_CASE("without two times in order, the duration is the current profile's") {
    CHECK(delta_of(example(1, 0), example(2, 1500, 4)).duration == 4);
    CHECK(delta_of(example(1, 1000), example(2, 0, 4)).duration == 4);
    CHECK(delta_of(example(1, 1500), example(2, 1000, 4)).duration == 4);
    // A negative time is as good as none, also where the difference would not fit.
    CHECK(delta_of(example(1, -1000), example(2, -1000, 4)).duration == 4);
    CHECK(delta_of(example(1, std::numeric_limits<std::int64_t>::min()),
                   example(2, std::numeric_limits<std::int64_t>::max(), 4))
              .duration == 4);
    delta_computer computer;
    std::string delta;
    computer.compute(serialize(example(1, 1000, 4)), delta);
    CHECK(parse(delta).content.duration == 4);
}

TEST_CASE("a previous profile with a duration is told") {
    delta_computer computer;
    std::string delta;
    CHECK_FALSE(computer.compute(serialize(example(1, 5, 9)), delta).previous_has_duration);
    CHECK(computer.compute(serialize(example(2, 6)), delta).previous_has_duration);
    CHECK_FALSE(computer.compute(serialize(example(3, 7)), delta).previous_has_duration);
    CHECK(
        diff(serialize(example(1, 5, 9)), serialize(example(1)), {}, delta).previous_has_duration);
}

TEST_CASE("all other headers are the current profile's") {
    profile before = example(1);
    before.comments = {"old"};
    before.doc_url = "https://example.org/old";
    before.unknown = unknown_a;
    profile now = example(2);
    now.comments = {"two", "", "two", "one"};
    now.doc_url = "https://example.org/new";
    now.drop_frames = "drop.*";
    now.keep_frames = "keep.*";
    now.default_type = "alloc_space";
    now.period_type = {"space", "bytes"};
    now.period = 512;
    now.unknown = unknown_b + unknown_a;
    const profile delta = delta_of(before, now);
    CHECK(headers_of(delta) == headers_of(now));
    std::string bytes;
    diff(serialize(before), serialize(now), {}, bytes);
    CHECK(headers_of(parse(bytes).content) == headers_of(now));
}

TEST_CASE("headers stay when no sample is left") {
    profile p = example(1);
    p.mappings = {{1, 0x1000, 0x2000, 0, "app", "b1", true, ""}};
    p.doc_url = "https://example.org/";
    const profile delta = delta_of(p, p);
    CHECK(delta.samples.empty());
    CHECK(delta.locations.empty());
    CHECK(delta.functions.empty());
    CHECK(delta.mappings == p.mappings);
    CHECK(headers_of(delta) == headers_of(p));
}

TEST_CASE("records are copied with all that they say") {
    profile now = example(2);
    now.mappings = {{1, 0x1000, 0x2000, 0x10, "app", "b1", true, unknown_a}};
    now.functions[0] = {1, "f", "_f", "f.c", 7, unknown_b};
    now.locations[0] = {1, 1, 0x1234, {{1, 12, 3, unknown_a}}, true, unknown_b};
    now.samples[0].labels = {
        {"k", "s", 0, "", unknown_a}, {"n", "", 5, "kb", ""}, {"k", "", 0, "", ""}};
    now.samples[0].unknown = unknown_b;
    CHECK(delta_of(example(1), now) == now);
}

TEST_CASE("what no sample refers to is left out, but for the main mapping") {
    profile now = example(2);
    now.mappings = {{1, 0x1000, 0x2000, 0, "app", "", false, ""},
                    {2, 0x3000, 0x4000, 0, "used", "", false, ""},
                    {3, 0x5000, 0x6000, 0, "unused", "", false, ""}};
    now.locations[0].mapping = 2;
    add_frame(now, "unused", "unused.c");
    layout how;
    how.unused = {"nobody", "knows"};
    delta_computer computer;
    std::string delta;
    computer.compute(serialize(now, how), delta);
    CHECK(find_fault(delta, now.mappings.data()) == "none");
    const profile content = parse(delta).content;
    REQUIRE(content.mappings.size() == 2);
    CHECK(content.mappings[0].file == "app");
    CHECK(content.mappings[1].file == "used");
    CHECK(content.locations.size() == 1);
    CHECK(content.functions.size() == 1);
    CHECK(delta.find("unused") == std::string::npos);
    CHECK(delta.find("nobody") == std::string::npos);
}

TEST_CASE("a diff takes records from both sides, and each only once") {
    profile before = example(1);
    before.mappings = {{1, 0x1000, 0x2000, 0, "app", "", false, ""}};
    before.locations[0].mapping = 1;
    before.locations[0].address = 0x1010;
    before.samples.push_back({{add_frame(before, "old"), 1}, {4}, {{"k", "v", 0, "", ""}}, ""});
    profile now = before;
    now.mappings[0].start = 0x7000;
    now.mappings[0].limit = 0x8000;
    now.locations[0].address = 0x7010;
    now.samples = {{{1}, {3}, {}, ""}};
    std::string delta;
    const auto summary = diff(serialize(before), serialize(now), {}, delta);
    CHECK(summary.samples_in == 1);
    CHECK(summary.samples_kept == 2);
    CHECK(find_fault(delta, now.mappings.data()) == "none");
    const profile content = parse(delta).content;
    CHECK(content.mappings == now.mappings);
    CHECK(content.locations.size() == 2);
    CHECK(add_up(content, match_mode::exact) == [&] {
        profile expected = before;
        expected.samples[0].values = {2};
        expected.samples[1].values = {-4};
        return add_up(expected, match_mode::exact);
    }());
}

TEST_CASE("a call on a profile no larger than those before allocates nothing") {
    for (const bool sparse : {false, true}) {
        random_series series{11};
        profile p = series.next();
        while (p.samples.size() < 8) {
            p = series.next();
        }
        p.types[0] = {"alloc_space", "bytes"};
        layout how;
        how.sparse_ids = sparse;
        const std::string before = serialize(p, how);
        for (auto& each : p.samples) {
            each.values[0] += 5;
        }
        const std::string now = serialize(p, how);
        delta_computer computer;
        std::string delta;
        computer.compute(before, delta);
        computer.compute(now, delta);
        const std::size_t count = allocation_count();
        computer.compute(now, delta);
        const std::size_t allocated = allocation_count() - count;
        CAPTURE(sparse);
        CHECK(allocated == 0);
    }
}
