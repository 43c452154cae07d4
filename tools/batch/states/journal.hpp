// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_BATCH_STATES_JOURNAL_HPP
#define PPROFDELTA_TOOLS_BATCH_STATES_JOURNAL_HPP

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "files/descriptor.hpp"

namespace pprofdelta::tool {

/// Puts files into place together: all of them, or none, whenever the process is killed. A redo
/// log: files are written under other names, which the journal notes before; when all are whole it
/// notes that as well, and then they are renamed. A run that finds the journal of one that was
/// killed does the renaming, or removes the files; see recovery.hpp.
///
/// The journal consists of strings that end with NUL: of each file its present path and the one to
/// come, "together" after the last file of a group, and at last "commit". It is locked by flock(2)
/// as long as its owner lives.
class journal {
public:
    /// @param path      of the journal, which is created.
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
    /// Makes a group of the files since the last call. Of each group, a run that finds the journal
    /// puts all files into place, or none.
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
    [[nodiscard]] bool cut_to(off_t size) noexcept;
    void remove_after(std::size_t size) noexcept;
    void require_places() const;
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

/// Why no file can be renamed to `target`, as a number of errno; 0 if nothing is known to be in the
/// way.
[[nodiscard]] int fault_of_place(const std::string& target) noexcept;

/// `path` from the root, for a journal that may be read from elsewhere.
[[nodiscard]] std::string absolute_path(const std::string& path);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_BATCH_STATES_JOURNAL_HPP
