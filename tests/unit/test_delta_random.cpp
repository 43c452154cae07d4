// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/error.hpp>
#include <pprofdelta/state.hpp>

#include "canonical.hpp"
#include "catch.hpp"
#include "delta_choices.hpp"
#include "error_from.hpp"
#include "profile_builder.hpp"
#include "profile_reader.hpp"
#include "random_profile.hpp"
#include "slow_delta.hpp"

using namespace pprofdelta::test;
using namespace pprofdelta;

// Thousands of invented series, with every result compared with the slow reference's.

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
    for (std::uint32_t seed = 0; seed < 1000; ++seed) {
        check_series(seed, choose_options(seed));
    }
}

TEST_CASE("random series agree with the slow reference when options choose the types", "[long]") {
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
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
    for (std::uint32_t seed = 0; seed < 1000; ++seed) {
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

// What a series keeps. That it goes on from a state as if it had not been interrupted is above.

namespace {

// Samples f0, f1, ... with the given value each.
std::string heap(const std::vector<std::int64_t>& values) {
    profile p;
    p.types = {{"alloc_space", "bytes"}, {"inuse_space", "bytes"}};
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto frame = add_frame(p, "f" + std::to_string(i));
        p.samples.push_back({{frame}, {values[i], 0}, {}, ""});
    }
    return serialize(p);
}

std::string compute(delta_computer& computer, const std::string& bytes) {
    std::string delta;
    computer.compute(bytes, delta);
    return delta;
}

std::vector<std::int64_t> first_values(const std::string& delta) {
    std::vector<std::int64_t> out;
    for (const sample& s : parse(delta).content.samples) {
        out.push_back(s.values[0]);
    }
    return out;
}

std::string saved(const std::string& profile) {
    delta_computer computer;
    computer.prime(profile);
    return computer.save();
}

} // namespace

TEST_CASE("a state has at most 33 bytes for a sample with two cumulative values") {
    profile p;
    p.types = heap_types();
    std::mt19937_64 random{1};
    constexpr std::size_t count = 3000;
    for (std::size_t i = 0; i < count; ++i) {
        const auto frame = add_frame(p, "f" + std::to_string(i));
        // Values as long as they can be.
        const auto value = [&] {
            return static_cast<std::int64_t>(random() | std::uint64_t{1} << 62U);
        };
        p.samples.push_back({{frame}, {value(), value(), value(), value()}, {}, ""});
    }
    constexpr std::size_t constant = 256;
    const std::string state = saved(serialize(p));
    CHECK(state.size() <= 33 * count + constant);
    CHECK(state.size() >= 32 * count);

    // With values as they are in practice, well below that.
    for (sample& s : p.samples) {
        s.values = {3, 400, 1, 100};
    }
    CHECK(saved(serialize(p)).size() <= 20 * count + constant);
}

TEST_CASE("profiles that were text and protobuf are not of one series") {
    delta_computer before;
    std::string delta;
    before.prime(heap({5}), profile_source::text);
    const std::string state = before.save();
    CHECK(read_state_info(state).source == profile_source::text);

    delta_computer after;
    after.load(state);
    for (delta_computer* computer : {&before, &after}) {
        CHECK(fails_as(error_kind::incompatible, [&] { computer->compute(heap({7}), delta); }));
        CHECK(fails_as(error_kind::incompatible, [&] { computer->prime(heap({7})); }));
        computer->compute(heap({7}), delta, profile_source::text);
        CHECK(first_values(delta) == std::vector<std::int64_t>{2});
    }
    delta_computer ordinary;
    ordinary.prime(heap({5}));
    CHECK(read_state_info(ordinary.save()).source == profile_source::protobuf);
    CHECK(fails_as(error_kind::incompatible,
                   [&] { ordinary.compute(heap({7}), delta, profile_source::text); }));
    CHECK(first_values(compute(ordinary, heap({7}))) == std::vector<std::int64_t>{2});
}
