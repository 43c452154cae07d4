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

/// Adds the URLs of a list of targets in the form of Prometheus' file_sd. Each target and path is a
/// series JOB/ADDRESS/NAME: the label `job`, or else "targets"; the target; and the last component
/// of the path, each by series_component(). The labels `__scheme__` and `__profile_path__` take the
/// place of http and of all `paths`, and `__param_NAME` are the parameters of the URL. The other
/// labels mean nothing. A target that is there again is passed over. Memory is in proportion to the
/// items, not to the text.
/// @param name  of the text, for messages.
/// @param paths from the server's root; parameters may follow after '?'.
/// @throws usage_failure for a wrong path.
/// @throws failure usage, with the place, for what is not a list of targets, for an address or a
///         label that makes no URL, for two URLs in one series, and if there is no target.
void add_targets(std::string_view json, const std::string& name,
                 const std::vector<std::string>& paths, batch_items& items);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_BATCH_PLAN_TARGETS_HPP
