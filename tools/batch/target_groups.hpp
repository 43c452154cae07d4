// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_BATCH_TARGET_GROUPS_HPP
#define PPROFDELTA_TOOLS_BATCH_TARGET_GROUPS_HPP

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace pprofdelta::tool {

/// Targets with the same labels.
struct target_group {
    std::size_t number = 0; ///< In the list, from 1.
    std::vector<std::string> targets;
    std::map<std::string, std::string> labels;
};

/// Calls `use` with each group of a list of targets in the form of Prometheus' file_sd, in JSON.
/// As Prometheus does, it refuses what it does not know, and it refuses names that are there twice.
/// Memory is that of the largest group, and nothing that is nested deeper is read.
/// @param name of the text, for messages.
/// @throws failure usage, with the place. Groups before it were used.
void read_target_groups(std::string_view json, const std::string& name,
                        const std::function<void(const target_group&)>& use);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_BATCH_TARGET_GROUPS_HPP
