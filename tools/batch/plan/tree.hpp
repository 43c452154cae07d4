// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_BATCH_PLAN_TREE_HPP
#define PPROFDELTA_TOOLS_BATCH_PLAN_TREE_HPP

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "batch/plan/items.hpp"

namespace pprofdelta::tool {

/// Whether a file is called as profiles are: *.pb, *.pprof, *.prof, *.heap and *.otlp, also
/// with .gz or .zst behind it.
[[nodiscard]] bool is_name_of_profile(std::string_view name);

/// The paths of the profiles in a folder, in the order of their names. Hidden files are passed
/// over, and so is what is no file. What `merge --into` has in hidden folders is among them as far
/// as it counts.
/// @throws failure io
[[nodiscard]] std::vector<std::string> profiles_in(const std::string& folder);

/// Each folder below `root` with profiles is a series with the name of its path from there, each
/// component by series_component(), and `root` itself is one with the name of `root`. They are in
/// the order of their names. Hidden folders are passed over, and links to folders are not followed.
/// @param use is called with the name, the path of the folder, and profiles_in() it.
/// @throws failure io for a folder that cannot be read; usage if there is no profile, for a folder
///         whose name is too long for a series, and for two that would be the same one.
void for_each_series(const std::string& root,
                     const std::function<void(const std::string& name, const std::string& folder,
                                              const std::vector<std::string>& profiles)>& use);

/// Adds the profiles of each of these series.
void add_tree(const std::string& root, batch_items& items);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_BATCH_PLAN_TREE_HPP
