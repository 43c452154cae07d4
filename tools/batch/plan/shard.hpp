// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_BATCH_PLAN_SHARD_HPP
#define PPROFDELTA_TOOLS_BATCH_PLAN_SHARD_HPP

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace pprofdelta::tool {

/// The part of all series that one of several runs does. Each series is in exactly one of `count`
/// parts, the same one on every machine and in every version.
struct shard {
    std::uint64_t index = 0; ///< Less than `count`.
    std::uint64_t count = 1;

    [[nodiscard]] bool has(std::string_view series) const noexcept;
};

/// As it is given, such as "2/8"; empty if it is all.
[[nodiscard]] std::string to_string(const shard& part);

/// The value of an environment variable, or nullptr, as from getenv(3).
using environment = std::function<const char*(const char* name)>;

/// "2/8" is the second of eight parts. "auto" takes what Slurm says to the tasks of an array
/// (SLURM_ARRAY_TASK_ID, _MIN, _MAX, _STEP and _COUNT), or Kubernetes to the pods of an indexed job
/// (JOB_COMPLETION_INDEX; JOB_COMPLETIONS is the user's to set).
/// @throws usage_failure, also if not each of the array's parts has a task.
[[nodiscard]] shard parse_shard(const std::string& text, const environment& value_of);

/// Reads a shard with the environment of this program.
[[nodiscard]] shard parse_shard(const std::string& text);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_BATCH_PLAN_SHARD_HPP
