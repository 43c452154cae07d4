// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/memory_traces.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include <sys/mman.h>

#include <fcntl.h>
#include <unistd.h>

#include <pprofdelta/contention_traces.hpp>
#include <pprofdelta/error.hpp>

#include "allocations.hpp"
#include "catch.hpp"
#include "error_from.hpp"
#include "profile_builder.hpp"
#include "profile_reader.hpp"

using namespace pprofdelta;

namespace {

const std::vector<std::uint64_t> stack_a{0x1010, 0x1020, 0x1030};
const std::vector<std::uint64_t> stack_b{0x1040, 0x1030};

const mapping_list mappings = std::make_shared<const std::vector<mapping>>(
    std::vector<mapping>{{0x1000, 0x2000, 0, "/bin/program", "c0ffee"}});

trace_meta at(std::int64_t time, std::span<const label> labels = {}) {
    return {labels, time, mappings, 512};
}

test::profile next(memory_delta& from, delta_summary* summary = nullptr) {
    std::string delta;
    const delta_summary found = from.write(delta);
    if (summary != nullptr) {
        *summary = found;
    }
    const test::mapping main{1, 0x1000, 0x2000, 0, "/bin/program", "c0ffee"};
    CHECK(test::find_fault(delta, &main) == "none");
    return test::parse(delta).content;
}

using samples = std::vector<test::sample>;

// Takes the first memory that there is no more of.
template <typename Call>
bool runs_out_of_memory(std::size_t after, Call&& call) {
    test::fail_allocation(after);
    try {
        call();
        test::stop_failing();
        return false;
    } catch (const std::bad_alloc&) {
        return true;
    }
}

} // namespace

TEST_CASE("memory traces become deltas") {
    memory_delta traces;
    delta_summary summary;
    traces.report_memory_traces(
        std::vector<memory_trace>{{stack_a, 5, 1, 50, 10}, {stack_b, 2, 2, 20, 20}}, at(1000));
    const test::profile first = next(traces, &summary);
    CHECK(summary.first);
    CHECK(summary.samples_in == 2);
    CHECK(summary.samples_kept == 2);
    CHECK(first.types == test::heap_types());
    CHECK(first.period_type == value_type{"space", "bytes"});
    CHECK(first.period == 512);
    CHECK(first.time == 1000);
    CHECK(first.duration == 0);
    CHECK(first.samples == samples{{{1, 2, 3}, {5, 50, 4, 40}}, {{4, 3}, {2, 20, 0, 0}}});

    // One has changed; of the other nothing happened and nothing is left.
    traces.report_memory_traces(
        std::vector<memory_trace>{{stack_b, 2, 2, 20, 20}, {stack_a, 7, 7, 80, 80}}, at(3000));
    const test::profile second = next(traces, &summary);
    CHECK(!summary.first);
    CHECK(!summary.reset);
    CHECK(second.duration == 2000);
    CHECK(second.samples == samples{{{1, 2, 3}, {2, 30, 0, 0}}});
    CHECK(second.locations.size() == 3);

    // One is missing, and comes back.
    traces.report_memory_traces(std::vector<memory_trace>{{stack_a, 8, 7, 90, 80}}, at(4000));
    CHECK(next(traces).samples == samples{{{1, 2, 3}, {1, 10, 1, 10}}});
    traces.report_memory_traces(
        std::vector<memory_trace>{{stack_a, 8, 7, 90, 80}, {stack_b, 3, 2, 30, 20}}, at(5000));
    CHECK(next(traces).samples == samples{{{1, 2, 3}, {0, 0, 1, 10}}, {{4, 3}, {1, 10, 1, 10}}});
}

TEST_CASE("traces are told apart by stack, block size and labels") {
    const std::vector<label> labels{{"thread", "main", 0, {}}};
    memory_delta traces;
    traces.report_memory_traces(std::vector<memory_trace>{{stack_a, 1, 0, 16, 0, 16},
                                                          {stack_a, 1, 0, 32, 0, 32},
                                                          {stack_a, 1, 0, 8, 0, 0},
                                                          {stack_a, 2, 0, 32, 0, 16}},
                                at(1));
    traces.report_memory_traces(std::vector<memory_trace>{{stack_a, 1, 0, 16, 0, 16}},
                                at(1, labels));
    const test::label of_16{"bytes", "", 16};
    CHECK(next(traces).samples ==
          samples{{{1, 2, 3}, {3, 48, 3, 48}, {of_16}},
                  {{1, 2, 3}, {1, 32, 1, 32}, {{"bytes", "", 32}}},
                  {{1, 2, 3}, {1, 8, 1, 8}},
                  {{1, 2, 3}, {1, 16, 1, 16}, {{"thread", "main"}, of_16}}});
}

TEST_CASE("an id stands for a stack") {
    memory_delta traces;
    const auto report = [&](std::int64_t count) {
        traces.report_memory_traces(
            std::vector<memory_trace>{{stack_a, count, 0, count, 0, 0, 7},
                                      {stack_b, count, count, count, count, 0, 8},
                                      {stack_a, count, 0, count, 0, 16, 7}},
            at(count));
    };
    report(1);
    CHECK(next(traces).samples.size() == 3);
    report(3);
    CHECK(next(traces).samples == samples{{{1, 2, 3}, {2, 2, 3, 3}},
                                          {{4, 3}, {2, 2, 0, 0}},
                                          {{1, 2, 3}, {2, 2, 3, 3}, {{"bytes", "", 16}}}});
}

TEST_CASE("without allocations, what is written is the memory in use") {
    memory_delta_options options;
    options.allocations = false;
    memory_delta traces{options};
    for (int round = 0; round < 2; ++round) {
        traces.report_memory_traces(
            std::vector<memory_trace>{{stack_a, 5, 1, 50, 10}, {stack_b, 2, 2, 20, 20}}, at(1000));
        const test::profile got = next(traces);
        CHECK(got.types.size() == 2);
        CHECK(got.samples == samples{{{1, 2, 3}, {4, 40}}});
    }
}

TEST_CASE("a reset that is an error costs a round, and no counts") {
    memory_delta_options options;
    options.on_reset = reset_policy::error;
    memory_delta traces{options};
    const auto report = [&](std::int64_t count) {
        traces.report_memory_traces(
            std::vector<memory_trace>{{stack_a, count, count, count, count}}, at(count));
    };
    report(10);
    next(traces);
    report(2);
    std::string delta;
    CHECK(test::fails_as(error_kind::reset, [&] { traces.write(delta); }));
    report(13);
    CHECK(next(traces).samples == samples{{{1, 2, 3}, {3, 3, 0, 0}}});
}

TEST_CASE("after a reset nothing is left of the series before") {
    memory_delta traces;
    traces.report_memory_traces(
        std::vector<memory_trace>{{stack_a, 9, 0, 90, 0}, {stack_b, 8, 0, 80, 0}}, at(1));
    next(traces);
    delta_summary summary;
    traces.report_memory_traces(std::vector<memory_trace>{{stack_b, 1, 0, 10, 0}}, at(2));
    CHECK(next(traces, &summary).samples == samples{{{4, 3}, {1, 10, 1, 10}}});
    CHECK(summary.reset);
    traces.report_memory_traces(
        std::vector<memory_trace>{{stack_a, 1, 0, 10, 0}, {stack_b, 1, 0, 10, 0}}, at(3));
    CHECK(next(traces).samples == samples{{{1, 2}, {0, 0, 1, 10}}, {{3, 4, 2}, {1, 10, 1, 10}}});
}

TEST_CASE("a steady round of traces allocates nothing") {
    std::vector<std::vector<std::uint64_t>> stacks;
    std::vector<memory_trace> all;
    for (std::uint64_t i = 0; i < 1000; ++i) {
        stacks.push_back({0x1000 + i, 0x1000 + i % 7, 0x1500});
    }
    for (const auto& stack : stacks) {
        all.push_back({stack, 1, 0, 16, 0, static_cast<std::int64_t>(8 * (all.size() % 20))});
    }
    const std::vector<label> labels{{"thread", "main", 0, {}}};
    memory_delta traces;
    batching_reporter batches{traces};
    std::string delta;
    for (int round = 0; round < 6; ++round) {
        const std::size_t before = test::allocation_count();
        batches.report_memory_traces(all, at(round + 1, labels));
        traces.write(delta);
        const bool is_steady = round >= 2;
        CHECK((test::allocation_count() == before || !is_steady));
        for (std::size_t i = 0; i < all.size(); i += 30) {
            all[i].allocs += 1;
            all[i].frees += i % 60 == 0 ? 2 : 0;
        }
    }
}

TEST_CASE("a batch that there is no memory for is as if it had not been reported") {
    const std::vector<label> labels{{"thread", "with a name that is not short", 0, {}}};
    const std::vector<memory_trace> one{{stack_b, 1, 0, 10, 0}};
    const std::vector<memory_trace> two{{stack_b, 2, 0, 20, 0}, {stack_a, 5, 1, 50, 10, 16}};
    const samples expected{
        {{1, 2}, {1, 10, 1, 10}},
        {{1, 2}, {2, 20, 2, 20}, {{"thread", std::string{labels[0].text}}}},
        {{3, 4, 2}, {5, 50, 4, 40}, {{"thread", std::string{labels[0].text}}, {"bytes", "", 16}}}};
    bool failed = true;
    std::size_t failures = 0;
    for (std::size_t after = 0; failed; ++after) {
        memory_delta traces;
        traces.report_memory_traces(one, at(1));
        failed =
            runs_out_of_memory(after, [&] { traces.report_memory_traces(two, at(1, labels)); });
        failures += failed ? 1 : 0;
        if (failed) {
            traces.report_memory_traces(two, at(1, labels));
        }
        REQUIRE(next(traces).samples == expected);
    }
    CHECK(failures > 5);
}

TEST_CASE("a round that could not be written is forgotten, and the next one covers both") {
    bool failed = true;
    std::size_t failures = 0;
    for (std::size_t after = 0; failed; ++after) {
        memory_delta traces;
        std::string delta;
        traces.report_memory_traces(std::vector<memory_trace>{{stack_b, 1, 0, 10, 0}}, at(1));
        traces.write(delta);
        traces.report_memory_traces(
            std::vector<memory_trace>{{stack_b, 2, 0, 20, 0}, {stack_a, 5, 1, 50, 10}}, at(2));
        std::string none;
        failed = runs_out_of_memory(after, [&] { traces.write(none); });
        failures += failed ? 1 : 0;
        traces.report_memory_traces(
            std::vector<memory_trace>{{stack_a, 6, 1, 60, 10}, {stack_b, 2, 0, 20, 0}}, at(3));
        const test::profile got = next(traces);
        REQUIRE(got.duration == (failed ? 2 : 1));
        REQUIRE(got.samples.size() == 2);
        const bool b_first = got.samples[0].stack.size() == 2;
        REQUIRE(got.samples[b_first ? 0 : 1].values ==
                std::vector<std::int64_t>{failed ? 1 : 0, failed ? 10 : 0, 2, 20});
        REQUIRE(got.samples[b_first ? 1 : 0].values ==
                std::vector<std::int64_t>{failed ? 6 : 1, failed ? 60 : 10, 5, 50});
    }
    CHECK(failures > 2);
}

TEST_CASE("addresses lie in the mappings of this process unless others are given") {
    memory_delta traces;
    std::string delta;
    const auto code = reinterpret_cast<std::uintptr_t>(&runs_out_of_memory<void (*)()>);
    const std::vector<std::uint64_t> in_program{code};
    traces.report_memory_traces(std::vector<memory_trace>{{in_program, 1, 0, 1, 0}}, {});
    traces.write(delta);
    const test::profile first = test::parse(delta).content;
    REQUIRE(first.mappings.size() == 1);
    CHECK(first.mappings[0].file.find("unit-tests") != std::string::npos);
    CHECK(first.mappings[0].start <= code);
    CHECK(first.mappings[0].limit > code);

    // What is loaded later is found when an address lies in none.
    const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    REQUIRE(file >= 0);
    constexpr std::size_t size = 4096;
    void* const loaded = mmap(nullptr, size, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0);
    close(file);
    REQUIRE(loaded != MAP_FAILED);
    const std::vector<std::uint64_t> in_loaded{reinterpret_cast<std::uintptr_t>(loaded) + 8};
    traces.report_memory_traces(
        std::vector<memory_trace>{{in_program, 1, 0, 1, 0}, {in_loaded, 1, 0, 1, 0}}, {});
    traces.write(delta);
    munmap(loaded, size);
    const test::profile second = test::parse(delta).content;
    REQUIRE(second.locations.size() == 2);
    CHECK(second.locations[0].mapping == 1);
    CHECK(second.locations[1].mapping == 2);
}

TEST_CASE("a large report is passed on in batches") {
    struct sizes : memory_trace_reporter {
        void report_memory_traces(std::span<const memory_trace> traces,
                                  const trace_meta& meta) override {
            CHECK(meta.time_nanos == 7);
            seen.push_back(traces.size());
        }
        std::vector<std::size_t> seen;
    };
    const auto batches_of = [](std::size_t count, std::size_t batch) {
        sizes next;
        batching_reporter reporter{next, batch};
        reporter.report_memory_traces(std::vector<memory_trace>(count), at(7));
        return next.seen;
    };
    using list = std::vector<std::size_t>;
    CHECK(batches_of(250, batching_reporter::default_batch) == list{100, 100, 50});
    CHECK(batches_of(6, 3) == list{3, 3});
    CHECK(batches_of(2, 0) == list{1, 1});
    CHECK(batches_of(0, 3) == list{0});
}

TEST_CASE("contention traces become deltas in nanoseconds") {
    contention_delta_options options;
    options.cycles_per_second = 2'000'000'000;
    options.sampling_period = 10;
    contention_delta traces{options};
    std::string delta;
    traces.report_contention_traces(std::vector<contention_trace>{{stack_a, 3, 4000}}, at(1));
    traces.write(delta);
    traces.report_contention_traces(
        std::vector<contention_trace>{{stack_b, 1, 100}, {stack_a, 5, 5000}}, at(5));
    const delta_summary summary = traces.write(delta);
    CHECK(summary.samples_kept == 2);
    const test::profile got = test::parse(delta).content;
    CHECK(got.types == std::vector<value_type>{{"contentions", "count"}, {"delay", "nanoseconds"}});
    CHECK(got.period_type == value_type{"contentions", "count"});
    CHECK(got.duration == 4);
    CHECK(got.samples == samples{{{1, 2, 3}, {20, 5000}}, {{4, 3}, {10, 500}}});
}
