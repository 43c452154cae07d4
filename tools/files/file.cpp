// SPDX-License-Identifier: Apache-2.0
#include "files/file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <random>
#include <system_error>

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <pprofdelta/characters.hpp>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/failure.hpp"
#include "base/threads.hpp"
#include "base/value_text.hpp"

namespace pprofdelta::tool {

std::size_t raise_open_files() noexcept {
    constexpr rlim_t usual = 1024;
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) {
        limit = {usual, usual};
    } else if (limit.rlim_cur < limit.rlim_max) {
        const rlimit raised{limit.rlim_max, limit.rlim_max};
        if (::setrlimit(RLIMIT_NOFILE, &raised) == 0) {
            limit = raised;
        }
    }
    constexpr rlim_t enough = 1'000'000; // RLIM_INFINITY is more
    return static_cast<std::size_t>(std::min(limit.rlim_cur, enough));
}

void write_all(int file, std::string_view bytes, const std::string& name) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(file, bytes.data(), bytes.size());
        if (written >= 0) {
            bytes.remove_prefix(static_cast<std::size_t>(written));
        } else if (errno != EINTR) {
            throw io_failure(name, "writing failed");
        }
    }
}

void catch_end_signals(void (*handler)(int)) {
    struct sigaction action = {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    for (const int number : {SIGHUP, SIGINT, SIGTERM, SIGXCPU}) {
        struct sigaction before = {};
        if (::sigaction(number, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) {
            ::sigaction(number, &action, nullptr);
        }
    }
}

void end_by_signal(int number) noexcept {
    ::signal(number, SIG_DFL);
    sigset_t only; // in its handler it is blocked
    ::sigemptyset(&only);
    ::sigaddset(&only, number);
    ::pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
    ::raise(number);
    constexpr int of_signals = 128;
    ::_exit(of_signals + number);
}

namespace {

// The name of the temporary file, for the signal handler. Written before the file is created, and
// only while `temporary_exists` is 0, so the handler never sees half a name.
std::array<char, PATH_MAX> temporary_path{};
volatile std::sig_atomic_t temporary_exists = 0;

volatile std::sig_atomic_t noted_signal = 0;
volatile std::sig_atomic_t is_delayed = 0;
volatile std::sig_atomic_t ends_later = 0; // the signal that was delayed

extern "C" void remove_and_end(int signal_number) {
    if (is_delayed != 0 && ends_later == 0) {
        note_end_signal(signal_number);
        ends_later = signal_number;
        return;
    }
    remove_temporary_file();
    end_by_signal(signal_number);
}

constexpr std::string_view ending = ".tmp";

} // namespace

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
    try {
        for_each_entry(folder, [&](std::string_view other, entry_kind kind) {
            if (kind == entry_kind::file && other.starts_with(name) &&
                is_temporary_ending(other.substr(name.size()))) {
                ::unlink((std::filesystem::path{folder} / other).c_str());
            }
        });
    } catch (const failure&) {
        // Then they stay, as do those that cannot be removed: they take space, and no more harm.
    }
}

void remove_temporary_file() noexcept {
    if (temporary_exists != 0) {
        ::unlink(temporary_path.data());
        temporary_exists = 0;
    }
}

void note_end_signal(int number) noexcept { noted_signal = number; }

bool is_end_asked() noexcept { return noted_signal != 0; }

delayed_end::delayed_end() noexcept { is_delayed = 1; }

delayed_end::~delayed_end() {
    is_delayed = 0;
    if (ends_later != 0) {
        remove_temporary_file();
        end_by_signal(ends_later);
    }
}

void remove_temporary_file_on_signals() { catch_end_signals(remove_and_end); }

std::string folder_of(const std::string& path) {
    const std::filesystem::path folder = std::filesystem::path{path}.parent_path();
    return folder.empty() ? "." : folder.native();
}

bool is_folder(const std::string& path) {
    struct stat status = {};
    return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

std::int64_t time_of_file(const std::string& path) {
    struct stat status = {};
    const bool is_known = ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
    return is_known
               ? std::int64_t{status.st_mtim.tv_sec} * nanos_per_second + status.st_mtim.tv_nsec
               : 0;
}

entry_kind kind_of(const std::string& path) {
    struct stat status = {};
    if (::lstat(path.c_str(), &status) != 0) {
        if (errno == ENOENT || errno == ENOTDIR) {
            return entry_kind::none;
        }
        throw io_failure(path, "cannot be accessed");
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

static entry_kind kind_of(const std::string& folder, const dirent& entry) {
    if (entry.d_type == DT_UNKNOWN) {
        try {
            return kind_of(folder + "/" + entry.d_name);
        } catch (const failure&) {
            return entry_kind::other;
        }
    }
    return entry.d_type == DT_REG   ? entry_kind::file
           : entry.d_type == DT_DIR ? entry_kind::folder
                                    : entry_kind::other;
}

// std::filesystem's iterator is no choice, as that of libstdc++ 12 ends the program without memory.
void for_each_entry(const std::string& folder,
                    const std::function<void(std::string_view name, entry_kind kind)>& use) {
    const std::unique_ptr<DIR, int (*)(DIR*)> opened{::opendir(folder.c_str()), ::closedir};
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
            use(name, kind_of(folder, *entry));
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

namespace {

// The file contains the process number of the holder, for the message of a run that waits in vain.
std::string read_holder(int file) {
    std::array<char, 32> text{};
    const ssize_t size = ::pread(file, text.data(), text.size(), 0);
    const std::string_view number{text.data(), size > 0 ? static_cast<std::size_t>(size) : 0};
    const std::size_t digits = std::min(number.find_first_not_of("0123456789"), number.size());
    return digits == 0 ? "another run" : "process " + std::string{number.substr(0, digits)};
}

void write_holder(int file) {
    const std::string number = std::to_string(::getpid()) + "\n";
    // A failure here costs only a part of a message. The order leaves a number at any time, and the
    // end of its line ends it.
    const ssize_t written = ::pwrite(file, number.data(), number.size(), 0);
    [[maybe_unused]] const int cut = ::ftruncate(file, written > 0 ? written : 0);
}

// Whether it got the lock; not where there are none.
bool wait_for_lock(int file, int kind, const std::string& path,
                   std::chrono::duration<double> timeout, const char* hint) {
    bool is_locked = false;
    const auto is_settled = [&] {
        is_locked = ::flock(file, kind | LOCK_NB) == 0;
        return is_locked || (errno != EINTR && errno != EWOULDBLOCK);
    };
    if (!poll_until(std::chrono::steady_clock::now() + timeout, std::chrono::milliseconds{20},
                    is_settled)) {
        const bool is_shared = ::flock(file, LOCK_SH | LOCK_NB) == 0;
        throw failure{exit_status::io,
                      path + ": locked by " + (is_shared ? "a reader" : read_holder(file)) + hint};
    }
    return is_locked;
}

} // namespace

lock_file::lock_file(const std::string& path, std::chrono::duration<double> timeout,
                     const char* hint)
    : m_file{::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666)} {
    if (!is_there()) {
        throw io_failure(path, "cannot be opened");
    }
    if (!wait_for_lock(m_file.number(), LOCK_EX, path, timeout, hint)) {
        throw io_failure(path, "cannot be locked");
    }
    write_holder(m_file.number());
}

lock_file lock_file::shared(const std::string& path, std::chrono::duration<double> timeout) {
    lock_file lock{
        descriptor{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)}};
    if (lock.is_there()) {
        (void)wait_for_lock(lock.m_file.number(), LOCK_SH, path, timeout, "");
    } else if (errno != ENOENT && errno != ENOTDIR) {
        throw io_failure(path, "cannot be opened");
    }
    return lock;
}

std::uint64_t content_hash(std::string_view bytes) noexcept {
    return XXH3_64bits(bytes.data(), bytes.size());
}

std::string delta_id(std::string_view series, std::uint64_t number, std::string_view bytes) {
    std::string place{series};
    place.append(1, '\0').append(std::to_string(number)).append(1, '\0');
    XXH3_state_t state;
    XXH3_128bits_reset(&state);
    XXH3_128bits_update(&state, place.data(), place.size());
    XXH3_128bits_update(&state, bytes.data(), bytes.size());
    const XXH128_hash_t hash = XXH3_128bits_digest(&state);
    return hash_text(hash.high64) + hash_text(hash.low64);
}

std::string hash_text(std::uint64_t hash) {
    constexpr unsigned digits = 16;
    return hexadecimal(hash, digits);
}

namespace {

void refuse_over(std::size_t max_size, std::size_t size, const std::string& name,
                 const char* hint) {
    if (size > max_size) {
        throw failure{exit_status::malformed,
                      name + ": it has more than " + std::to_string(max_size) + " bytes" + hint};
    }
}

// Returns when there is something to read, or nobody writes any more. It does not return before
// somebody does, as Linux does not take a pipe that nobody has opened yet for one at its end.
void wait_for_bytes(const descriptor& file, const std::string& name,
                    const std::function<bool()>& may_wait) {
    constexpr int milliseconds = 50;
    pollfd waiting{.fd = file.number(), .events = POLLIN, .revents = 0};
    while (::poll(&waiting, 1, milliseconds) <= 0) {
        if (!may_wait()) {
            throw failure{exit_status::io, name + ": the run was stopped before this pipe ended"};
        }
    }
}

} // namespace

std::string display_name(const std::string& path) { return path == "-" ? "standard input" : path; }

std::string read_file(const std::string& path, std::size_t max_size, const char* hint,
                      const std::function<bool()>& may_wait) {
    const std::string name = display_name(path);
    const int flags = O_RDONLY | O_CLOEXEC | (may_wait ? O_NONBLOCK : 0);
    const descriptor file{path == "-" ? STDIN_FILENO : ::open(path.c_str(), flags)};
    if (file.number() < 0) {
        throw io_failure(name, "cannot be opened");
    }
    struct stat status = {};
    if (::fstat(file.number(), &status) != 0) {
        throw io_failure(name, "reading failed");
    }
    if (S_ISDIR(status.st_mode)) {
        throw failure{exit_status::usage, name + ": this is a folder, where a file is expected"};
    }
    // The size is a hint: a pipe has none, and a file may grow while it is read.
    constexpr std::size_t smallest = std::size_t{64} << 10U;
    std::size_t room = smallest;
    if (S_ISREG(status.st_mode)) {
        room = static_cast<std::size_t>(status.st_size);
        refuse_over(max_size, room, name, hint);
    }
    // One more byte, to see that there is none.
    room = std::min(room, max_size) + 1;
    std::string bytes(room, '\0');
    std::size_t size = 0;
    while (true) {
        if (size == bytes.size()) {
            refuse_over(max_size, size, name, hint);
            bytes.resize(std::min(bytes.size() * 2, max_size) + 1);
        }
        if (may_wait && !S_ISREG(status.st_mode)) {
            wait_for_bytes(file, name, may_wait);
        }
        const ssize_t got = ::read(file.number(), bytes.data() + size, bytes.size() - size);
        if (got == 0) {
            break;
        }
        if (got > 0) {
            size += static_cast<std::size_t>(got);
        } else if (errno != EINTR && !(may_wait && errno == EAGAIN)) {
            throw io_failure(name, "reading failed");
        }
    }
    bytes.resize(size);
    return bytes;
}

namespace {

constexpr int most_links = 40; // as many as Linux follows

// The number of an open file of this process, -1 for one of others.
int number_of(const std::filesystem::path& opened) {
    std::error_code fault;
    const bool is_own = opened.parent_path() == std::filesystem::canonical("/proc/self/fd", fault);
    return is_own ? number_in<int>(opened.filename().native()).value_or(-1) : -1;
}

// Opens what another output may be written to at the same time; -1 if that cannot be.
int open_stream(const std::string& opened) {
    const int number = number_of(opened);
    return number >= 0 ? ::fcntl(number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
                       : ::open(opened.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY);
}

bool is_regular(int file) {
    struct stat status = {};
    return ::fstat(file, &status) == 0 && S_ISREG(status.st_mode);
}

} // namespace

// A link of this kind is opened, and not followed: the name behind it can be gone, and a pipe has
// none.
std::string open_file(const std::string& path) {
    std::filesystem::path file = path;
    std::error_code fault;
    for (int i = 0; i <= most_links; ++i) {
        const std::filesystem::path folder = std::filesystem::canonical(folder_of(file), fault);
        if (fault) {
            return {};
        }
        const std::string& name = folder.native();
        if (name.starts_with("/proc/") && name.ends_with("/fd")) {
            return folder / file.filename();
        }
        const std::filesystem::path next = std::filesystem::read_symlink(file, fault);
        if (fault) {
            return {};
        }
        file = file.parent_path() / next; // which is `next` alone if that is absolute
    }
    return {};
}

bool is_standard_output(const std::string& path) {
    return path == "-" || number_of(open_file(path)) == STDOUT_FILENO;
}

std::string resolve_links(const std::string& path) {
    std::error_code fault;
    const std::filesystem::path resolved = std::filesystem::canonical(path, fault);
    if (!fault) {
        return resolved.string();
    }
    // It may be a link to a file that does not exist yet.
    std::filesystem::path file = path;
    for (int i = 0; i <= most_links; ++i) {
        const std::filesystem::path next = std::filesystem::read_symlink(file, fault);
        if (fault) {
            return file.string();
        }
        file = file.parent_path() / next; // which is `next` alone if that is absolute
    }
    return path; // to open it fails with the right message
}

bool standard_outputs_are_one() noexcept {
    struct stat output = {};
    struct stat errors = {};
    return ::fstat(STDOUT_FILENO, &output) == 0 && ::fstat(STDERR_FILENO, &errors) == 0 &&
           output.st_dev == errors.st_dev && output.st_ino == errors.st_ino;
}

std::size_t regular_file_size(const std::string& path) noexcept {
    struct stat status = {};
    const bool is_regular =
        path != "-" && ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
    return is_regular ? static_cast<std::size_t>(status.st_size) : 0;
}

bool regular_file_exists(const std::string& path) {
    struct stat status = {};
    if (::stat(path.c_str(), &status) == 0) {
        if (!S_ISREG(status.st_mode)) {
            throw failure{exit_status::malformed, path + ": it is not a regular file"};
        }
        return true;
    }
    if (errno != ENOENT) {
        throw io_failure(path, "cannot be accessed");
    }
    return false;
}

file_output::file_output(const std::string& path) : m_name{path} {
    if (const std::string opened = open_file(path); !opened.empty()) {
        m_file = descriptor{open_stream(opened)};
        if (m_file.number() < 0) {
            throw io_failure(path, "cannot be opened");
        }
        return;
    }
    // A symbolic link stays one, and the file that it names is created or replaced.
    std::string target = resolve_links(path);
    struct stat status = {};
    const bool exists = ::stat(target.c_str(), &status) == 0;
    if (!exists && errno != ENOENT) {
        throw io_failure(path, "cannot be accessed");
    }
    if (exists && !S_ISREG(status.st_mode)) {
        m_file = descriptor{::open(target.c_str(), O_WRONLY | O_CLOEXEC)};
        if (m_file.number() < 0) {
            throw io_failure(path, "cannot be opened");
        }
        return;
    }
    if (exists) {
        constexpr mode_t permissions = 07777;
        m_permissions = status.st_mode & permissions;
    } else {
        m_name = target; // for a folder that does not exist
    }
    const std::string temporary = target + temporary_ending();
    if (temporary.size() >= temporary_path.size()) {
        throw io_failure(m_name, "cannot create a temporary file beside it", ENAMETOOLONG);
    }
    std::copy_n(temporary.c_str(), temporary.size() + 1, temporary_path.begin());
    temporary_exists = 1; // set before it does; else a signal in between would leave it behind
    // Nobody who may not read the target may read this file before it takes its place. Removing
    // permissions later would be too late for a process that has opened it. A new file has the
    // right permissions at once, without asking for the umask, which cannot be read without
    // changing it for all threads.
    const mode_t mode = exists ? 0600 : 0666;
    m_file = descriptor{
        ::open(temporary_path.data(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)};
    if (m_file.number() < 0) {
        temporary_exists = 0;
        throw io_failure(m_name, "cannot create a temporary file beside it");
    }
    m_target = std::move(target);
}

file_output::~file_output() {
    if (!m_target.empty()) {
        remove_temporary_file();
    }
}

void file_output::write(std::string_view bytes) { write_all(m_file.number(), bytes, m_name); }

void file_output::finish(durability when) {
    const bool is_synced = when == durability::synced && is_regular(m_file.number());
    if (m_permissions && ::fchmod(m_file.number(), *m_permissions) != 0) {
        throw io_failure(m_name, "cannot keep its permissions");
    }
    if ((is_synced && ::fsync(m_file.number()) != 0) || !m_file.close()) {
        throw io_failure(m_name, "writing failed");
    }
    if (m_target.empty()) {
        return;
    }
    if (std::rename(temporary_path.data(), m_target.c_str()) != 0) {
        throw io_failure(m_name, "cannot be replaced");
    }
    temporary_exists = 0;
    if (is_synced) {
        // The new name is only then as safe as the content.
        sync_folder(folder_of(m_target), m_name);
    }
}

void write_file(const std::string& path, std::string_view bytes, durability when) {
    file_output file{path};
    file.write(bytes);
    file.finish(when);
}

void write_standard_output(std::string_view bytes, durability when) {
    write_all(STDOUT_FILENO, bytes, "standard output");
    if (when == durability::synced && is_regular(STDOUT_FILENO) && ::fsync(STDOUT_FILENO) != 0) {
        throw io_failure("standard output", "writing failed");
    }
}

void write_output(const std::string& path, std::string_view bytes, durability when) {
    if (path.empty()) {
        write_standard_output(bytes, when);
    } else {
        write_file(path, bytes, when);
    }
}

void write_standard_error(std::string_view bytes) {
    write_all(STDERR_FILENO, bytes, "standard error");
}

std::size_t standard_output_width() {
    if (::isatty(STDOUT_FILENO) == 0) {
        return 0;
    }
    winsize size{};
    constexpr std::size_t usual = 80;
    return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0 ? size.ws_col : usual;
}

void occupy_standard_descriptors() {
    // Opened the wrong way round, so that using one still fails.
    for (const auto& [number, flags] : {std::pair{STDIN_FILENO, O_WRONLY},
                                        {STDOUT_FILENO, O_RDONLY},
                                        {STDERR_FILENO, O_RDONLY}}) {
        if (::fcntl(number, F_GETFD) < 0) {
            [[maybe_unused]] const int lowest_free = ::open("/dev/null", flags);
        }
    }
}

} // namespace pprofdelta::tool
