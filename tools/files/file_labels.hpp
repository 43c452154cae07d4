// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_FILES_FILE_LABELS_HPP
#define PPROFDELTA_TOOLS_FILES_FILE_LABELS_HPP

#include <string>
#include <vector>

namespace pprofdelta::tool {

/// What files are called where others see it, who need not know the folders of this machine: each
/// path without its folders, or with as many of the last ones as it takes to tell all apart. What
/// is below /dev, such as a pipe, stays as it is.
[[nodiscard]] std::vector<std::string> file_labels(const std::vector<std::string>& paths);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_FILES_FILE_LABELS_HPP
