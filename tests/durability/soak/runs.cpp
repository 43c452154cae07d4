// SPDX-License-Identifier: Apache-2.0
// Runs of the program on one state, each with the next profile of a long series: the state and the
// memory of a run stay level, no delta misses or repeats anything, and nothing is left behind.
//
// usage: soak-runs PPROFDELTA RUNS FOLDER
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pprofdelta/codec.hpp>
#include <pprofdelta/limits.hpp>

#include "long_series.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

namespace {

void write(const std::filesystem::path& path, const std::string& bytes) {
    std::ofstream file;
    file.exceptions(std::ios::badbit | std::ios::failbit);
    file.open(path, std::ios::binary);
    file << bytes << std::flush;
}

std::string read(const std::filesystem::path& path) {
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

// The most memory that the run had, in KiB.
long run(std::string program, std::array<std::string, 5> options) {
    std::array<char*, 7> arguments{program.data()};
    std::transform(options.begin(), options.end(), arguments.begin() + 1,
                   [](std::string& option) { return option.data(); });
    pid_t child = 0;
    int status = 0;
    rusage usage{};
    if (::posix_spawn(&child, program.c_str(), nullptr, nullptr, arguments.data(), environ) != 0 ||
        ::wait4(child, &status, 0, &usage) != child || status != 0) {
        throw std::runtime_error{"a run failed"};
    }
    return usage.ru_maxrss;
}

// In the middle of a series, and at its end.
struct level {
    std::uintmax_t state = 0; // bytes
    long memory = 0;          // the largest of a tenth of the runs, in KiB
};

int soak(const std::string& program, long runs, const std::filesystem::path& folder) {
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    long_series series{0};
    std::int64_t objects = 0;
    std::string storage;
    level early;
    level late;
    for (long i = 0; i < runs; ++i) {
        write(folder / "cur", series.next());
        const long memory =
            run(program, {"--state", folder / "state", "-o", folder / "delta", folder / "cur"});
        objects += totals(decode(read(folder / "delta"), storage))[0];
        const bool is_early = i < runs / 5;
        if (is_early ? i >= runs / 10 : i >= runs - runs / 10) {
            level& part = is_early ? early : late;
            part.state = std::max(part.state, std::filesystem::file_size(folder / "state"));
            part.memory = std::max(part.memory, memory);
        }
    }
    const std::int64_t expected = series.expected_sums()[0];
    std::printf("%ld runs, %zu stacks; sum of the deltas %lld, of the last values %lld\n", runs,
                series.stack_count(), static_cast<long long>(objects),
                static_cast<long long>(expected));
    std::printf(
        "state %ju bytes in the second tenth, %ju in the last; peak memory of a run %ld KiB "
        "and %ld KiB\n",
        early.state, late.state, early.memory, late.memory);
    const auto files = std::distance(std::filesystem::directory_iterator{folder}, {});
    constexpr long files_wanted = 4; // cur, delta, state, state.lock
    // Later values are larger, by a byte of a varint or two; the kernel counts memory by pages.
    const bool is_level = late.state <= early.state + 4 * series.stack_count() &&
                          late.memory <= early.memory + early.memory / 10;
    return objects == expected && objects > 0 && is_level && files == files_wanted ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) try {
    const long runs = argc == 4 ? std::strtol(argv[2], nullptr, 10) : 0;
    if (runs < 100) {
        std::fprintf(stderr, "usage: soak-runs PPROFDELTA RUNS FOLDER\n");
        return 2;
    }
    return soak(argv[1], runs, argv[3]);
} catch (const std::exception& e) {
    std::fprintf(stderr, "soak-runs: %s\n", e.what());
    return 1;
}
