// SPDX-License-Identifier: Apache-2.0
#include "batch/states/journal.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/failure.hpp"
#include "files/folder.hpp"
#include "files/temporary_file.hpp"

namespace pprofdelta::tool {

namespace {

namespace fs = std::filesystem;

// Hidden, and short, whatever the length of the target's name.
std::string temporary_beside(const std::string& target) {
    return folder_of(target) + "/" + temporary_ending();
}

// Waits for the lock, which another run may hold for a moment.
void lock_file_of(int file, const std::string& path) {
    while (::flock(file, LOCK_EX) != 0) {
        if (const int reason = errno; reason != EINTR) {
            ::unlink(path.c_str());
            throw io_failure(path, "cannot be locked", reason);
        }
    }
}

bool is_linked(int file) noexcept {
    struct stat status = {};
    return ::fstat(file, &status) == 0 && status.st_nlink != 0;
}

void require_place(const std::string& target) {
    if (const int fault = fault_of_place(target); fault != 0) {
        throw io_failure(target, "cannot be put into place", fault);
    }
}

} // namespace

int fault_of_place(const std::string& target) noexcept {
    struct stat status = {};
    if (::lstat(target.c_str(), &status) != 0) {
        return errno == ENOENT ? 0 : errno;
    }
    return S_ISDIR(status.st_mode) ? EISDIR : 0;
}

std::string absolute_path(const std::string& path) {
    std::error_code fault;
    const fs::path whole = fs::absolute(path, fault);
    if (fault) {
        throw io_failure(path, "cannot be found", fault.value());
    }
    return whole.native();
}

journal::journal(std::string path, bool is_synced)
    : m_path{std::move(path)}, m_is_synced{is_synced} {
    do {
        m_file = descriptor{
            ::open(m_path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666)};
        if (m_file.number() < 0) {
            throw io_failure(m_path, "cannot be created");
        }
        lock_file_of(m_file.number(), m_path);
        // Another run may have taken it for one that was left behind before it was locked.
    } while (!is_linked(m_file.number()));
    if (m_is_synced) {
        sync_folder(folder_of(m_path), m_path);
    }
}

journal::~journal() {
    if (!m_is_left) {
        remove_after(0);
        ::unlink(m_path.c_str());
    }
}

void journal::note(std::string_view text) {
    std::string line{text};
    line += '\0';
    try {
        write_all(m_file.number(), line, m_path);
    } catch (const failure&) {
        // What follows after half a string would be taken for the rest of it.
        m_is_left = !cut_to(m_noted);
        throw;
    }
    m_noted += static_cast<off_t>(line.size());
}

bool journal::cut_to(off_t size) noexcept {
    const bool is_cut =
        ::ftruncate(m_file.number(), size) == 0 && ::lseek(m_file.number(), size, SEEK_SET) == size;
    m_noted = is_cut ? size : m_noted;
    return is_cut;
}

void journal::make_folders(const std::string& path) {
    if (path.empty() || path == "/" || m_known.contains(path)) {
        return;
    }
    struct stat status = {};
    if (::stat(path.c_str(), &status) != 0) {
        const std::string above = folder_of(path);
        make_folders(above);
        if (has(path)) {
            throw failure{exit_status::io,
                          path + ": cannot create the folder, as a delta has that path"};
        }
        make_folder(path);
        m_grown.insert(above);
    }
    constexpr std::size_t most_known = 1000;
    if (m_known.size() == most_known) {
        m_known.clear();
    }
    m_known.insert(path);
}

void journal::write(const std::string& target, std::string_view bytes) {
    if (m_is_left) {
        throw failure{exit_status::io, m_path + ": the journal cannot go on"};
    }
    const std::string folder = folder_of(target);
    make_folders(folder);
    require_place(target);
    waiting_file next{temporary_beside(target), target, descriptor{-1}, m_noted};
    // In one piece: what is noted in part does not count, and is not there yet.
    note(next.temporary + '\0' + next.target);
    next.file = descriptor{
        ::open(next.temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666)};
    if (next.file.number() < 0) {
        const int reason = errno;
        m_known.erase(folder); // somebody may have removed it
        m_is_left = !cut_to(next.noted_at);
        throw io_failure(target, "cannot create a file beside it", reason);
    }
    try {
        write_all(next.file.number(), bytes, target);
        m_files.push_back(std::move(next));
    } catch (...) {
        ::unlink(next.temporary.c_str());
        m_is_left = !cut_to(next.noted_at);
        throw;
    }
}

void journal::end_group() { note("together"); }

bool journal::has(const std::string& target) const {
    return std::any_of(m_files.begin(), m_files.end(),
                       [&](const waiting_file& file) { return file.target == target; });
}

void journal::remove_after(std::size_t size) noexcept {
    while (m_files.size() > size) {
        ::unlink(m_files.back().temporary.c_str());
        m_files.pop_back();
    }
}

// What is noted is there: another run would take it for lost if it were not.
void journal::drop_after(std::size_t size) noexcept {
    if (m_files.size() > size) {
        const off_t kept = m_files[size].noted_at;
        remove_after(size);
        m_is_left = !cut_to(kept) || m_is_left;
    }
}

// There may be folders now where there were none when the files were written.
void journal::require_places() const {
    for (const waiting_file& each : m_files) {
        require_place(each.target);
    }
}

// What is needed for the renaming, whatever happens to the machine.
void journal::make_safe() {
    for (waiting_file& each : m_files) {
        if ((m_is_synced && ::fsync(each.file.number()) != 0) || !each.file.close()) {
            throw io_failure(each.target, "writing failed");
        }
    }
    if (m_is_synced) {
        for (const std::string& folder : std::exchange(m_grown, {})) {
            sync_folder(folder, folder);
        }
    }
    note("commit");
    if (m_is_synced && ::fdatasync(m_file.number()) != 0) {
        throw io_failure(m_path, "writing failed");
    }
}

void journal::commit() {
    if (m_files.empty()) {
        return;
    }
    if (m_is_left) {
        throw failure{exit_status::io, m_path + ": the journal cannot go on"};
    }
    try {
        require_places();
        make_safe();
    } catch (...) {
        // First, as nothing must be removed that the journal says is to be renamed.
        if (!cut_to(0)) {
            m_is_left = true;
            throw;
        }
        remove_after(0);
        throw;
    }
    m_is_left = true;
    std::set<std::string> folders;
    for (const waiting_file& each : m_files) {
        if (std::rename(each.temporary.c_str(), each.target.c_str()) != 0) {
            throw io_failure(each.target, "cannot be put into place");
        }
        folders.insert(folder_of(each.target));
    }
    if (m_is_synced) {
        for (const std::string& folder : folders) {
            sync_folder(folder, folder);
        }
    }
    if (!cut_to(0)) {
        throw io_failure(m_path, "cannot be emptied");
    }
    m_is_left = false;
    m_files.clear();
}

} // namespace pprofdelta::tool
