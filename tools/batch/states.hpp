// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "files/file.hpp"

namespace pprofdelta::tool {

/// Puts files into place together: all of them, or none, whenever the process is killed. A redo
/// log: files are written under other names, which the journal notes before; when all are whole it
/// notes that as well, and then they are renamed. A run that finds the journal of one that was
/// killed does the renaming, or removes the files; see recover().
///
/// The journal consists of strings that end with NUL: of each file its present path and the one to
/// come, "together" after the last file of a group, and at last "commit". It is locked by flock(2)
/// as long as its owner lives.
class journal {
public:
    /// @param path      is that of the journal, which is created.
    /// @param is_synced whether to wait for the disk, so that all of this also holds when the
    ///                  machine fails.
    /// @throws failure io
    journal(std::string path, bool is_synced);
    /// Rolls back what was not committed.
    ~journal();
    journal(const journal&) = delete;
    journal& operator=(const journal&) = delete;

    /// Writes a file that commit() will put into the place of `target`, and creates its folder.
    /// @throws failure io, also if no file can be put there; then it is as if there had been no
    ///         call.
    void write(const std::string& target, std::string_view bytes);
    /// Makes a group of the files since the last call. A run that finds the journal puts all files
    /// of a group into place, or none.
    /// @throws failure io
    void end_group();

    /// How many files are waiting to be committed.
    [[nodiscard]] std::size_t size() const noexcept { return m_files.size(); }
    /// Whether one of them goes to `target`. O(size())
    [[nodiscard]] bool has(const std::string& target) const;
    /// Forgets the last files, but for the first `size` of all.
    void drop_after(std::size_t size) noexcept;

    /// Puts all files into place, in the order in which they were written.
    /// @throws failure io. Then nothing was put into place, or, if is_left() says so, the next run
    ///         does what is left.
    void commit();
    /// Whether something failed when it could not go back. The journal is of no use any more.
    [[nodiscard]] bool is_left() const noexcept { return m_is_left; }

private:
    struct waiting_file {
        std::string temporary;
        std::string target;
        descriptor file;
        off_t noted_at; // where its note begins
    };

    void note(std::string_view text);
    void make_folders(const std::string& path);
    void require_sound() const;
    [[nodiscard]] bool cut_to(off_t size) noexcept;
    void remove_after(std::size_t size) noexcept;
    void make_safe();

    std::string m_path;
    bool m_is_synced;
    bool m_is_left = false;
    descriptor m_file{-1};
    off_t m_noted = 0; // its size
    std::vector<waiting_file> m_files;
    std::set<std::string> m_known; // folders that are there
    std::set<std::string> m_grown; // folders in which new ones were created
};

/// `path` from the root, for a journal that may be read from elsewhere.
[[nodiscard]] std::string absolute_path(const std::string& path);

/// The folder in which all series have their files, in 256 folders. Several threads may use it, and
/// several runs at once.
class state_folder {
public:
    /// Creates what is missing.
    /// @param lock_timeout how long lock() waits, counted from here and not for each series.
    /// @throws failure io
    state_folder(std::string path, std::chrono::duration<double> lock_timeout);

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
    /// @returns the number removed.
    /// @throws failure io
    std::size_t prune(std::chrono::seconds age) const;

private:
    [[nodiscard]] bool try_to_lock(std::uint64_t hash_of_series) const;
    void unlock(std::uint64_t hash_of_series) const noexcept;
    bool remove_if_older(const std::string& path, std::filesystem::file_time_type oldest) const;

    std::string m_path;
    std::chrono::time_point<std::chrono::steady_clock, std::chrono::duration<double>> m_deadline;
    descriptor m_locks{-1};
};

/// Called with what people should know of.
using warn_function = std::function<void(const std::string& text)>;

/// Finishes what runs that were killed had committed, and removes what they had not. Journals of
/// runs that live are left alone.
///
/// If no run can put a group of files into place, as a folder has the path of one or one is lost,
/// none of it is: its series goes on from where it was before, so that the next delta has the
/// interval. The journal is set aside, in the folder `aside` beside that of the journals. One that
/// cannot be finished for another reason, such as a full disk, is left to the next run.
/// @param folder is that of the journals.
/// @param own    how the names of this run's journals begin.
/// @param warn   is told of each journal that could not be finished.
/// @throws failure io if the folder cannot be read.
void recover(const std::string& folder, const std::string& own, const warn_function& warn);

/// Recovers before the file `record` of a series is read that is locked by now. Waits while another
/// run recovers what concerns that file.
/// @throws failure io if something that concerns that file is left to the next run, too.
void recover_before(const std::string& record, const std::string& folder, const std::string& own,
                    const warn_function& warn);

} // namespace pprofdelta::tool
