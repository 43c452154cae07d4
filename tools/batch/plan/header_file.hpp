// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_BATCH_PLAN_HEADER_FILE_HPP
#define PPROFDELTA_TOOLS_BATCH_PLAN_HEADER_FILE_HPP

#include <string>
#include <vector>

namespace pprofdelta::tool {

/// The headers of a file with a line "Name: value" for each, comments that begin with "#", and
/// empty lines. Lines may end as on Windows. No message has anything of a line, as headers are
/// secrets.
/// @throws failure usage for what is no header, with the number of its line; io.
[[nodiscard]] std::vector<std::string> read_header_file(const std::string& path);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_BATCH_PLAN_HEADER_FILE_HPP
