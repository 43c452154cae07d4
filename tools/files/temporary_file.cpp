// SPDX-License-Identifier: Apache-2.0
#include "files/temporary_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <random>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/failure.hpp"
#include "files/end_signals.hpp"
#include "files/folder.hpp"

namespace pprofdelta::tool {

namespace {

// The name of the temporary file, for the signal handler. Written before the file is created, and
// only while `temporary_exists` is 0, so the handler never sees half a name.
std::array<char, PATH_MAX> temporary_path{};
volatile std::sig_atomic_t temporary_exists = 0;

extern "C" void remove_and_end(int signal_number) {
    remove_temporary_file();
    end_by_signal(signal_number);
}

constexpr std::string_view ending = ".tmp";

} // namespace

temporary_file::temporary_file(const std::string& target, std::string name,
                               std::optional<mode_t> permissions)
    : m_target{target}, m_name{std::move(name)}, m_permissions{permissions} {
    const std::string path = target + temporary_ending();
    if (path.size() >= temporary_path.size()) {
        throw io_failure(m_name, "cannot create a file beside it", ENAMETOOLONG);
    }
    std::copy_n(path.c_str(), path.size() + 1, temporary_path.begin());
    temporary_exists = 1; // set before it does; else a signal in between would leave it behind
    // Nobody who may not read the target may read this file before it takes its place. Removing
    // permissions later would be too late for a process that has opened it. A new file has the
    // right permissions at once, without asking for the umask, which cannot be read without
    // changing it for all threads.
    const mode_t mode = m_permissions ? 0600 : 0666;
    m_file = descriptor{
        ::open(temporary_path.data(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)};
    if (m_file.number() < 0) {
        temporary_exists = 0;
        throw io_failure(m_name, "cannot create a file beside it");
    }
}

temporary_file::~temporary_file() { remove_temporary_file(); }

void temporary_file::write(std::string_view bytes) { write_all(m_file.number(), bytes, m_name); }

void temporary_file::move_into_place(durability when) {
    if (m_permissions && ::fchmod(m_file.number(), *m_permissions) != 0) {
        throw io_failure(m_name, "cannot keep its permissions");
    }
    if ((when == durability::synced && ::fsync(m_file.number()) != 0) || !m_file.close()) {
        throw io_failure(m_name, "writing failed");
    }
    if (std::rename(temporary_path.data(), m_target.c_str()) != 0) {
        throw io_failure(m_name, "cannot be replaced");
    }
    temporary_exists = 0;
    if (when == durability::synced) {
        // Only then is the new name as safe as the content.
        sync_folder(folder_of(m_target), m_name);
    }
}

std::string temporary_ending() {
    std::random_device device;
    std::string text{"."};
    text += std::to_string(device());
    text += std::to_string(device());
    return text.append(ending);
}

bool is_temporary_ending(std::string_view text) noexcept {
    if (!text.starts_with('.') || !text.ends_with(ending) || text.size() < 2 + ending.size()) {
        return false;
    }
    const std::string_view number = text.substr(1, text.size() - 1 - ending.size());
    return number.find_first_not_of("0123456789") == std::string_view::npos;
}

void remove_abandoned_files(const std::string& target) {
    const std::string folder = folder_of(target);
    const std::string name = std::filesystem::path{target}.filename().string();
    std::vector<std::string> abandoned;
    try {
        for_each_name(folder, [&](std::string_view other) {
            if (other.starts_with(name) && is_temporary_ending(other.substr(name.size()))) {
                abandoned.push_back((std::filesystem::path{folder} / other).native());
            }
        });
    } catch (const failure&) {
        // Then they stay, as do those that cannot be removed: they take space, and no more harm.
    }
    for (const std::string& path : abandoned) {
        struct stat status = {};
        if (::lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode)) {
            ::unlink(path.c_str());
        }
    }
}

void remove_temporary_file() noexcept {
    if (temporary_exists != 0) {
        ::unlink(temporary_path.data());
        temporary_exists = 0;
    }
}

void remove_temporary_file_on_signals() { catch_end_signals(remove_and_end); }

} // namespace pprofdelta::tool
