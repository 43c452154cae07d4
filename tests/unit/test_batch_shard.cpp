// SPDX-License-Identifier: Apache-2.0
#include "batch/series.hpp"

#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/failure.hpp"
#include "catch.hpp"

using namespace pprofdelta::tool;

namespace {

using variables = std::map<std::string, std::string>;

shard shard_in(const variables& all) {
    return parse_shard("auto", [&](const char* name) {
        const auto found = all.find(name);
        return found == all.end() ? nullptr : found->second.c_str();
    });
}

std::string message_from(const variables& all) {
    try {
        shard_in(all);
    } catch (const usage_failure& e) {
        return e.what();
    }
    return "none";
}

std::uint64_t place_of(const std::string& series, std::uint64_t count) {
    std::uint64_t index = 0;
    while (!shard{index, count}.has(series)) {
        ++index;
    }
    return index;
}

std::vector<std::string> names(int kind) {
    std::vector<std::string> all;
    for (int i = 0; i < 10000; ++i) {
        const std::string number = std::to_string(i);
        all.push_back(kind == 0   ? number
                      : kind == 1 ? "web/10.0." + std::to_string(i / 250) + "." +
                                        std::to_string(i % 250) + ":6060/allocs"
                                  : "series/" + std::string(6 - number.size(), '0') + number);
    }
    return all;
}

} // namespace

// Runs of other versions and on other machines have to agree. The numbers are those of FNV-1a and
// SplitMix64 in Python's integers.
TEST_CASE("a series is always in the same shard") {
    for (const auto& [series, of_7, of_65536] :
         {std::tuple{"", 5U, 59547U}, std::tuple{"a", 3U, 8440U}, std::tuple{"web/1", 5U, 14633U},
          std::tuple{"web/10.0.0.1:6060/allocs", 1U, 53215U},
          std::tuple{"\u00e4/\u65e5\u672c", 0U, 18840U}}) {
        INFO(series);
        CHECK(place_of(series, 1) == 0);
        CHECK(place_of(series, 7) == of_7);
        CHECK(place_of(series, 65536) == of_65536);
    }
}

TEST_CASE("shards are about equally large") {
    for (int kind = 0; kind < 3; ++kind) {
        for (const std::uint64_t count : {2U, 3U, 7U, 64U}) {
            std::vector<double> sizes(count, 0);
            for (const std::string& name : names(kind)) {
                std::uint64_t parts = 0;
                for (std::uint64_t i = 0; i < count; ++i) {
                    if (shard{i, count}.has(name)) {
                        ++sizes[i];
                        ++parts;
                    }
                }
                if (parts != 1) {
                    FAIL(name);
                }
            }
            // Pearson's statistic has the mean count - 1 and the variance 2 (count - 1) if each
            // name falls anywhere. One in 30,000 is six deviations above, at least.
            const double expected = 10000.0 / static_cast<double>(count);
            double chi_square = 0;
            for (const double size : sizes) {
                chi_square += (size - expected) * (size - expected) / expected;
            }
            const double freedom = static_cast<double>(count - 1);
            INFO(kind << " " << count);
            CHECK(chi_square < freedom + 6 * std::sqrt(2 * freedom));
        }
    }
}

TEST_CASE("a shard has whole series, in their order") {
    for (std::uint64_t index = 0; index < 3; ++index) {
        batch_items items;
        std::vector<std::string> expected;
        const std::vector<std::string> all = names(0);
        for (std::size_t i = 0; i < 100; ++i) {
            items.add(all[i], "1");
        }
        for (std::size_t i = 100; i-- > 0;) {
            items.add(all[i], "2");
        }
        const shard part{index, 3};
        items.keep_shard(part);
        CHECK(items.size() == 2 * items.series().size());
        CHECK_FALSE(items.series().empty());
        const series_items* last = nullptr;
        for (const series_items& each : items.series()) {
            CHECK(part.has(each.name));
            CHECK(each.inputs == std::vector<std::string_view>{"1", "2"});
            CHECK(
                (!last || std::stoi(std::string{last->name}) < std::stoi(std::string{each.name})));
            CHECK(items.find(each.name) == &each);
            last = &each;
        }
        for (std::size_t i = 0; i < 100; ++i) {
            CHECK((items.find(all[i]) != nullptr) == part.has(all[i]));
        }
    }
}

TEST_CASE("a shard is a number of all") {
    const auto is_at = [](const shard& part, std::uint64_t index, std::uint64_t count) {
        return part.index == index && part.count == count;
    };
    CHECK(is_at(parse_shard("2/8"), 1, 8));
    CHECK(is_at(parse_shard("1/1"), 0, 1));
    CHECK(is_at(parse_shard("18446744073709551615/18446744073709551615"), 18446744073709551614U,
                18446744073709551615U));
    for (const char* const text :
         {"", "1", "/", "1/", "/1", "0/8", "9/8", "1/0", "0/0", "-1/8", "+1/8", " 1/8", "1/8 ",
          "1/8/9", "a/b", "1.0/8", "0x1/8", "Auto", "1/18446744073709551616"}) {
        INFO(text);
        CHECK_THROWS_AS(parse_shard(text), usage_failure);
    }
}

TEST_CASE("a shard can be that of a Slurm task") {
    variables all{{"SLURM_ARRAY_TASK_ID", "7"},
                  {"SLURM_ARRAY_TASK_MIN", "1"},
                  {"SLURM_ARRAY_TASK_MAX", "10"},
                  {"SLURM_ARRAY_TASK_STEP", "3"},
                  {"SLURM_ARRAY_TASK_COUNT", "4"}};
    CHECK(shard_in(all).index == 2);
    CHECK(shard_in(all).count == 4);
    all.erase("SLURM_ARRAY_TASK_MAX");
    CHECK(shard_in(all).index == 2);
    CHECK(shard_in({{"SLURM_ARRAY_TASK_ID", "3"},
                    {"SLURM_ARRAY_TASK_MIN", "0"},
                    {"SLURM_ARRAY_TASK_COUNT", "4"}})
              .index == 3);
}

TEST_CASE("a Slurm task that cannot tell its place among the others is refused") {
    const variables good{{"SLURM_ARRAY_TASK_ID", "2"},
                         {"SLURM_ARRAY_TASK_MIN", "1"},
                         {"SLURM_ARRAY_TASK_MAX", "4"},
                         {"SLURM_ARRAY_TASK_STEP", "1"},
                         {"SLURM_ARRAY_TASK_COUNT", "4"}};
    CHECK(message_from(good) == "none");
    const auto with = [&](const char* name, const char* value) {
        variables all = good;
        all["SLURM_ARRAY_TASK_" + std::string{name}] = value;
        return message_from(all);
    };
    const std::string uneven = "--shard auto: the tasks of the Slurm array are not numbered evenly";
    CHECK(with("MAX", "7") == uneven); // as with 1,2,3,7
    CHECK(with("MAX", "0") == uneven);
    CHECK(with("ID", "5") == uneven);
    CHECK(with("ID", "0") == uneven);
    CHECK(with("STEP", "0") == uneven);
    CHECK(with("STEP", "2") == uneven);
    CHECK(with("COUNT", "0") == uneven);
    CHECK(with("ID", "x") == "--shard auto: SLURM_ARRAY_TASK_ID is 'x', and no number");
    CHECK(with("ID", "") == "--shard auto: SLURM_ARRAY_TASK_ID is '', and no number");
    CHECK(message_from({{"SLURM_ARRAY_TASK_ID", "2"}}) ==
          "--shard auto: SLURM_ARRAY_TASK_ID is set, and SLURM_ARRAY_TASK_MIN or "
          "SLURM_ARRAY_TASK_COUNT is not");
}

TEST_CASE("a shard can be that of a pod of Kubernetes") {
    const shard part = shard_in({{"JOB_COMPLETION_INDEX", "0"}, {"JOB_COMPLETIONS", "3"}});
    CHECK(part.index == 0);
    CHECK(part.count == 3);
    CHECK(message_from({{"JOB_COMPLETION_INDEX", "3"}, {"JOB_COMPLETIONS", "3"}}) ==
          "--shard auto: JOB_COMPLETION_INDEX is 3, and JOB_COMPLETIONS only 3");
    CHECK(message_from({{"JOB_COMPLETION_INDEX", "3"}}) ==
          "--shard auto: JOB_COMPLETION_INDEX is set, and JOB_COMPLETIONS is not, which should say "
          "how many there are");
    CHECK(message_from({{"JOB_COMPLETION_INDEX", "0"}, {"SLURM_ARRAY_TASK_ID", "0"}}) ==
          "--shard auto: both SLURM_ARRAY_TASK_ID and JOB_COMPLETION_INDEX are set");
    CHECK(message_from({{"JOB_COMPLETIONS", "3"}}) ==
          "--shard auto: neither SLURM_ARRAY_TASK_ID nor JOB_COMPLETION_INDEX is set");
}
