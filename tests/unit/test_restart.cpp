// SPDX-License-Identifier: Apache-2.0
// When counters count as started over, and what a series tells of its processes.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <delta/restart.hpp>
#include <profile/index.hpp>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/info.hpp>
#include <pprofdelta/merge.hpp>

#include "catch.hpp"
#include "error_from.hpp"
#include "profile_builder.hpp"

using namespace pprofdelta::test;
using namespace pprofdelta;

namespace {

constexpr std::uint64_t drawn = 0x7f0000000000;

process_sign sign_of(const std::vector<test::mapping>& mappings) {
    process_sign found;
    for (const test::mapping& each : mappings) {
        found.add(each.file, each.start, each.offset, &each == mappings.data());
    }
    return found;
}

test::mapping mapped(const std::string& file, std::uint64_t start, std::uint64_t offset = 0) {
    return {1, start, start + 4096, offset, file};
}

process_relation relation(const std::vector<test::mapping>& before,
                          const std::vector<test::mapping>& now) {
    CHECK(relation_of(sign_of(before), sign_of(now)) == relation_of(sign_of(now), sign_of(before)));
    return relation_of(sign_of(before), sign_of(now));
}

// Functions with what they have allocated, in the process with [vdso] at `vdso`; 0 for none.
std::string heap(const std::vector<std::int64_t>& allocated, std::uint64_t vdso,
                 const std::string& program = "") {
    profile p;
    p.types = {{"alloc_space", "bytes"}};
    if (!program.empty()) {
        p.mappings.push_back({1, 0x400000, 0x500000, 0, program});
    }
    if (vdso != 0) {
        p.mappings.push_back({2, vdso, vdso + 4096, 0, "[vdso]"});
    }
    for (std::size_t i = 0; i < allocated.size(); ++i) {
        p.samples.push_back({{add_frame(p, "f" + std::to_string(i))}, {allocated[i]}});
    }
    return serialize(p);
}

delta_summary step(delta_computer& computer, const std::string& profile) {
    std::string delta;
    return computer.compute(profile, delta);
}

reset_reason reason_of(const std::vector<std::int64_t>& before,
                       const std::vector<std::int64_t>& now, std::uint64_t vdso_before,
                       std::uint64_t vdso_now) {
    delta_computer computer;
    step(computer, heap(before, vdso_before));
    const delta_summary found = step(computer, heap(now, vdso_now));
    CHECK(found.reset == (found.reason != reset_reason::none));
    return found.reason;
}

} // namespace

TEST_CASE("[vdso] says whether two profiles are of one process") {
    const auto vdso = [](std::uint64_t start) { return mapped("[vdso]", start); };
    CHECK(relation({vdso(drawn)}, {vdso(drawn)}) == process_relation::same);
    CHECK(relation({vdso(drawn)}, {vdso(drawn + 4096)}) == process_relation::another);
    CHECK(relation({vdso(drawn)}, {}) == process_relation::unknown);
    CHECK(relation({}, {}) == process_relation::unknown);
    // A merged profile does not tell.
    CHECK(relation({vdso(drawn), vdso(drawn + 4096)}, {vdso(drawn)}) == process_relation::unknown);
    // It decides over the program, whose mapping can be a part of its file.
    CHECK(relation({mapped("/p", drawn), vdso(drawn)}, {mapped("/p", drawn + 4096), vdso(drawn)}) ==
          process_relation::same);
}

TEST_CASE("the program and its linker tell the process without [vdso]") {
    using enum process_relation;
    CHECK(relation({mapped("/bin/p", drawn)}, {mapped("/bin/p", drawn)}) == same);
    CHECK(relation({mapped("/bin/p", drawn)}, {mapped("/bin/p", drawn + 8192)}) == another);
    CHECK(relation({mapped("/bin/p", drawn)}, {mapped("/new/p (deleted)", drawn)}) == same);
    // Another part of the same file.
    CHECK(relation({mapped("/bin/p", drawn)}, {mapped("/bin/p", drawn + 4096, 4096)}) == same);
    // Every process has it there.
    CHECK(relation({mapped("/bin/p", 0x400000)}, {mapped("/bin/p", 0x400000)}) == unknown);
    CHECK(relation({mapped("C:\\p.exe", drawn)}, {mapped("C:\\p.exe", drawn)}) == unknown);
    // A list in the order of use, and libraries that were closed and opened again.
    CHECK(relation({mapped("/bin/p", drawn)}, {mapped("/bin/q", drawn + 4096)}) == unknown);
    CHECK(relation({mapped("/lib/liba.so.1", drawn)}, {mapped("/lib/liba.so.1", drawn + 4096)}) ==
          unknown);
    CHECK(relation({mapped("/lib/ldap.so", drawn)}, {mapped("/lib/ldap.so", drawn + 4096)}) ==
          unknown);
    for (const std::string linker :
         {"ld-linux-x86-64.so.2", "ld-2.31.so", "ld64.so.2", "ld-musl-aarch64.so.1", "ld.so.1"}) {
        const test::mapping first = mapped("/p", 0x400000);
        CHECK(relation({first, mapped("/lib/" + linker, drawn)},
                       {first, mapped("/lib/" + linker, drawn)}) == same);
        CHECK(relation({first, mapped("/lib/" + linker, drawn)},
                       {first, mapped("/lib/" + linker, drawn + 4096)}) == another);
    }
}

TEST_CASE("the id of a process is that of its sign, and tells no address") {
    CHECK(process_sign{}.id() == 0);
    CHECK(sign_of({mapped("/p", 0x400000)}).id() == 0);
    const std::uint64_t id = sign_of({mapped("/p", 0x400000), mapped("[vdso]", drawn)}).id();
    CHECK(id == sign_of({mapped("[vdso]", drawn)}).id());
    CHECK(id != sign_of({mapped("[vdso]", drawn + 4096)}).id());
    CHECK(id != drawn);
    CHECK(read_profile_info(heap({1}, drawn)).process == id);
    CHECK(read_profile_info(heap({1}, 0)).process == 0);
}

TEST_CASE("counters have started over in another process, or if too much is lost") {
    constexpr std::uint64_t other = drawn + 4096;
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
    using list = std::vector<std::int64_t>;
    const list many(200, 1000);
    list four_fell(200, 1100);
    std::fill_n(four_fell.begin(), 4, 999);
    list five_fell = four_fell;
    five_fell[4] = 999;
    list with_new_ones = five_fell;
    with_new_ones.resize(300, 1000);
    struct example {
        const char* what;
        list before;
        list now;
        std::uint64_t vdso_before; // 0 where addresses say nothing
        std::uint64_t vdso_now;
        reset_reason reason;
    };
    for (const auto& [what, before, now, vdso_before, vdso_now, reason] : {
             example{"little changed", {100, 100}, {101, 100}, drawn, other, reset_reason::process},
             example{"all grew", {100, 100}, {1000, 1000}, drawn, other, reset_reason::process},
             example{"a tenth is lost", {100, 100}, {80, 100}, drawn, drawn, reset_reason::none},
             example{"more is", {100, 100}, {79, 100}, drawn, drawn, reset_reason::sibling},
             example{"others gain it", {100, 100}, {0, 200}, drawn, drawn, reset_reason::sibling},
             example{"the total stays", {100, 100}, {99, 101}, 0, 0, reset_reason::none},
             example{"it falls", {100, 100}, {99, 100}, 0, 0, reset_reason::counters},
             example{"known before", {100, 100}, {99, 100}, drawn, 0, reset_reason::counters},
             example{"known now", {100, 100}, {99, 100}, 0, drawn, reset_reason::counters},
             example{"a tenth is lost", {100, 100}, {80, 1000}, 0, 0, reset_reason::none},
             example{"more is", {100, 100}, {79, 1000}, 0, 0, reset_reason::counters},
             example{"2 % of the samples fall", many, four_fell, 0, 0, reset_reason::none},
             example{"more do", many, five_fell, 0, 0, reset_reason::counters},
             example{"of those before", many, with_new_ones, 0, 0, reset_reason::counters},
             example{"in one process", many, five_fell, drawn, drawn, reset_reason::none},
             example{"one alone", {1000, 1000}, {999, 5000}, 0, 0, reset_reason::none},
             example{"the largest", {most, most}, {most, most}, 0, 0, reset_reason::none},
             example{
                 "to the least", {most, most}, {least, least}, drawn, drawn, reset_reason::sibling},
             example{"from the least", {least, least}, {most, most}, 0, 0, reset_reason::none},
         }) {
        CAPTURE(what, vdso_before, vdso_now);
        CHECK(reason_of(before, now, vdso_before, vdso_now) == reason);
    }
    delta_computer computer;
    step(computer, heap({100, 100, 100}, drawn));
    CHECK(step(computer, heap({99, 101, 98}, drawn)).negative_samples == 2);
    CHECK(step(computer, heap({99, 101, 98}, drawn)).negative_samples == 0);
}

TEST_CASE("a policy that asks for it says why") {
    delta_options options;
    options.on_reset = reset_policy::error;
    delta_computer computer{options};
    step(computer, heap({100}, drawn));
    const auto fault = error_from([&] { step(computer, heap({200}, drawn + 4096)); });
    REQUIRE(fault);
    CHECK(fault->kind() == error_kind::reset);
    CHECK(std::string{fault->what()}.find("another process") != std::string::npos);
    CHECK_FALSE(step(computer, heap({200}, drawn)).reset);

    options.on_reset = reset_policy::negative;
    delta_computer plain{options};
    step(plain, heap({100}, drawn));
    const delta_summary found = step(plain, heap({50}, drawn + 4096));
    CHECK_FALSE(found.reset);
    CHECK(found.reason == reset_reason::none);
    CHECK(found.negative_samples == 1);
}

TEST_CASE("a process that comes back is told once, also after a state was saved") {
    delta_computer computer;
    step(computer, heap({100}, drawn));
    CHECK_FALSE(step(computer, heap({100}, drawn + 4096)).process_returned);
    delta_computer loaded;
    loaded.load(computer.save());
    CHECK_FALSE(step(loaded, heap({110}, drawn + 4096)).process_returned);
    CHECK(step(loaded, heap({110}, drawn)).process_returned);
    const delta_summary again = step(loaded, heap({120}, drawn + 4096));
    CHECK(again.reason == reset_reason::process);
    CHECK_FALSE(again.process_returned);
    delta_computer later;
    later.load(loaded.save());
    CHECK_FALSE(step(later, heap({120}, drawn)).process_returned);
}

TEST_CASE("workers of one parent that answer in turn are told at the second one") {
    delta_computer computer;
    step(computer, heap({1000, 800}, drawn));
    const delta_summary first = step(computer, heap({620, 450}, drawn));
    CHECK(first.reason == reset_reason::sibling);
    CHECK_FALSE(first.process_returned);
    CHECK(step(computer, heap({1100, 900}, drawn)).reason == reset_reason::none);
    delta_computer loaded;
    loaded.load(computer.save());
    CHECK(step(loaded, heap({700, 500}, drawn)).process_returned);
    CHECK(step(loaded, heap({1200, 1000}, drawn)).reason == reset_reason::none);
    CHECK_FALSE(step(loaded, heap({800, 550}, drawn)).process_returned);
}

TEST_CASE("two processes in turn are no restarts, each time") {
    delta_computer computer;
    CHECK_FALSE(step(computer, heap({100}, drawn)).is_in_turn);
    CHECK_FALSE(step(computer, heap({100}, drawn + 4096)).is_in_turn);
    for (int round = 0; round < 3; ++round) {
        CHECK(step(computer, heap({110}, drawn)).is_in_turn);
        CHECK(step(computer, heap({110}, drawn + 4096)).is_in_turn);
    }
}

TEST_CASE("samples that are all others in one process have changed what they are known by") {
    const auto labelled = [](const std::string& version) {
        profile p;
        p.types = {{"alloc_space", "bytes"}};
        p.mappings.push_back({1, drawn, drawn + 4096, 0, "[vdso]"});
        p.samples.push_back({{add_frame(p, "f")}, {100}, {{"otel.scope.version", version}}});
        return serialize(p);
    };
    delta_computer computer;
    step(computer, labelled("1.17.0"));
    CHECK(step(computer, labelled("1.17.1")).reason == reset_reason::samples);
    CHECK(step(computer, labelled("1.17.1")).reason == reset_reason::none);
}

TEST_CASE("a series remembers eight processes") {
    for (const std::uint64_t count : {9U, 10U}) {
        delta_computer computer;
        for (std::uint64_t i = 0; i < count; ++i) {
            CHECK_FALSE(step(computer, heap({100}, drawn + i * 4096)).process_returned);
        }
        CHECK(step(computer, heap({100}, drawn)).process_returned == (count == 9));
    }
}

TEST_CASE("counters that start over three times in a row are told once") {
    delta_computer computer;
    step(computer, heap({100, 100}, 0));
    CHECK_FALSE(step(computer, heap({90, 105}, 0)).starts_over_each_time);
    CHECK_FALSE(step(computer, heap({95, 90}, 0)).starts_over_each_time);
    delta_computer loaded;
    loaded.load(computer.save());
    CHECK(step(loaded, heap({90, 94}, 0)).starts_over_each_time);
    CHECK_FALSE(step(loaded, heap({80, 94}, 0)).starts_over_each_time);

    delta_computer with_growth;
    step(with_growth, heap({100}, 0));
    for (int round = 0; round < 4; ++round) {
        CHECK_FALSE(step(with_growth, heap({90}, 0)).starts_over_each_time);
        CHECK_FALSE(step(with_growth, heap({80}, 0)).starts_over_each_time);
        CHECK_FALSE(step(with_growth, heap({100}, 0)).starts_over_each_time);
    }
}

TEST_CASE("another program is told apart from a restart") {
    delta_computer computer;
    step(computer, heap({100}, drawn, "/old/server"));
    CHECK_FALSE(step(computer, heap({100}, drawn + 4096, "/new/server")).other_program);
    CHECK(step(computer, heap({100}, drawn + 8192, "/new/client")).other_program);
    CHECK_FALSE(step(computer, heap({100}, drawn + 8192, "/new/client")).other_program);
}

namespace {

// A profile by address: what two stacks of a program and one of a library have allocated.
std::string by_address(std::int64_t allocated, const test::mapping& program,
                       const test::mapping& library, std::uint64_t vdso = drawn) {
    profile p;
    p.types = {{"alloc_space", "bytes"}};
    p.mappings = {program, library, {3, vdso, vdso + 4096, 0, "[vdso]"}};
    for (std::uint64_t i = 0; i < 3; ++i) {
        const test::mapping& in = i < 2 ? program : library;
        p.locations.push_back({i + 1, in.id, in.start + 16 * (i + 1), {}});
        p.samples.push_back({{i + 1}, {allocated}});
    }
    return serialize(p);
}

constexpr std::uint64_t library_start = drawn + 0x100000;

test::mapping program(const std::string& file, const std::string& build_id) {
    return {1, 0x400000, 0x500000, 0, file, build_id};
}

test::mapping library(const std::string& file, const std::string& build_id,
                      std::uint64_t start = library_start) {
    return {2, start, start + 8192, 0, file, build_id};
}

} // namespace

TEST_CASE("a mapping of one process is its place, whatever became of its file") {
    const test::mapping usual = library("/lib/libz.so.1", "z");
    struct variant {
        test::mapping before;
        test::mapping now;
    };
    const std::vector<variant> programs{
        {program("/srv/app", "a"), program("/srv/app", "b")},
        {program("/srv/app", ""), program("/srv/app", "b")},
        {program("/srv/app", "a"), program("/srv/app", "")},
        {program("/srv/app", "a"), program("/srv/app (deleted)", "")},
        {program("/srv/app", ""), program("/srv/app.old", "")},
        {program("/srv/app", "a"), program("/srv/app.old", "a")},
        {program("/srv/1/app", "a"), program("/srv/2/app", "b")},
    };
    for (const auto& [before, now] : programs) {
        CAPTURE(before.file, before.build_id, now.file, now.build_id);
        const std::string first = by_address(100, before, usual);
        const std::string second = by_address(107, now, usual);
        const std::string third = by_address(109, before, usual); // A, B, A
        delta_computer computer;
        step(computer, first);
        delta_computer later;
        later.load(computer.save());
        for (delta_computer* const each : {&computer, &later}) {
            std::string delta;
            CHECK_FALSE(each->compute(second, delta).reset);
            CHECK(each->totals() == std::vector<std::int64_t>{21});
            keyed_profile keyed{third, match_mode::exact, 1};
            CHECK_FALSE(each->compute(keyed, delta).reset);
            CHECK(each->totals() == std::vector<std::int64_t>{6});
        }
        std::string difference;
        CHECK(diff(first, second, {}, difference).samples_kept == 3);
        profile_sum sum{{}};
        sum.add(first);
        sum.add(second);
        std::string merged;
        CHECK(sum.write(merged).samples_out == 3);
        // Nothing of it is true for another process.
        CHECK(diff(first, by_address(107, now, usual, drawn + 4096), {}, difference).samples_kept ==
              (before.build_id.empty() || before.build_id != now.build_id ? 5 : 3));
    }
}

TEST_CASE("another library in the place of one that was closed is another one") {
    const test::mapping app = program("/srv/app", "a");
    const auto kept = [&](const test::mapping& before, const test::mapping& now) {
        std::string difference;
        return diff(by_address(1, app, before), by_address(1, app, now), {}, difference)
            .samples_kept;
    };
    CHECK(kept(library("/lib/libx.so.1", "x"), library("/lib/libx.so.1", "y")) == 0);
    CHECK(kept(library("/lib/libx.so.1", "x"), library("/lib/liby.so.1", "y")) == 2);
    // Elsewhere, it is known by its build id.
    CHECK(kept(library("/lib/libx.so.1", "x"), library("/lib/libx.so.1", "y", drawn)) == 2);
    CHECK(kept(library("/lib/libx.so.1", "x"), library("/lib/libx.so.1", "x", drawn)) == 0);
}
