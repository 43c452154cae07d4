// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <limits>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/limits.hpp>
#include <pprofdelta/normalize.hpp>

#include "delta/series.hpp"
#include "profile/producers.hpp"

#include "allocations.hpp"
#include "catch.hpp"
#include "error_from.hpp"
#include "profile_builder.hpp"
#include "profile_reader.hpp"
#include "random_profile.hpp"

using namespace pprofdelta::test;
using namespace pprofdelta;

// The rules by which delta_computer treats values and samples, one at a time. tests/fuzz/delta.cpp
// has all of them at once.

namespace {

// A heap profile of functions without callers, such as "f 100 40, g 5 1": what each has allocated,
// and has in use. All are of one process, as its mapping says.
profile heap(const std::string& functions) {
    profile p;
    p.mappings = {{1, 0x7ffff7fc9000, 0x7ffff7fcb000, 0, "[vdso]"}};
    p.types = {{"alloc_space", "bytes"}, {"inuse_space", "bytes"}};
    std::istringstream list{functions};
    for (std::string function; std::getline(list, function, ',');) {
        std::istringstream words{function};
        std::string name;
        std::vector<std::int64_t> values(2);
        words >> name >> values[0] >> values[1];
        p.samples.push_back({{add_frame(p, name)}, values});
    }
    return p;
}

// The same of a delta, in the order of the samples.
std::string text_of(const std::string& delta) {
    CHECK(find_fault(delta) == "none");
    const profile p = parse(delta).content;
    std::string text;
    for (const auto& each : p.samples) {
        const auto& frame = p.locations.at(each.stack.at(0) - 1); // ids are dense
        text += (text.empty() ? "" : ", ") + p.functions.at(frame.lines.at(0).function - 1).name +
                " " + std::to_string(each.values.at(0)) + " " + std::to_string(each.values.at(1));
    }
    return text;
}

// "reset: " before the delta if the counters have started over; "refused" for an error.
std::string step(delta_computer& computer, const std::string& functions) {
    std::string delta;
    delta_summary summary;
    if (const auto fault =
            error_from([&] { summary = computer.compute(serialize(heap(functions)), delta); })) {
        return fault->kind() == error_kind::reset ? "refused" : fault->what();
    }
    CHECK(summary.samples_kept == parse(delta).content.samples.size());
    return (summary.reset ? "reset: " : "") + text_of(delta);
}

struct rule {
    const char* name;
    delta_options options;
    const char* before;
    std::vector<std::pair<const char*, const char*>> steps; // a profile, and its delta
};

const delta_options usual;
const delta_options negative{.cumulative = {}, .gauge = {}, .on_reset = reset_policy::negative};
const delta_options drop{.cumulative = {}, .gauge = {}, .on_reset = reset_policy::drop};
const delta_options refuse{.cumulative = {}, .gauge = {}, .on_reset = reset_policy::error};
const delta_options without_negative{.cumulative = {}, .gauge = {}, .drop_negative = true};

const rule rules[] = {
    {"counters are subtracted, gauges pass through", usual, "f 100 40", {{"f 130 35", "f 30 35"}}},
    {"the first delta is the profile without what is all zero",
     usual,
     "",
     {{"f 5 0, g 0 0, h 0 1", "f 5 0, h 0 1"}}},
    {"a sample stays as long as one value is not zero",
     usual,
     "f 5 1, g 5 1, h 5 1",
     {{"f 5 0, g 5 1, h 6 0", "g 0 1, h 1 0"}}},
    {"a new sample counts from zero", usual, "f 5 1", {{"f 5 1, g 7 2", "f 0 1, g 7 2"}}},
    {"a sample that vanished yields nothing, and is remembered",
     usual,
     "f 5 1, g 100 0",
     {{"g 100 0", ""}, {"g 101 0", "g 1 0"}, {"f 8 1, g 101 0", "f 3 1"}}},
    {"samples of one stack are added up before they are compared",
     usual,
     "",
     {{"f 1 10, f 2 20, f 4 40", "f 7 70"}, {"f 8 70", "f 1 70"}}},
    {"parts that cancel out are no sample", usual, "", {{"f 1 -5, f -1 5", ""}}},
    {"values wrap around at 64 bits",
     negative,
     "f -9223372036854775808 0, g 1 0",
     {{"f 9223372036854775807 0, g -9223372036854775808 0", "f -1 0, g 9223372036854775807 0"}}},
    {"a single negative value is kept",
     usual,
     "f 100 1, g 10 1",
     {{"f 110 1, g 7 1", "f 10 1, g -3 1"}}},
    {"drop_negative looks at counters only, and what it leaves out is remembered",
     without_negative,
     "f 100 1, g 10 1, h 10 1",
     {{"f 110 -1, g 7 1, h 10 -2", "f 10 -1, h 0 -2"}, {"f 110 0, g 9 0, h 10 0", "g 2 0"}}},
    {"a gauge makes no reset, nor does what others gain hide one",
     usual,
     "f 100 1000",
     {{"f 100 1", "f 0 1"}, {"f 10 1, g 5000 1", "reset: f 10 1, g 5000 1"}}},
    {"what vanishes is no reset, and what falls is, but for those gone before",
     usual,
     "f 100 0, g 150 0",
     {{"g 150 0", ""}, {"g 60 0", "reset: g 60 0"}, {"h 1 0", "reset: h 1 0"}, {"", ""}}},
    {"on_reset emit gives the current values and forgets the rest",
     usual,
     "f 100 1, g 100 1, h 10 1",
     {{"f 5 2, g 0 3", "reset: f 5 2, g 0 3"}, {"f 6 2, h 11 1", "f 1 2, h 11 1"}}},
    {"on_reset drop gives no samples and goes on from there",
     drop,
     "f 100 1, h 10 1",
     {{"f 5 2", "reset: "}, {"f 6 2, h 11 1", "f 1 2, h 11 1"}}},
    {"on_reset error changes nothing",
     refuse,
     "f 100 1, h 10 1",
     {{"f 5 2, n 7 7", "refused"},
      {"f 101 2, n 8 0", "f 1 2, n 8 0"},
      {"f 101 0, n 8 0, h 12 0", "h 2 0"}}},
    {"on_reset negative subtracts all the same",
     negative,
     "f 100 1, h 10 1",
     {{"f 5 2", "f -95 2"}, {"f 6 2, h 11 1", "f 1 2, h 1 1"}}},
};

} // namespace

TEST_CASE("a delta is by the rules") {
    for (const auto& [name, options, before, steps] : rules) {
        CAPTURE(name);
        delta_computer computer{options};
        if (*before != '\0') {
            computer.prime(serialize(heap(before)));
        }
        for (const auto& [profile, delta] : steps) {
            CHECK(step(computer, profile) == delta);
        }
    }
}

TEST_CASE("totals are those of the samples that are written") {
    using values = std::vector<std::int64_t>;
    delta_computer computer;
    CHECK(computer.totals().empty());
    step(computer, "a 10 1, b 5 2");
    CHECK(computer.totals() == values{15, 3});
    step(computer, "a 11 4, b 8 1, c 0 0");
    CHECK(computer.totals() == values{4, 5});
    step(computer, "a 11 9223372036854775807, b 8 1");
    CHECK(fails_as(error_kind::too_large, [&] { static_cast<void>(computer.totals()); }));
    step(computer, "a 11 0");
    CHECK(computer.totals() == values{0, 0});
}

TEST_CASE("one cumulative type is enough for a reset") {
    profile p;
    p.types = heap_types();
    const auto frame = add_frame(p, "f");
    p.samples = {{{frame}, {100, 1000, 0, 0}}};
    delta_computer computer;
    computer.prime(serialize(p));
    p.samples[0].values = {101, 400, 0, 0};
    std::string delta;
    CHECK(computer.compute(serialize(p), delta).reset);
    CHECK(parse(delta).content.samples.at(0).values == p.samples[0].values);
}

TEST_CASE("prime makes a profile the one before, whatever it has lost") {
    delta_computer computer{refuse};
    computer.prime(serialize(heap("f 100 1")));
    computer.prime(serialize(heap("f 10 1")));
    CHECK(step(computer, "f 11 1") == "f 1 1");
}

TEST_CASE("a computer can be moved, and goes on where it was") {
    delta_computer first;
    step(first, "f 100 1");
    delta_computer second{std::move(first)};
    CHECK(step(second, "f 101 1") == "f 1 1");
    first = delta_computer{}; // one moved from can be assigned to, and then starts anew
    CHECK(step(first, "f 101 1") == "f 101 1");
    first = std::move(second);
    CHECK(step(first, "f 102 1") == "f 1 1");
}

// Profiles that are refused, which leaves everything as it was.

namespace {

profile one_sample(std::int64_t value, std::int64_t time = 0, std::int64_t duration = 0) {
    profile p;
    p.types = {{"alloc_space", "bytes"}};
    p.samples = {{{add_frame(p, "f", "f.c", 3)}, {value}, {{"key", "text"}}}};
    p.time = time;
    p.duration = duration;
    return p;
}

void check_refused(const std::string& bytes) {
    std::string out;
    CHECK(fails_as(error_kind::malformed, [&] { delta_computer{}.compute(bytes, out); }));
}

} // namespace

TEST_CASE("string numbers out of range are refused wherever they stand") {
    const std::string good = serialize(one_sample(11));
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

TEST_CASE("sample types have to be equal, in order, and period types where there are two") {
    struct variant {
        std::vector<value_type> types;
        value_type period{};
        bool fits = false;
    };
    const std::vector<value_type> ab{{"a", "x"}, {"alloc_space", "bytes"}};
    const auto of = [](const variant& from) {
        profile p;
        p.types = from.types;
        p.period_type = from.period;
        return serialize(p);
    };
    for (const auto& [before, now] :
         std::vector<std::pair<variant, variant>>{{{ab}, {ab, {}, true}},
                                                  {{ab}, {{ab[1], ab[0]}}},
                                                  {{ab}, {{ab[1]}}},
                                                  {{ab}, {{{"a", "y"}, ab[1]}}},
                                                  {{ab, {"p", "q"}}, {ab, {"p", "q"}, true}},
                                                  {{ab, {"p", "q"}}, {ab, {}, true}},
                                                  {{ab}, {ab, {"p", "q"}, true}},
                                                  {{ab, {"p", "q"}}, {ab, {"p", "r"}}}}) {
        CAPTURE(to_string(now.types), to_string(before.period), to_string(now.period));
        delta_computer computer;
        computer.prime(of(before));
        std::string delta;
        CHECK(fails_as(error_kind::incompatible,
                       [&, &current = now] { computer.compute(of(current), delta); }) != now.fits);
        CHECK(fails_as(error_kind::incompatible, [&, &previous = before, &current = now] {
                  diff(of(previous), of(current), {}, delta);
              }) != now.fits);
    }
}

TEST_CASE("a period type counts for those that follow a profile without one") {
    profile p = one_sample(10);
    p.period_type = {"space", "bytes"};
    delta_computer computer;
    computer.prime(serialize(p));
    computer.prime(serialize(one_sample(11)));
    p.period_type = {"time", "nanoseconds"};
    std::string delta;
    CHECK(fails_as(error_kind::incompatible, [&] { computer.compute(serialize(p), delta); }));
}

// The facts that a delta states besides samples.

TEST_CASE("a duration lies between two times in order, or is the current profile's") {
    constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    struct example {
        std::int64_t before;
        std::int64_t now;
        std::int64_t own;
        std::int64_t duration;
    };
    for (const auto& [before, now, own, duration] : {
             example{1000, 1500, 4, 500},
             example{1000, 1000, 4, 0},
             example{0, 1500, 4, 4},
             example{1000, 0, 4, 4},
             example{1500, 1000, 4, 4},
             example{-1000, -1000, 4, 4}, // as good as none
             example{least, most, 4, 4},
         }) {
        CAPTURE(before, now);
        delta_computer computer{{.cumulative = {value_type_pattern{"alloc_space"}}, .gauge = {}}};
        std::string delta;
        computer.compute(serialize(one_sample(9, before, own)), delta);
        CHECK(parse(delta).content.duration == own);
        computer.compute(serialize(one_sample(10, now, own)), delta);
        CHECK(parse(delta).content.time == now);
        CHECK(parse(delta).content.duration == duration);
        // How long counters that started over have counted is not known.
        computer.compute(serialize(one_sample(1, most)), delta);
        CHECK(parse(delta).content.duration == 0);
    }
}

TEST_CASE("an OTLP message without samples says nothing of counters") {
    constexpr std::int64_t second = 1'000'000'000;
    const std::string idle = [] {
        profile p = one_sample(0, 20 * second);
        p.samples.clear();
        return serialize(p);
    }();
    for (const auto source : {profile_source::otlp, profile_source::protobuf}) {
        const bool is_idle = source == profile_source::otlp;
        delta_computer computer;
        std::string delta;
        computer.compute(serialize(one_sample(100, 10 * second)), delta, source);
        const delta_summary none = computer.compute(idle, delta, source);
        CHECK(none.reset != is_idle);
        CHECK(parse(delta).content.samples.empty());
        CHECK((none.duration_nanos == 10 * second) == is_idle);
        const std::string saved = computer.save();
        delta_computer other;
        other.load(saved);
        for (delta_computer* const each : {&computer, &other}) {
            const delta_summary next =
                each->compute(serialize(one_sample(150, 50 * second)), delta, source);
            CHECK_FALSE(next.reset);
            CHECK(next.duration_nanos == 30 * second);
            CHECK(parse(delta).content.samples.at(0).values.at(0) == (is_idle ? 50 : 150));
        }
    }
}

TEST_CASE("records are copied with all that they say") {
    const std::string unknown_a = message_builder{}.number(100, 7).str();
    const std::string unknown_b = message_builder{}.bytes(101, "later").str();
    profile now = one_sample(2);
    now.mappings = {{1, 0x1000, 0x2000, 0x10, "app", "b1", true, unknown_a}};
    now.functions[0] = {1, "f", "_f", "f.c", 7, unknown_b};
    now.locations[0] = {1, 1, 0x1234, {{1, 12, 3, unknown_a}}, true, unknown_b};
    now.samples[0].labels = {{"k", "s", 0, "", unknown_a}, {"n", "", 5, "kb"}, {"k", ""}};
    now.samples[0].unknown = unknown_b;
    delta_computer computer;
    computer.prime(serialize(one_sample(1)));
    std::string delta;
    computer.compute(serialize(now), delta);
    CHECK(parse(delta).content == now);
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

// The bound is that of delta.hpp: 64 KiB, 100 bytes for a sample and 40 for a location, function
// and string, and up to twice that where a table has just grown.
TEST_CASE("memory keeps to its bound while stacks come, and is level when none do") {
    constexpr std::size_t last_growth = 30;
    delta_computer computer;
    std::string delta;
    std::size_t memory = 0; // without the delta
    std::size_t early = 0;
    profile p;
    p.types = heap_types();
    for (std::size_t i = 0; i < 60; ++i) {
        add_frame(p, "function " + std::to_string(i));
    }
    for (std::size_t round = 0; round < 10 * last_growth; ++round) {
        for (std::size_t i = 0; i < 100 && round < last_growth; ++i) {
            const std::size_t next = p.samples.size();
            p.samples.push_back({{1 + next / 60, 1 + next % 60}, {0, 0, 1, 16}});
        }
        for (sample& each : p.samples) {
            each.values[0] += 1;
            each.values[1] += 16;
        }
        const std::string bytes = serialize(p);
        const std::size_t before = bytes_in_use() - delta.capacity();
        computer.compute(bytes, delta);
        memory += bytes_in_use() - delta.capacity() - before;
        const std::size_t bound = (std::size_t{64} << 10U) +
                                  2 * (100 * p.samples.size() + 40 * (3 * p.functions.size() + 10));
        CHECK(memory <= bound);
        early = round == last_growth ? memory : early;
    }
    CHECK(memory <= early + early / 50);
    CHECK(parse(delta).content.samples.at(0).values == std::vector<std::int64_t>{1, 16, 1, 16});
}

// The identity of samples: each case changes one thing between two profiles. The frames and labels
// of random series, which are nearly the same, have what makes samples different.

namespace {

using change = std::function<void(profile&)>;

profile example() {
    profile p;
    p.types = {{"alloc_space", "bytes"}};
    p.mappings = {{1, 0x1000, 0x3000, 0x100, "app"}, {2, 0x9000, 0xa000, 0, "libc", "b1"}};
    p.functions = {{1, "f", "_f", "f.c", 10, ""}, {2, "g", "_g", "g.c", 20, ""}};
    p.locations = {{1, 1, 0x1234, {{1, 12, 3, ""}, {2, 22, 4, ""}}, false, ""},
                   {2, 2, 0x9010, {{2, 25, 0, ""}}, false, ""}};
    p.samples = {{{1, 2}, {10}, {{"k", "s"}, {"n", "", 5, "kb"}}}};
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

} // namespace

TEST_CASE("samples that every match mode takes for the same") {
    const auto same = [](const change& edit) {
        for (const match_mode match : {match_mode::exact, match_mode::line, match_mode::function}) {
            CHECK(is_same(edit, match));
        }
    };
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

TEST_CASE("address 0 is none, not the start of a mapping") {
    profile p = example();
    p.samples = {{{1}, {1}}, {{2}, {2}}};
    p.locations[1] = p.locations[0];
    p.locations[1].id = 2;
    p.locations[0].address = 0;
    p.locations[1].address = p.mappings[0].start;
    delta_computer computer;
    std::string delta;
    CHECK(computer.compute(serialize(p), delta).samples_kept == 2);
}

// The choice of types that are subtracted.

TEST_CASE("types are subtracted by their names and units, or as options say") {
    struct example {
        std::vector<value_type> types;
        std::string cumulative; // by options
        std::string gauge;
        std::vector<std::uint32_t> subtracted;
        value_type period{};
    };
    const std::vector<value_type> heap = heap_types();
    const std::vector<value_type> mutex{{"contentions", "count"}, {"delay", "nanoseconds"}};
    const std::vector<value_type> others{{"alloc_space", "bytes"}, {"x", "a"}, {"x", "b"}};
    for (const auto& [types, cumulative, gauge, subtracted, period] : {
             example{heap, "", "", {0, 1}},
             example{mutex, "", "", {0, 1}},
             example{mutex, "", "", {0, 1}, {"contentions", "count"}},
             example{mutex, "", "", {}, {"mutex", "count"}}, // of one recording of Java
             example{{heap[1]}, "", "", {0}, {"mutex", "count"}},
             example{{{"alloc_objects", "bytes"}, {"alloc_space", "count"}}, "", "", {}},
             example{{{"delay", "count"}, {"contentions", "nanoseconds"}}, "", "", {}},
             example{{{"samples", "count"}}, "", "", {}},
             example{others, "x", "alloc_space", {1, 2}},
             example{others, "x/b", "", {0, 2}},
         }) {
        CAPTURE(to_string(types), cumulative, gauge, to_string(period));
        delta_options options;
        if (!cumulative.empty()) {
            options.cumulative.emplace_back(cumulative);
        }
        if (!gauge.empty()) {
            options.gauge.emplace_back(gauge);
        }
        const subtraction_plan plan = plan_subtraction({types, period}, options);
        CHECK(plan.cumulative == subtracted);
        for (std::uint32_t i = 0; i < types.size(); ++i) {
            CHECK((plan.kinds[i] == value_kind::cumulative) ==
                  (std::ranges::count(subtracted, i) != 0));
        }
    }
}

TEST_CASE("each known type of each producer has its kind, and the others go by the duration") {
    constexpr auto gauge = value_kind::gauge;
    constexpr auto cumulative = value_kind::cumulative;
    constexpr auto interval = value_kind::interval;
    struct example {
        value_type type;
        value_type period_type;
        value_kind alone;
        value_kind with_duration;
    };
    const value_type space{"space", "bytes"};
    for (const auto& [type, period_type, alone, with_duration] : {
             example{{"alloc_objects", "count"}, space, cumulative, interval},
             example{{"alloc_space", "bytes"}, space, cumulative, interval},
             example{{"inuse_objects", "count"}, space, gauge, gauge},
             example{{"inuse_space", "bytes"}, space, gauge, gauge},
             example{{"alloc_objects", "count"}, {"alloc_space", "bytes"}, interval, interval},
             example{{"alloc_space", "bytes"}, {"alloc_space", "bytes"}, interval, interval},
             example{{"inuse_objects", "count"}, {"alloc_space", "bytes"}, interval, interval},
             example{{"inuse_space", "bytes"}, {"alloc_space", "bytes"}, interval, interval},
             example{{"alloc_bytes", "bytes"}, space, cumulative, interval},
             example{{"inuse_bytes", "bytes"}, space, gauge, gauge},
             example{{"contentions", "count"}, {"contentions", "count"}, cumulative, interval},
             example{{"delay", "nanoseconds"}, {"contentions", "count"}, cumulative, interval},
             example{{"contentions", "count"}, {"mutex", "count"}, interval, interval},
             example{{"delay", "nanoseconds"}, {"mutex", "count"}, interval, interval},
             example{{"contentions", "count"}, {"block", "count"}, interval, interval},
             example{{"delay", "nanoseconds"}, {"block", "count"}, interval, interval},
             example{{"alloc_in_new_tlab_objects", "count"}, space, interval, interval},
             example{{"alloc_in_new_tlab_bytes", "bytes"}, space, interval, interval},
             example{{"alloc_outside_tlab_objects", "count"}, space, interval, interval},
             example{{"alloc_outside_tlab_bytes", "bytes"}, space, interval, interval},
             example{{"live", "count"}, {"objects", "count"}, gauge, gauge},
             example{{"goroutine", "count"}, {"goroutine", "count"}, gauge, gauge},
             example{{"goroutineleak", "count"}, {"goroutineleak", "count"}, gauge, gauge},
             example{{"threadcreate", "count"}, {"threadcreate", "count"}, gauge, gauge},
             example{{"objects", "count"}, space, gauge, gauge},
             example{space, space, gauge, gauge},
             example{{"samples", "count"}, {"cpu", "nanoseconds"}, interval, interval},
             example{{"cpu", "nanoseconds"}, {"cpu", "nanoseconds"}, interval, interval},
             example{{"sample", "count"}, {"wall", "nanoseconds"}, interval, interval},
             example{{"wall", "nanoseconds"}, {"wall", "nanoseconds"}, interval, interval},
             example{{"mystery", "count"}, {}, gauge, interval},
         }) {
        CAPTURE(to_string(type), to_string(period_type));
        CHECK(kind_of(type, period_type, false) == alone);
        CHECK(kind_of(type, period_type, true) == with_duration);
    }
}

namespace {

// A heap of Go, of one block of 1 KiB sampled so many times.
profile go_heap(std::int64_t sampled, std::int64_t period) {
    profile p;
    p.types = heap_types();
    p.period_type = {"space", "bytes"};
    p.period = period;
    const heap_sample all = scale_heap_sample({sampled, sampled * 1024}, period);
    p.mappings.push_back({1, 0x7f0000000000, 0x7f0000001000, 0, "[vdso]"});
    p.samples = {{{add_frame(p, "main.request")}, {all.count, all.bytes, 0, 0}}};
    return p;
}

} // namespace

TEST_CASE("counters that were scaled with two periods are subtracted before they are scaled") {
    delta_computer computer;
    std::string delta;
    CHECK(computer.compute(serialize(go_heap(88'479, 4096)), delta).period == 4096);
    const delta_summary there = computer.compute(serialize(go_heap(88'557, 524288)), delta);
    CHECK_FALSE(there.reset);
    CHECK(there.is_rescaled);
    CHECK(there.previous_period == 4096);
    CHECK(there.period == 524288);
    const heap_sample of_78 = scale_heap_sample({78, 79'872}, 524288);
    CHECK(computer.totals() == std::vector<std::int64_t>{of_78.count, of_78.bytes, 0, 0});
    // The state knows the period.
    delta_computer loaded;
    loaded.load(computer.save());
    const delta_summary back = loaded.compute(serialize(go_heap(97'405, 4096)), delta);
    CHECK_FALSE(back.reset);
    const heap_sample of_8848 = scale_heap_sample({8848, 9'060'352}, 4096);
    CHECK(loaded.totals() == std::vector<std::int64_t>{of_8848.count, of_8848.bytes, 0, 0});
    // A rescaled delta with the same period is a subtraction.
    CHECK_FALSE(loaded.compute(serialize(go_heap(97'405, 4096)), delta).is_rescaled);
    CHECK(loaded.totals() == std::vector<std::int64_t>{0, 0, 0, 0});
}

TEST_CASE("a heap of Go with a period of 0 is not scaled, as with 1") {
    for (const auto& [before, now] : {std::pair{524288, 0}, {0, 4096}, {0, 1}, {1, 0}, {0, 0}}) {
        CAPTURE(before, now);
        delta_computer first;
        std::string delta;
        first.compute(serialize(go_heap(1000, before)), delta);
        delta_computer computer;
        computer.load(first.save());
        const delta_summary summary = computer.compute(serialize(go_heap(1000, now)), delta);
        CHECK_FALSE(summary.reset);
        CHECK(summary.is_rescaled == (std::max(before, 1) != std::max(now, 1)));
        CHECK(computer.totals() == std::vector<std::int64_t>{0, 0, 0, 0});
    }
}

TEST_CASE("a diff has no duration, since two processes have no interval") {
    profile before = go_heap(1000, 1);
    before.time = 100;
    profile now = go_heap(1001, 1);
    now.time = 300;
    now.duration = 10;
    std::string delta;
    CHECK(diff(serialize(before), serialize(now), {}, delta).duration_nanos == 0);
    CHECK(parse(delta).content.duration == 0);
}

TEST_CASE("a sample that comes back after the period changed has been scaled meanwhile") {
    delta_computer computer;
    std::string delta;
    profile both = go_heap(1000, 4096);
    const profile alone = go_heap(1000, 524288);
    const heap_sample other = scale_heap_sample({50, 102'400}, 4096);
    both.samples.push_back({{add_frame(both, "main.other")}, {other.count, other.bytes, 0, 0}});
    computer.compute(serialize(both), delta);
    computer.compute(serialize(alone), delta);
    profile again = go_heap(1000, 524288);
    const heap_sample later = scale_heap_sample({53, 108'544}, 524288);
    again.samples.push_back({{add_frame(again, "main.other")}, {later.count, later.bytes, 0, 0}});
    computer.compute(serialize(again), delta);
    const heap_sample of_3 = scale_heap_sample({3, 6144}, 524288);
    CHECK(std::abs(computer.totals()[1] - of_3.bytes) <= 1);
}

TEST_CASE("the largest of what decreased is known by its sum") {
    delta_computer computer;
    std::string delta;
    computer.compute(serialize(go_heap(1000, 4096)), delta);
    CHECK(computer.negative_totals() == std::vector<std::int64_t>{0, 0, 0, 0});
    computer.compute(serialize(go_heap(990, 4096)), delta);
    CHECK(computer.negative_totals() == computer.totals());
    CHECK(computer.negative_totals()[1] < 0);
}

TEST_CASE("a series of intervals is refused, and the message says what they are") {
    const profile_types cpu{{{"samples", "count"}}, {"cpu", "nanoseconds"}, true};
    const auto fault = error_from([&] { require_cumulative(plan_subtraction(cpu, {}), cpu); });
    REQUIRE(fault);
    CHECK(std::string{fault->what()}.find("the profile's own interval") != std::string::npos);
    // Options know better, of deltas as of anything.
    profile_types delta{{{"alloc_space", "bytes"}}, {}, true};
    CHECK(plan_subtraction(delta, {}).kinds.front() == value_kind::interval);
    CHECK(plan_subtraction(delta, {.cumulative = {value_type_pattern{"alloc_space"}}, .gauge = {}})
              .kinds.front() == value_kind::cumulative);
    delta.has_duration = false;
    delta_options named;
    named.interval.emplace_back("alloc_space");
    CHECK(plan_subtraction(delta, named).kinds.front() == value_kind::interval);
    named.gauge.emplace_back("alloc_space/bytes");
    CHECK(fails_as(error_kind::incompatible, [&] { (void)plan_subtraction(delta, named); }));
}

TEST_CASE("options that cannot be meant are refused by name, and a plan that subtracts nothing") {
    const profile_types heap{{{"alloc_space", "bytes"}, {"x", "a"}}, {}};
    delta_options options;
    options.gauge.emplace_back("y");
    const auto fault = error_from([&] { (void)plan_subtraction(heap, options); });
    REQUIRE(fault);
    CHECK(fault->kind() == error_kind::incompatible);
    CHECK(std::string{fault->what()} == "no sample type is y; there are: alloc_space/bytes, x/a");
    options.gauge = {value_type_pattern{"x"}};
    options.cumulative = {value_type_pattern{"x/a"}};
    CHECK(fails_as(error_kind::incompatible, [&] { (void)plan_subtraction(heap, options); }));
    options = {};
    options.gauge.emplace_back("alloc_space");
    CHECK(fails_as(error_kind::no_cumulative_type,
                   [&] { require_cumulative(plan_subtraction(heap, options), heap); }));
    require_cumulative(plan_subtraction(heap, {}), heap);
}

namespace {

normalized_profile normalized(const profile& previous, const profile& current,
                              normalization by = normalization::total) {
    return normalize(serialize(previous), serialize(current), by);
}

} // namespace

TEST_CASE("each type is scaled to its own total, and what is rounded off cancels out") {
    profile before = with_values({{1, 10}, {3, -10}, {-1, 40}, {1, 0}});
    before.samples[0].labels = {{"key", "text"}};
    const normalized_profile result = normalized(before, with_values({{6, 20}}));
    const profile scaled = parse(result.profile).content;
    CHECK(result.factors == std::vector<double>{1.5, 0.5});
    CHECK(values_of(scaled) == rows_of_values{{1, 5}, {5, -5}, {-2, 20}, {2, 0}});
    CHECK(scaled.samples[0].labels == before.samples[0].labels);
}

TEST_CASE("a value that does not fit into 64 bits saturates") {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
    const normalized_profile result =
        normalized(with_values({{3, 1}, {-2, 0}, {0, 1}}), with_values({{most, 4}}));
    CHECK(values_of(parse(result.profile).content) ==
          rows_of_values{{most, 2}, {least, 0}, {0, 2}});
}
