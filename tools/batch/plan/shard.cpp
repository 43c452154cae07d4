// SPDX-License-Identifier: Apache-2.0
#include "batch/plan/shard.hpp"

#include <charconv>
#include <cstdlib>
#include <optional>
#include <system_error>

#include "base/failure.hpp"

namespace pprofdelta::tool {

namespace {

// FNV-1a, whose last bytes reach few bits, and the last steps of SplitMix64, which spread them.
std::uint64_t hash_of(std::string_view text) noexcept {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char c : text) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    }
    hash = (hash ^ hash >> 30U) * 0xbf58476d1ce4e5b9;
    hash = (hash ^ hash >> 27U) * 0x94d049bb133111eb;
    return hash ^ hash >> 31U;
}

std::optional<std::uint64_t> number_in(std::string_view text) {
    std::uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, fault] = std::from_chars(text.data(), end, number);
    return fault == std::errc{} && rest == end ? std::optional{number} : std::nullopt;
}

// The number in a variable; nothing if it is not set.
std::optional<std::uint64_t> number_of(const environment& value_of, const char* name) {
    const char* const text = value_of(name);
    if (!text) {
        return std::nullopt;
    }
    const auto number = number_in(text);
    if (!number) {
        wrong_usage("--shard auto: " + std::string{name} + " is '" + text + "', and no number");
    }
    return number;
}

// The tasks of an array have the numbers from MIN to MAX, by STEP. Those of a list such as 1,3,7
// have no such order, from which a task could tell how many come before it.
shard of_slurm(const environment& value_of, std::uint64_t id) {
    const auto first = number_of(value_of, "SLURM_ARRAY_TASK_MIN");
    const auto last = number_of(value_of, "SLURM_ARRAY_TASK_MAX");
    const auto count = number_of(value_of, "SLURM_ARRAY_TASK_COUNT");
    const std::uint64_t step = number_of(value_of, "SLURM_ARRAY_TASK_STEP").value_or(1);
    if (!first || !count) {
        wrong_usage("--shard auto: SLURM_ARRAY_TASK_ID is set, and SLURM_ARRAY_TASK_MIN or "
                    "SLURM_ARRAY_TASK_COUNT is not");
    }
    const bool is_even = *count > 0 && step > 0 && id >= *first && (id - *first) % step == 0 &&
                         (id - *first) / step < *count &&
                         (!last || (*last >= *first && (*last - *first) / step == *count - 1));
    if (!is_even) {
        wrong_usage("--shard auto: the tasks of the Slurm array are not numbered evenly");
    }
    return {(id - *first) / step, *count};
}

shard of_kubernetes(const environment& value_of, std::uint64_t index) {
    const auto count = number_of(value_of, "JOB_COMPLETIONS");
    if (!count) {
        wrong_usage("--shard auto: JOB_COMPLETION_INDEX is set, and JOB_COMPLETIONS is not, which "
                    "should say how many there are");
    }
    if (index >= *count) {
        wrong_usage("--shard auto: JOB_COMPLETION_INDEX is " + std::to_string(index) +
                    ", and JOB_COMPLETIONS only " + std::to_string(*count));
    }
    return {index, *count};
}

shard of_environment(const environment& value_of) {
    const auto task = number_of(value_of, "SLURM_ARRAY_TASK_ID");
    const auto pod = number_of(value_of, "JOB_COMPLETION_INDEX");
    if (task && pod) {
        wrong_usage("--shard auto: both SLURM_ARRAY_TASK_ID and JOB_COMPLETION_INDEX are set");
    }
    if (!task && !pod) {
        wrong_usage("--shard auto: neither SLURM_ARRAY_TASK_ID nor JOB_COMPLETION_INDEX is set");
    }
    return task ? of_slurm(value_of, *task) : of_kubernetes(value_of, *pod);
}

} // namespace

bool shard::has(std::string_view series) const noexcept {
    return count < 2 || hash_of(series) % count == index;
}

std::string to_string(const shard& part) {
    return part.count < 2 ? "" : std::to_string(part.index + 1) + "/" + std::to_string(part.count);
}

shard parse_shard(const std::string& text, const environment& value_of) {
    if (text == "auto") {
        return of_environment(value_of);
    }
    const std::size_t slash = text.find('/');
    if (slash != std::string::npos) {
        const std::string_view all = text;
        const auto number = number_in(all.substr(0, slash));
        const auto count = number_in(all.substr(slash + 1));
        if (number && count && *number >= 1 && *number <= *count) {
            return {*number - 1, *count};
        }
    }
    wrong_usage("--shard: '" + text + "' is neither a part of all, such as 2/8, nor auto");
}

shard parse_shard(const std::string& text) {
    return parse_shard(text, [](const char* name) { return std::getenv(name); });
}

} // namespace pprofdelta::tool
