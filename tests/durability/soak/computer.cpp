// SPDX-License-Identifier: Apache-2.0
// One delta_computer for a long series: its memory stays level once the set of stacks is stable,
// keeps to the documented bound while that grows, and no delta misses or repeats anything.
//
// usage: soak-computer PROFILES
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/limits.hpp>

#include "allocations.hpp"
#include "long_series.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

namespace {

constexpr double kib = 1024;

// A series in progress.
class soak {
public:
    soak(const char* name, std::uint32_t growth) : m_name{name}, m_series{growth} {}

    void step() {
        const std::string profile = m_series.next();
        // The delta is the caller's.
        const std::size_t before = bytes_in_use() - m_delta.capacity();
        const delta_summary summary = m_computer.compute(profile, m_delta);
        m_memory += bytes_in_use() - m_delta.capacity() - before;
        m_resets += summary.reset ? 1 : 0;
        const auto sums = totals(m_delta);
        m_objects += sums[0];
        m_space += sums[1];
    }

    [[nodiscard]] std::size_t memory() const noexcept { return m_memory; }
    [[nodiscard]] const long_series& series() const noexcept { return m_series; }

    /// Prints what came out. Returns whether the sums are right.
    [[nodiscard]] bool finish() const {
        const auto expected = m_series.expected_sums();
        const bool is_right =
            m_objects == expected[0] && m_space == expected[1] && m_resets == 0 && m_objects > 0;
        std::printf("%s: %llu profiles, %zu stacks, %.0f KiB; sum of the deltas %lld, of the last "
                    "values %lld: %s\n",
                    m_name, static_cast<unsigned long long>(m_series.count()),
                    m_series.stack_count(), static_cast<double>(memory()) / kib,
                    static_cast<long long>(m_objects), static_cast<long long>(expected[0]),
                    is_right ? "right" : "WRONG");
        return is_right;
    }

private:
    const char* m_name;
    long_series m_series;
    delta_computer m_computer;
    std::string m_delta;
    std::size_t m_memory = 0;
    int m_resets = 0;
    std::int64_t m_objects = 0;
    std::int64_t m_space = 0;
};

// After a tenth of the profiles every stack was there, and no profile was larger by much.
bool is_level(std::uint64_t profiles) {
    soak run{"a stable set", 0};
    while (run.series().count() < profiles / 10) {
        run.step();
    }
    const std::size_t early = run.memory();
    while (run.series().count() < profiles) {
        run.step();
    }
    std::printf("%.1f KiB after a tenth, %.1f KiB at the end\n", static_cast<double>(early) / kib,
                static_cast<double>(run.memory()) / kib);
    return run.finish() && run.memory() <= early + early / 50;
}

// delta.hpp: 64 KiB, 100 bytes for a sample and 40 for a location, function and string, and up to
// twice that where a table has just grown.
bool keeps_to_the_bound(std::uint64_t profiles) {
    soak run{"a growing set", 5};
    double most = 0;
    while (run.series().count() < profiles) {
        run.step();
        constexpr std::size_t others = std::size_t{40} * (3 * long_series::functions + 10);
        constexpr std::size_t buffers = std::size_t{64} << 10U;
        const std::size_t bound = buffers + 2 * (100 * run.series().stack_count() + others);
        most = std::max(most, static_cast<double>(run.memory()) / static_cast<double>(bound));
    }
    std::printf("at most %.0f %% of the bound\n", most * 100);
    return run.finish() && most <= 1;
}

} // namespace

int main(int argc, char** argv) {
    const std::uint64_t profiles = argc == 2 ? std::strtoull(argv[1], nullptr, 10) : 0;
    if (profiles < 100) {
        std::fprintf(stderr, "usage: soak-computer PROFILES\n");
        return 2;
    }
    const bool level = is_level(profiles);
    const bool bound = keeps_to_the_bound(profiles);
    return level && bound ? 0 : 1;
}
