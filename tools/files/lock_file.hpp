// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_FILES_LOCK_FILE_HPP
#define PPROFDELTA_TOOLS_FILES_LOCK_FILE_HPP

#include <chrono>
#include <string>

namespace pprofdelta::tool {

/// Keeps two runs from working on one state, by flock(2) on the file `path`, which is created if it
/// does not exist, and stays. The system releases the lock when the process ends, however it ends.
class lock_file {
public:
    /// Waits for the lock.
    /// @throws failure io; after `timeout` it names the process that holds the lock.
    lock_file(const std::string& path, std::chrono::duration<double> timeout);
    ~lock_file();
    lock_file(const lock_file&) = delete;
    lock_file& operator=(const lock_file&) = delete;

private:
    int m_file;
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_FILES_LOCK_FILE_HPP
