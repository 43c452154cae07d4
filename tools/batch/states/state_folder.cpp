// SPDX-License-Identifier: Apache-2.0
#include "batch/states/state_folder.hpp"

#include <array>
#include <cerrno>
#include <charconv>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "base/failure.hpp"
#include "files/content_hash.hpp"
#include "files/folder.hpp"

namespace pprofdelta::tool {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view ending = ".series";

// Enough of a name for people who look for its file.
std::string readable(std::string_view series) {
    constexpr std::size_t most = 80;
    std::string text{series.substr(series.size() - std::min(series.size(), most))};
    for (char& c : text) {
        const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                              (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_';
        c = is_plain ? c : '_';
    }
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
    const char* const first = path.data() + path.size() - ending.size() - digits;
    std::uint64_t hash = 0;
    const auto [rest, fault] = std::from_chars(first, first + digits, hash, 16);
    return fault == std::errc{} && rest == first + digits ? std::optional{hash} : std::nullopt;
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
    : m_path{std::move(path)},
      m_deadline{std::chrono::steady_clock::now() +
                 std::chrono::duration_cast<std::chrono::steady_clock::duration>(lock_timeout)} {
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
    std::vector<std::string> paths;
    if (is_folder(folder)) {
        for_each_name(folder, [&](std::string_view name) {
            if (!name.starts_with('.')) { // a file on its way there
                paths.push_back(folder + "/" + std::string{name});
            }
        });
    }
    return paths;
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
    while (!try_to_lock(hash)) {
        if (std::chrono::steady_clock::now() >= m_deadline) {
            throw failure{exit_status::io, "another run works on this series; see --lock-timeout"};
        }
        constexpr std::chrono::milliseconds pause{20};
        std::this_thread::sleep_for(pause);
    }
}

void state_folder::unlock(std::uint64_t hash_of_series) const noexcept {
    const struct flock range = byte_of(hash_of_series, F_UNLCK);
    ::fcntl(m_locks.number(), set_lock, &range);
}

void state_folder::unlock(std::string_view series) noexcept { unlock(content_hash(series)); }

// A file that another run works on is not old. Nor is one whose series waits for the command to
// take its deltas: it goes on then.
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
        std::error_code fault;
        for (fs::directory_iterator entry{folder, fault}, end; !fault && entry != end;
             entry.increment(fault)) {
            removed += remove_if_older(entry->path().native(), oldest) ? 1 : 0;
        }
        if (fault && fault != std::errc::no_such_file_or_directory) {
            throw io_failure(folder, "cannot read the folder", fault.value());
        }
    }
    return removed;
}

} // namespace pprofdelta::tool
