// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_CLI_CAPTURE_FILES_HPP
#define PPROFDELTA_TOOLS_CLI_CAPTURE_FILES_HPP

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "base/failure.hpp"
#include "cli/run_status.hpp"
#include "cli/series_folder.hpp"
#include "files/profile_file.hpp"

namespace pprofdelta::tool {

/// The files that are meant: each name is a file, a folder for the captures in it, or, if there is
/// nothing of that name, a pattern of glob(7). What a folder or a pattern stands for is sorted by
/// name. The captures in a folder are all files but hidden ones and what runs leave there besides,
/// such as *.state and *.json; those in its folders are not among them. What `merge --into` has in
/// hidden folders is, as far as it counts, and what is no file is not.
/// @param held gets the folders that were listed, and outlives the reading; nullptr not to wait for
///             runs that move what is in them.
/// @throws failure io for a folder that cannot be read; usage for one without captures, and for a
///         pattern without files.
[[nodiscard]] std::vector<std::string> find_files(const std::vector<std::string>& names,
                                                  series_readers* held);

/// One that is given twice, by whatever paths; empty if none is.
[[nodiscard]] std::string find_repeated(const std::vector<std::string>& files);

/// @throws usage_failure for one that is given twice.
void require_different(const std::vector<std::string>& files);

/// As messages and tables have them.
[[nodiscard]] std::vector<std::string> names_of(const std::vector<std::string>& files);

/// Warns if there is more than one program.
/// @param of whose they are, such as "the base".
void warn_of_programs(const std::string& of, const std::vector<std::string>& programs,
                      run_status& line, bool quiet);

/// Calls `use` with the place of each profile and the profile, in their order; the next one is read
/// at the same time. Each is read once, as it may come from a pipe.
/// @param pass_over is called with the place of a damaged profile and the failure about it, if it
///                  is there, and then the next profile follows.
/// @throws failure
void read_all(const std::vector<std::string>& files, const reading& how,
              const std::function<void(std::size_t place, const shared_profile& profile)>& use,
              const std::function<void(std::size_t place, const failure&)>& pass_over = {});

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_CLI_CAPTURE_FILES_HPP
