// SPDX-License-Identifier: Apache-2.0
#include "batch/states/recovery.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <optional>
#include <set>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/failure.hpp"
#include "batch/states/journal.hpp"
#include "files/descriptor.hpp"
#include "files/file.hpp"
#include "files/folder.hpp"
#include "files/temporary_file.hpp"

namespace pprofdelta::tool {

namespace {

struct noted_file {
    std::string temporary; // the present path
    std::string target;    // the one to come
};

// The deltas of a series and its file, which come into place together, in this order.
using noted_group = std::vector<noted_file>;

// What a journal says.
struct noted_files {
    std::vector<noted_group> groups;
    bool is_committed = false;
};

bool is_temporary(std::string_view path) {
    return is_temporary_ending(path.substr(path.rfind('/') + 1));
}

noted_files parse_journal(std::string_view text) {
    noted_files noted;
    const auto next = [&text]() -> std::string_view {
        const std::size_t end = text.find('\0');
        if (end == std::string_view::npos) {
            return {}; // there is nothing more, or not all of it
        }
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(end + 1);
        return line;
    };
    noted_group group;
    for (std::string_view first = next(); !first.empty(); first = next()) {
        if (first == "commit") {
            noted.is_committed = true;
            break;
        }
        if (first == "together") {
            noted.groups.push_back(std::exchange(group, {}));
            continue;
        }
        const std::string_view target = next();
        // No other file is touched, whatever a damaged journal says.
        if (target.empty() || !is_temporary(first)) {
            break;
        }
        group.push_back({std::string{first}, std::string{target}});
    }
    noted.groups.push_back(std::move(group));
    return noted;
}

bool is_there(const std::string& path) {
    struct stat status = {};
    if (::lstat(path.c_str(), &status) == 0) {
        return true;
    }
    if (errno != ENOENT && errno != ENOTDIR) {
        throw io_failure(path, "cannot be looked at");
    }
    return false;
}

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
            return failure{exit_status::io, file->target + ": it was removed on its way there"};
        }
        const int fault = was_renamed ? 0 : fault_of_place(file->target);
        if (is_final(fault)) {
            return io_failure(file->target, "cannot be put into place", fault);
        }
    }
    return std::nullopt;
}

// @returns why no run can ever do it, if so. Then nothing of the group is in place.
// @throws failure io if another run may do it.
std::optional<failure> redo(const noted_group& group) {
    const auto waiting = std::find_if(group.begin(), group.end(), [](const noted_file& file) {
        return is_there(file.temporary);
    });
    if (waiting == group.end()) {
        return std::nullopt; // it is done
    }
    if (auto obstacle = obstacle_of(group, waiting)) {
        // Their interval will be in the next delta of the series.
        for (auto file = group.begin(); file != waiting; ++file) {
            std::rename(file->target.c_str(), file->temporary.c_str());
        }
        return obstacle;
    }
    std::set<std::string> folders;
    for (auto file = waiting; file != group.end(); ++file) {
        if (std::rename(file->temporary.c_str(), file->target.c_str()) != 0) {
            throw io_failure(file->target, "cannot be put into place");
        }
        folders.insert(folder_of(file->target));
    }
    for (const std::string& folder : folders) {
        sync_folder(folder, folder);
    }
    return std::nullopt;
}

// Puts a journal where no run looks for one, for people.
// @returns where.
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
            if (auto obstacle = redo(group)) {
                obstacles.push_back(std::move(*obstacle));
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
        warn(place + ": set aside, as it cannot be finished: " + each.what() +
             "; the next delta of its series has its interval");
    }
}

std::vector<std::string> others_in(const std::string& folder, const std::string& own) {
    std::vector<std::string> paths;
    for_each_name(folder, [&](std::string_view name) {
        if (!name.starts_with('.') && !name.starts_with(own)) {
            paths.push_back(folder + "/" + std::string{name});
        }
    });
    return paths;
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
    while (::flock(file.number(), LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK) {
            return false;
        }
        if (errno != EINTR) {
            throw io_failure(path, "cannot be locked");
        }
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
        return std::any_of(noted.groups.begin(), noted.groups.end(), [&](const noted_group& group) {
            return std::any_of(group.begin(), group.end(), [&](const noted_file& file) {
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
            while (!try_to_recover(path, warn) && may_hold(path, record)) {
                constexpr std::chrono::milliseconds pause{5};
                std::this_thread::sleep_for(pause);
            }
        } catch (const failure&) {
            if (may_hold(path, record)) {
                throw;
            }
        }
    }
}

} // namespace pprofdelta::tool
