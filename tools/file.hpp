// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_FILE_HPP
#define PPROFDELTA_TOOLS_FILE_HPP

#include <cstddef>
#include <string>
#include <string_view>

#include "temporary_file.hpp"

namespace pprofdelta::tool {

/// How messages call a file: "-" is "standard input".
[[nodiscard]] std::string display_name(const std::string& path);

/// The whole content of a file, a pipe, or for "-" of standard input.
/// @param hint ends the message about a file that is too large.
/// @throws failure io; malformed if it has more than `max_size` bytes, of which no more are read.
[[nodiscard]] std::string read_file(const std::string& path, std::size_t max_size,
                                    const char* hint = "");

/// The file that `path` is a symbolic link to, also one that is not there yet, or else `path`.
[[nodiscard]] std::string resolve_links(const std::string& path);

/// Whether both are the same path once links are followed; there need not be a file.
/// @throws failure for a path that cannot be followed.
[[nodiscard]] bool is_same_path(const std::string& one, const std::string& other);

/// Whether both are one regular file, by whatever names; "-" is standard input.
/// @throws failure io if one is there and cannot be looked at.
[[nodiscard]] bool is_same_file(const std::string& one, const std::string& other);

/// Whether what is printed on standard output and standard error comes to one place, such as a
/// terminal or a log.
[[nodiscard]] bool standard_outputs_are_one() noexcept;

[[nodiscard]] bool standard_input_is_terminal() noexcept;

/// Neither a pipe, which may keep its reader waiting, nor a device, and not standard input.
[[nodiscard]] bool is_regular_file(const std::string& path) noexcept;

/// Whether there is a file.
/// @throws failure io; malformed if it is a pipe, a device or a folder.
[[nodiscard]] bool regular_file_exists(const std::string& path);

/// Makes `bytes` the content of `path`: of a regular file all of it or, after a failure, none of
/// it, by way of a temporary file beside it that takes its place once it is complete. Permissions
/// stay as they were. Anything else, such as a pipe or a device, is written to as it is.
/// @throws failure io
void write_file(const std::string& path, std::string_view bytes, durability when);

/// Returns once the bytes are on their way, or if it is a file as `when` says.
/// @throws failure io, also if the reader of a pipe went away.
void write_standard_output(std::string_view bytes, durability when = durability::cached);

/// For what was asked for, rather than for what may be lost, such as a warning.
/// @throws failure io
void write_standard_error(std::string_view bytes);

[[nodiscard]] bool standard_output_is_terminal();

/// How many columns the terminal has that standard output goes to, 80 if it does not say; 0 if it
/// is no terminal.
[[nodiscard]] std::size_t standard_output_width();

/// Sees to it that no file that is opened later takes the number of a standard stream that was
/// closed when the program began.
void occupy_standard_descriptors();

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_FILE_HPP
