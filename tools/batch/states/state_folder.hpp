// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_BATCH_STATES_STATE_FOLDER_HPP
#define PPROFDELTA_TOOLS_BATCH_STATES_STATE_FOLDER_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "files/descriptor.hpp"

namespace pprofdelta::tool {

/// The folder in which all series have their files, in 256 folders. May be used by several threads,
/// and by several runs at once.
class state_folder {
public:
    /// Creates what is missing.
    /// @param lock_timeout how long lock() waits, counted from here and not for each series.
    /// @throws failure io
    state_folder(std::string path, std::chrono::duration<double> lock_timeout);

    [[nodiscard]] const std::string& path() const noexcept { return m_path; }
    [[nodiscard]] std::string journals() const { return m_path + "/journal"; }

    /// The file of a series, whether it is there or not, as may be its folder.
    [[nodiscard]] std::string record_path(std::string_view series) const;
    /// The note of its deltas that were not taken, whether it is there or not.
    [[nodiscard]] std::string unsent_path(std::string_view series) const;
    /// The notes that are there.
    /// @throws failure io
    [[nodiscard]] std::vector<std::string> unsent_paths() const;

    /// Keeps other processes from working on a series. The system releases the lock when the
    /// process ends, however it ends.
    /// @throws failure io if another run holds it for too long.
    void lock(std::string_view series);
    void unlock(std::string_view series) noexcept;

    /// Removes the files of series that had no profile for so long.
    /// @returns how many.
    /// @throws failure io
    std::size_t prune(std::chrono::seconds age) const;

private:
    [[nodiscard]] bool try_to_lock(std::uint64_t hash_of_series) const;
    void unlock(std::uint64_t hash_of_series) const noexcept;
    bool remove_if_older(const std::string& path, std::filesystem::file_time_type oldest) const;

    std::string m_path;
    std::chrono::steady_clock::time_point m_deadline;
    descriptor m_locks{-1};
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_BATCH_STATES_STATE_FOLDER_HPP
