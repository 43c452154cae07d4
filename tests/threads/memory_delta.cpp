// SPDX-License-Identifier: Apache-2.0
//
// Reports traces from several threads at once, while another one takes deltas, and checks that
// nothing is lost or counted twice. ThreadSanitizer needs it above all, which sees races that do no
// harm here.
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <pprofdelta/memory_traces.hpp>

#include <profile_reader.hpp>

namespace {

using namespace pprofdelta;

constexpr std::size_t threads = 4;
constexpr std::int64_t rounds = 50;
constexpr std::size_t stacks = 300;

// Each thread has its own stacks and one that all have, and goes on with both in each round.
void report_rounds(memory_trace_reporter& to, std::uint64_t thread) {
    std::vector<std::array<std::uint64_t, 3>> own;
    for (std::uint64_t i = 0; i < stacks; ++i) {
        own.push_back({0x1000 + i, 0x2000 * (thread + 1), 0x9000});
    }
    const std::array<std::uint64_t, 1> shared{0x9000};
    const std::string name = "thread " + std::to_string(thread);
    const std::array<label, 1> labels{{{"thread", name, 0, {}}}};
    for (std::int64_t round = 1; round <= rounds; ++round) {
        std::vector<memory_trace> traces;
        for (std::size_t i = 0; i < own.size(); ++i) {
            traces.push_back({own[i], round, round, round, round});
        }
        to.report_memory_traces(traces, {labels, round});
        to.report_memory_traces(std::vector<memory_trace>{{shared, round, 0, round, 0}},
                                {{}, round});
    }
}

// The memory in use of the one stack that never frees is what was reported of it in that round, so
// the sum over all deltas is that over all reports, whatever the rounds were.
std::int64_t reported() { return static_cast<std::int64_t>(threads) * rounds * (rounds + 1) / 2; }

std::int64_t in_use(const std::string& delta) {
    std::int64_t sum = 0;
    for (const test::sample& s : test::parse(delta).content.samples) {
        sum += s.values.at(2);
    }
    return sum;
}

void run() {
    memory_delta_options options;
    options.on_reset = reset_policy::negative; // rounds hold anything
    memory_delta traces{options};
    batching_reporter batches{traces, 7};
    std::vector<std::thread> reporters;
    for (std::uint64_t thread = 0; thread < threads; ++thread) {
        reporters.emplace_back([&batches, thread] { report_rounds(batches, thread); });
    }
    std::int64_t seen = 0;
    std::size_t traces_in = 0;
    std::string delta;
    const auto write = [&] {
        traces_in += traces.write(delta).samples_in;
        seen += in_use(delta);
    };
    for (int i = 0; i < 40; ++i) {
        write();
        std::this_thread::yield();
    }
    for (std::thread& t : reporters) {
        t.join();
    }
    write();
    std::printf("%zu traces, %lld in use\n", traces_in, static_cast<long long>(seen));
    if (traces_in != threads * static_cast<std::size_t>(rounds) * (stacks + 1) ||
        seen != reported()) {
        throw std::runtime_error{"not what was reported"};
    }
}

} // namespace

int main() try {
    run();
    return EXIT_SUCCESS;
} catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return EXIT_FAILURE;
}
