// SPDX-License-Identifier: Apache-2.0
// Thousands of invented series, with every result compared with the slow reference's.
#include <pprofdelta/delta.hpp>

#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <pprofdelta/error.hpp>

#include "canonical.hpp"
#include "catch.hpp"
#include "delta_choices.hpp"
#include "error_from.hpp"
#include "profile_builder.hpp"
#include "profile_reader.hpp"
#include "random_profile.hpp"
#include "slow_delta.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

namespace {

const mapping* main_mapping(const profile& of) {
    return of.mappings.empty() ? nullptr : of.mappings.data();
}

void require_same_delta(const std::string& delta, const delta_summary& summary,
                        const slow_result& expected, const profile& current, match_mode match) {
    REQUIRE(find_fault(delta, main_mapping(current)) == "none");
    const profile content = parse(delta).content;
    REQUIRE(difference(expected.delta, canonical_form(content, match)) == "none");
    REQUIRE(content.samples.size() == expected.delta.samples.size());
    REQUIRE(summary.samples_kept == content.samples.size());
    REQUIRE(summary.samples_in == current.samples.size());
    REQUIRE(summary.first == expected.first);
    REQUIRE(summary.reset == expected.reset);
}

// A stack that is written is one of an input, whatever it was matched by.
void require_stacks_of(const profile& content, const std::vector<const profile*>& inputs) {
    sample_values known;
    for (const profile* input : inputs) {
        known.merge(add_up(*input, match_mode::exact));
    }
    for (const auto& [stack, values] : add_up(content, match_mode::exact)) {
        CAPTURE(stack);
        REQUIRE(known.count(stack) == 1);
    }
}

// Bytes that are refused at some place of their own.
std::string damage(std::string bytes, std::mt19937& random) {
    switch (random() % 3) {
    case 0:
        bytes.resize(bytes.size() - 1 - random() % (bytes.size() / 2));
        break;
    case 1:
        bytes += message_builder{}.bytes(2, message_builder{}.number(1, 999'999).str()).str();
        break;
    default:
        bytes += message_builder{}.number(15, 999'999).str(); // found only while writing
        break;
    }
    return bytes;
}

void check_series(std::uint32_t seed, const delta_options& options) {
    random_series series{seed};
    std::mt19937 random{seed};
    delta_computer fast{options};
    slow_delta slow{options};
    bool has_previous_duration = false;
    for (int step = 0; step < 5; ++step) {
        CAPTURE(seed, step, static_cast<int>(options.match), static_cast<int>(options.on_reset),
                options.drop_negative);
        const profile current = series.next();
        const std::string bytes = serialize(current, series.next_layout());
        std::string delta = "left over";
        if (random() % 4 == 0) {
            // May be accepted by chance; then a copy of the series must not advance.
            std::string dummy;
            const std::string damaged = damage(bytes, random);
            std::optional<error> fault;
            delta_computer probe{options};
            fault = error_from([&] { probe.compute(damaged, dummy); });
            if (fault) {
                REQUIRE(error_from([&] { fast.compute(damaged, dummy); }));
            }
        }
        if (random() % 8 == 0) {
            fast.prime(bytes);
            slow.prime(current);
            has_previous_duration = current.duration != 0;
            continue;
        }
        if (fast.has_previous() && random() % 4 == 0) {
            delta_computer loaded{options};
            loaded.load(fast.save());
            fast = std::move(loaded);
        }
        slow_result expected;
        const auto refusal = error_from([&] { expected = slow.compute(current); });
        delta_summary summary;
        const auto fault = error_from([&] { summary = fast.compute(bytes, delta); });
        REQUIRE(refusal.has_value() == fault.has_value());
        if (fault) {
            REQUIRE(fault->kind() == refusal->kind());
            continue;
        }
        require_same_delta(delta, summary, expected, current, options.match);
        require_stacks_of(parse(delta).content, {&current});
        REQUIRE(summary.previous_has_duration == has_previous_duration);
        has_previous_duration = current.duration != 0;
    }
}

} // namespace

TEST_CASE("random series agree with the slow reference in every mode", "[long]") {
    for (std::uint32_t seed = 0; seed < 3000; ++seed) {
        check_series(seed, choose_options(seed));
    }
}

TEST_CASE("random series agree with the slow reference when options choose the types", "[long]") {
    for (std::uint32_t seed = 0; seed < 500; ++seed) {
        random_series series{seed};
        const auto types = series.next().types;
        delta_options options;
        options.match = modes[seed % 3];
        options.on_reset = policies[seed / 3 % 4];
        options.cumulative.emplace_back(to_string(types.front()));
        if (types.size() > 1) {
            options.gauge.emplace_back(types.back().type);
        }
        check_series(seed, options);
    }
}

TEST_CASE("random diffs agree with the slow reference in every mode", "[long]") {
    for (std::uint32_t seed = 0; seed < 3000; ++seed) {
        random_series series{seed};
        delta_options options;
        options.match = modes[seed % 3];
        options.drop_negative = seed / 3 % 2 == 1;
        const profile previous = series.next();
        const std::string previous_bytes = serialize(previous, series.next_layout());
        const profile current = series.next();
        const std::string current_bytes = serialize(current, series.next_layout());
        CAPTURE(seed, static_cast<int>(options.match), options.drop_negative);
        std::string delta = "left over";
        const auto summary = diff(previous_bytes, current_bytes, options, delta);
        require_same_delta(delta, summary, slow_diff(previous, current, options), current,
                           options.match);
        require_stacks_of(parse(delta).content, {&previous, &current});
        REQUIRE(summary.previous_has_duration == (previous.duration != 0));
    }
}

TEST_CASE("a diff of a profile with itself is empty, in whatever layout") {
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
        random_series series{seed};
        const profile p = series.next();
        const std::string one = serialize(p, series.next_layout());
        const std::string other = serialize(p, series.next_layout());
        CAPTURE(seed);
        std::string delta;
        REQUIRE(diff(one, other, {}, delta).samples_kept == 0);
        REQUIRE(parse(delta).content.locations.empty());
        REQUIRE(parse(delta).content.mappings.size() == (p.mappings.empty() ? 0U : 1U));
    }
}

TEST_CASE("list_types agrees with the slow reference") {
    for (std::uint32_t seed = 0; seed < 100; ++seed) {
        random_series series{seed};
        const profile p = series.next();
        const auto listed = list_types(serialize(p, series.next_layout()));
        const auto expected = slow_treatment(p, {});
        REQUIRE(listed.size() == p.types.size());
        for (std::size_t i = 0; i < listed.size(); ++i) {
            CHECK(listed[i].type == p.types[i]);
            CHECK(listed[i].cumulative == expected[i]);
        }
    }
}

TEST_CASE("the same input gives the same bytes") {
    random_series series{42};
    const std::string a = serialize(series.next());
    const std::string b = serialize(series.next());
    std::string first;
    std::string second;
    for (std::string* delta : {&first, &second}) {
        delta_computer computer;
        computer.prime(a);
        computer.compute(b, *delta);
    }
    CHECK(first == second);
    diff(a, b, {}, first);
    diff(a, b, {}, second);
    CHECK(first == second);
}
