// SPDX-License-Identifier: Apache-2.0
#include "files/folder.hpp"

#include <cerrno>
#include <filesystem>
#include <memory>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/failure.hpp"
#include "files/descriptor.hpp"

namespace pprofdelta::tool {

namespace {

struct folder_closer {
    void operator()(DIR* folder) const noexcept { ::closedir(folder); }
};

} // namespace

std::string folder_of(const std::string& path) {
    const std::filesystem::path folder = std::filesystem::path{path}.parent_path();
    return folder.empty() ? "." : folder.native();
}

bool is_folder(const std::string& path) {
    struct stat status = {};
    return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

entry_kind kind_of(const std::string& path) {
    struct stat status = {};
    if (::lstat(path.c_str(), &status) != 0) {
        if (errno == ENOENT || errno == ENOTDIR) {
            return entry_kind::none;
        }
        throw io_failure(path, "cannot be looked at");
    }
    return S_ISREG(status.st_mode)   ? entry_kind::file
           : S_ISDIR(status.st_mode) ? entry_kind::folder
                                     : entry_kind::other;
}

void make_folder(const std::string& path) {
    if (::mkdir(path.c_str(), 0777) != 0 && errno != EEXIST) {
        throw io_failure(path, "cannot create the folder");
    }
}

// Not with std::filesystem's iterator, as that of libstdc++ 12 ends the program without memory.
void for_each_name(const std::string& folder, const std::function<void(std::string_view)>& use) {
    const std::unique_ptr<DIR, folder_closer> opened{::opendir(folder.c_str())};
    if (!opened) {
        throw io_failure(folder, "cannot read the folder");
    }
    while (true) {
        errno = 0; // the only sign that the end is none
        const dirent* const entry = ::readdir(opened.get());
        if (entry == nullptr) {
            break;
        }
        const std::string_view name = entry->d_name;
        if (name != "." && name != "..") {
            use(name);
        }
    }
    if (errno != 0) {
        throw io_failure(folder, "cannot read the folder");
    }
}

void sync_folder(const std::string& folder, const std::string& name) {
    const descriptor opened{::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (opened.number() >= 0 && ::fsync(opened.number()) != 0 && errno != EINVAL &&
        errno != EROFS) {
        throw io_failure(name, "its folder cannot be synced");
    }
}

} // namespace pprofdelta::tool
