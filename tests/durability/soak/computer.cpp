// SPDX-License-Identifier: Apache-2.0
// One delta_computer for a long series: its memory stays level once the set of stacks is stable,
// keeps to the documented bound while that grows, and no delta misses or repeats anything.
//
// usage: soak-computer PROFILES
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unordered_map>
#include <utility>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/limits.hpp>

#include "allocations.hpp"
#include "profile_builder.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

namespace {

constexpr double kib = 1024;

// A number that looks random (splitmix64).
std::uint64_t mixed(std::uint64_t number) {
    number += 0x9e3779b97f4a7c15U;
    number = (number ^ (number >> 30U)) * 0xbf58476d1ce4e5b9U;
    number = (number ^ (number >> 27U)) * 0x94d049bb133111ebU;
    return number ^ (number >> 31U);
}

std::int64_t objects_of(std::uint64_t stack, std::uint64_t number) {
    const std::uint64_t rate = mixed(stack) % 5;
    return static_cast<std::int64_t>(1 + rate * number);
}

constexpr std::int64_t object_size = 48;

/// A series of heap profiles of any length, in which stacks come and go, and the sum that all of
/// its deltas have to have. A profile depends on its number alone.
class long_series {
public:
    /// @param growth new stacks with each profile, of which as many are left behind. Zero for a set
    ///               of stacks that stays the same, of which each profile has about a half.
    explicit long_series(std::uint32_t growth) : m_growth{growth} {}

    /// The serialized profile after those that were asked for before.
    [[nodiscard]] std::string next();

    [[nodiscard]] std::uint64_t count() const noexcept { return m_number; }

    /// How many different stacks there were so far.
    [[nodiscard]] std::size_t stack_count() const noexcept { return m_last.size(); }

    /// Of alloc_objects and alloc_space, which no delta may miss or count twice: for each stack its
    /// value in the last profile that had it.
    [[nodiscard]] std::array<std::int64_t, 2> expected_sums() const;

    /// At a time.
    static constexpr std::uint32_t stacks = 600;
    static constexpr std::uint32_t functions = 200;

private:
    std::uint32_t m_growth;
    std::uint64_t m_number = 0;
    std::unordered_map<std::uint64_t, std::uint64_t> m_last; // by stack: when it was there last
};

std::string long_series::next() {
    profile p;
    p.types = heap_types();
    // Stacks come and go, but all of it is one process.
    p.mappings = {{1, 0x7ffff7fc9000, 0x7ffff7fcb000, 0, "[vdso]"}};
    p.time = static_cast<std::int64_t>((m_number + 1) * 1'000'000'000);
    for (std::uint32_t i = 0; i < functions; ++i) {
        add_frame(p, "f" + std::to_string(i), "file.cc", 1);
    }
    const std::uint64_t first = m_number * m_growth;
    for (std::uint64_t stack = first; stack < first + stacks; ++stack) {
        if (m_growth == 0 && mixed(stack ^ mixed(m_number)) % 2 == 0) {
            continue;
        }
        sample s;
        // Four frames tell more stacks apart than there can be.
        for (std::uint64_t rest = stack, depth = 0; depth < 4; ++depth, rest /= functions) {
            s.stack.push_back(1 + rest % functions);
        }
        const std::int64_t objects = objects_of(stack, m_number);
        const auto live = static_cast<std::int64_t>(mixed(stack + m_number) % 9);
        s.values = {objects, objects * object_size, live, live * object_size};
        p.samples.push_back(std::move(s));
        m_last[stack] = m_number;
    }
    ++m_number;
    return serialize(p);
}

std::array<std::int64_t, 2> long_series::expected_sums() const {
    std::int64_t objects = 0;
    for (const auto& [stack, number] : m_last) {
        objects += objects_of(stack, number);
    }
    return {objects, objects * object_size};
}

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
