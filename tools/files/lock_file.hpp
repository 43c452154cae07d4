// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_FILES_LOCK_FILE_HPP
#define PPROFDELTA_TOOLS_FILES_LOCK_FILE_HPP

#include <chrono>
#include <string>
#include <utility>

#include "files/descriptor.hpp"

namespace pprofdelta::tool {

/// Keeps two runs from working on one state, by flock(2) on the file `path`, which is created if it
/// does not exist, and stays. The system releases the lock when the process ends, however it ends.
class lock_file {
public:
    /// Waits for the lock.
    /// @param hint the end of the message about one that is not released.
    /// @throws failure io; after `timeout` it names the process that holds the lock.
    lock_file(const std::string& path, std::chrono::duration<double> timeout,
              const char* hint = "");

    /// Waits for a lock that many can have at once, and none beside the one above. Creates nothing,
    /// so that what is only read can be locked; without a file, or where nothing can be locked, it
    /// locks nothing.
    /// @throws failure io
    [[nodiscard]] static lock_file shared(const std::string& path,
                                          std::chrono::duration<double> timeout);

    /// Whether there is a file that could be locked.
    [[nodiscard]] bool is_there() const noexcept { return m_file.number() >= 0; }

private:
    explicit lock_file(descriptor file) : m_file{std::move(file)} {}

    descriptor m_file;
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_FILES_LOCK_FILE_HPP
