// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_BATCH_PLAN_TREE_HPP
#define PPROFDELTA_TOOLS_BATCH_PLAN_TREE_HPP

#include <string>
#include <string_view>

#include "batch/plan/items.hpp"

namespace pprofdelta::tool {

/// Whether a file is called as profiles are: *.pb, *.pprof, *.prof, *.heap and *.otlp, also
/// with .gz or .zst behind it.
[[nodiscard]] bool is_name_of_profile(std::string_view name);

/// Adds the profiles of each folder below `root` as a series with the name of its path from there,
/// each component by series_component(), and those in `root` itself as one with the name of `root`.
/// Series and profiles are in the order of their names. Hidden files and folders are passed over,
/// and links to folders are not followed.
/// @throws failure io for a folder that cannot be read; usage if there is no profile, for a folder
///         whose name is too long for a series, and for two that would be the same one.
void add_tree(const std::string& root, batch_items& items);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_BATCH_PLAN_TREE_HPP
