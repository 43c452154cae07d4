// SPDX-License-Identifier: Apache-2.0
#include "files/file.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/failure.hpp"
#include "files/descriptor.hpp"

namespace pprofdelta::tool {

namespace {

void refuse_over(std::size_t max_size, std::size_t size, const std::string& name,
                 const char* hint) {
    if (size > max_size) {
        throw failure{exit_status::malformed,
                      name + ": it has more than " + std::to_string(max_size) + " bytes" + hint};
    }
}

bool is_same(const struct stat& one, const struct stat& other) noexcept {
    return one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

// Returns when there is something to read, or nobody writes any more. Not before somebody does, as
// Linux does not take a pipe that nobody has opened yet for one at its end.
void wait_for_bytes(const descriptor& file, const std::string& name,
                    const std::function<bool()>& may_wait) {
    constexpr int milliseconds = 50;
    pollfd waiting{.fd = file.number(), .events = POLLIN, .revents = 0};
    while (::poll(&waiting, 1, milliseconds) <= 0) {
        if (!may_wait()) {
            throw failure{exit_status::io, name + ": the run was to end before this pipe did"};
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

std::string resolve_links(const std::string& path) {
    std::error_code fault;
    const std::filesystem::path resolved = std::filesystem::canonical(path, fault);
    if (!fault) {
        return resolved.string();
    }
    // It may be a link to a file that does not exist yet.
    std::filesystem::path file = path;
    constexpr int most_links = 40; // as many as Linux follows
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
           is_same(output, errors);
}

bool standard_input_is_terminal() noexcept { return ::isatty(STDIN_FILENO) != 0; }

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
        throw io_failure(path, "cannot be looked at");
    }
    return false;
}

file_output::file_output(const std::string& path) : m_path{path} {
    // A symbolic link stays one, and the file that it names is created or replaced.
    const std::string target = resolve_links(path);
    struct stat status = {};
    const bool exists = ::stat(target.c_str(), &status) == 0;
    if (!exists && errno != ENOENT) {
        throw io_failure(path, "cannot be looked at");
    }
    if (exists && !S_ISREG(status.st_mode)) {
        m_direct = descriptor{::open(target.c_str(), O_WRONLY | O_CLOEXEC)};
        if (m_direct.number() < 0) {
            throw io_failure(path, "cannot be opened");
        }
        return;
    }
    constexpr mode_t permissions = 07777;
    const std::string& name = exists ? path : target; // for a folder that does not exist
    m_temporary.emplace(target, name,
                        exists ? std::optional{status.st_mode & permissions} : std::nullopt);
}

void file_output::write(std::string_view bytes) {
    if (m_temporary) {
        m_temporary->write(bytes);
    } else {
        write_all(m_direct.number(), bytes, m_path);
    }
}

void file_output::finish(durability when) {
    if (m_temporary) {
        m_temporary->move_into_place(when);
    } else if (!m_direct.close()) {
        throw io_failure(m_path, "writing failed");
    }
}

void write_file(const std::string& path, std::string_view bytes, durability when) {
    file_output file{path};
    file.write(bytes);
    file.finish(when);
}

void write_standard_output(std::string_view bytes, durability when) {
    write_all(STDOUT_FILENO, bytes, "standard output");
    struct stat status = {};
    if (when == durability::synced && ::fstat(STDOUT_FILENO, &status) == 0 &&
        S_ISREG(status.st_mode) && ::fsync(STDOUT_FILENO) != 0) {
        throw io_failure("standard output", "writing failed");
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

bool standard_output_is_terminal() { return ::isatty(STDOUT_FILENO) != 0; }

bool standard_error_is_terminal() noexcept { return ::isatty(STDERR_FILENO) != 0; }

void occupy_standard_descriptors() {
    // Opened the wrong way round, so that using one still fails.
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
