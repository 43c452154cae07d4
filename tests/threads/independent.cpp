// SPDX-License-Identifier: Apache-2.0
// Distinct objects are independent: threads at work on the same profiles at the same time get what
// one alone gets. Meant for ThreadSanitizer, which sees what they share.
#include <cstdint>
#include <cstdio>
#include <string>
#include <thread>
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

constexpr std::uint32_t seeds = 40;
constexpr int profiles_of_each = 4;
constexpr int thread_count = 4;

using series = std::vector<std::string>;

std::vector<series> invent() {
    std::vector<series> all;
    for (std::uint32_t seed = 0; seed < seeds; ++seed) {
        test::random_series invented{seed};
        series& profiles = all.emplace_back();
        for (int i = 0; i < profiles_of_each; ++i) {
            profiles.push_back(test::serialize(invented.next(), invented.next_layout()));
        }
    }
    return all;
}

// All that the library makes of a series, as one text.
std::string work_on(const series& profiles) {
    std::string all;
    std::string delta;
    std::string storage;
    delta_computer computer;
    try {
        for (const std::string& profile : profiles) {
            computer.compute(profile, delta);
            for (const codec wrap : {codec::gzip, codec::zstd}) {
                all += decode(encode(delta, wrap), storage);
            }
            all += std::to_string(read_state_info(computer.save()).samples);
        }
    } catch (const error& e) {
        all += e.what();
    }
    diff(profiles.front(), profiles.back(), {}, delta);
    all += delta;
    try {
        for (const auto& row : make_report({profiles.front(), profiles.back()}).rows) {
            all += row.name + std::to_string(row.cum.current);
        }
    } catch (const error& e) {
        all += e.what(); // some have values whose totals do not fit
    }
    try {
        for (const auto& found : judge({parse_limit("func:f.*d$:alloc_space>1")},
                                       {profiles.front(), profiles.back()})) {
            all += found.crossed ? "crossed" : "kept";
        }
    } catch (const error& e) {
        all += e.what();
    }
    return all;
}

} // namespace

int main() {
    const std::vector<series> all = invent();
    std::vector<std::string> expected;
    std::size_t size = 0;
    for (const series& profiles : all) {
        expected.push_back(work_on(profiles));
        size += expected.back().size();
    }
    std::vector<int> wrong(thread_count);
    std::vector<std::thread> threads;
    threads.reserve(thread_count);
    for (int& count : wrong) {
        threads.emplace_back([&all, &expected, &count] {
            for (std::size_t i = 0; i < all.size(); ++i) {
                count += work_on(all[i]) == expected[i] ? 0 : 1;
            }
        });
    }
    int sum = 0;
    for (int i = 0; i < thread_count; ++i) {
        threads[static_cast<std::size_t>(i)].join();
        sum += wrong[static_cast<std::size_t>(i)];
    }
    std::printf("%d threads, %zu series, %zu bytes of results, %d wrong\n", thread_count,
                all.size(), size, sum);
    return sum == 0 && size > 0 ? 0 : 1;
}
