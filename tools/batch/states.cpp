// SPDX-License-Identifier: Apache-2.0
#include "batch/states.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <optional>
#include <system_error>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/failure.hpp"
#include "base/threads.hpp"
#include "base/value_text.hpp"

namespace pprofdelta::tool {

namespace {

namespace fs = std::filesystem;

// @param operation LOCK_EX to wait for the lock, and with LOCK_NB not to.
// @returns whether it was locked.
bool lock_journal(int file, int operation, const std::string& path) {
    while (::flock(file, operation) != 0) {
        if (errno == EWOULDBLOCK) {
            return false;
        }
        if (errno != EINTR) {
            throw io_failure(path, "cannot be locked");
        }
    }
    return true;
}

bool is_linked(int file) noexcept {
    struct stat status = {};
    return ::fstat(file, &status) == 0 && status.st_nlink != 0;
}

// Why no file can be renamed to `target`, as a number of errno; 0 if nothing is known to be in the
// way.
int fault_of_place(const std::string& target) noexcept {
    struct stat status = {};
    if (::lstat(target.c_str(), &status) != 0) {
        return errno == ENOENT ? 0 : errno;
    }
    return S_ISDIR(status.st_mode) ? EISDIR : 0;
}

void require_place(const std::string& target) {
    if (const int fault = fault_of_place(target); fault != 0) {
        throw io_failure(target, "cannot be moved into place", fault);
    }
}

// Returns the paths of the files in a folder whose names are chosen.
template <typename IsMeant>
std::vector<std::string> paths_in(const std::string& folder, IsMeant&& is_meant) {
    std::vector<std::string> paths;
    for_each_entry(folder, [&](std::string_view name, entry_kind) {
        if (is_meant(name)) {
            paths.push_back(folder + "/" + std::string{name});
        }
    });
    return paths;
}

void sync_folders(const std::set<std::string>& folders) {
    for (const std::string& folder : folders) {
        sync_folder(folder, folder);
    }
}

// Renames files in their order.
template <typename File>
void move_into_place(File file, File end, bool is_synced) {
    std::set<std::string> folders;
    for (; file != end; ++file) {
        if (std::rename(file->temporary.c_str(), file->target.c_str()) != 0) {
            throw io_failure(file->target, "cannot be moved into place");
        }
        folders.insert(folder_of(file->target));
    }
    if (is_synced) {
        sync_folders(folders);
    }
}

} // namespace

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
        try { // which waits for a run that has it for a moment
            lock_journal(m_file.number(), LOCK_EX, m_path);
        } catch (const failure&) {
            ::unlink(m_path.c_str());
            throw;
        }
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
        // A later note would be read as the rest of the string that is cut off.
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
                          path + ": cannot create the folder, because a delta has this path"};
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

void journal::require_sound() const {
    if (m_is_left) {
        throw failure{exit_status::io,
                      m_path + ": the journal cannot be continued after an earlier failure"};
    }
}

void journal::write(const std::string& target, std::string_view bytes) {
    require_sound();
    const std::string folder = folder_of(target);
    make_folders(folder);
    require_place(target);
    // Hidden, and short, whatever the length of the target's name.
    waiting_file next{folder + "/" + temporary_ending(), target, descriptor{-1}, m_noted};
    // A note is written in one piece: what is noted in part does not count, and is not there yet.
    note(next.temporary + '\0' + next.target);
    next.file = descriptor{
        ::open(next.temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666)};
    if (next.file.number() < 0) {
        const int reason = errno;
        m_known.erase(folder); // somebody may have removed it
        m_is_left = !cut_to(next.noted_at);
        throw io_failure(target, "cannot create a temporary file beside it", reason);
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
    return std::ranges::find(m_files, target, &waiting_file::target) != m_files.end();
}

void journal::remove_after(std::size_t size) noexcept {
    while (m_files.size() > size) {
        ::unlink(m_files.back().temporary.c_str());
        m_files.pop_back();
    }
}

// Removes files that are noted as well: another run takes a noted file that is missing for lost.
void journal::drop_after(std::size_t size) noexcept {
    if (m_files.size() > size) {
        const off_t kept = m_files[size].noted_at;
        remove_after(size);
        m_is_left = !cut_to(kept) || m_is_left;
    }
}

// Makes durable all that renaming needs, so that another run can do it after a crash.
void journal::make_safe() {
    for (waiting_file& each : m_files) {
        if ((m_is_synced && ::fsync(each.file.number()) != 0) || !each.file.close()) {
            throw io_failure(each.target, "writing failed");
        }
    }
    if (m_is_synced) {
        sync_folders(std::exchange(m_grown, {}));
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
    require_sound();
    try {
        for (const waiting_file& each : m_files) {
            require_place(each.target); // there may be folders now where there were none before
        }
        make_safe();
    } catch (...) {
        // First, as nothing must be removed that the journal says is to be renamed.
        m_is_left = !cut_to(0);
        if (!m_is_left) {
            remove_after(0);
        }
        throw;
    }
    m_is_left = true;
    move_into_place(m_files.begin(), m_files.end(), m_is_synced);
    if (!cut_to(0)) {
        throw io_failure(m_path, "cannot be emptied");
    }
    m_is_left = false;
    m_files.clear();
}

namespace {

constexpr std::string_view ending = ".series";

// Enough of a name for people who look for its file.
std::string readable(std::string_view series) {
    constexpr std::size_t most = 80;
    std::string text{series.substr(series.size() - std::min(series.size(), most))};
    std::ranges::replace_if(
        text, [](char c) { return !is_in_word(c) && c != '-' && c != '.'; }, '_');
    return text;
}

// A byte of the file of locks stands for a series. Two series that share one, of 2^62, would only
// wait for each other.
struct flock byte_of(std::uint64_t hash_of_series, short type) {
    struct flock range = {};
    range.l_type = type;
    range.l_whence = SEEK_SET;
    range.l_start = static_cast<off_t>(hash_of_series >> 2U);
    range.l_len = 1;
    return range;
}

// The hash in the name of a series' file.
std::optional<std::uint64_t> hash_in_name(std::string_view path) {
    constexpr std::size_t digits = 16;
    if (!path.ends_with(ending) || path.size() < digits + ending.size()) {
        return std::nullopt;
    }
    path.remove_suffix(ending.size());
    return number_in<std::uint64_t>(path.substr(path.size() - digits), 16);
}

// Locks of the open file, not of the process, which would lose them when any thread closes the
// same file.
#ifdef F_OFD_SETLK
constexpr int set_lock = F_OFD_SETLK;
#else
constexpr int set_lock = F_SETLK;
#endif

} // namespace

state_folder::state_folder(std::string path, std::chrono::duration<double> lock_timeout)
    : m_path{std::move(path)}, m_deadline{std::chrono::steady_clock::now() + lock_timeout} {
    std::error_code fault;
    fs::create_directories(m_path, fault);
    if (fault) {
        throw io_failure(m_path, "cannot create the folder", fault.value());
    }
    make_folder(journals());
    const std::string locks = m_path + "/lock";
    m_locks = descriptor{::open(locks.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666)};
    if (m_locks.number() < 0) {
        throw io_failure(locks, "cannot be opened");
    }
}

std::string state_folder::record_path(std::string_view series) const {
    const std::string hash = hash_text(content_hash(series));
    return m_path + "/" + hash.substr(0, 2) + "/" + readable(series) + "-" + hash +
           std::string{ending};
}

std::string state_folder::unsent_path(std::string_view series) const {
    return m_path + "/unsent/" + readable(series) + "-" + hash_text(content_hash(series));
}

std::vector<std::string> state_folder::unsent_paths() const {
    const std::string folder = m_path + "/unsent";
    if (!is_folder(folder)) {
        return {};
    }
    // A note may begin with a point, as its series may. NFS keeps removed files that are open.
    return paths_in(folder, [](std::string_view name) {
        return !is_temporary_ending(name) && !name.starts_with(".nfs");
    });
}

bool state_folder::try_to_lock(std::uint64_t hash_of_series) const {
    const struct flock range = byte_of(hash_of_series, F_WRLCK);
    while (::fcntl(m_locks.number(), set_lock, &range) != 0) {
        const int reason = errno;
        if (reason == EAGAIN || reason == EACCES) {
            return false;
        }
        if (reason != EINTR) {
            throw io_failure(m_path + "/lock", "cannot be locked", reason);
        }
    }
    return true;
}

void state_folder::lock(std::string_view series) {
    const std::uint64_t hash = content_hash(series);
    if (!poll_until(m_deadline, std::chrono::milliseconds{20}, [&] { return try_to_lock(hash); })) {
        throw failure{exit_status::io, "another run works on this series; see --lock-timeout"};
    }
}

void state_folder::unlock(std::uint64_t hash_of_series) const noexcept {
    const struct flock range = byte_of(hash_of_series, F_UNLCK);
    ::fcntl(m_locks.number(), set_lock, &range);
}

void state_folder::unlock(std::string_view series) noexcept { unlock(content_hash(series)); }

// A file that another run works on is not old. A file whose series waits for the command to take
// its deltas is not old either: it goes on then.
bool state_folder::remove_if_older(const std::string& path, fs::file_time_type oldest) const {
    const std::optional<std::uint64_t> hash = hash_in_name(path);
    std::error_code gone; // removed by another run meanwhile
    if (!hash || fs::last_write_time(path, gone) >= oldest || gone || !try_to_lock(*hash)) {
        return false;
    }
    const bool is_waiting = fs::exists(m_path + "/unsent/" + fs::path{path}.stem().native(), gone);
    const bool is_removed =
        !is_waiting && fs::last_write_time(path, gone) < oldest && !gone && fs::remove(path, gone);
    unlock(*hash);
    return is_removed;
}

std::size_t state_folder::prune(std::chrono::seconds age) const {
    const fs::file_time_type oldest = fs::file_time_type::clock::now() - age;
    std::size_t removed = 0;
    for (unsigned i = 0; i < 256; ++i) {
        const std::string folder = m_path + "/" + hash_text(std::uint64_t{i} << 56U).substr(0, 2);
        if (is_folder(folder)) {
            for_each_entry(folder, [&](std::string_view name, entry_kind) {
                removed += remove_if_older(folder + "/" + std::string{name}, oldest) ? 1 : 0;
            });
        }
    }
    return removed;
}

namespace {

struct noted_file {
    std::string temporary; // the present path
    std::string target;    // the one to come
};

// The deltas of a series and its file, which come into place together, in this order.
using noted_group = std::vector<noted_file>;

// The content of a journal.
struct noted_files {
    std::vector<noted_group> groups;
    bool is_committed = false;
};

bool is_temporary(std::string_view path) {
    return is_temporary_ending(path.substr(path.rfind('/') + 1));
}

noted_files parse_journal(std::string_view text) {
    noted_files noted;
    noted_group group;
    part_reader strings{text};
    while (const auto first = strings.next('\0')) {
        if (*first == "commit") {
            noted.is_committed = true;
            break;
        }
        if (*first == "together") {
            noted.groups.push_back(std::exchange(group, {}));
            continue;
        }
        const auto target = strings.next('\0');
        // No other file is touched, whatever a damaged journal says.
        if (!target || target->empty() || !is_temporary(*first)) {
            break;
        }
        group.push_back({std::string{*first}, std::string{*target}});
    }
    noted.groups.push_back(std::move(group));
    return noted;
}

bool is_there(const std::string& path) { return kind_of(path) != entry_kind::none; }

// Whether a target will not do for any other run either, unless somebody changes something.
bool is_final(int fault) { return fault == EISDIR || fault == ENOTDIR || fault == ENAMETOOLONG; }

// Why no run can put the group into place as a whole; nothing if this one can try.
//
// A file that is gone was renamed, or it is lost, and its interval would be if the series went on.
// Files are renamed in order: none behind one that waits was. One before that was, unless target
// and folder are gone: who takes away what is done leaves the folder.
// @param waiting the first file that still has to be renamed.
std::optional<failure> obstacle_of(const noted_group& group, noted_group::const_iterator waiting) {
    for (auto file = group.begin(); file != group.end(); ++file) {
        const bool was_renamed = file < waiting;
        if (was_renamed ? !is_there(file->target) && !is_there(folder_of(file->target))
                        : !is_there(file->temporary)) {
            return failure{exit_status::io,
                           file->target + ": it was removed before the run could finish"};
        }
        const int fault = was_renamed ? 0 : fault_of_place(file->target);
        if (is_final(fault)) {
            return io_failure(file->target, "cannot be moved into place", fault);
        }
    }
    return std::nullopt;
}

// @returns why no run can ever do it, if so. Then nothing of the group is in place.
// @throws failure io if another run may do it.
std::optional<failure> redo(const noted_group& group) {
    const auto waiting = std::ranges::find_if(group, is_there, &noted_file::temporary);
    if (waiting == group.end()) {
        return std::nullopt; // it is done
    }
    if (auto blocked_by = obstacle_of(group, waiting)) {
        // Their interval will be in the next delta of the series.
        for (auto file = group.begin(); file != waiting; ++file) {
            std::rename(file->target.c_str(), file->temporary.c_str());
        }
        return blocked_by;
    }
    move_into_place(waiting, group.end(), true);
    return std::nullopt;
}

// Puts a journal where no run looks for one, for people.
// @returns the new place.
std::string set_aside(const std::string& path) {
    const std::string journals = folder_of(path);
    const std::string folder = folder_of(journals) + "/aside";
    make_folder(folder);
    std::string place = folder + path.substr(journals.size());
    if (std::rename(path.c_str(), place.c_str()) != 0) {
        throw io_failure(path, "cannot be set aside");
    }
    return place;
}

// One group that cannot be done keeps no other from it.
// @throws failure io if another run may do what is left.
void redo(const noted_files& noted, const std::string& path, const warn_function& warn) {
    std::optional<failure> left;
    std::vector<failure> obstacles;
    for (const noted_group& group : noted.groups) {
        try {
            if (auto blocked_by = redo(group)) {
                obstacles.push_back(std::move(*blocked_by));
            }
        } catch (const failure& e) {
            left = e;
        }
    }
    if (left) {
        throw failure{left->status(), path +
                                          ": a killed run left this, and it cannot be finished "
                                          "now: " +
                                          left->what()};
    }
    if (obstacles.empty()) {
        ::unlink(path.c_str());
        return;
    }
    const std::string place = set_aside(path);
    for (const failure& each : obstacles) {
        warn(place + ": set aside, because it cannot be finished: " + each.what() +
             "; the next delta of its series covers its interval");
    }
}

std::vector<std::string> others_in(const std::string& folder, const std::string& own) {
    return paths_in(folder, [&own](std::string_view name) {
        return !name.starts_with('.') && !name.starts_with(own);
    });
}

// The longest paths of the files of more than one group.
constexpr std::size_t max_journal_size = std::size_t{1} << 26U;

// Recovers a journal.
// @returns false if it is in use: its owner lives, or another run recovers it.
bool try_to_recover(const std::string& path, const warn_function& warn) {
    const descriptor file{::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW)};
    if (file.number() < 0) {
        if (errno == ENOENT) {
            return true; // another run was faster
        }
        throw io_failure(path, "cannot be opened");
    }
    if (!lock_journal(file.number(), LOCK_EX | LOCK_NB, path)) {
        return false;
    }
    if (!is_there(path)) {
        return true;
    }
    const noted_files noted = parse_journal(read_file(path, max_journal_size));
    if (noted.is_committed) {
        redo(noted, path, warn);
        return true;
    }
    for (const noted_group& group : noted.groups) {
        for (const noted_file& each : group) {
            ::unlink(each.temporary.c_str());
        }
    }
    ::unlink(path.c_str());
    return true;
}

// Whether a journal that others may be changing has a file that is still to go to `target`, as far
// as it can be read.
bool may_hold(const std::string& path, const std::string& target) {
    try {
        const noted_files noted = parse_journal(read_file(path, max_journal_size));
        return std::ranges::any_of(noted.groups, [&](const noted_group& group) {
            return std::ranges::any_of(group, [&](const noted_file& file) {
                return file.target == target && is_there(file.temporary);
            });
        });
    } catch (const failure&) {
        return is_there(path);
    }
}

} // namespace

void recover(const std::string& folder, const std::string& own, const warn_function& warn) {
    for (const std::string& path : others_in(folder, own)) {
        try {
            static_cast<void>(try_to_recover(path, warn));
        } catch (const failure& e) {
            warn(e.what());
        }
    }
}

void recover_before(const std::string& record, const std::string& folder, const std::string& own,
                    const warn_function& warn) {
    for (const std::string& path : others_in(folder, own)) {
        try {
            // A living owner has the lock of each series in its journal, and that is held here.
            poll_until(std::chrono::steady_clock::time_point::max(), std::chrono::milliseconds{5},
                       [&] { return try_to_recover(path, warn) || !may_hold(path, record); });
        } catch (const failure&) {
            if (may_hold(path, record)) {
                throw;
            }
        }
    }
}

} // namespace pprofdelta::tool
