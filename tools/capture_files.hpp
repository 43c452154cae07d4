// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_CAPTURE_FILES_HPP
#define PPROFDELTA_TOOLS_CAPTURE_FILES_HPP

#include <string>
#include <vector>

namespace pprofdelta::tool {

/// The files that are meant: each name is a file, a folder for all files in it but hidden ones, or,
/// if there is nothing of that name, a pattern of glob(7). What a folder or a pattern stands for is
/// sorted by name.
/// @throws failure io for a folder that cannot be read; usage for one, or a pattern, without files.
[[nodiscard]] std::vector<std::string> find_files(const std::vector<std::string>& names);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_CAPTURE_FILES_HPP
