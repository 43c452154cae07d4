// SPDX-License-Identifier: Apache-2.0
#include "file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <random>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "failure.hpp"

namespace pprofdelta::tool {

namespace {

class descriptor {
public:
    explicit descriptor(int number) : m_number{number} {}
    ~descriptor() {
        if (m_number > STDERR_FILENO) {
            ::close(m_number);
        }
    }
    descriptor(const descriptor&) = delete;
    descriptor& operator=(const descriptor&) = delete;
    descriptor& operator=(descriptor&& other) noexcept {
        std::swap(m_number, other.m_number);
        return *this;
    }

    [[nodiscard]] int number() const noexcept { return m_number; }

    /// Some file systems report a full disk only here.
    [[nodiscard]] bool close() { return ::close(std::exchange(m_number, -1)) == 0; }

private:
    int m_number;
};

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

// The temporary file that there may be, for the signal handler. Written before the file is made,
// and only while `temporary_exists` is 0, so the handler never sees half a name.
std::array<char, PATH_MAX> temporary_path{};
volatile std::sig_atomic_t temporary_exists = 0;

extern "C" void remove_and_end(int signal_number) {
    if (temporary_exists != 0) {
        ::unlink(temporary_path.data());
    }
    // The handler is reset by now, so this ends the process as if there had been none.
    ::raise(signal_number);
}

// A new file beside `target`, removed again unless it was moved into its place. There can be one at
// a time.
class temporary_file {
public:
    temporary_file(const std::string& target, std::string name)
        : m_target{target}, m_name{std::move(name)} {
        const std::string path = target + suffix();
        if (path.size() >= temporary_path.size()) {
            throw io_failure(m_name, "cannot create a file beside it", ENAMETOOLONG);
        }
        std::copy_n(path.c_str(), path.size() + 1, temporary_path.begin());
        temporary_exists = 1; // before it does, or a signal in between would leave it behind
        m_file = descriptor{::open(temporary_path.data(),
                                   O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666)};
        if (m_file.number() < 0) {
            temporary_exists = 0;
            throw io_failure(m_name, "cannot create a file beside it");
        }
    }
    ~temporary_file() {
        if (temporary_exists != 0) {
            ::unlink(temporary_path.data());
            temporary_exists = 0;
        }
    }
    temporary_file(const temporary_file&) = delete;
    temporary_file& operator=(const temporary_file&) = delete;

    void take_permissions(mode_t mode) {
        if (::fchmod(m_file.number(), mode) != 0) {
            throw io_failure(m_name, "cannot keep its permissions");
        }
    }

    void write(std::string_view bytes) { write_all(m_file.number(), bytes, m_name); }

    void move_into_place(durability when) {
        if ((when == durability::synced && ::fsync(m_file.number()) != 0) || !m_file.close()) {
            throw io_failure(m_name, "writing failed");
        }
        if (std::rename(temporary_path.data(), m_target.c_str()) != 0) {
            throw io_failure(m_name, "cannot be replaced");
        }
        temporary_exists = 0;
        if (when == durability::synced) {
            sync_folder();
        }
    }

private:
    static std::string suffix() {
        std::random_device device;
        std::string text{"."};
        text += std::to_string(device());
        text += std::to_string(device());
        return text += ".tmp";
    }

    // The new name is as safe as the content only then. Some file systems cannot, which is no
    // failure.
    void sync_folder() const {
        const std::string folder = std::filesystem::path{m_target}.parent_path().string();
        const descriptor opened{
            ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
        if (opened.number() >= 0 && ::fsync(opened.number()) != 0 && errno != EINVAL &&
            errno != EROFS) {
            throw io_failure(m_name, "its folder cannot be synced");
        }
    }

    std::string m_target;
    std::string m_name; // of the target, for messages
    descriptor m_file{-1};
};

} // namespace

std::string display_name(const std::string& path) { return path == "-" ? "standard input" : path; }

std::string read_file(const std::string& path, std::size_t max_size) {
    const std::string name = display_name(path);
    const descriptor file{path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
    if (file.number() < 0) {
        throw io_failure(name, "cannot be opened");
    }
    struct stat status {};
    if (::fstat(file.number(), &status) != 0) {
        throw io_failure(name, "reading failed");
    }
    // The size is a hint: a pipe has none, and a file may grow while it is read.
    constexpr std::size_t smallest = std::size_t{64} << 10U;
    std::size_t room = smallest;
    if (S_ISREG(status.st_mode)) {
        room = static_cast<std::size_t>(status.st_size);
    }
    // One byte more, to see that there is none.
    room = std::min(room, max_size) + 1;
    std::string bytes(room, '\0');
    std::size_t size = 0;
    while (true) {
        if (size == bytes.size()) {
            if (size > max_size) {
                throw failure{exit_status::malformed, name + ": it has more than " +
                                                          std::to_string(max_size) +
                                                          " bytes; see --max-size"};
            }
            bytes.resize(std::min(bytes.size() * 2, max_size) + 1);
        }
        const ssize_t got = ::read(file.number(), bytes.data() + size, bytes.size() - size);
        if (got == 0) {
            break;
        }
        if (got > 0) {
            size += static_cast<std::size_t>(got);
        } else if (errno != EINTR) {
            throw io_failure(name, "reading failed");
        }
    }
    bytes.resize(size);
    return bytes;
}

std::string resolve_links(const std::string& path) {
    std::error_code none;
    const std::filesystem::path resolved = std::filesystem::canonical(path, none);
    return none ? path : resolved.string();
}

bool is_same_path(const std::string& one, const std::string& other) {
    const auto whole = [](const std::string& path) {
        return std::filesystem::weakly_canonical(std::filesystem::absolute(path));
    };
    return whole(one) == whole(other);
}

bool is_regular_file(const std::string& path) noexcept {
    struct stat status {};
    return path != "-" && ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

bool file_exists(const std::string& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) == 0) {
        return true;
    }
    if (errno != ENOENT) {
        throw io_failure(path, "cannot be looked at");
    }
    return false;
}

void write_file(const std::string& path, std::string_view bytes, durability when) {
    // A symbolic link stays one, and the file that it names is replaced.
    const std::string target = resolve_links(path);
    struct stat status {};
    const bool exists = ::stat(target.c_str(), &status) == 0;
    if (!exists && errno != ENOENT) {
        throw io_failure(path, "cannot be looked at");
    }
    if (exists && !S_ISREG(status.st_mode)) {
        descriptor file{::open(target.c_str(), O_WRONLY | O_CLOEXEC)};
        if (file.number() < 0) {
            throw io_failure(path, "cannot be opened");
        }
        write_all(file.number(), bytes, path);
        if (!file.close()) {
            throw io_failure(path, "writing failed");
        }
        return;
    }
    temporary_file file{target, path};
    if (exists) {
        constexpr mode_t permissions = 07777;
        file.take_permissions(status.st_mode & permissions);
    }
    file.write(bytes);
    file.move_into_place(when);
}

void write_standard_output(std::string_view bytes, durability when) {
    write_all(STDOUT_FILENO, bytes, "standard output");
    struct stat status {};
    if (when == durability::synced && ::fstat(STDOUT_FILENO, &status) == 0 &&
        S_ISREG(status.st_mode) && ::fsync(STDOUT_FILENO) != 0) {
        throw io_failure("standard output", "writing failed");
    }
}

std::size_t standard_error_width() {
    if (::isatty(STDERR_FILENO) == 0) {
        return 0;
    }
    winsize size{};
    constexpr std::size_t usual = 80;
    return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0 ? size.ws_col : usual;
}

bool standard_output_is_terminal() { return ::isatty(STDOUT_FILENO) != 0; }

void remove_temporary_file_on_signals() {
    struct sigaction action {};
    action.sa_handler = remove_and_end;
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER);
    for (const int number : {SIGHUP, SIGINT, SIGTERM, SIGXCPU}) {
        struct sigaction before {};
        // What the parent chose to ignore, as nohup does, stays ignored.
        if (::sigaction(number, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) {
            ::sigaction(number, &action, nullptr);
        }
    }
}

void occupy_standard_descriptors() {
    // Opened the wrong way round, so that using one fails as it would have.
    struct missing {
        int number;
        int flags;
    };
    for (const missing m : {missing{STDIN_FILENO, O_WRONLY}, missing{STDOUT_FILENO, O_RDONLY},
                            missing{STDERR_FILENO, O_RDONLY}}) {
        if (::fcntl(m.number, F_GETFD) < 0) {
            [[maybe_unused]] const int lowest_free = ::open("/dev/null", m.flags);
        }
    }
}

} // namespace pprofdelta::tool
