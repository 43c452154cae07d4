// SPDX-License-Identifier: Apache-2.0
// Profiles and options that are refused, and that a refusal leaves everything as it was.
#include <pprofdelta/delta.hpp>

#include <cstdint>
#include <new>
#include <string>
#include <vector>

#include "allocations.hpp"
#include "catch.hpp"
#include "error_from.hpp"
#include "profile_builder.hpp"
#include "profile_reader.hpp"
#include "random_profile.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

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

TEST_CASE("references to nothing are refused") {
    check_refused("");
    check_refused("not a profile");
    profile p = heap(11);
    p.samples[0].stack = {7};
    check_refused(serialize(p));
    p = heap(11);
    p.samples[0].stack = {0};
    check_refused(serialize(p));
    p = heap(11);
    p.locations[0].lines[0].function = 7;
    check_refused(serialize(p));
}

TEST_CASE("ids that are given twice are refused, and mappings with the id 0") {
    profile p = heap(11);
    p.locations.push_back(p.locations[0]);
    check_refused(serialize(p));
    p = heap(11);
    p.functions.push_back(p.functions[0]);
    check_refused(serialize(p));
    p = heap(11);
    p.mappings.push_back(p.mappings[0]);
    check_refused(serialize(p));
    p = heap(11);
    p.functions.push_back({0, "g", "", "", 0, ""});
    p.functions.push_back({0, "h", "", "", 0, ""});
    check_refused(serialize(p));
    p = heap(11);
    p.locations.resize(3);
    check_refused(serialize(p));
    p = heap(11);
    p.mappings.resize(2);
    check_refused(serialize(p));
}

TEST_CASE("samples with too few or too many values are refused") {
    profile p = heap(11);
    p.samples[0].values = {};
    check_refused(serialize(p));
    p.samples[0].values = {1, 2};
    check_refused(serialize(p));
}

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

TEST_CASE("without memory at any moment, nothing changes") {
    random_series series{6};
    const std::string first = serialize(series.next());
    profile next = series.next();
    const std::string second = serialize(next);
    for (auto& each : next.samples) {
        each.values.assign(each.values.size(), 1);
    }
    const std::string after_restart = serialize(next);
    for (const std::string& now : {second, after_restart}) {
        delta_computer untouched;
        untouched.prime(first);
        std::string expected;
        CHECK(untouched.compute(now, expected).reset == (now == after_restart));
        bool failed = true;
        for (std::size_t after = 0; failed; ++after) {
            delta_computer computer;
            computer.prime(first);
            std::string delta;
            failed = false;
            try {
                fail_allocation(after);
                computer.compute(now, delta);
            } catch (const std::bad_alloc&) {
                failed = true;
            }
            stop_failing();
            if (failed) {
                computer.compute(now, delta);
            }
            REQUIRE(delta == expected);
        }
    }
}
