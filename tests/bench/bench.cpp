// SPDX-License-Identifier: Apache-2.0
//
// Says how fast the library is on a pair of profiles; see --help.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <sys/resource.h>

#include <CLI/CLI.hpp>

#include <pprofdelta/codec.hpp>
#include <pprofdelta/delta.hpp>
#include <pprofdelta/processor.hpp>

#include "allocations.hpp"

#include "stopwatch.hpp"

namespace {

using pprofdelta::codec;
using pprofdelta::delta_computer;
using pprofdelta::test::allocation_count;
using pprofdelta::test::stopwatch;
using pprofdelta::test::times;

struct options {
    std::size_t rounds = 20;
    bool compute_only = false;
    std::string delta;
    std::string previous;
    std::string current;
};

std::string read(const std::string& path) {
    std::ifstream file;
    file.exceptions(std::ios::failbit | std::ios::badbit);
    file.open(path, std::ios::binary | std::ios::ate);
    std::string bytes(static_cast<std::size_t>(file.tellg()), '\0');
    file.seekg(0);
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    std::string storage;
    return pprofdelta::decode(bytes, storage).data() == bytes.data() ? bytes : storage;
}

void write(const std::string& path, const std::string& bytes) {
    std::ofstream file;
    file.exceptions(std::ios::failbit | std::ios::badbit);
    file.open(path, std::ios::binary);
    file << bytes << std::flush;
}

double peak_megabytes() {
    // getrusage() would count what the process had been before exec, such as a test runner.
    std::ifstream status{"/proc/self/status"};
    for (std::string word; status >> word;) {
        double kibibytes = 0;
        if (word == "VmHWM:" && status >> kibibytes) {
            return kibibytes * 1024 / 1e6;
        }
    }
    rusage use{};
    getrusage(RUSAGE_SELF, &use);
    return static_cast<double>(use.ru_maxrss) * 1024 / 1e6;
}

double megabytes(std::size_t bytes) { return static_cast<double>(bytes) / 1e6; }

/// A computer that is brought back to the same place before each call that is timed, with the
/// memory that it has.
class steady_computer {
public:
    steady_computer(const std::string& previous, const std::string& current)
        : m_previous{previous}, m_current{current} {
        pprofdelta::delta_options options;
        options.skip_first = true;
        delta_computer{options}.compute(previous, m_empty);
    }

    /// Rewinds to after PREV. The samples that only CUR has would not be new to it the second time
    /// without the profile without samples, which looks like a restart.
    void rewind() {
        if (m_computer.has_previous() && !m_computer.compute(m_empty, delta).reset) {
            throw std::runtime_error{"the counters of PREV are all zero"};
        }
        m_computer.prime(m_previous);
    }
    void compute() { summary = m_computer.compute(m_current, delta); }
    void prime() { m_computer.prime(m_previous); }
    [[nodiscard]] std::string save() const { return m_computer.save(); }

    std::string delta;
    pprofdelta::delta_summary summary;

private:
    const std::string& m_previous;
    const std::string& m_current;
    std::string m_empty;
    delta_computer m_computer;
};

struct step {
    const char* name;
    std::function<void()> prepare;
    std::function<void()> run;
    times taken{};
};

// All steps in each round, so that what else the machine does hits all of them alike.
void run_rounds(std::vector<step>& steps, std::size_t rounds) {
    constexpr double enough = 4; // seconds
    for (std::size_t i = 0; i < rounds; ++i) {
        for (step& s : steps) {
            if (s.taken.total() > enough && s.taken.count() >= 3) {
                continue;
            }
            s.prepare();
            stopwatch watch;
            s.run();
            s.taken.add(watch.lap());
        }
    }
}

void print_time(const std::string& name, double seconds, std::size_t bytes) {
    std::printf("%-28s %12.3f %10.0f\n", name.c_str(), seconds * 1e3, megabytes(bytes) / seconds);
}

void run(const options& wanted) {
    const std::string previous = read(wanted.previous);
    const std::string current = read(wanted.current);

    const std::size_t at_start = allocation_count();
    {
        delta_computer computer;
        std::string delta;
        computer.compute(previous, delta);
    }
    const std::size_t in_set_up = allocation_count() - at_start;

    steady_computer steady{previous, current};
    // Twice, as a delta may be larger than the first.
    for (int i = 0; i < 2; ++i) {
        steady.rewind();
        steady.compute();
        steady.prime();
    }
    const std::size_t before_steady = allocation_count();
    steady.rewind();
    steady.compute();
    const std::size_t in_steady = allocation_count() - before_steady;
    const std::string delta = steady.delta;
    const double peak = peak_megabytes();

    std::printf("code for      %s\n"
                "profiles      %.3f MB and %.3f MB raw, delta %.3f MB\n"
                "samples       %zu in, %zu kept\n"
                "allocations   %zu in set-up, %zu in steady calls\n"
                "peak memory   %.1f MB, with both profiles\n\n",
                std::string{pprofdelta::processor_kind()}.c_str(), megabytes(previous.size()),
                megabytes(current.size()), megabytes(delta.size()), steady.summary.samples_in,
                steady.summary.samples_kept, in_set_up, in_steady, peak);

    const auto nothing = [] {};
    std::string scratch;
    std::string zstd;
    std::string gzip;
    std::string state = steady.save();
    // New for each call, and the one before is taken down before the watch starts.
    std::optional<delta_computer> fresh;
    std::string first;
    const auto renew = [&] {
        fresh.emplace();
        first = {};
    };
    std::vector<step> steps{
        {"set-up", renew, [&] { fresh->compute(previous, first); }},
        {"steady compute", [&] { steady.rewind(); }, [&] { steady.compute(); }},
    };
    if (!wanted.compute_only) {
        gzip = pprofdelta::encode(current, codec::gzip);
        zstd = pprofdelta::encode(current, codec::zstd);
        const std::vector<step> more{
            {"steady prime", nothing, [&] { steady.prime(); }},
            {"diff", nothing, [&] { pprofdelta::diff(previous, current, {}, scratch); }},
            {"save state", nothing, [&] { state = steady.save(); }},
            {"load state", renew, [&] { fresh->load(state); }},
            {"decode gzip", nothing, [&] { (void)pprofdelta::decode(gzip, scratch); }},
            {"decode zstd", nothing, [&] { (void)pprofdelta::decode(zstd, scratch); }},
            {"encode gzip", nothing, [&] { gzip = pprofdelta::encode(current, codec::gzip); }},
            {"encode zstd", nothing, [&] { zstd = pprofdelta::encode(current, codec::zstd); }},
        };
        steps.insert(steps.end(), more.begin(), more.end());
    }
    run_rounds(steps, wanted.rounds);
    std::printf("%-28s %12s %10s\n", "", "median ms", "MB/s");
    for (const step& s : steps) {
        print_time(s.name, s.taken.median(), current.size());
    }
    if (!wanted.delta.empty()) {
        write(wanted.delta, delta);
    }
}

} // namespace

int main(int argc, char** argv) try {
    CLI::App app{
        "Times the library on two profiles. All figures are medians of the processor's time, "
        "and MB/s are of the raw size of CUR."};
    options wanted;
    app.add_option("--rounds", wanted.rounds,
                   "How often each thing is done; fewer if it takes more than 4 seconds in all")
        ->check(CLI::PositiveNumber);
    app.add_flag("--compute", wanted.compute_only,
                 "Only what delta_computer::compute() takes, and not codecs, states and the like");
    app.add_option("--delta", wanted.delta, "Write the delta, uncompressed, to this file");
    app.add_option("PREV", wanted.previous)->required();
    app.add_option("CUR", wanted.current)->required();
    CLI11_PARSE(app, argc, argv);
    run(wanted);
    return 0;
} catch (const std::exception& e) {
    std::fprintf(stderr, "bench: %s\n", e.what());
    return 1;
}
