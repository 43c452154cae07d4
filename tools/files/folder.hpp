// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_FILES_FOLDER_HPP
#define PPROFDELTA_TOOLS_FILES_FOLDER_HPP

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace pprofdelta::tool {

/// The folder that a path is in, "." for a name alone.
[[nodiscard]] std::string folder_of(const std::string& path);

/// Whether it is one, or a link to one. What cannot be looked at is none: it is refused where it is
/// opened.
[[nodiscard]] bool is_folder(const std::string& path);

/// What something is, if links are not followed.
enum class entry_kind : std::uint8_t { none, file, folder, other };

/// @throws failure io if it cannot be looked at.
[[nodiscard]] entry_kind kind_of(const std::string& path);

/// Creates a folder in one that is there. It may be there itself.
/// @throws failure io
void make_folder(const std::string& path);

/// Calls `use` with the name of each entry, in the order of the file system.
/// @throws failure io, also half-way.
void for_each_name(const std::string& folder, const std::function<void(std::string_view)>& use);

/// Returns once new names in a folder are as safe as their files. Some file systems cannot do this,
/// which is not a failure.
/// @throws failure io, about `name`.
void sync_folder(const std::string& folder, const std::string& name);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_FILES_FOLDER_HPP
