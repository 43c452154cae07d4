// SPDX-License-Identifier: Apache-2.0
// Which samples and records a sum has, its headers, and what is refused.
#include <pprofdelta/merge.hpp>

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "canonical.hpp"
#include "catch.hpp"
#include "error_from.hpp"
#include "message_builder.hpp"
#include "profile_builder.hpp"
#include "random_profile.hpp"
#include "slow_sum.hpp"
#include "sums.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

TEST_CASE("samples of one stack are added up, and others come behind them") {
    profile_sum sum;
    CHECK(sum.size() == 0);
    add(sum, with_values({{1, 10}, {2, 20}}));
    profile next = with_values({{5, 50}, {7, 70}, {9, 90}});
    next.samples.erase(next.samples.begin());
    add(sum, next);
    CHECK(sum.size() == 2);
    std::string bytes;
    const merge_summary summary = sum.write(bytes);
    CHECK(summary.profiles == 2);
    CHECK(summary.samples_in == 4);
    CHECK(summary.samples_out == 3);
    CHECK(values_of(written(sum)) == values{{1, 10}, {9, 90}, {9, 90}});
}

TEST_CASE("samples that come twice in a profile are added up") {
    profile p = with_values({{1, 10}});
    p.samples.push_back(p.samples[0]);
    CHECK(values_of(sum_of({p})) == values{{2, 20}});
    CHECK(values_of(sum_of({p, p})) == values{{4, 40}});
}

TEST_CASE("processes have a binary at different places, and the sum has it where the first does") {
    const profile sum = sum_of({loaded_at(0x400000), loaded_at(0x7f0000, 3)});
    REQUIRE(sum.mappings.size() == 1);
    CHECK(sum.mappings[0].start == 0x400000);
    REQUIRE(sum.locations.size() == 3);
    CHECK(sum.locations[0].address == 0x400010);
    CHECK(sum.locations[1].address == 0x400020);
    CHECK(sum.locations[2].address == 0x400030);
    CHECK(values_of(sum) == values{{20}, {10}, {10}});
}

TEST_CASE("binaries that differ have a mapping each, and the first one stays first") {
    profile other = loaded_at(0x400000);
    other.mappings[0].build_id = "def";
    // A first mapping that no sample refers to stands for the main binary all the same.
    profile first = loaded_at(0x400000);
    first.mappings.insert(first.mappings.begin(),
                          {1, 0x1000, 0x2000, 0, "/bin/main", "", false, ""});
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

TEST_CASE("what matches is asked for") {
    profile p = with_values({{1, 10}});
    p.locations[0].lines[0].number = 5;
    p.locations[0].address = 0x10;
    profile other = p;
    other.locations[0].lines[0].number = 6;
    other.locations[0].address = 0x20;
    merge_options options;
    CHECK(sum_of({p, other}, options).samples.size() == 2);
    options.match = match_mode::line;
    CHECK(sum_of({p, other}, options).samples.size() == 2);
    options.match = match_mode::function;
    const profile sum = sum_of({p, other}, options);
    CHECK(values_of(sum) == values{{2, 20}});
    CHECK(sum.locations[0].lines[0].number == 5);
    CHECK(sum.locations.size() == 1);
}

TEST_CASE("the header is that of all profiles, and of the first where there can be one") {
    profile p = with_values({{1, 1}});
    p.comments = {"one", "two", "one"};
    p.time = 0;
    p.duration = 3;
    p.period = 10;
    p.drop_frames = "dropped";
    p.unknown = message_builder{}.number(100, 7).str();
    profile next = p;
    next.comments = {"three", "", "two"};
    next.time = 2000;
    next.duration = 4;
    next.period = 30;
    next.drop_frames = "other";
    next.keep_frames = "kept"; // the first profile has none
    next.default_type = "space";
    next.doc_url = "https://example.org/second";
    next.period_type = {"space", "bytes"};
    next.unknown = message_builder{}.number(100, 8).str();
    profile last = next;
    last.time = 1000;
    last.period = 20;
    last.default_type = "objects";
    last.doc_url = "https://example.org/last";
    const profile sum = sum_of({p, next, last});
    CHECK(sum.comments == std::vector<std::string>{"one", "two", "three", ""});
    CHECK(sum.time == 1000);
    CHECK(sum.duration == 11);
    CHECK(sum.period == 30);
    CHECK(sum.drop_frames == "dropped");
    CHECK(sum.keep_frames.empty());
    CHECK(sum.default_type == "space");
    CHECK(sum.doc_url == "https://example.org/second");
    CHECK(sum.period_type == next.period_type);
    CHECK(sum.unknown == p.unknown);
    CHECK(sum.types == p.types);
    CHECK(sum_of({next, p}).time == 2000);
    profile_sum ended{merge_options{.ends_last = true}};
    for (const profile& each : {next, last, p}) {
        ended.add(serialize(each));
    }
    std::string bytes;
    CHECK(ended.write(bytes).time_nanos == 2000);
}

TEST_CASE("profiles of different types are refused, and both are meant") {
    profile_sum sum;
    profile p = with_values({{1, 1}});
    p.period_type = {"cpu", "nanoseconds"};
    add(sum, p);
    const auto require_refused = [&sum](const profile& next) {
        const auto fault = error_from([&] { add(sum, next); });
        REQUIRE(fault);
        CHECK(fault->kind() == error_kind::incompatible);
        CHECK(fault->input() == error_input::both);
        CHECK(sum.size() == 1);
    };
    profile other = p;
    other.types[1].unit = "count";
    require_refused(other);
    other = p;
    std::swap(other.types[0], other.types[1]);
    require_refused(other);
    other = p;
    other.period_type = {"space", "bytes"};
    require_refused(other);
    // One of them may have no period type.
    other.period_type = {};
    add(sum, other);
    CHECK(written(sum).period_type == p.period_type);
    other.period_type = {"space", "bytes"};
    const auto fault = error_from([&] { add(sum, other); });
    REQUIRE(fault);
    CHECK(fault->kind() == error_kind::incompatible);
    CHECK(sum.size() == 2);
}

TEST_CASE("a period type that comes late counts for those that follow") {
    profile_sum sum;
    profile p = with_values({{1, 1}});
    add(sum, p);
    p.period_type = {"cpu", "nanoseconds"};
    add(sum, p);
    CHECK(written(sum).period_type == p.period_type);
    p.period_type = {"space", "bytes"};
    CHECK(fails_as(error_kind::incompatible, [&] { add(sum, p); }));
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

TEST_CASE("a first profile that cannot be added leaves nothing behind") {
    profile_sum sum;
    std::string bytes;
    CHECK(fails_as(error_kind::malformed, [&] { sum.add("x"); }));
    // Of other types, and damaged where some of it is in the sum already.
    profile broken = loaded_at(0x400000, 3);
    broken.comments = {"broken"};
    broken.samples[2].values = {1, 2};
    CHECK(fails_as(error_kind::malformed, [&] { add(sum, broken); }));
    broken.samples[2].values = {most};
    broken.samples[1] = broken.samples[2];
    CHECK(fails_as(error_kind::too_large, [&] { add(sum, broken); }));
    CHECK(sum.size() == 0);
    CHECK(fails_as(error_kind::invalid_argument, [&] { sum.write(bytes); }));
    CHECK(fails_as(error_kind::invalid_argument, [&] { sum.write_mean(bytes); }));
    profile p = with_values({{1, 10}});
    add(sum, p);
    CHECK(written(sum) == sum_of({p}));
    CHECK(written(sum).mappings.empty());
}

TEST_CASE("a profile that cannot be added takes back all that was new in it") {
    profile_sum sum;
    add(sum, loaded_at(0x400000));
    std::string before;
    sum.write(before);
    profile broken = loaded_at(0x500000, 3);
    broken.comments = {"broken"};
    broken.mappings.push_back({8, 0x900000, 0x901000, 0, "/lib/libc", "", false, ""});
    broken.locations[1].mapping = 8;
    broken.locations[1].address = 0x900010;
    broken.samples[2].values = {1, 2};
    CHECK(fails_as(error_kind::malformed, [&] { add(sum, broken); }));
    std::string after;
    sum.write(after);
    CHECK(after == before);
    // The same records come again, in another order and with the mapping elsewhere.
    profile mended = broken;
    mended.samples[2].values = {1};
    std::swap(mended.samples[0], mended.samples[1]);
    for (auto& location : mended.locations) {
        location.address += location.mapping == 8 ? 0x1000 : 0;
    }
    mended.mappings[1].start += 0x1000;
    mended.mappings[1].limit += 0x1000;
    add(sum, mended);
    CHECK(written(sum) == sum_of({loaded_at(0x400000), mended}));
    CHECK(written(sum).mappings[1].start == 0x901000);
}

TEST_CASE("a sum can be written at any time, and moved") {
    const profile p = with_values({{1, 10}});
    profile_sum sum;
    add(sum, p);
    CHECK(written(sum) == written(sum));
    CHECK(values_of(mean_of(sum)) == values{{1, 10}});
    add(sum, p);
    profile_sum moved = std::move(sum);
    CHECK(values_of(written(moved)) == values{{2, 20}});
    add(moved, p);
    CHECK(values_of(written(moved)) == values{{3, 30}});
    sum = std::move(moved);
    CHECK(sum.size() == 3);
}

TEST_CASE("a sum of profiles without samples, or without types, has the headers") {
    profile p = with_values({});
    p.duration = 5;
    profile sum = sum_of({p, p});
    CHECK(sum.duration == 10);
    CHECK(sum.types == p.types);
    CHECK(sum.samples.empty());
    p.types.clear();
    const auto frame = add_frame(p, "f");
    p.samples = {{{frame}, {}, {}, ""}};
    sum = sum_of({p, p});
    CHECK(sum.duration == 10);
    CHECK(sum.samples.empty());
}

TEST_CASE("what is left out is left out of each profile") {
    merge_options options;
    options.trim.keep_types.emplace_back("space");
    options.trim.drop_labels = {"pid"};
    profile_sum sum{options};
    profile p = with_values({{1, 10}, {2, 0}});
    for (const char* const pid : {"1", "2"}) {
        p.samples[0].labels = {{"pid", pid, 0, "", ""}};
        add(sum, p);
    }
    const profile found = written(sum);
    CHECK(found.types == std::vector<value_type>{{"space", "bytes"}});
    CHECK(values_of(found) == values{{20}});
    CHECK(found.functions.size() == 1);
    std::string bytes;
    CHECK(sum.write(bytes).samples_in == 4);
    CHECK(bytes.find("pid") == std::string::npos);
}

TEST_CASE("a damaged profile is refused with the place in it, also if that would be left out") {
    std::mt19937 random{1};
    int damaged = 0;
    for (std::uint32_t seed = 0; seed < 1000; ++seed) {
        random_series series{seed};
        std::string bytes = serialize(series.next(), series.next_layout());
        bytes[random() % bytes.size()] = static_cast<char>(random() % 256);
        merge_options options;
        options.trim.drop_labels = {".*"};
        options.trim.focus = "no name has this";
        const auto fault_of_all = error_from([&] { profile_sum{}.add(bytes); });
        const auto fault = error_from([&] { profile_sum{options}.add(bytes); });
        // Values that are left out cannot be too large.
        if (fault_of_all && fault_of_all->kind() == error_kind::malformed) {
            ++damaged;
            REQUIRE(fault);
            REQUIRE(fault->kind() == error_kind::malformed);
            REQUIRE(fault->offset() == fault_of_all->offset());
        }
    }
    CHECK(damaged > 250);
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

TEST_CASE("sums of invented profiles are the slow reference's") {
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
        merge_options options;
        options.match = static_cast<match_mode>(seed % 3);
        options.trim.drop_lines = seed % 5 == 0;
        options.levels = static_cast<level_policy>(seed / 3 % 4);
        profile_sum fast{options};
        slow_sum slow{options};
        random_series series{seed};
        for (int step = 0; step < 4; ++step) {
            const profile next = series.next();
            const double weight = seed % 4 == 0 ? 0.5 * (step + 1) : 1;
            const std::string bytes = serialize(next, series.next_layout());
            const bool is_added = !error_from([&] { fast.add(bytes, weight); });
            REQUIRE(is_added == !error_from([&] { slow.add(next, weight); }));
        }
        REQUIRE(fast.size() == slow.size());
        if (slow.size() == 0) {
            continue;
        }
        REQUIRE(difference(slow.sum(), canonical_form(written(fast), options.match)) == "none");
        canonical mean;
        if (error_from([&] { mean = slow.mean(); })) {
            REQUIRE(fails_as(error_kind::too_large, [&] { mean_of(fast); }));
        } else {
            REQUIRE(difference(mean, canonical_form(mean_of(fast), options.match)) == "none");
        }
    }
}
