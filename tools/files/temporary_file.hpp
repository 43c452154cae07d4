// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_FILES_TEMPORARY_FILE_HPP
#define PPROFDELTA_TOOLS_FILES_TEMPORARY_FILE_HPP

#include <optional>
#include <string>
#include <string_view>

#include <sys/types.h>

#include "files/descriptor.hpp"

namespace pprofdelta::tool {

/// When a file counts as written.
enum class durability : bool {
    cached, ///< Once the system has it. A crash of the machine may lose it.
    synced, ///< Once it is safe on disk, which takes the disk's time.
};

/// A new file beside another one. Nobody can guess its name, and it is removed unless it was moved
/// into the place of the other. There can be one at a time.
class temporary_file {
public:
    /// @param target      not a symbolic link.
    /// @param name        of the target, for messages.
    /// @param permissions of the file; those of any new file by default.
    /// @throws failure io
    temporary_file(const std::string& target, std::string name, std::optional<mode_t> permissions);
    ~temporary_file();
    temporary_file(const temporary_file&) = delete;
    temporary_file& operator=(const temporary_file&) = delete;

    /// @throws failure io
    void write(std::string_view bytes);

    /// @throws failure io
    void move_into_place(durability when);

private:
    std::string m_target;
    std::string m_name;
    std::optional<mode_t> m_permissions;
    descriptor m_file{-1};
};

/// What the name of a temporary file ends with, after anything: a point, digits that nobody can
/// guess, and ".tmp".
[[nodiscard]] std::string temporary_ending();

/// Whether that is all that `text` is.
[[nodiscard]] bool is_temporary_ending(std::string_view text) noexcept;

/// Removes what killed runs left beside `target`, as far as that is possible. Nobody else may be
/// writing to `target` at the same time.
void remove_abandoned_files(const std::string& target);

/// Removes the temporary file, if there is one, before the process ends at once, without
/// destructors. Safe in a signal handler.
void remove_temporary_file() noexcept;

/// Makes signals that end the program first remove the temporary file, if there is one.
void remove_temporary_file_on_signals();

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_FILES_TEMPORARY_FILE_HPP
