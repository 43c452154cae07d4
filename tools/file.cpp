// SPDX-License-Identifier: Apache-2.0
#include "file.hpp"

#include <cstdio>
#include <filesystem>
#include <random>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <pprofdelta/codec.hpp>

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

// A new file beside `path`, removed again unless it was moved into place.
class temporary_file {
public:
    explicit temporary_file(std::string path)
        : m_target{std::move(path)}, m_path{m_target + suffix()},
          m_file{::open(m_path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)} {
        if (m_file.number() < 0) {
            throw io_failure(m_target, "cannot create a file beside it");
        }
    }
    ~temporary_file() {
        if (!m_moved) {
            ::unlink(m_path.c_str());
        }
    }
    temporary_file(const temporary_file&) = delete;
    temporary_file& operator=(const temporary_file&) = delete;

    void write(std::string_view bytes) { write_all(m_file.number(), bytes, m_target); }

    void move_into_place() {
        if (::fsync(m_file.number()) != 0 || !m_file.close()) {
            throw io_failure(m_target, "writing failed");
        }
        if (std::rename(m_path.c_str(), m_target.c_str()) != 0) {
            throw io_failure(m_target, "cannot be replaced");
        }
        m_moved = true;
    }

private:
    static std::string suffix() {
        std::random_device device;
        return "." + std::to_string(device()) + std::to_string(device()) + ".tmp";
    }

    std::string m_target;
    std::string m_path;
    descriptor m_file;
    bool m_moved = false;
};

} // namespace

std::string display_name(const std::string& path) { return path == "-" ? "standard input" : path; }

std::string read_file(const std::string& path) {
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
        room = std::min(static_cast<std::size_t>(status.st_size), max_profile_size) + 1;
    }
    std::string bytes(room, '\0');
    std::size_t size = 0;
    while (true) {
        if (size == bytes.size()) {
            if (size > max_profile_size) {
                throw failure{exit_status::malformed, name + ": the file has 2 GiB or more"};
            }
            bytes.resize(bytes.size() * 2);
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

void write_file(const std::string& path, std::string_view bytes) {
    namespace fs = std::filesystem;
    std::error_code none;
    const fs::file_status status = fs::status(path, none);
    if (fs::exists(status) && !fs::is_regular_file(status)) {
        descriptor file{::open(path.c_str(), O_WRONLY | O_CLOEXEC)};
        if (file.number() < 0) {
            throw io_failure(path, "cannot be opened");
        }
        write_all(file.number(), bytes, path);
        if (!file.close()) {
            throw io_failure(path, "writing failed");
        }
        return;
    }
    // A symbolic link stays one, and the file that it names is replaced.
    const fs::path target = fs::exists(status) ? fs::canonical(path) : fs::path{path};
    temporary_file file{target.string()};
    file.write(bytes);
    file.move_into_place();
}

void write_standard_output(std::string_view bytes) {
    write_all(STDOUT_FILENO, bytes, "standard output");
}

bool standard_output_is_terminal() { return ::isatty(STDOUT_FILENO) != 0; }

} // namespace pprofdelta::tool
