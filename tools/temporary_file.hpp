// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_TEMPORARY_FILE_HPP
#define PPROFDELTA_TOOLS_TEMPORARY_FILE_HPP

#include <optional>
#include <string>
#include <string_view>

#include <sys/types.h>

#include "descriptor.hpp"

namespace pprofdelta::tool {

/// When a file counts as written.
enum class durability : bool {
    cached, ///< Once the system has it. A crash of the machine may lose it.
    synced, ///< Once it is safe on disk, which takes the disk's time.
};

/// A new file beside another, whose name nobody can guess, and which is removed again unless it was
/// moved into the other's place. There can be one at a time.
class temporary_file {
public:
    /// @param target      not a symbolic link.
    /// @param name        of the target, for messages.
    /// @param permissions that it is to have; those of any new file unless given.
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
    void sync_folder() const;

    std::string m_target;
    std::string m_name;
    std::optional<mode_t> m_permissions;
    descriptor m_file{-1};
};

/// Removes what runs that were killed have left beside `target`, as far as that is possible. Nobody
/// else may be writing to `target` meanwhile.
void remove_abandoned_files(const std::string& target);

/// Removes the temporary file, if there is one, where no destructor will: before the process ends
/// at once. Safe in a signal handler.
void remove_temporary_file() noexcept;

/// Has signals that end the program remove the temporary file first, if there is one.
void remove_temporary_file_on_signals();

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_TEMPORARY_FILE_HPP
