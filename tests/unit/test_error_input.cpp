// SPDX-License-Identifier: Apache-2.0
// Which of its inputs an error of a public call is about.
#include <pprofdelta/error.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/flame_graph.hpp>
#include <pprofdelta/info.hpp>
#include <pprofdelta/limits.hpp>
#include <pprofdelta/normalize.hpp>
#include <pprofdelta/report.hpp>
#include <pprofdelta/state.hpp>

#include "catch.hpp"
#include "error_from.hpp"
#include "profile_builder.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

namespace {

profile heap(const std::string& unit = "bytes") {
    profile p;
    p.types = {{"alloc_space", unit}};
    p.samples = {{{add_frame(p, "f", "f.c", 3)}, {1}, {}, ""}};
    return p;
}

std::string sound() { return serialize(heap()); }

std::string with_unknown_location() {
    profile p = heap();
    p.samples[0].stack = {7};
    return serialize(p);
}

// The first label of a sample is read after its stack.
std::string with_unknown_string() {
    const std::string label = message_builder{}.number(1, 1000).str();
    return sound() +
           message_builder{}.bytes(2, message_builder{}.number(2, 5).bytes(3, label).str()).str();
}

// Found only when headers are written, and those of a diff are the current profile's.
std::string with_unknown_comment() { return sound() + message_builder{}.number(13, 1000).str(); }

template <typename Call>
error_input input_of(Call&& call) {
    const auto fault = error_from(call);
    REQUIRE(fault);
    return fault->input();
}

struct call_of_two {
    std::string name;
    std::function<void(const std::string& previous, const std::string& current)> run;
};

const std::vector<call_of_two> calls_of_two{
    {"diff",
     [](const auto& previous, const auto& current) {
         std::string delta;
         diff(previous, current, {}, delta);
     }},
    {"normalize",
     [](const auto& previous, const auto& current) {
         (void)normalize(previous, current, normalization::total);
     }},
    {"make_report",
     [](const auto& previous, const auto& current) { (void)make_report(previous, current); }},
    {"make_flame_graph",
     [](const auto& previous, const auto& current) { (void)make_flame_graph(previous, current); }},
    {"judge",
     [](const auto& previous, const auto& current) {
         (void)judge({parse_limit("func:f:alloc_space>1")}, previous, current);
     }},
};

} // namespace

TEST_CASE("of two profiles an error is about the damaged one, or about both") {
    const std::string good = sound();
    const std::string other = serialize(heap("count"));
    for (const auto& [name, run] : calls_of_two) {
        CAPTURE(name);
        run(good, good);
        CHECK(input_of([&, &run = run] { run("x", good); }) == error_input::previous);
        CHECK(input_of([&, &run = run] { run(good, "x"); }) == error_input::current);
        CHECK(input_of([&, &run = run] { run("x", "x"); }) == error_input::previous);
        CHECK(input_of([&, &run = run] { run(good, other); }) == error_input::both);
    }
}

TEST_CASE("of two profiles an error is about the one with a damaged sample") {
    const std::string good = sound();
    const std::string bad = with_unknown_location();
    for (const auto& [name, run] : calls_of_two) {
        CAPTURE(name);
        CHECK(input_of([&, &run = run] { run(bad, good); }) == error_input::previous);
        if (name != "normalize") { // which needs no stacks of the current profile
            CHECK(input_of([&, &run = run] { run(good, bad); }) == error_input::current);
        }
    }
    std::string delta;
    const std::string label = with_unknown_string();
    CHECK(input_of([&] { diff(label, good, {}, delta); }) == error_input::previous);
    CHECK(input_of([&] { diff(good, label, {}, delta); }) == error_input::current);
    profile p = heap();
    p.samples[0].values = {1, 2};
    const std::string values = serialize(p);
    const auto scale = [](const std::string& previous, const std::string& current) {
        (void)normalize(previous, current, normalization::total);
    };
    CHECK(input_of([&] { scale(values, good); }) == error_input::previous);
    CHECK(input_of([&] { scale(good, values); }) == error_input::current);
}

TEST_CASE("an error in what is written is about the profile that it is copied from") {
    const std::string good = sound();
    const std::string bad = with_unknown_comment();
    std::string delta;
    CHECK(input_of([&] { diff(good, bad, {}, delta); }) == error_input::current);
    CHECK(input_of([&] { (void)normalize(bad, good, normalization::total); }) ==
          error_input::previous);
}

TEST_CASE("what both profiles lack is about both, and what one lacks about that one") {
    const std::string good = sound();
    report_options options;
    options.sample_type.emplace("none");
    CHECK(input_of([&] { (void)make_report(good, good, options); }) == error_input::both);
    CHECK(input_of([&] { (void)make_flame_graph(good, good, options); }) == error_input::both);
    for (const char* const limit : {"none>1", "alloc_space>1s"}) {
        CAPTURE(limit);
        CHECK(input_of([&] { (void)judge({parse_limit(limit)}, good, good); }) ==
              error_input::both);
    }
    profile lasting = heap();
    lasting.duration = 5;
    const auto scale = [](const std::string& previous, const std::string& current) {
        (void)normalize(previous, current, normalization::duration);
    };
    CHECK(input_of([&] { scale(good, serialize(lasting)); }) == error_input::previous);
    CHECK(input_of([&] { scale(serialize(lasting), good); }) == error_input::current);
}

TEST_CASE("a computer's errors are about the profile given, about both or about the state") {
    const std::string good = sound();
    const std::string other = serialize(heap("count"));
    std::string delta;
    delta_computer computer;
    const auto inputs = [&](const std::string& profile,
                            profile_source source = profile_source::protobuf) {
        return std::vector{input_of([&] { computer.compute(profile, delta, source); }),
                           input_of([&] { computer.prime(profile, source); })};
    };
    const std::vector only_current(2, error_input::current);
    const std::vector both(2, error_input::both);
    CHECK(inputs(other) == only_current); // a first one, so there is nothing it might not go with
    computer.prime(good);
    for (const std::string& bad :
         {std::string{"x"}, with_unknown_location(), with_unknown_string()}) {
        CHECK(inputs(bad) == only_current);
    }
    CHECK(inputs(other) == both);
    CHECK(inputs(good, profile_source::text) == both);
    CHECK(input_of([&] { computer.compute(with_unknown_comment(), delta); }) ==
          error_input::current);

    const std::string state = computer.save();
    CHECK(input_of([&] { computer.load("x"); }) == error_input::state);
    CHECK(input_of([&] { (void)read_state_info("x"); }) == error_input::state);
    delta_options options;
    options.match = match_mode::line;
    CHECK(input_of([&] { delta_computer{options}.load(state); }) == error_input::state);
    delta_computer loaded;
    loaded.load(state);
    CHECK(input_of([&] { loaded.compute(other, delta); }) == error_input::both);
}

TEST_CASE("a restart is found in the profile given") {
    delta_options options;
    options.on_reset = reset_policy::error;
    delta_computer computer{options};
    profile p = heap();
    p.samples[0].values = {5};
    computer.prime(serialize(p));
    std::string delta;
    CHECK(input_of([&] { computer.compute(sound(), delta); }) == error_input::current);
}

TEST_CASE("of one input, or of an argument, an error does not say which") {
    const std::string good = sound();
    CHECK(input_of([] { (void)list_types("x"); }) == error_input::unspecified);
    CHECK(input_of([] { (void)read_profile_info("x"); }) == error_input::unspecified);
    CHECK(input_of([] { (void)totals("x"); }) == error_input::unspecified);
    CHECK(input_of([] { (void)delta_computer{}.save(); }) == error_input::unspecified);
    limit l = parse_limit("func:f:alloc_space>1");
    l.functions = "(";
    const auto fault = error_from([&] { (void)judge({l}, good, good); });
    REQUIRE(fault);
    CHECK(fault->kind() == error_kind::invalid_argument);
    CHECK(fault->input() == error_input::unspecified);
}
