// SPDX-License-Identifier: Apache-2.0
// What several threads read of a profile, and what is read ahead on another one, comes to the same
// as with one thread: deltas, differences, and what is wrong with a profile.
#include <cstdint>
#include <cstdio>
#include <future>
#include <string>
#include <vector>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/error.hpp>

#include "profile_builder.hpp"
#include "random_profile.hpp"

using namespace pprofdelta;

namespace {

using series = std::vector<std::string>;

series invent(std::uint32_t seed) {
    test::random_series invented{seed};
    series profiles;
    for (int i = 0; i < 3; ++i) {
        profiles.push_back(test::serialize(invented.next(), invented.next_layout()));
    }
    return profiles;
}

// More samples than are read at a time.
series invent_large() {
    constexpr std::size_t functions = 300;
    constexpr std::int64_t count = 70'000; // two threads take 65,536 at a time
    test::profile all;
    all.types = test::heap_types();
    std::vector<std::uint64_t> frames;
    frames.reserve(functions);
    for (std::size_t i = 0; i < functions; ++i) {
        frames.push_back(test::add_frame(all, "f" + std::to_string(i)));
    }
    series profiles;
    for (const std::int64_t step : {1, 3, 7}) {
        all.samples.clear();
        for (std::int64_t i = step; i < count; ++i) {
            const auto n = static_cast<std::size_t>(i);
            all.samples.push_back({{frames[n % functions], frames[n / functions % functions]},
                                   {i * step, 64 * i * step, i % 2, i % 5},
                                   {},
                                   ""});
        }
        profiles.push_back(test::serialize(all));
    }
    return profiles;
}

// Two samples more, each with one value: the first one is what is told.
std::string damage(const std::string& profile) {
    const std::string sample{"\x12\x03\x12\x01\x01", 5};
    return profile + sample + sample;
}

template <typename Work>
std::string outcome(Work&& work) {
    std::string delta;
    try {
        const delta_summary summary = work(delta);
        return delta + std::to_string(summary.samples_kept) + (summary.reset ? "reset" : "");
    } catch (const error& e) {
        return "error: " + std::string{e.what()} + " at " + std::to_string(e.offset().value_or(0)) +
               " " + std::to_string(static_cast<int>(e.input()));
    }
}

// All that can be made of a series, with so many threads for a profile, and with those that are
// read ahead or not.
std::string work_on(const series& profiles, unsigned threads, bool ahead) {
    delta_options options;
    options.threads = threads;
    const auto read = [&](const std::string& profile) {
        return std::async(std::launch::async, [&] {
            return keyed_profile{profile, options.match, threads};
        });
    };
    std::string all;
    delta_computer computer{options};
    for (const std::string& profile : profiles) {
        all += outcome([&](std::string& delta) {
            if (!ahead) {
                return computer.compute(profile, delta);
            }
            keyed_profile keyed = read(profile).get();
            return computer.compute(keyed, delta);
        });
    }
    all += outcome([&](std::string& delta) {
        if (!ahead) {
            return diff(profiles.front(), profiles.back(), options, delta);
        }
        keyed_profile keyed = read(profiles.back()).get();
        return diff(profiles.front(), keyed, options, delta);
    });
    return all;
}

int count_wrong(const series& profiles, const std::vector<unsigned>& numbers_of_threads) {
    const std::string expected = work_on(profiles, 1, false);
    int wrong = 0;
    for (const unsigned threads : numbers_of_threads) {
        for (const bool ahead : {false, true}) {
            wrong += work_on(profiles, threads, ahead) == expected ? 0 : 1;
        }
    }
    return wrong;
}

} // namespace

int main() {
    constexpr std::uint32_t seeds = 30;
    int wrong = 0;
    for (std::uint32_t seed = 0; seed < seeds; ++seed) {
        wrong += count_wrong(invent(seed), {0, 1, 2, 3, 8});
    }
    const series large = invent_large();
    wrong += count_wrong(large, {2, 3});
    series bad = large;
    bad[1] = damage(bad[1]);
    const std::string told = work_on(bad, 1, false);
    if (told.find("error: a sample has 1 values") == std::string::npos) {
        std::puts("the damaged profile is not refused");
        return 1;
    }
    wrong += count_wrong(bad, {2});
    std::printf("%u series, %d wrong\n", seeds + 2, wrong);
    return wrong == 0 ? 0 : 1;
}
