// SPDX-License-Identifier: Apache-2.0
//
// Says how fast the delta of memory traces is, beside serializing all of them as a profile and
// taking the delta of that; usage below.
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/memory_traces.hpp>

#include "allocations.hpp"
#include <delta/series.hpp>
#include <traces/records.hpp>

#include "invented_program.hpp"
#include "stopwatch.hpp"

namespace {

using namespace pprofdelta;
using pprofdelta::test::allocation_count;
using pprofdelta::test::invented_code;
using pprofdelta::test::invented_program;
using pprofdelta::test::invented_sample;
using pprofdelta::test::stopwatch;
using pprofdelta::test::times;

constexpr const char* usage = R"(usage: bench-traces [STACKS [ROUNDS]]

Times rounds of memory traces, in which 3 % of the traces change: batches of 100 and their delta
beside a whole profile and its delta. All figures are medians of the processor's time of this
thread. By default there are 100000 stacks and 20 rounds.
)";

constexpr std::int64_t second = 1'000'000'000;
const profile_types heap{{{"alloc_objects", "count"},
                          {"alloc_space", "bytes"},
                          {"inuse_objects", "count"},
                          {"inuse_space", "bytes"}},
                         {"space", "bytes"}};

/// The knowledge of an allocator: counters, and stacks in the order in which they first came.
class invented_allocator {
public:
    invented_allocator(std::size_t stacks, unsigned in_use)
        : m_code{200 + static_cast<std::uint32_t>(stacks / 26)}, m_program{m_code, 1, in_use} {
        for (std::size_t i = 0; i < stacks; ++i) {
            m_samples.push_back(m_program.next());
            const std::vector<std::uint32_t>& stack = m_samples.back().stack;
            std::for_each(stack.rbegin(), stack.rend(), [this](std::uint32_t site) {
                m_frames.push_back(invented_code::address(site));
            });
        }
        std::size_t start = 0;
        for (const invented_sample& s : m_samples) {
            traces.push_back({std::span{m_frames}.subspan(start, s.stack.size()), 0, 0, 0, 0,
                              static_cast<std::int64_t>(s.block_size), 0});
            start += s.stack.size();
            read(traces.size() - 1);
        }
    }

    void advance() {
        for (std::size_t i = 0; i < m_samples.size(); ++i) {
            m_program.advance(m_samples[i]);
            read(i);
        }
        meta.time_nanos += 30 * second;
    }

    void give_ids() {
        // Records of one stack differ in block size.
        std::map<std::vector<std::uint64_t>, std::uint64_t> ids;
        for (memory_trace& t : traces) {
            t.stack_id =
                ids.try_emplace({t.stack.begin(), t.stack.end()}, ids.size() + 1).first->second;
        }
    }

    template <typename Random>
    void shuffle(Random& random) {
        for (std::size_t i = m_samples.size() - 1; i > 0; --i) {
            const std::size_t other = random() % (i + 1);
            std::swap(m_samples[i], m_samples[other]);
            std::swap(traces[i], traces[other]);
        }
    }

    std::vector<memory_trace> traces;
    trace_meta meta{{}, 1'700'000'000 * second, mappings(), 524288};
    [[nodiscard]] std::size_t frames() const { return m_frames.size(); }

private:
    static mapping_list mappings() {
        return std::make_shared<const std::vector<mapping>>(std::vector<mapping>{
            {0x400000, 0x40000000, 0, "/usr/bin/server", "5f1c0bd2a9e84c37b6d01f4e2a7793c8"}});
    }

    void read(std::size_t i) {
        const invented_sample& s = m_samples[i];
        memory_trace& t = traces[i];
        t.allocs = static_cast<std::int64_t>(s.allocated);
        t.frees = static_cast<std::int64_t>(s.allocated - s.in_use);
        t.alloc_bytes = t.allocs * t.block_size;
        t.free_bytes = t.frees * t.block_size;
    }

    invented_code m_code;
    invented_program m_program;
    std::vector<invented_sample> m_samples;
    std::vector<std::uint64_t> m_frames;
};

/// The long way: the whole profile, and the delta of that.
class profile_way {
public:
    void serialize(const invented_allocator& from) {
        m_profile.begin(heap.sample_types, m_bytes);
        for (const memory_trace& t : from.traces) {
            const std::int64_t values[] = {t.allocs, t.alloc_bytes, t.allocs - t.frees,
                                           t.alloc_bytes - t.free_bytes};
            const label size[] = {{"bytes", {}, t.block_size, {}}};
            m_profile.add_sample(t.stack, values, size);
        }
        trace_header header;
        header.period_type = heap.period_type;
        header.period = from.meta.period;
        header.time_nanos = from.meta.time_nanos;
        m_profile.finish(header, *from.meta.mappings);
    }
    delta_summary compute() { return m_computer.compute(m_bytes, delta); }

    [[nodiscard]] std::size_t size() const { return m_bytes.size(); }
    std::string delta;

private:
    trace_profile m_profile;
    std::string m_bytes;
    delta_computer m_computer;
};

struct workload {
    unsigned in_use; // of a thousand
    bool shuffled = false;
    bool has_ids = false;
};

void run(std::size_t stacks, std::size_t rounds, const workload& what) {
    invented_allocator allocator{stacks, what.in_use};
    if (what.has_ids) {
        allocator.give_ids();
    }
    memory_delta traces;
    batching_reporter batches{traces};
    profile_way profiles;
    std::string delta;
    std::mt19937 random{1};
    times report;
    times write;
    times serialize;
    times compute;
    std::size_t allocations = 0;
    std::size_t kept = 0;
    constexpr std::size_t warm_up = 3;
    for (std::size_t i = 0; i < warm_up + rounds; ++i) {
        const bool counts = i >= warm_up;
        const auto note = [counts](times& to, double seconds) {
            if (counts) {
                to.add(seconds);
            }
        };
        const std::size_t before = allocation_count();
        stopwatch watch;
        batches.report_memory_traces(allocator.traces, allocator.meta);
        const double reported = watch.lap();
        const delta_summary summary = traces.write(delta);
        const double written = watch.lap();
        allocations += counts ? allocation_count() - before : 0;
        note(report, reported);
        note(write, written);
        kept = summary.samples_kept;

        stopwatch other_watch;
        profiles.serialize(allocator);
        note(serialize, other_watch.lap());
        const delta_summary other = profiles.compute();
        note(compute, other_watch.lap());
        if (other.samples_kept != kept || other.samples_in != summary.samples_in) {
            throw std::logic_error{"the two ways do not agree"};
        }

        allocator.advance();
        if (what.shuffled) {
            allocator.shuffle(random);
        }
    }
    // Strings of deltas may grow a little from round to round; nothing is allocated for a trace.
    if (allocations > rounds) {
        throw std::logic_error{"steady rounds allocate"};
    }
    const double ours = report.median() + write.median();
    const double theirs = serialize.median() + compute.median();
    std::printf("%3.1f %% in use%s%s: %zu traces, %.1f frames each; %zu in the delta\n"
                "  traces    %8.3f ms: reports %.3f, write %.3f; %zu allocations in %zu rounds\n"
                "  profiles  %8.3f ms: serialize %.3f, compute %.3f (%.1f MB)\n"
                "  ratio     %8.2f\n",
                what.in_use / 10.0, what.shuffled ? ", in another order each time" : "",
                what.has_ids ? ", with ids of stacks" : "", stacks,
                static_cast<double>(allocator.frames()) / static_cast<double>(stacks), kept,
                ours * 1e3, report.median() * 1e3, write.median() * 1e3, allocations, rounds,
                theirs * 1e3, serialize.median() * 1e3, compute.median() * 1e3,
                static_cast<double>(profiles.size()) / 1e6, theirs / ours);
}

std::optional<std::size_t> parse(std::string_view text) {
    std::size_t number = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool good = result.ec == std::errc{} && result.ptr == text.data() + text.size();
    return good && number != 0 ? std::optional{number} : std::nullopt;
}

} // namespace

int main(int argc, char** argv) try {
    const auto stacks = argc > 1 ? parse(argv[1]) : std::optional<std::size_t>{100'000};
    const auto rounds = argc > 2 ? parse(argv[2]) : std::optional<std::size_t>{20};
    if (!stacks || !rounds || argc > 3) {
        std::fputs(usage, stderr);
        return 2;
    }
    for (const unsigned in_use : {0U, invented_program::usual_in_use, 500U, 1000U}) {
        run(*stacks, *rounds, {in_use});
        run(*stacks, *rounds, {in_use, false, true});
    }
    run(*stacks, *rounds, {invented_program::usual_in_use, true});
    return 0;
} catch (const std::exception& e) {
    std::fprintf(stderr, "bench-traces: %s\n", e.what());
    return 1;
}
