// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/state.hpp>

#include <string>

#include "catch.hpp"
#include "error_from.hpp"
#include "profile_builder.hpp"
#include "profile_reader.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

namespace {

std::string heap(std::int64_t f, std::int64_t g, const std::string& type = "alloc_space") {
    profile p;
    p.types = {{type, "bytes"}, {"inuse_space", "bytes"}};
    p.period_type = {"space", "bytes"};
    p.time = 1000 + f;
    p.samples.push_back({{add_frame(p, "f")}, {f, 1}, {}, ""});
    if (g != 0) {
        p.samples.push_back({{add_frame(p, "g")}, {g, 1}, {}, ""});
    }
    return serialize(p);
}

std::string example() {
    delta_computer computer;
    computer.prime(heap(10, 5));
    computer.prime(heap(11, 0));
    return computer.save();
}

} // namespace

TEST_CASE("a computer loaded goes on where the other was saved") {
    delta_computer other;
    CHECK_FALSE(other.has_previous());
    other.load(example());
    CHECK(other.has_previous());
    std::string delta;
    const auto summary = other.compute(heap(14, 7), delta);
    CHECK_FALSE(summary.first);
    const profile p = parse(delta).content;
    REQUIRE(p.samples.size() == 2);
    CHECK(p.samples[0].values[0] == 3);
    CHECK(p.samples[1].values[0] == 2); // vanished before it was saved, yet remembered
    CHECK(p.duration == 3);
}

TEST_CASE("a state tells what it holds") {
    const std::string state = example();
    const state_info info = read_state_info(state);
    CHECK(info.match == match_mode::exact);
    REQUIRE(info.types.size() == 2);
    CHECK(info.types[0].type == value_type{"alloc_space", "bytes"});
    CHECK(info.types[0].cumulative);
    CHECK_FALSE(info.types[1].cumulative);
    CHECK(info.period_type == value_type{"space", "bytes"});
    CHECK(info.time_nanos == 1011);
    CHECK(info.samples == 1);
    CHECK(info.vanished == 1);
    CHECK(info.size == state.size());
}

TEST_CASE("the same series gives the same state, and a loaded one saves itself") {
    const std::string state = example();
    CHECK(state == example());
    delta_computer loaded;
    loaded.load(state);
    CHECK(loaded.save() == state);
}

TEST_CASE("there is nothing to save before the first profile") {
    CHECK(fails_as(error_kind::invalid_argument, [] { (void)delta_computer{}.save(); }));
}

TEST_CASE("a state of other options is refused") {
    delta_options options;
    options.match = match_mode::line;
    delta_computer lines{options};
    CHECK(fails_as(error_kind::incompatible, [&] { lines.load(example()); }));
    options.match = match_mode::exact;
    options.cumulative.emplace_back("inuse_space");
    delta_computer both{options};
    CHECK(fails_as(error_kind::incompatible, [&] { both.load(example()); }));
    delta_computer computer;
    computer.load(example());
    std::string delta;
    CHECK(fails_as(error_kind::incompatible,
                   [&] { computer.compute(heap(12, 0, "alloc_objects"), delta); }));
}

TEST_CASE("a state cut or damaged anywhere is refused, and changes nothing") {
    const std::string state = example();
    delta_computer computer;
    computer.prime(heap(1, 1));
    const std::string own = computer.save();
    const auto check_refused = [&](const std::string& bytes) {
        const auto fault = error_from([&] { computer.load(bytes); });
        REQUIRE(fault);
        CHECK(
            (fault->kind() == error_kind::malformed || fault->kind() == error_kind::incompatible));
        CHECK(error_from([&] { (void)read_state_info(bytes); }));
        CHECK(computer.save() == own);
    };
    for (std::size_t size = 0; size < state.size(); ++size) {
        CAPTURE(size);
        check_refused(state.substr(0, size));
    }
    for (std::size_t i = 0; i < state.size() * 8; ++i) {
        CAPTURE(i);
        std::string damaged = state;
        damaged[i / 8] = static_cast<char>(damaged[i / 8] ^ (1 << (i % 8)));
        check_refused(damaged);
    }
    check_refused(state + "x");
    check_refused(heap(1, 1));
}
