// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <pprofdelta/comment.hpp>
#include <pprofdelta/delta.hpp>
#include <pprofdelta/limits.hpp>
#include <pprofdelta/normalize.hpp>

#include "delta/series.hpp"

#include "allocations.hpp"
#include "canonical.hpp"
#include "catch.hpp"
#include "error_from.hpp"
#include "profile_builder.hpp"
#include "profile_reader.hpp"
#include "random_profile.hpp"

using namespace pprofdelta::test;
using namespace pprofdelta;

// What delta_computer does with values and samples, one rule at a time.

namespace {

using values = std::vector<std::int64_t>;
using flat = std::map<std::string, values>;

// A heap profile of functions without callers. All are of one process, as its mapping says.
profile heap(const flat& functions) {
    profile p;
    p.mappings = {{1, 0x7ffff7fc9000, 0x7ffff7fcb000, 0, "[vdso]"}};
    p.types = {{"alloc_space", "bytes"}, {"inuse_space", "bytes"}};
    for (const auto& [name, each] : functions) {
        p.samples.push_back({{add_frame(p, name)}, each, {}, ""});
    }
    return p;
}

flat read_flat(const std::string& delta) {
    CHECK(find_fault(delta) == "none");
    const profile p = parse(delta).content;
    flat out;
    for (const auto& each : p.samples) {
        const auto& frame = p.locations.at(each.stack.at(0) - 1); // ids are dense
        const auto& name = p.functions.at(frame.lines.at(0).function - 1).name;
        CHECK(out.emplace(name, each.values).second);
    }
    return out;
}

flat step(delta_computer& computer, const flat& functions, delta_summary* summary = nullptr) {
    std::string delta;
    const auto result = computer.compute(serialize(heap(functions)), delta);
    if (summary != nullptr) {
        *summary = result;
    }
    return read_flat(delta);
}

delta_options on_reset(reset_policy policy) {
    delta_options options;
    options.on_reset = policy;
    return options;
}

} // namespace

TEST_CASE("cumulative values are subtracted, gauges pass through") {
    delta_computer computer;
    step(computer, {{"f", {100, 40}}});
    CHECK(step(computer, {{"f", {130, 35}}}) == flat{{"f", {30, 35}}});
}

TEST_CASE("the first delta is the profile without what is all zero") {
    delta_computer computer;
    delta_summary summary;
    CHECK(step(computer, {{"f", {5, 0}}, {"g", {0, 0}}, {"h", {0, 1}}}, &summary) ==
          flat{{"f", {5, 0}}, {"h", {0, 1}}});
    CHECK(summary.first);
    CHECK_FALSE(summary.reset);
    CHECK(summary.samples_in == 3);
    CHECK(summary.samples_kept == 2);
}

TEST_CASE("a sample stays as long as one value is not zero") {
    delta_computer computer;
    step(computer, {{"f", {5, 1}}, {"g", {5, 1}}, {"h", {5, 1}}});
    CHECK(step(computer, {{"f", {5, 0}}, {"g", {5, 1}}, {"h", {6, 0}}}) ==
          flat{{"g", {0, 1}}, {"h", {1, 0}}});
}

TEST_CASE("a sample that is new counts from zero") {
    delta_computer computer;
    step(computer, {{"f", {5, 1}}});
    CHECK(step(computer, {{"f", {5, 1}}, {"g", {7, 2}}}) == flat{{"f", {0, 1}}, {"g", {7, 2}}});
}

TEST_CASE("a sample that vanished yields nothing, and is remembered") {
    delta_computer computer;
    step(computer, {{"f", {5, 1}}, {"g", {100, 0}}});
    CHECK(step(computer, {{"g", {100, 0}}}).empty());
    CHECK(step(computer, {{"g", {101, 0}}}) == flat{{"g", {1, 0}}});
    CHECK(step(computer, {{"f", {8, 1}}, {"g", {101, 0}}}) == flat{{"f", {3, 1}}});
}

TEST_CASE("samples of one identity are added up, before they are compared") {
    profile p = heap({{"f", {1, 10}}});
    p.samples.push_back({p.samples[0].stack, {2, 20}, {}, ""});
    p.samples.push_back({{add_frame(p, "f")}, {4, 40}, {}, ""}); // the same frame twice
    delta_computer computer;
    std::string delta;
    const auto summary = computer.compute(serialize(p), delta);
    CHECK(summary.samples_in == 3);
    CHECK(summary.samples_kept == 1);
    CHECK(read_flat(delta) == flat{{"f", {7, 70}}});
    CHECK(step(computer, {{"f", {8, 70}}}) == flat{{"f", {1, 70}}});
}

TEST_CASE("parts that cancel out are no sample") {
    profile p = heap({{"f", {1, -5}}});
    p.samples.push_back({p.samples[0].stack, {-1, 5}, {}, ""});
    delta_computer computer;
    std::string delta;
    computer.compute(serialize(p), delta);
    CHECK(read_flat(delta).empty());
}

TEST_CASE("values wrap around at 64 bits") {
    constexpr auto lowest = std::numeric_limits<std::int64_t>::min();
    constexpr auto highest = std::numeric_limits<std::int64_t>::max();
    delta_computer computer{on_reset(reset_policy::negative)};
    step(computer, {{"f", {lowest, 0}}, {"g", {1, 0}}});
    CHECK(step(computer, {{"f", {highest, 0}}, {"g", {lowest, 0}}}) ==
          flat{{"f", {-1, 0}}, {"g", {highest, 0}}});
}

TEST_CASE("totals are those of the samples that are written") {
    delta_computer computer;
    CHECK(computer.totals().empty());
    step(computer, {{"a", {10, 1}}, {"b", {5, 2}}});
    CHECK(computer.totals() == values{15, 3});
    step(computer, {{"a", {11, 4}}, {"b", {8, 1}}, {"c", {0, 0}}});
    CHECK(computer.totals() == values{4, 5});
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    step(computer, {{"a", {11, most}}, {"b", {8, 1}}});
    CHECK(fails_as(error_kind::too_large, [&] { static_cast<void>(computer.totals()); }));
    step(computer, {{"a", {11, 0}}});
    CHECK(computer.totals() == values{0, 0});
}

TEST_CASE("a single negative value is kept as it is") {
    delta_computer computer;
    step(computer, {{"f", {100, 1}}, {"g", {10, 1}}});
    delta_summary summary;
    CHECK(step(computer, {{"f", {110, 1}}, {"g", {7, 1}}}, &summary) ==
          flat{{"f", {10, 1}}, {"g", {-3, 1}}});
    CHECK_FALSE(summary.reset);
}

TEST_CASE("drop_negative looks at cumulative values only") {
    delta_options options;
    options.drop_negative = true;
    delta_computer computer{options};
    step(computer, {{"f", {100, 1}}, {"g", {10, 1}}, {"h", {10, 1}}});
    CHECK(step(computer, {{"f", {110, -1}}, {"g", {7, 1}}, {"h", {10, -2}}}) ==
          flat{{"f", {10, -1}}, {"h", {0, -2}}});
    // The sample left out was remembered all the same.
    CHECK(step(computer, {{"f", {110, 0}}, {"g", {9, 0}}, {"h", {10, 0}}}) == flat{{"g", {2, 0}}});
}

TEST_CASE("counters that lose more than half have started over") {
    for (const std::int64_t now : {50, 49}) {
        delta_computer computer;
        step(computer, {{"f", {60, 0}}, {"g", {40, 0}}});
        delta_summary summary;
        const flat delta = step(computer, {{"f", {now - 40, 7}}, {"g", {40, 0}}}, &summary);
        const bool reset = now < 50; // half is not more than half
        CHECK(summary.reset == reset);
        CHECK(delta == (reset ? flat{{"f", {9, 7}}, {"g", {40, 0}}} : flat{{"f", {-50, 7}}}));
    }
}

TEST_CASE("what others gain does not hide a reset, nor does a gauge make one") {
    delta_computer computer;
    step(computer, {{"f", {100, 1000}}});
    delta_summary summary;
    CHECK(step(computer, {{"f", {100, 1}}}, &summary) == flat{{"f", {0, 1}}});
    CHECK_FALSE(summary.reset);
    step(computer, {{"f", {10, 1}}, {"g", {5000, 1}}}, &summary);
    CHECK(summary.reset);
}

TEST_CASE("one cumulative type is enough for a reset") {
    profile p;
    p.types = heap_types();
    const auto frame = add_frame(p, "f");
    p.samples = {{{frame}, {100, 1000, 0, 0}, {}, ""}};
    delta_computer computer;
    computer.prime(serialize(p));
    p.samples[0].values = {101, 400, 0, 0};
    std::string delta;
    CHECK(computer.compute(serialize(p), delta).reset);
    CHECK(parse(delta).content.samples.at(0).values == values{101, 400, 0, 0});
}

TEST_CASE("samples that vanish this time count for a reset, those gone before do not") {
    delta_computer computer;
    step(computer, {{"f", {100, 0}}, {"g", {150, 0}}});
    delta_summary summary;
    step(computer, {{"g", {150, 0}}}, &summary);
    CHECK_FALSE(summary.reset);
    // Of f and g together, less than half is lost; of g alone, more.
    step(computer, {{"g", {60, 0}}}, &summary);
    CHECK(summary.reset);
    step(computer, {{"h", {1, 0}}}, &summary);
    CHECK(summary.reset);
    CHECK(step(computer, {}, &summary).empty());
    CHECK(summary.reset);
}

TEST_CASE("on_reset emit gives the current values and forgets the rest") {
    delta_computer computer;
    step(computer, {{"f", {100, 1}}, {"g", {100, 1}}, {"h", {10, 1}}});
    CHECK(step(computer, {{"f", {5, 2}}, {"g", {0, 3}}}) == flat{{"f", {5, 2}}, {"g", {0, 3}}});
    CHECK(step(computer, {{"f", {6, 2}}, {"h", {11, 1}}}) == flat{{"f", {1, 2}}, {"h", {11, 1}}});
}

TEST_CASE("on_reset drop gives no samples and goes on from there") {
    delta_computer computer{on_reset(reset_policy::drop)};
    step(computer, {{"f", {100, 1}}, {"h", {10, 1}}});
    delta_summary summary;
    CHECK(step(computer, {{"f", {5, 2}}}, &summary).empty());
    CHECK(summary.reset);
    CHECK(summary.samples_kept == 0);
    CHECK(step(computer, {{"f", {6, 2}}, {"h", {11, 1}}}) == flat{{"f", {1, 2}}, {"h", {11, 1}}});
}

TEST_CASE("on_reset error changes nothing") {
    delta_computer computer{on_reset(reset_policy::error)};
    step(computer, {{"f", {100, 1}}, {"h", {10, 1}}});
    CHECK(fails_as(error_kind::reset, [&] { step(computer, {{"f", {5, 2}}, {"new", {7, 7}}}); }));
    CHECK(step(computer, {{"f", {101, 2}}, {"new", {8, 0}}}) ==
          flat{{"f", {1, 2}}, {"new", {8, 0}}});
    CHECK(step(computer, {{"f", {101, 0}}, {"new", {8, 0}}, {"h", {12, 0}}}) ==
          flat{{"h", {2, 0}}});
}

TEST_CASE("on_reset negative subtracts all the same") {
    delta_computer computer{on_reset(reset_policy::negative)};
    step(computer, {{"f", {100, 1}}, {"h", {10, 1}}});
    CHECK(step(computer, {{"f", {5, 2}}}) == flat{{"f", {-95, 2}}});
    CHECK(step(computer, {{"f", {6, 2}}, {"h", {11, 1}}}) == flat{{"f", {1, 2}}, {"h", {1, 1}}});
}

TEST_CASE("prime makes a profile the one before, whatever it has lost") {
    delta_computer computer{on_reset(reset_policy::error)};
    computer.prime(serialize(heap({{"f", {100, 1}}})));
    computer.prime(serialize(heap({{"f", {10, 1}}})));
    delta_summary summary;
    CHECK(step(computer, {{"f", {11, 1}}}, &summary) == flat{{"f", {1, 1}}});
    CHECK_FALSE(summary.first);
}

TEST_CASE("a computer can be moved, and goes on where it was") {
    delta_computer first;
    step(first, {{"f", {100, 1}}});
    delta_computer second{std::move(first)};
    CHECK(step(second, {{"f", {101, 1}}}) == flat{{"f", {1, 1}}});
    first = delta_computer{}; // one moved from can be assigned to, and then starts anew
    delta_summary summary;
    CHECK(step(first, {{"f", {101, 1}}}, &summary) == flat{{"f", {101, 1}}});
    CHECK(summary.first);
    first = std::move(second);
    CHECK(step(first, {{"f", {102, 1}}}) == flat{{"f", {1, 1}}});
}

// Profiles and options that are refused, and that a refusal leaves everything as it was.

namespace {

profile heap(std::int64_t value) {
    profile p;
    p.types = {{"alloc_space", "bytes"}};
    p.mappings = {{1, 0x1000, 0x2000, 0, "app", "", false, ""}};
    const auto frame = add_frame(p, "f", "f.c", 3);
    p.locations[0].mapping = 1;
    p.samples = {{{frame}, {value}, {{"key", "text", 0, "", ""}}, ""}};
    return p;
}

std::string compute(delta_computer& computer, const std::string& bytes) {
    std::string delta;
    computer.compute(bytes, delta);
    return delta;
}

// Refused in every place that reads profiles; the state stays as it was.
void check_refused(const std::string& bytes, error_kind kind = error_kind::malformed) {
    const std::string good = serialize(heap(10));
    const std::string better = serialize(heap(12));
    std::string out;
    CHECK(fails_as(kind, [&] { compute(*std::make_unique<delta_computer>(), bytes); }));
    CHECK(fails_as(kind, [&] { diff(good, bytes, {}, out); }));
    delta_computer computer;
    computer.prime(good);
    CHECK(fails_as(kind, [&] { compute(computer, bytes); }));
    CHECK(parse(compute(computer, better)).content.samples.at(0).values[0] == 2);
}

delta_options choose(const std::vector<std::string>& cumulative,
                     const std::vector<std::string>& gauge) {
    delta_options options;
    for (const auto& text : cumulative) {
        options.cumulative.emplace_back(text);
    }
    for (const auto& text : gauge) {
        options.gauge.emplace_back(text);
    }
    return options;
}

} // namespace

TEST_CASE("string numbers out of range are refused wherever they stand") {
    const std::string good = serialize(heap(11));
    const auto with = [&](std::uint32_t number, const message_builder& record) {
        return good + message_builder{}.bytes(number, record.str()).str();
    };
    constexpr std::uint64_t out_of_range = 1000;
    for (const std::uint32_t header : {7U, 8U, 13U, 14U, 15U}) {
        CAPTURE(header);
        check_refused(good + message_builder{}.number(header, out_of_range).str());
        check_refused(good + message_builder{}.number(header, std::uint64_t(-1)).str());
    }
    check_refused(with(3, message_builder{}.number(1, 9).number(5, out_of_range)));
    check_refused(with(3, message_builder{}.number(1, 9).number(6, out_of_range)));
    for (const std::uint32_t name : {2U, 3U, 4U}) {
        check_refused(with(5, message_builder{}.number(1, 9).number(name, out_of_range)));
    }
    check_refused(with(11, message_builder{}.number(1, out_of_range)));
    for (const std::uint32_t name : {1U, 2U, 4U}) {
        const std::string label = message_builder{}.number(name, out_of_range).str();
        check_refused(with(2, message_builder{}.number(2, 5).bytes(3, label)));
    }
}

TEST_CASE("profiles that measure something else are refused") {
    profile p = heap(11);
    p.types[0].unit = "pages";
    delta_computer computer;
    computer.prime(serialize(heap(10)));
    CHECK(fails_as(error_kind::incompatible, [&] { compute(computer, serialize(p)); }));
    p = heap(11);
    p.types.push_back({"inuse_space", "bytes"});
    p.samples[0].values.push_back(0);
    const auto fault = error_from([&] { compute(computer, serialize(p)); });
    REQUIRE(fault);
    CHECK(fault->kind() == error_kind::incompatible);
    const std::string message = fault->what(); // names both sides
    CHECK(message.find("alloc_space/bytes before") != std::string::npos);
    CHECK(message.find("alloc_space/bytes, inuse_space/bytes") != std::string::npos);
    CHECK(parse(compute(computer, serialize(heap(12)))).content.samples.at(0).values[0] == 2);
}

TEST_CASE("period types have to agree where there are two") {
    profile none = heap(10);
    profile space = heap(11);
    space.period_type = {"space", "bytes"};
    profile time = heap(12);
    time.period_type = {"time", "nanoseconds"};
    delta_computer computer;
    compute(computer, serialize(none));
    compute(computer, serialize(space));
    CHECK(fails_as(error_kind::incompatible, [&] { compute(computer, serialize(time)); }));
    compute(computer, serialize(none));
    CHECK(fails_as(error_kind::incompatible, [&] { compute(computer, serialize(time)); }));
    std::string out;
    CHECK(fails_as(error_kind::incompatible,
                   [&] { diff(serialize(space), serialize(time), {}, out); }));
    diff(serialize(none), serialize(time), {}, out);
}

TEST_CASE("nothing to subtract is an error that names the types, and no options of a program") {
    profile p = heap(10);
    p.types = {{"inuse_space", "bytes"}};
    delta_computer computer;
    const auto fault = error_from([&] { compute(computer, serialize(p)); });
    REQUIRE(fault);
    CHECK(fault->kind() == error_kind::no_cumulative_type);
    const std::string message = fault->what();
    CHECK(message.find("inuse_space/bytes") != std::string::npos);
    CHECK(message.find("--") == std::string::npos);
    std::string out;
    CHECK(diff(serialize(p), serialize(p), {}, out).samples_kept == 0);
    CHECK_FALSE(list_types(serialize(p)).at(0).cumulative);
}

TEST_CASE("options that do not fit the profile are refused") {
    const std::string bytes = serialize(heap(10));
    for (const auto& options :
         {choose({"nothing"}, {}), choose({}, {"nothing"}), choose({"alloc_space/count"}, {}),
          choose({"alloc_space"}, {"alloc_space/bytes"})}) {
        delta_computer computer{options};
        CHECK(fails_as(error_kind::incompatible, [&] { compute(computer, bytes); }));
        CHECK(fails_as(error_kind::incompatible, [&] { computer.prime(bytes); }));
    }
    CHECK(fails_as(error_kind::incompatible,
                   [&] { (void)list_types(bytes, choose({"nothing"}, {})); }));
    delta_computer only_gauges{choose({}, {"alloc_space"})};
    CHECK(fails_as(error_kind::no_cumulative_type, [&] { compute(only_gauges, bytes); }));
    CHECK(fails_as(error_kind::no_cumulative_type, [&] { only_gauges.prime(bytes); }));
}

TEST_CASE("a computer that refused its first profile takes another kind") {
    delta_computer computer;
    profile p = heap(10);
    p.types = {{"inuse_space", "bytes"}};
    CHECK(fails_as(error_kind::no_cumulative_type, [&] { compute(computer, serialize(p)); }));
    CHECK(parse(compute(computer, serialize(heap(5)))).content.samples.at(0).values[0] == 5);
}

TEST_CASE("a profile cut anywhere is refused or read, and changes nothing if refused") {
    random_series series{3};
    const std::string first = serialize(series.next());
    const std::string second = serialize(series.next());
    delta_computer untouched;
    untouched.prime(first);
    const std::string expected = compute(untouched, second);
    delta_computer computer;
    computer.prime(first);
    for (std::size_t size = 0; size < second.size(); ++size) {
        const std::string cut = second.substr(0, size);
        delta_computer probe;
        if (error_from([&] { compute(probe, cut); })) {
            CHECK(error_from([&] { compute(computer, cut); }));
        }
    }
    CHECK(compute(computer, second) == expected);
}

// What a delta says besides samples: headers, the records it copies, and what it leaves out.

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

TEST_CASE("how long counters that started over have counted is not known") {
    CHECK(delta_of(example(9, 1000), example(2, 1500)).duration == 0);
    CHECK(delta_of(example(9, 1000), example(2, 1500, 4)).duration == 4);
}

TEST_CASE("of OTLP a message without samples says nothing of counters") {
    constexpr std::int64_t second = 1'000'000'000;
    const std::string idle = [] {
        profile p = example(0, 20 * second);
        p.samples.clear();
        return serialize(p);
    }();
    for (const auto source : {profile_source::otlp, profile_source::protobuf}) {
        const bool is_idle = source == profile_source::otlp;
        delta_computer computer;
        std::string delta;
        computer.compute(serialize(example(100, 10 * second)), delta, source);
        const delta_summary none = computer.compute(idle, delta, source);
        CHECK(none.reset != is_idle);
        CHECK(parse(delta).content.samples.empty());
        CHECK((none.duration_nanos == 10 * second) == is_idle);
        const std::string saved = computer.save();
        delta_computer other;
        other.load(saved);
        for (delta_computer* const each : {&computer, &other}) {
            const delta_summary next =
                each->compute(serialize(example(150, 50 * second)), delta, source);
            CHECK_FALSE(next.reset);
            CHECK(next.duration_nanos == 30 * second);
            CHECK(parse(delta).content.samples.at(0).values.at(0) == (is_idle ? 50 : 150));
        }
    }
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

// Which samples are the same one. Each case changes one thing between two profiles.

namespace {

using change = std::function<void(profile&)>;

profile example() {
    profile p;
    p.types = {{"alloc_space", "bytes"}};
    p.mappings = {{1, 0x1000, 0x3000, 0x100, "app", "", false, ""},
                  {2, 0x9000, 0xa000, 0, "libc", "b1", false, ""}};
    p.functions = {{1, "f", "_f", "f.c", 10, ""}, {2, "g", "_g", "g.c", 20, ""}};
    p.locations = {{1, 1, 0x1234, {{1, 12, 3, ""}, {2, 22, 4, ""}}, false, ""},
                   {2, 2, 0x9010, {{2, 25, 0, ""}}, false, ""}};
    p.samples = {{{1, 2}, {10}, {{"k", "s", 0, "", ""}, {"n", "", 5, "kb", ""}}, ""}};
    return p;
}

bool is_same(const change& edit, match_mode match) {
    profile changed = example();
    edit(changed);
    delta_options options;
    options.match = match;
    std::string delta;
    const auto kept = diff(serialize(example()), serialize(changed), options, delta).samples_kept;
    CHECK((kept == 0 || kept == 2));
    CHECK(find_fault(delta) == "none");
    return kept == 0;
}

// Whether the sample counts as the same one after `edit`.
void check_same(const change& edit, bool exact, bool line, bool function) {
    CHECK(is_same(edit, match_mode::exact) == exact);
    CHECK(is_same(edit, match_mode::line) == line);
    CHECK(is_same(edit, match_mode::function) == function);
}

} // namespace

TEST_CASE("what is the same under every match mode") {
    const auto same = [](const change& edit) { check_same(edit, true, true, true); };
    same([](profile&) {});
    // ASLR
    same([](profile& p) {
        p.mappings[0].start += 0x5000;
        p.mappings[0].limit += 0x5000;
        p.locations[0].address += 0x5000;
    });
    // sizes are rounded up to pages
    same([](profile& p) { p.mappings[0].limit -= 1; });
    same([](profile& p) { p.mappings[0].limit -= 0xfff; });
    same([](profile& p) { p.mappings[1].file = "other name, same build id"; });
    same([](profile& p) { p.mappings[0].has_functions = true; });
    same([](profile& p) { p.mappings[0].unknown = message_builder{}.number(99, 1).str(); });
    same([](profile& p) { std::swap(p.samples[0].labels[0], p.samples[0].labels[1]); });
    same([](profile& p) {
        p.locations[0].id = 77;
        p.samples[0].stack[0] = 77;
    });
    same([](profile& p) { std::swap(p.locations[0], p.locations[1]); });
}

TEST_CASE("what is the same to source lines only") {
    const auto lines_only = [](const change& edit) { check_same(edit, false, true, true); };
    lines_only([](profile& p) { p.mappings[0].limit += 1; });
    lines_only([](profile& p) { p.mappings[0].offset = 0; });
    lines_only([](profile& p) { p.mappings[0].file = "app2"; });
    lines_only([](profile& p) { p.mappings[0].build_id = "b2"; });
    lines_only([](profile& p) { p.mappings[1].build_id = "b2"; });
    lines_only([](profile& p) { p.locations[0].address += 1; });
    lines_only([](profile& p) { p.locations[0].address = 0; });
    lines_only([](profile& p) { p.locations[0].mapping = 0; });
    lines_only([](profile& p) { p.locations[0].mapping = 2; });
    lines_only([](profile& p) { p.locations[0].folded = true; });
    lines_only([](profile& p) { p.locations[0].lines[0].column = 4; });
    lines_only([](profile& p) { p.functions[0].system_name = "_f2"; });
    lines_only([](profile& p) { p.functions[0].start_line = 11; });
}

TEST_CASE("line numbers count unless functions are matched") {
    check_same([](profile& p) { p.locations[0].lines[0].number = 13; }, false, false, true);
    check_same([](profile& p) { p.locations[0].lines[1].number = 13; }, false, false, true);
}

TEST_CASE("what is different under every match mode") {
    const auto different = [](const change& edit) { check_same(edit, false, false, false); };
    different([](profile& p) { p.functions[0].name = "h"; });
    different([](profile& p) { p.functions[1].file = "h.c"; });
    different([](profile& p) { p.locations[0].lines[0].function = 0; });
    different([](profile& p) { std::swap(p.locations[0].lines[0], p.locations[0].lines[1]); });
    different([](profile& p) { p.locations[0].lines.pop_back(); });
    different([](profile& p) { std::swap(p.samples[0].stack[0], p.samples[0].stack[1]); });
    different([](profile& p) { p.samples[0].stack.pop_back(); });
    different([](profile& p) { p.samples[0].stack.push_back(1); });
    different([](profile& p) { p.samples[0].labels.pop_back(); });
    different([](profile& p) { p.samples[0].labels[0].key = "k2"; });
    different([](profile& p) { p.samples[0].labels[0].str = "s2"; });
    different([](profile& p) { p.samples[0].labels[1].num = 6; });
    different([](profile& p) { p.samples[0].labels[1].unit = "mb"; });
    different([](profile& p) { p.samples[0].labels.push_back({"key alone", "", 0, "", ""}); });
    different([](profile& p) { p.samples[0].labels.push_back(p.samples[0].labels[0]); });
    different(
        [](profile& p) { std::swap(p.samples[0].labels[0].str, p.samples[0].labels[0].key); });
}

TEST_CASE("without lines, a frame is its address in every match mode") {
    const auto without_lines = [](profile& p) {
        p.locations[0].lines.clear();
        p.locations[1].lines.clear();
    };
    for (const auto match : {match_mode::exact, match_mode::line, match_mode::function}) {
        delta_options options;
        options.match = match;
        profile before = example();
        profile now = example();
        without_lines(before);
        without_lines(now);
        std::string delta;
        CHECK(diff(serialize(before), serialize(now), options, delta).samples_kept == 0);
        now.locations[0].address += 1;
        CHECK(diff(serialize(before), serialize(now), options, delta).samples_kept == 2);
    }
}

TEST_CASE("address 0 is none, not the start of a mapping") {
    profile p = example();
    p.samples = {{{1}, {1}, {}, ""}, {{2}, {2}, {}, ""}};
    p.locations[1] = p.locations[0];
    p.locations[1].id = 2;
    p.locations[0].address = 0;
    p.locations[1].address = p.mappings[0].start;
    delta_computer computer;
    std::string delta;
    CHECK(computer.compute(serialize(p), delta).samples_kept == 2);
}

TEST_CASE("frames without addresses are told apart by their lines") {
    profile p;
    p.types = {{"alloc_space", "bytes"}};
    p.samples = {{{add_frame(p, "foo", "a.js", 1)}, {100}, {}, ""},
                 {{add_frame(p, "bar", "a.js", 2)}, {200}, {}, ""}};
    delta_computer computer;
    computer.prime(serialize(p));
    p.samples[0].values[0] += 50;
    p.samples[1].values[0] += 800;
    std::string delta;
    CHECK(computer.compute(serialize(p), delta).samples_kept == 2);
    CHECK(parse(delta).content.samples[0].values[0] == 50);
    CHECK(parse(delta).content.samples[1].values[0] == 800);
}

TEST_CASE("inlined frames are not calls of the same functions") {
    profile inlined = example();
    inlined.samples[0].stack = {1};
    profile called = example();
    called.locations[1] = called.locations[0];
    called.locations[1].id = 2;
    called.locations[0].lines.pop_back();
    called.locations[1].lines.erase(called.locations[1].lines.begin());
    for (const auto match : {match_mode::exact, match_mode::line, match_mode::function}) {
        delta_options options;
        options.match = match;
        std::string delta;
        CHECK(diff(serialize(inlined), serialize(called), options, delta).samples_kept == 2);
    }
}

namespace {

profile_types types(std::vector<value_type> sample_types, value_type period_type = {}) {
    return {std::move(sample_types), std::move(period_type)};
}

using places = std::vector<std::uint32_t>;

} // namespace

TEST_CASE("the known cumulative types are subtracted") {
    const auto plan = plan_subtraction(types({{"inuse_objects", "count"},
                                              {"alloc_objects", "count"},
                                              {"inuse_space", "bytes"},
                                              {"alloc_space", "bytes"},
                                              {"contentions", "count"},
                                              {"delay", "nanoseconds"}}),
                                       {});
    CHECK(plan.cumulative == places{1, 3, 4, 5});
    CHECK(plan.is_cumulative == std::vector<bool>{false, true, false, true, true, true});
}

TEST_CASE("a known name in another unit is not known") {
    CHECK(plan_subtraction(types({{"alloc_objects", "bytes"},
                                  {"alloc_space", "count"},
                                  {"delay", "count"},
                                  {"contentions", "nanoseconds"},
                                  {"samples", "count"}}),
                           {})
              .cumulative.empty());
}

TEST_CASE("contentions of one Java recording are not cumulative") {
    const std::vector<value_type> mutex{{"contentions", "count"}, {"delay", "nanoseconds"}};
    CHECK(plan_subtraction(types(mutex, {"mutex", "count"}), {}).cumulative.empty());
    CHECK(plan_subtraction(types(mutex, {"contentions", "count"}), {}).cumulative == places{0, 1});
    CHECK(plan_subtraction(types(mutex), {}).cumulative == places{0, 1});
    CHECK(plan_subtraction(types({{"alloc_space", "bytes"}}, {"mutex", "count"}), {}).cumulative ==
          places{0});
}

TEST_CASE("options override the known types") {
    const auto heap =
        types({{"alloc_space", "bytes"}, {"inuse_space", "bytes"}, {"x", "a"}, {"x", "b"}});
    delta_options options;
    options.cumulative.emplace_back("x");
    options.gauge.emplace_back("alloc_space");
    CHECK(plan_subtraction(heap, options).cumulative == places{2, 3});
    options.cumulative = {value_type_pattern{"x/b"}, value_type_pattern{"inuse_space"}};
    options.gauge.clear();
    CHECK(plan_subtraction(heap, options).cumulative == places{0, 1, 3});
}

TEST_CASE("options that cannot be meant are refused by name") {
    const auto heap = types({{"alloc_space", "bytes"}, {"x", "a"}});
    delta_options options;
    options.gauge.emplace_back("y");
    const auto fault = error_from([&] { (void)plan_subtraction(heap, options); });
    REQUIRE(fault);
    CHECK(fault->kind() == error_kind::incompatible);
    CHECK(std::string{fault->what()} == "no sample type is y; there are: alloc_space/bytes, x/a");
    options.gauge = {value_type_pattern{"x"}};
    options.cumulative = {value_type_pattern{"x/a"}};
    CHECK(fails_as(error_kind::incompatible, [&] { (void)plan_subtraction(heap, options); }));
}

TEST_CASE("a plan has to subtract something") {
    const auto gauges = types({{"inuse_space", "bytes"}});
    const auto plan = plan_subtraction(gauges, {});
    CHECK(fails_as(error_kind::no_cumulative_type, [&] { require_cumulative(plan, gauges); }));
    const auto heap = types({{"alloc_space", "bytes"}});
    require_cumulative(plan_subtraction(heap, {}), heap);
}

namespace {

test::profile with_values(const std::vector<std::vector<std::int64_t>>& all) {
    test::profile p;
    p.types = {{"objects", "count"}, {"space", "bytes"}};
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto frame = test::add_frame(p, "f" + std::to_string(i));
        p.samples.push_back({{frame}, all[i], {{"key", "text"}}, ""});
    }
    return p;
}

std::vector<std::vector<std::int64_t>> values_of(const std::string& bytes) {
    std::vector<std::vector<std::int64_t>> all;
    for (const auto& sample : test::parse(bytes).content.samples) {
        all.push_back(sample.values);
    }
    return all;
}

normalized_profile normalized(const test::profile& previous, const test::profile& current,
                              normalization by = normalization::total) {
    return normalize(test::serialize(previous), test::serialize(current), by);
}

} // namespace

TEST_CASE("each type is scaled to its own total, and halves are rounded away from zero") {
    const test::profile before = with_values({{1, 10}, {3, -10}, {-1, 40}, {1, 0}});
    const test::profile now = with_values({{6, 20}});
    const normalized_profile result = normalized(before, now);
    CHECK(result.factors == std::vector<double>{1.5, 0.5});
    CHECK(values_of(result.profile) ==
          std::vector<std::vector<std::int64_t>>{{2, 5}, {5, -5}, {-2, 20}, {2, 0}});
    CHECK(test::parse(result.profile).content.samples[0].labels == before.samples[0].labels);
}

TEST_CASE("a total of zero stays, and samples of zeros are left out") {
    const normalized_profile result =
        normalized(with_values({{0, 5}, {7, 0}, {-7, 0}}), with_values({{1, 10}}));
    CHECK(result.factors == std::vector<double>{0, 2});
    CHECK(values_of(result.profile) == std::vector<std::vector<std::int64_t>>{{0, 10}});
    CHECK(test::parse(result.profile).content.functions.size() == 1);
}

TEST_CASE("what does not fit into 64 bits saturates") {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
    const normalized_profile result =
        normalized(with_values({{3, 1}, {-2, 0}, {0, 1}}), with_values({{most, 4}}));
    CHECK(values_of(result.profile) ==
          std::vector<std::vector<std::int64_t>>{{most, 2}, {least, 0}, {0, 2}});
}

TEST_CASE("by duration all types have one factor") {
    test::profile before = with_values({{2, 10}});
    test::profile now = with_values({{5, 5}});
    const auto scale = [&] { return normalized(before, now, normalization::duration); };
    CHECK(fails_as(error_kind::incompatible, scale));
    before.duration = 2'000'000'000;
    CHECK(fails_as(error_kind::incompatible, scale));
    now.duration = 5'000'000'000;
    CHECK(scale().factors == std::vector<double>{2.5, 2.5});
    CHECK(values_of(scale().profile) == std::vector<std::vector<std::int64_t>>{{5, 25}});
    CHECK(test::parse(scale().profile).content.duration == before.duration);
    before.duration = -1;
    CHECK(fails_as(error_kind::incompatible, scale));
}

TEST_CASE("profiles that do not go together are not normalized") {
    test::profile other = with_values({{1, 1}});
    other.types[0].unit = "bytes";
    CHECK(fails_as(error_kind::incompatible, [&] { normalized(with_values({{1, 1}}), other); }));
    CHECK(fails_as(error_kind::malformed, [&] {
        static_cast<void>(normalize("x", test::serialize(other), normalization::total));
    }));
}

TEST_CASE("a profile in proportion has no change when it is normalized") {
    const std::string before = test::serialize(with_values({{1, 10}, {2, 30}}));
    const std::string now = test::serialize(with_values({{7, 50}, {14, 150}}));
    const std::string scaled = normalize(before, now, normalization::total).profile;
    CHECK(totals(scaled) == totals(now));
    std::string delta;
    CHECK(diff(scaled, now, {}, delta).samples_kept == 0);
    CHECK(diff(before, now, {}, delta).samples_kept == 2);
}

TEST_CASE("a comment comes after those that are there") {
    test::profile p = with_values({{1, 2}});
    p.comments = {"one", "two"};
    std::string bytes = test::serialize(p);
    add_comment(bytes, "three");
    add_comment(bytes, "");
    p.comments.insert(p.comments.end(), {"three", ""});
    CHECK(test::parse(bytes).content == p);
    std::string nothing = "x";
    CHECK(fails_as(error_kind::malformed, [&] { add_comment(nothing, "text"); }));
    CHECK(nothing == "x");
}
