// SPDX-License-Identifier: Apache-2.0
// Several threads that read a profile, or that read another one ahead, come to the same as one
// thread: deltas, differences, and what is wrong with a profile. The same holds for all that is
// made of the same profiles at the same time, as distinct objects are independent.
#include <cstdint>
#include <cstdio>
#include <future>
#include <string>
#include <vector>

#include <pprofdelta/codec.hpp>
#include <pprofdelta/delta.hpp>
#include <pprofdelta/error.hpp>
#include <pprofdelta/limits.hpp>
#include <pprofdelta/report.hpp>
#include <pprofdelta/state.hpp>

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
                                   {i * step, 64 * i * step, i % 2, i % 5}});
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
    std::string made;
    try {
        const delta_summary summary = work(made);
        return made + std::to_string(summary.samples_kept) + (summary.reset ? "reset" : "");
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

// The threads of a profile have no part in this.
std::string views_of(const series& profiles) {
    const viewed_profiles both{profiles.front(), profiles.back()};
    std::string all;
    all += outcome([&](std::string& rows) {
        for (const auto& row : make_report(both).rows) {
            rows += row.name + std::to_string(row.cum.current);
        }
        return delta_summary{};
    });
    all += outcome([&](std::string& limits) {
        for (const auto& found : judge({parse_limit("func:f.*d$:alloc_space>1")}, both)) {
            limits += found.crossed ? "crossed" : "kept";
        }
        return delta_summary{};
    });
    all += outcome([&](std::string& decoded) {
        std::string delta;
        std::string storage;
        delta_computer computer;
        delta_summary summary;
        for (const std::string& profile : profiles) {
            summary = computer.compute(profile, delta);
            for (const codec wrap : {codec::gzip, codec::zstd}) {
                decoded += decode(encode(delta, wrap), storage);
            }
            decoded += std::to_string(read_state_info(computer.save()).samples);
        }
        return summary;
    });
    return all;
}

struct example {
    series profiles;
    std::string expected = work_on(profiles, 1, false);
    std::string views = views_of(profiles);
};

int count_wrong(const example& e, const std::vector<unsigned>& numbers_of_threads) {
    int wrong = views_of(e.profiles) == e.views ? 0 : 1;
    for (const unsigned threads : numbers_of_threads) {
        for (const bool ahead : {false, true}) {
            wrong += work_on(e.profiles, threads, ahead) == e.expected ? 0 : 1;
        }
    }
    return wrong;
}

} // namespace

int main() {
    constexpr std::uint32_t seeds = 30;
    std::vector<example> all;
    for (std::uint32_t seed = 0; seed < seeds; ++seed) {
        all.push_back({invent(seed)});
    }
    std::vector<std::future<int>> at_once;
    for (const std::vector<unsigned>& numbers :
         std::vector<std::vector<unsigned>>{{0, 1}, {2}, {3}, {8}}) {
        at_once.push_back(std::async(std::launch::async, [&all, numbers] {
            int wrong = 0;
            for (const example& each : all) {
                wrong += count_wrong(each, numbers);
            }
            return wrong;
        }));
    }
    int wrong = 0;
    for (std::future<int>& each : at_once) {
        wrong += each.get();
    }
    const example large{invent_large()};
    wrong += count_wrong(large, {2, 3});
    series damaged = large.profiles;
    damaged[1] = damage(damaged[1]);
    const example bad{damaged};
    if (bad.expected.find("error: a sample has 1 values") == std::string::npos) {
        std::puts("the damaged profile is not refused");
        return 1;
    }
    wrong += count_wrong(bad, {2});
    std::printf("%u series, %d wrong\n", seeds + 2, wrong);
    return wrong == 0 ? 0 : 1;
}
