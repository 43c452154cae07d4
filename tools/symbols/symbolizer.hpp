// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "files/profile_file.hpp"

namespace pprofdelta::tool {

/// The name that google/pprof shows by default for a function that the linker calls `symbol`: of
/// one of C++ without return type, parameters and template arguments, such as "ns::list::insert"
/// for "_ZN2ns4listIiE6insertEi"; else the name itself.
[[nodiscard]] std::string demangled(const std::string& symbol);

/// A name in the form of C++'s ABI that is demangled already, in full, made as short.
[[nodiscard]] std::string simplified(const std::string& full_name);

/// Names frames by binaries. No fault of a binary is an error.
/// @param path    folders and files, with colons in between, where binaries and debugging
///                information are looked for before they are where the profile says.
/// @param trimmed folders that source files get no beginning of, with colons in between.
[[nodiscard]] std::shared_ptr<frame_namer> names_of_binaries(const std::string& path,
                                                             const std::string& trimmed);

} // namespace pprofdelta::tool
