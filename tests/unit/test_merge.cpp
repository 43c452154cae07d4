// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <pprofdelta/merge.hpp>

#include "merge/sum_table.hpp"
#include "merge/trimmer.hpp"

#include "canonical.hpp"
#include "catch.hpp"
#include "error_from.hpp"
#include "message_builder.hpp"
#include "profile_builder.hpp"
#include "profile_reader.hpp"
#include "random_profile.hpp"
#include "slow_sum.hpp"

using namespace pprofdelta::test;
using namespace pprofdelta;

namespace {

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
/// The longest duration that counts as one.
constexpr std::int64_t longest = 1'000'000'000'000'000'000;

using values = std::vector<std::vector<std::int64_t>>;

/// A sample for each row, of one function each: f0, f1 and so on.
profile with_values(const values& rows) {
    profile p;
    p.types = {{"objects", "count"}, {"space", "bytes"}};
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto frame = add_frame(p, "f" + std::to_string(i));
        p.samples.push_back({{frame}, rows[i], {}, ""});
    }
    return p;
}

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

values values_of(const profile& p) {
    values all;
    for (const auto& sample : p.samples) {
        all.push_back(sample.values);
    }
    return all;
}

void add(profile_sum& sum, const profile& p, double weight = 1) { sum.add(serialize(p), weight); }

profile sum_of(const std::vector<profile>& profiles, merge_options options = {}) {
    profile_sum sum{std::move(options)};
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
    p.mappings = {{7, start, start + 0x1000, 0, "/bin/server", "abc", false, ""}};
    for (std::size_t i = 0; i < frames; ++i) {
        p.locations.push_back({i + 1, 7, start + 0x10 * (i + 1), {}, false, ""});
        p.samples.push_back({{i + 1}, {10}, {}, ""});
    }
    return p;
}

} // namespace

// Which samples and records a sum has, its headers, and what is refused.

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

// The values of sums and means: weights, rounding, levels, and what does not fit.

TEST_CASE("a weight is a factor, and halves are rounded away from zero") {
    profile_sum sum;
    add(sum, with_values({{1, 10}, {-1, 11}, {-3, -10}, {2, 4}}), 0.5);
    CHECK(values_of(written(sum)) == values{{1, 5}, {-1, 6}, {-2, -5}, {1, 2}});
    add(sum, with_values({{1, 10}}), 3);
    CHECK(values_of(written(sum)) == values{{4, 35}, {-1, 6}, {-2, -5}, {1, 2}});
    // What is rounded to nothing is left out.
    profile_sum small;
    add(small, with_values({{1, 2}, {10, 0}}), 0.1);
    const profile found = written(small);
    CHECK(values_of(found) == values{{1, 0}});
    CHECK(found.functions.size() == 1);
}

TEST_CASE("a whole weight is exact, however large the value is") {
    constexpr std::int64_t odd = (std::int64_t{1} << 60) + 1; // no double
    profile_sum sum;
    add(sum, with_values({{odd, -odd}}), 3);
    CHECK(values_of(written(sum)) == values{{3 * odd, -3 * odd}});
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

TEST_CASE("a mean is divided exactly, and halves are rounded away from zero") {
    profile_sum sum;
    profile p = with_values({{1, -1}, {most, least}, {2, -2}});
    p.duration = 5;
    add(sum, p);
    CHECK(mean_of(sum) == written(sum));
    p = with_values({{0, 0}, {0, 0}, {1, -1}});
    p.duration = 2;
    add(sum, p);
    const profile halved = mean_of(sum);
    CHECK(values_of(halved) ==
          values{{1, -1}, {(std::int64_t{1} << 62), -(std::int64_t{1} << 62)}, {2, -2}});
    CHECK(halved.duration == 4);
    std::string bytes;
    CHECK(sum.write_mean(bytes).duration_nanos == 4);
}

TEST_CASE("the duration of a mean is that of a profile, whatever the weights") {
    profile p = with_values({{4, 8}});
    p.duration = 10;
    profile_sum sum;
    add(sum, p, 2);
    add(sum, p, 0.5);
    CHECK(mean_of(sum).duration == 10);
    CHECK(values_of(mean_of(sum)) == values{{4, 8}});
    CHECK(written(sum).duration == 20);
    p.duration = 20;
    add(sum, p, 2.5);
    CHECK(mean_of(sum).duration == 15);
    p.duration = longest;
    add(sum, p, 1000); // fits only where durations are not multiplied
    CHECK(written(sum).duration == longest + 40);
    CHECK(fails_as(error_kind::too_large, [&] { mean_of(sum); }));
}

TEST_CASE("what a mean rounds to nothing goes with all that only it refers to") {
    profile_sum sum;
    profile p = with_values({{1, 1}, {9, 9}});
    p.samples[0].labels = {{"only here", "a text", 0, "", ""}};
    p.comments = {"one", "two"};
    p.unknown = message_builder{}.number(100, 7).str();
    p.mappings = {{1, 0x1000, 0x2000, 0, "/bin/main", "", false, ""}};
    add(sum, p);
    for (int i = 0; i < 2; ++i) {
        add(sum, with_values({}));
    }
    CHECK(values_of(written(sum)) == values{{1, 1}, {9, 9}});
    const profile mean = mean_of(sum);
    CHECK(values_of(mean) == values{{3, 3}});
    CHECK(mean.functions.size() == 1);
    CHECK(mean.comments == p.comments);
    CHECK(mean.unknown == p.unknown);
    CHECK(mean.mappings.size() == 1);
    std::string bytes;
    CHECK(sum.write_mean(bytes).samples_out == 1);
    CHECK(bytes.find("only here") == std::string::npos);
}

TEST_CASE("a mean of small weights can be too large") {
    profile_sum sum;
    add(sum, with_values({{most / 2, 1}}), 1e-18);
    CHECK(values_of(written(sum)) == values{{5, 0}});
    CHECK(values_of(mean_of(sum)) == values{{5'000'000'000'000'000'000, 0}});
    add(sum, with_values({{0, 0}, {2, 0}}), 1e-300);
    CHECK(values_of(mean_of(sum)) == values{{5'000'000'000'000'000'000, 0}});
    profile_sum half;
    add(half, with_values({{least, 0}}), 0.5);
    CHECK(values_of(mean_of(half)) == values{{least, 0}});
    profile_sum up;
    add(up, with_values({{std::int64_t{1} << 62, 0}}), 0x1p-63); // a half, which is rounded to 1
    CHECK(values_of(written(up)) == values{{1, 0}});
    std::string bytes;
    CHECK(fails_as(error_kind::too_large, [&] { up.write_mean(bytes); }));
}

TEST_CASE("a sum that does not fit is refused, and what was there stays") {
    profile_sum sum;
    add(sum, with_values({{1, most - 5}, {0, least + 5}}));
    const profile before = written(sum);
    for (const auto& next : {with_values({{3, 6}}), with_values({{3, 0}, {3, -6}}),
                             with_values({{3, 5}, {3, -5}, {4, 4}, {most, 0}, {1, 6}})}) {
        profile p = next;
        if (p.samples.size() == 5) { // new ones before the one that is too much
            p.samples[4].stack = p.samples[3].stack;
        }
        CHECK(fails_as(error_kind::too_large, [&] { add(sum, p); }));
        CHECK(sum.size() == 1);
        CHECK(written(sum) == before);
    }
    CHECK(fails_as(error_kind::too_large, [&] { add(sum, with_values({{2, 0}}), 0x1p62); }));
    CHECK(fails_as(error_kind::too_large, [&] { add(sum, with_values({{2, 0}}), 1e300); }));
    CHECK(written(sum) == before);
    add(sum, with_values({{0, 5}, {0, -5}}));
    CHECK(values_of(written(sum)) == values{{1, most}, {0, least}});
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

TEST_CASE("the time since 1970 is no duration, and is left out") {
    profile p = with_values({{1, 1}});
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
    CHECK(summary.duration_nanos == 22);
    CHECK(written(sum).duration == 22);
    CHECK(mean_of(sum).duration == 2);
}

TEST_CASE("samples of zeros are left out with what only they refer to") {
    profile p = with_values({{0, 0}, {1, 0}, {0, 0}});
    p.samples[0].labels = {{"only here", "a text", 0, "", ""}};
    const profile sum = sum_of({p});
    CHECK(values_of(sum) == values{{1, 0}});
    CHECK(sum.functions.size() == 1);
    CHECK(sum.locations.size() == 1);
}

TEST_CASE("samples that cancel out are left out with what only they refer to") {
    profile_sum sum;
    add(sum, with_values({{1, 10}, {2, 20}}));
    add(sum, with_values({{-1, -10}}));
    const profile found = written(sum);
    CHECK(values_of(found) == values{{2, 20}});
    CHECK(found.functions.size() == 1);
    std::string bytes;
    const merge_summary summary = sum.write(bytes);
    CHECK(summary.samples_in == 3);
    CHECK(summary.samples_out == 1);
    // They are counted on from there.
    add(sum, with_values({{5, 5}}));
    CHECK(values_of(written(sum)) == values{{5, 5}, {2, 20}});
}

TEST_CASE("of gauges there is the sum, the last, the mean or the most, and of counters the sum") {
    const auto at = [](std::int64_t time, const values& rows) {
        profile p = with_values(rows);
        p.types = {{"alloc_space", "bytes"}, {"inuse_space", "bytes"}};
        p.time = time;
        return p;
    };
    // The second one is the latest; the last sample is gone there, or zero.
    const std::vector<profile> series{at(1, {{1, 10}, {2, 20}, {0, 30}}), at(3, {{4, 15}, {0, 2}}),
                                      at(2, {{0, 12}, {3, 40}, {0, 60}})};
    const auto found = [&](level_policy levels, const char* cumulative = nullptr) {
        merge_options options;
        options.levels = levels;
        if (cumulative != nullptr) {
            options.cumulative.emplace_back(cumulative);
        }
        return values_of(sum_of(series, options));
    };
    CHECK(found(level_policy::sum) == values{{5, 37}, {5, 62}, {0, 90}});
    CHECK(found(level_policy::last) == values{{5, 15}, {5, 2}});
    CHECK(found(level_policy::mean) == values{{5, 12}, {5, 21}, {0, 30}});
    CHECK(found(level_policy::max) == values{{5, 15}, {5, 40}, {0, 60}});
    CHECK(found(level_policy::max, "inuse_space") == found(level_policy::sum));
    CHECK(fails_as(error_kind::incompatible, [&] { found(level_policy::max, "other"); }));
}

TEST_CASE("without times the last levels are those of the profile that is added last") {
    merge_options options;
    options.levels = level_policy::last;
    profile_sum sum{options};
    for (const std::int64_t time : {5, 0, 1}) {
        profile p = with_values({{10 + time, 20 + time}});
        p.time = time;
        add(sum, p, 2);
    }
    CHECK(values_of(written(sum)) == values{{22, 42}});
    CHECK(values_of(mean_of(sum)) == values{{22, 42}});
}

namespace {

hash128 key(std::uint64_t number) { return {number, ~number}; }

// Adds a pair of values to the entry of `number`.
bool add(sum_table& to, std::uint64_t number, std::int64_t first, std::int64_t second) {
    const std::array<std::int64_t, 2> two{first, second};
    return to.add(to.find_or_add(key(number)), two.data());
}

using rows = std::vector<std::array<std::int64_t, 2>>;

std::array<std::int64_t, 2> values_of(const sum_table& table, std::uint32_t entry) {
    std::array<std::int64_t, 2> two{};
    table.read(entry, two.data());
    return two;
}

rows sums_of(const sum_table& table) {
    rows all;
    for (std::uint32_t entry = 0; entry < table.size(); ++entry) {
        all.push_back(values_of(table, entry));
    }
    return all;
}

sum_table with_two() {
    sum_table table;
    table.configure(2);
    CHECK(add(table, 1, 10, 100));
    CHECK(add(table, 2, 20, 200));
    table.commit();
    return table;
}

} // namespace

TEST_CASE("entries are numbered as they come, and their values added up") {
    sum_table table = with_two();
    CHECK(table.find_or_add(key(2)) == 1);
    table.begin();
    CHECK(add(table, 3, 30, 300));
    CHECK(add(table, 2, 1, 2));
    CHECK(add(table, 3, -1, -2));
    CHECK(add(table, 1, 3, 4));
    table.commit();
    CHECK(sums_of(table) == rows{{13, 104}, {21, 202}, {29, 298}});
}

TEST_CASE("rollback leaves the table as it was at the beginning") {
    sum_table table = with_two();
    table.begin();
    CHECK(add(table, 1, 1, 1));
    CHECK(add(table, 3, 30, 300));
    CHECK(add(table, 3, 1, 1));
    CHECK(add(table, 2, 1, 1));
    table.rollback();
    CHECK(sums_of(table) == rows{{10, 100}, {20, 200}});
    // The number is given again, and has no values left.
    table.begin();
    CHECK(add(table, 4, 5, 6));
    CHECK(table.find_or_add(key(4)) == 2);
    CHECK(table.find_or_add(key(3)) == 3);
    table.commit();
    CHECK(sums_of(table) == rows{{10, 100}, {20, 200}, {5, 6}, {0, 0}});
}

TEST_CASE("rollback takes back an entry that has got no values") {
    sum_table table = with_two();
    table.begin();
    CHECK(table.find_or_add(key(9)) == 2);
    table.rollback();
    CHECK(table.size() == 2);
    CHECK(sums_of(table) == rows{{10, 100}, {20, 200}});
}

TEST_CASE("a sum that does not fit is said, and can be taken back") {
    sum_table table = with_two();
    table.begin();
    CHECK(add(table, 1, most - 10, least));
    CHECK(add(table, 2, -20, 0));
    table.commit();
    CHECK(sums_of(table) == rows{{most, least + 100}, {0, 200}});
    table.begin();
    CHECK(add(table, 1, 0, -100));
    CHECK_FALSE(add(table, 1, 1, 0));
    table.rollback();
    CHECK_FALSE(add(table, 1, 0, -101));
    table.rollback();
    // Both values are looked at, whichever is too large.
    CHECK_FALSE(add(table, 1, 1, -101));
    table.rollback();
    CHECK(sums_of(table) == rows{{most, least + 100}, {0, 200}});
}

TEST_CASE("of levels the last or the largest are kept, of all that a profile has of an entry") {
    for (const bool largest : {false, true}) {
        sum_table table;
        table.configure(2, {1}, largest ? sum_table::keeping::largest : sum_table::keeping::last);
        CHECK(add(table, 1, 1, 10));
        CHECK(add(table, 2, 1, 20));
        CHECK(add(table, 1, 1, 15));
        table.commit();
        CHECK(sums_of(table) == rows{{2, 25}, {1, 20}});
        table.begin();
        CHECK(add(table, 1, 1, 30));
        CHECK(add(table, 3, 1, 5));
        CHECK(add(table, 3, 1, -6));
        table.commit();
        CHECK(sums_of(table) ==
              (largest ? rows{{3, 30}, {1, 20}, {2, 0}} : rows{{3, 30}, {1, 0}, {2, -1}}));
        const rows before = sums_of(table);
        table.begin();
        CHECK(add(table, 1, 1, 90));
        CHECK_FALSE(add(table, 1, most, 1));
        table.rollback();
        CHECK(sums_of(table) == before);
        // A profile from before the last one.
        table.begin();
        CHECK(add(table, 2, 1, 7));
        table.commit(false);
        CHECK(values_of(table, 1)[1] == (largest ? 20 : 0));
        CHECK(values_of(table, 0) == before[0]);
    }
}

TEST_CASE("a table that is configured anew is empty") {
    sum_table table = with_two();
    table.configure(1);
    CHECK(table.size() == 0);
    const std::int64_t one = 1;
    CHECK(table.find_or_add(key(2)) == 0);
    CHECK(table.add(0, &one));
    table.commit();
    CHECK(values_of(table, 0)[0] == 1);
}

TEST_CASE("without values there are entries all the same") {
    sum_table table;
    table.configure(0);
    CHECK(table.find_or_add(key(1)) == 0);
    CHECK(table.add(0, nullptr));
    table.commit();
    table.begin();
    CHECK(table.find_or_add(key(1)) == 0);
    CHECK(table.find_or_add(key(2)) == 1);
    CHECK(table.add(1, nullptr));
    table.rollback();
    CHECK(table.size() == 1);
}

// The table guesses that samples come in the order of the profile before.
TEST_CASE("the order of the profile before changes nothing but time") {
    std::mt19937 random{1};
    const auto pick = [&random](std::uint32_t below) {
        return static_cast<std::uint32_t>(random() % below);
    };
    sum_table table;
    table.configure(2);
    std::vector<std::int64_t> expected(50);
    for (int profile = 0; profile < 200; ++profile) {
        std::vector<std::int64_t> next = expected;
        table.begin();
        std::uint32_t number = 0;
        for (int i = 0; i < 50; ++i) {
            number = pick(3) == 0 ? pick(50) : (number + 1) % 50;
            table.prefetch(key(number));
            REQUIRE(add(table, number, i, -i));
            next[number] += i;
        }
        if (pick(2) == 0) {
            table.commit();
            expected = next;
        } else {
            table.rollback();
        }
    }
    table.begin();
    for (std::uint32_t number = 0; number < 50; ++number) {
        const std::uint32_t entry = table.find_or_add(key(number));
        REQUIRE(values_of(table, entry)[0] == expected[number]);
        REQUIRE(values_of(table, entry)[1] == -expected[number]);
    }
    CHECK(table.size() == 50);
}

namespace {

test::profile trimmed(const test::profile& from, const trim_options& options) {
    std::string out = "left over";
    const std::size_t samples = trimmer{options}.trim(test::serialize(from), out);
    CHECK(samples == from.samples.size());
    return test::parse(out).content;
}

trim_options keeping(const std::vector<std::string>& types) {
    trim_options options;
    for (const auto& type : types) {
        options.keep_types.emplace_back(type);
    }
    return options;
}

trim_options for_pgo() {
    trim_options options;
    options.for_pgo = true;
    return options;
}

// One stack: leaf in a.c, called by root in b.c, called by an address without a name.
test::profile heap() {
    test::profile p;
    p.types = test::heap_types();
    p.mappings = {{1, 0x400000, 0x500000, 0, "/bin/server", "abc", true, ""}};
    const auto leaf = test::add_frame(p, "leaf", "a.c", 5);
    const auto root = test::add_frame(p, "root", "b.c", 6);
    p.locations.push_back({3, 1, 0x400030, {}, false, ""});
    p.locations[0].mapping = 1;
    p.locations[0].address = 0x400010;
    p.locations[0].lines[0].column = 7;
    p.samples = {{{leaf, root, 3}, {1, 2, 3, 4}, {{"pid", "1", 0, "", ""}}, ""}};
    return p;
}

test::profile cpu() {
    test::profile p;
    p.types = {{"samples", "count"}, {"cpu", "nanoseconds"}};
    for (const char* const name : {"leaf", "root"}) {
        test::add_frame(p, name, "a.go", 5);
        p.functions.back().start_line = 3;
        p.locations.back().address = 0x10 * p.locations.size();
    }
    p.samples = {{{1, 2}, {1, 10}, {}, ""}};
    return p;
}

std::vector<std::uint64_t> addresses_of(const test::profile& p, const test::sample& of) {
    std::vector<std::uint64_t> addresses;
    for (const std::uint64_t id : of.stack) {
        for (const auto& location : p.locations) {
            if (location.id == id) {
                addresses.push_back(location.address);
            }
        }
    }
    return addresses;
}

} // namespace

TEST_CASE("types that are kept are in the order of the patterns, with their values") {
    const test::profile p = heap();
    test::profile found = trimmed(p, keeping({"inuse_space/bytes", "alloc_objects"}));
    CHECK(found.types ==
          std::vector<value_type>{{"inuse_space", "bytes"}, {"alloc_objects", "count"}});
    CHECK(found.samples[0].values == std::vector<std::int64_t>{4, 1});
    CHECK(found.samples[0].labels == p.samples[0].labels);
    found = trimmed(p, keeping({"alloc_space", "alloc_space/bytes"}));
    CHECK(found.samples[0].values == std::vector<std::int64_t>{2});
}

TEST_CASE("a type to keep that the profile does not have is refused, and named") {
    const auto fault = error_from([] { trimmed(heap(), keeping({"alloc_space", "cpu"})); });
    REQUIRE(fault);
    CHECK(fault->kind() == error_kind::incompatible);
    CHECK(std::string{fault->what()}.find("no sample type is cpu;") == 0);
    CHECK(fails_as(error_kind::incompatible,
                   [] { trimmed(heap(), keeping({"alloc_space/count"})); }));
}

TEST_CASE("a default sample type goes with its type") {
    test::profile p = heap();
    p.default_type = "alloc_space";
    CHECK(trimmed(p, keeping({"alloc_space"})).default_type == "alloc_space");
    CHECK(trimmed(p, keeping({"inuse_space"})).default_type.empty());
}

TEST_CASE("a label is dropped if a pattern matches its whole key") {
    test::profile p = heap();
    const auto label = [](const char* key) { return test::label{key, "text", 0, "", ""}; };
    p.samples[0].labels = {label("pid"), label("pid_namespace"), label("tid"), label("")};
    p.samples.push_back(p.samples[0]);
    trim_options options;
    options.drop_labels = {"pid"};
    const std::vector<test::label> others{label("pid_namespace"), label("tid"), label("")};
    test::profile found = trimmed(p, options);
    CHECK(found.samples[0].labels == others);
    CHECK(found.samples[1].labels == others);
    options.drop_labels = {".id", "none"};
    CHECK(trimmed(p, options).samples[0].labels ==
          std::vector<test::label>{label("pid_namespace"), label("")});
    options.drop_labels = {"pid.*", "tid"};
    CHECK(trimmed(p, options).samples[0].labels == std::vector<test::label>{label("")});
    options.drop_labels = {".*"};
    CHECK(trimmed(p, options).samples[0].labels.empty());
    // Alternatives are whole as well.
    options.drop_labels = {"pid|t"};
    CHECK(trimmed(p, options).samples[0].labels == others);
}

TEST_CASE("a label is added in the place of those with its key") {
    test::profile p = heap();
    const auto label = [](const char* key, const char* text) {
        return test::label{key, text, 0, "", ""};
    };
    p.samples[0].labels = {label("team", "own"), label("pid", "1"), {"team", "", 5, "", ""}};
    p.samples.push_back({{1}, {5, 6, 7, 8}, {}, ""});
    trim_options options;
    options.add_labels = {{"team", "shop"}, {"pod", "a/..\"b"}, {"none", ""}};
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
    trim_options options;
    options.add_labels = {{"team", "shop"}};
    CHECK(trimmed({}, options).samples.empty());
}

TEST_CASE("samples are chosen by a function, a file or a binary") {
    test::profile p = heap();
    p.samples.push_back({{2}, {5, 6, 7, 8}, {}, ""});
    const auto kept = [&p](const char* focus, const char* ignore) {
        trim_options options;
        options.focus = focus;
        options.ignore = ignore;
        std::vector<std::int64_t> first_values;
        for (const auto& sample : trimmed(p, options).samples) {
            first_values.push_back(sample.values[0]);
        }
        return first_values;
    };
    using list = std::vector<std::int64_t>;
    CHECK(kept("root", "") == list{1, 5});
    CHECK(kept("leaf", "") == list{1});
    CHECK(kept("a\\.c$", "") == list{1});
    CHECK(kept("server", "") == list{1});
    CHECK(kept("none", "").empty());
    CHECK(kept("", "leaf") == list{5});
    CHECK(kept("root", "^le") == list{5});
    CHECK(kept("", "root").empty());
}

TEST_CASE("a regular expression that is none is refused at once") {
    for (auto set :
         {+[](trim_options& o) {
              o.drop_labels = {"a", "("};
          },
          +[](trim_options& o) { o.focus = "("; }, +[](trim_options& o) { o.ignore = "("; }}) {
        trim_options options;
        set(options);
        CHECK(fails_as(error_kind::invalid_argument, [&] { trimmer{options}; }));
    }
}

TEST_CASE("without lines, addresses stay where there is no name") {
    test::profile p = heap();
    p.locations.push_back({4, 1, 0x400040, {{0, 8, 0, ""}}, false, ""});
    p.samples[0].stack.push_back(4);
    trim_options options;
    options.drop_lines = true;
    const test::profile found = trimmed(p, options);
    REQUIRE(found.locations.size() == 4);
    CHECK(found.locations[0].lines == std::vector<test::line>{{1, 0, 0, ""}});
    CHECK(found.locations[0].address == 0);
    CHECK(found.locations[0].mapping == 1);
    CHECK(found.locations[1].lines == std::vector<test::line>{{2, 0, 0, ""}});
    CHECK(found.locations[2].address == 0x400030);
    CHECK(found.locations[3].address == 0x400040);
    CHECK(found.locations[3].lines == std::vector<test::line>{{0, 0, 0, ""}});
    CHECK(found.functions == p.functions);
}

TEST_CASE("what is not to be left out stays, with fields that profile.proto does not have") {
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
    CHECK_FALSE(trimmer{nothing_matches}.leaves_all());
    CHECK(trimmer{{}}.leaves_all());
    CHECK(trimmed(p, nothing_matches) == p);
}

TEST_CASE("for PGO the first type is kept that the compiler knows") {
    test::profile p = cpu();
    CHECK(trimmed(p, for_pgo()).types == std::vector<value_type>{{"samples", "count"}});
    CHECK(trimmed(p, for_pgo()).samples[0].values == std::vector<std::int64_t>{1});
    p.types = {{"other", "count"}, {"cpu", "nanoseconds"}};
    trim_options options = keeping({"other"}); // which does not count
    options.for_pgo = true;
    CHECK(trimmed(p, options).types == std::vector<value_type>{{"cpu", "nanoseconds"}});
    CHECK(trimmed(p, options).samples[0].values == std::vector<std::int64_t>{10});
    p.types[1].unit = "count";
    CHECK(fails_as(error_kind::incompatible, [&] { trimmed(p, options); }));
}

TEST_CASE("for PGO nothing stays that the compiler does not read") {
    test::profile p = cpu();
    const std::string unknown = test::message_builder{}.number(100, 7).str();
    p.mappings = {{1, 0x1000, 0x2000, 0, "/bin/server", "abc", true, unknown}};
    p.locations[0].mapping = 1;
    p.locations[0].folded = true;
    p.locations[0].unknown = unknown;
    p.locations[0].lines[0].column = 9;
    p.locations[0].lines[0].unknown = unknown;
    p.functions[0].system_name = "_leaf";
    p.functions[0].unknown = unknown;
    p.samples[0].labels = {{"pid", "1", 0, "", ""}};
    p.samples[0].unknown = unknown;
    p.comments = {"one"};
    p.drop_frames = p.keep_frames = "f";
    p.doc_url = "https://example.org/doc";
    p.default_type = "samples";
    p.period_type = {"cpu", "nanoseconds"};
    p.period = p.time = p.duration = 5;
    p.unknown = unknown;
    test::profile expected;
    expected.types = {{"samples", "count"}};
    expected.functions = {{1, "leaf", "", "", 3, ""}, {2, "root", "", "", 3, ""}};
    expected.locations = {{1, 0, 0, {{1, 5, 0, ""}}, false, ""},
                          {2, 0, 0, {{2, 5, 0, ""}}, false, ""}};
    expected.samples = {{{1, 2}, {1}, {}, ""}};
    CHECK(trimmed(p, for_pgo()) == expected);
}

TEST_CASE("for PGO a stack keeps its addresses if only they tell two of its frames apart") {
    test::profile p = cpu();
    test::location again = p.locations[0];
    again.id = 3;
    again.address = 0x30;
    p.locations.push_back(again);
    p.samples.push_back({{3, 1, 2}, {2, 20}, {}, ""});
    // At one address recursion needs none.
    p.samples.push_back({{1, 1, 2}, {3, 30}, {}, ""});
    // On another line it is another frame.
    again.id = 4;
    again.lines[0].number = 6;
    p.locations.push_back(again);
    p.samples.push_back({{4, 1, 2}, {4, 40}, {}, ""});
    const test::profile found = trimmed(p, for_pgo());
    using list = std::vector<std::uint64_t>;
    REQUIRE(found.samples.size() == 4);
    CHECK(addresses_of(found, found.samples[0]) == list{0, 0});
    CHECK(addresses_of(found, found.samples[1]) == list{0x30, 0x10, 0x20});
    CHECK(addresses_of(found, found.samples[2]) == list{0, 0, 0});
    CHECK(addresses_of(found, found.samples[3]) == list{0, 0, 0});
}

TEST_CASE("for PGO frames without a name are told apart by their addresses") {
    test::profile p = cpu();
    p.locations[0].lines.clear();
    p.locations[1].lines[0].function = 0;
    const test::profile found = trimmed(p, for_pgo());
    CHECK(addresses_of(found, found.samples[0]) == std::vector<std::uint64_t>{0x10, 0x20});
}

TEST_CASE("for PGO functions need start lines, as the compiler refuses a profile without") {
    test::profile p = cpu();
    p.functions[0].start_line = 0;
    CHECK(trimmed(p, for_pgo()).functions.size() == 2);
    p.functions[1].start_line = 0;
    CHECK(fails_as(error_kind::incompatible, [&] { trimmed(p, for_pgo()); }));
    p.functions.clear();
    for (auto& location : p.locations) {
        location.lines.clear();
    }
    CHECK(fails_as(error_kind::incompatible, [&] { trimmed(p, for_pgo()); }));
    p.samples.clear();
    CHECK(trimmed(p, for_pgo()).samples.empty());
}

TEST_CASE("a trimmer can be used again") {
    trim_options options = keeping({"alloc_space"});
    options.drop_labels = {"pid"};
    trimmer both{options};
    std::string out;
    both.trim(test::serialize(heap()), out);
    const std::string first = out;
    CHECK(fails_as(error_kind::malformed, [&] { both.trim("x", out); }));
    CHECK(fails_as(error_kind::incompatible, [&] { both.trim(test::serialize(cpu()), out); }));
    both.trim(test::serialize(heap()), out);
    CHECK(out == first);
}

TEST_CASE("invented profiles are trimmed as the slow reference does") {
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
        test::random_series series{seed};
        test::profile p = series.next();
        trim_options options;
        options.drop_lines = seed % 2 == 0;
        options.focus = seed % 3 == 0 ? "f|main" : "";
        options.ignore = seed % 5 == 0 ? "g" : "";
        options.drop_labels = {"f.*"};
        if (seed % 7 == 0) {
            options.keep_types.emplace_back(p.types[seed / 7 % p.types.size()].type);
        }
        options.for_pgo = seed % 11 == 0;
        if (options.for_pgo) {
            p.types[0] = {"cpu", "nanoseconds"};
            p.functions[0].start_line = 1;
        }
        std::string out;
        trimmer{options}.trim(test::serialize(p, series.next_layout()), out);
        const test::profile found = test::parse(out).content;
        const test::profile expected = test::slow_trim(p, options);
        REQUIRE(difference(canonical_form(expected, match_mode::exact),
                           canonical_form(found, match_mode::exact)) == "none");
        REQUIRE(found.samples.size() == expected.samples.size());
    }
}
