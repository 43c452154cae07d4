// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_BATCH_PLAN_TARGETS_HPP
#define PPROFDELTA_TOOLS_BATCH_PLAN_TARGETS_HPP

#include <string>
#include <string_view>
#include <vector>

#include "batch/plan/items.hpp"

namespace pprofdelta::tool {

/// Where profiles are if nothing else is said: what Go's net/http/pprof serves.
inline constexpr const char* default_profile_path = "/debug/pprof/allocs";

/// What makes the name of a target's series, if nothing else is said.
inline constexpr const char* default_series_labels = "job/__address__";

/// The names of labels in `text`, which slashes are between.
/// @throws usage_failure for an empty one.
[[nodiscard]] std::vector<std::string> parse_series_labels(const std::string& text);

/// What there is to read of each target, and what it is called.
struct target_plan {
    std::vector<std::string> paths;  ///< From the server's root; parameters may follow after '?'.
    std::vector<std::string> series; ///< Labels whose values make the name of a series.
};

/// Adds the URLs of a list of targets in the form of Prometheus' file_sd. Each target and path is a
/// series of the values of the labels in `plan.series`, and the last component of the path, each by
/// series_component() and with a slash between. Without a label `job` that is "targets". The labels
/// `__scheme__` and `__profile_path__` take the place of http and of all paths, and `__param_NAME`
/// are the parameters of the URL. A target that is there again is passed over. Memory is in
/// proportion to the items, not to the text.
/// @param name  of the text, for messages.
/// @throws usage_failure for a wrong path.
/// @throws failure usage, with the place, for what is not a list of targets, for an address or a
///         label that makes no URL, for a target without a label that makes its name, for two URLs
///         in one series, and if there is no target.
void add_targets(std::string_view json, const std::string& name, const target_plan& plan,
                 batch_items& items);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_BATCH_PLAN_TARGETS_HPP
