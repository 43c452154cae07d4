// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_FILES_FILE_HPP
#define PPROFDELTA_TOOLS_FILES_FILE_HPP

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "files/descriptor.hpp"
#include "files/temporary_file.hpp"

namespace pprofdelta::tool {

/// The name of a file in messages: "-" is "standard input".
[[nodiscard]] std::string display_name(const std::string& path);

/// The whole content of a file, of a pipe, or for "-" of standard input.
/// @param hint     the end of the message about a file that is too large.
/// @param may_wait is asked every 50 ms while a pipe has nothing to read, or nobody who writes, and
///                 no more is read once it says no; empty to wait for ever.
/// @throws failure io; malformed if it has more than `max_size` bytes, after reading no more than
///         those.
[[nodiscard]] std::string read_file(const std::string& path, std::size_t max_size,
                                    const char* hint = "",
                                    const std::function<bool()>& may_wait = {});

/// The file that `path` is a symbolic link to, even if it does not exist yet, or else `path`.
[[nodiscard]] std::string resolve_links(const std::string& path);

/// Whether what is printed on standard output and standard error comes to one place, such as a
/// terminal or a log.
[[nodiscard]] bool standard_outputs_are_one() noexcept;

[[nodiscard]] bool standard_input_is_terminal() noexcept;

/// In bytes. 0 for what is no file: a pipe, which may keep its reader waiting, a device, or
/// standard input.
[[nodiscard]] std::size_t regular_file_size(const std::string& path) noexcept;

/// Whether there is a file.
/// @throws failure io; malformed if it is a pipe, a device or a folder.
[[nodiscard]] bool regular_file_exists(const std::string& path);

/// A file that is written part by part. A regular file is replaced as a whole or, if finish() is
/// not called, not at all: a temporary file beside it takes its place once it is complete.
/// Permissions stay as they were. Anything else, such as a pipe or a device, is written to
/// directly.
class file_output {
public:
    /// @throws failure io
    explicit file_output(const std::string& path);
    /// @throws failure io
    void write(std::string_view bytes);
    /// @throws failure io
    void finish(durability when);

private:
    std::string m_path;
    std::optional<temporary_file> m_temporary;
    descriptor m_direct{-1};
};

/// Makes `bytes` the content of `path`, as file_output does.
/// @throws failure io
void write_file(const std::string& path, std::string_view bytes, durability when);

/// Returns once the bytes are passed on, or, for a file, when `when` says.
/// @throws failure io, also if the reader of a pipe went away.
void write_standard_output(std::string_view bytes, durability when = durability::cached);

/// For output that was requested, not for what may be lost, such as a warning.
/// @throws failure io
void write_standard_error(std::string_view bytes);

[[nodiscard]] bool standard_output_is_terminal();
[[nodiscard]] bool standard_error_is_terminal() noexcept;

/// The number of columns of the terminal that is standard output, or 80 if it does not say; 0 if
/// standard output is not a terminal.
[[nodiscard]] std::size_t standard_output_width();

/// Ensures that no file that is opened later gets the number of a standard stream that was closed
/// when the program began.
void occupy_standard_descriptors();

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_FILES_FILE_HPP
