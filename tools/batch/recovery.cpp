// SPDX-License-Identifier: Apache-2.0
#include "recovery.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <set>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../descriptor.hpp"
#include "../failure.hpp"
#include "../file.hpp"
#include "../folder.hpp"
#include "../temporary_file.hpp"
#include "journal.hpp"

namespace pprofdelta::tool {

namespace {

// What a journal says.
struct noted_files {
    std::vector<std::pair<std::string, std::string>> files; // present path, and the one to come
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
        const std::string_view found = text.substr(0, end);
        text.remove_prefix(end + 1);
        return found;
    };
    for (std::string_view first = next(); !first.empty(); first = next()) {
        if (first == "commit") {
            noted.is_committed = true;
            break;
        }
        const std::string_view target = next();
        // No other file is touched, whatever a damaged journal says.
        if (target.empty() || !is_temporary(first)) {
            break;
        }
        noted.files.emplace_back(first, target);
    }
    return noted;
}

void redo(const noted_files& noted) {
    std::set<std::string> folders;
    for (const auto& [temporary, target] : noted.files) {
        if (std::rename(temporary.c_str(), target.c_str()) == 0) {
            folders.insert(target.substr(0, target.rfind('/')));
        } else if (errno != ENOENT) { // which means that it is done
            throw io_failure(target, "cannot be put into place");
        }
    }
    for (const std::string& folder : folders) {
        sync_folder(folder, folder);
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
bool try_to_recover(const std::string& path) {
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
    struct stat status = {};
    if (::fstat(file.number(), &status) != 0 || status.st_nlink == 0) {
        return true;
    }
    const noted_files noted = parse_journal(read_file(path, max_journal_size));
    if (noted.is_committed) {
        redo(noted);
    } else {
        for (const auto& [temporary, target] : noted.files) {
            ::unlink(temporary.c_str());
        }
    }
    ::unlink(path.c_str());
    return true;
}

// Whether a journal that others may be changing has a file that goes to `target`.
bool notes(const std::string& path, const std::string& target) {
    try {
        const noted_files noted = parse_journal(read_file(path, max_journal_size));
        return std::any_of(noted.files.begin(), noted.files.end(),
                           [&](const auto& file) { return file.second == target; });
    } catch (const failure&) {
        return false; // it is gone
    }
}

} // namespace

void recover(const std::string& folder, const std::string& own) {
    for (const std::string& path : others_in(folder, own)) {
        static_cast<void>(try_to_recover(path));
    }
}

void recover_before(const std::string& record, const std::string& folder, const std::string& own) {
    for (const std::string& path : others_in(folder, own)) {
        // A living owner has the lock of each series in its journal, and that is held here.
        while (!try_to_recover(path) && notes(path, record)) {
            constexpr std::chrono::milliseconds pause{5};
            std::this_thread::sleep_for(pause);
        }
    }
}

} // namespace pprofdelta::tool
