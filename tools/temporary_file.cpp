// SPDX-License-Identifier: Apache-2.0
#include "temporary_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <random>
#include <utility>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "end_signals.hpp"
#include "failure.hpp"

namespace pprofdelta::tool {

namespace {

// The name of the temporary file, for the signal handler. Written before the file is created, and
// only while `temporary_exists` is 0, so the handler never sees half a name.
std::array<char, PATH_MAX> temporary_path{};
volatile std::sig_atomic_t temporary_exists = 0;

extern "C" void remove_and_end(int signal_number) {
    remove_temporary_file();
    // The handler is reset by now, so this ends the process as if there had been no handler.
    end_by_signal(signal_number);
}

constexpr std::string_view ending = ".tmp";

// What follows the name of the target: a point, digits, and the ending.
std::string suffix() {
    std::random_device device;
    std::string text{"."};
    text += std::to_string(device());
    text += std::to_string(device());
    return text.append(ending);
}

bool is_suffix(std::string_view text) {
    if (!text.starts_with('.') || !text.ends_with(ending) || text.size() < 2 + ending.size()) {
        return false;
    }
    const std::string_view number = text.substr(1, text.size() - 1 - ending.size());
    return number.find_first_not_of("0123456789") == std::string_view::npos;
}

std::filesystem::path folder_of(const std::string& target) {
    const std::filesystem::path folder = std::filesystem::path{target}.parent_path();
    return folder.empty() ? "." : folder;
}

} // namespace

temporary_file::temporary_file(const std::string& target, std::string name,
                               std::optional<mode_t> permissions)
    : m_target{target}, m_name{std::move(name)}, m_permissions{permissions} {
    const std::string path = target + suffix();
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

// Not with std::filesystem's iterator, as that of libstdc++ 12 ends the program without memory.
void remove_abandoned_files(const std::string& target) {
    const std::filesystem::path folder = folder_of(target);
    const std::string name = std::filesystem::path{target}.filename().string();
    const auto is_temporary = [](const dirent* entry) -> int {
        return std::string_view{entry->d_name}.ends_with(ending) ? 1 : 0;
    };
    dirent** entries = nullptr;
    const int count = ::scandir(folder.c_str(), &entries, is_temporary, nullptr);
    const std::unique_ptr<dirent*, decltype(&std::free)> list{entries, &std::free};
    for (int i = 0; i < count; ++i) {
        const std::unique_ptr<dirent, decltype(&std::free)> entry{entries[i], &std::free};
        const std::string_view other = entry->d_name;
        struct stat status = {};
        if (!other.starts_with(name) || !is_suffix(other.substr(name.size()))) {
            continue;
        }
        const std::string path = (folder / other).string();
        if (::lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode)) {
            // They take space and do no other harm, so one that cannot be removed stays.
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

void remove_temporary_file_on_signals() {
    catch_end_signals(remove_and_end, static_cast<int>(SA_NODEFER));
}

} // namespace pprofdelta::tool
