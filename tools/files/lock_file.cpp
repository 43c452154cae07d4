// SPDX-License-Identifier: Apache-2.0
#include "files/lock_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/failure.hpp"

namespace pprofdelta::tool {

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
    // A failure here costs only a part of a message. In this order there is a number at any time,
    // and the end of its line ends it.
    const ssize_t written = ::pwrite(file, number.data(), number.size(), 0);
    [[maybe_unused]] const int cut = ::ftruncate(file, written > 0 ? written : 0);
}

failure held_by(const std::string& holder, const std::string& path) {
    return {exit_status::io, path + ": locked by " + holder + "; see --lock-timeout"};
}

} // namespace

lock_file::lock_file(const std::string& path, std::chrono::duration<double> timeout)
    : m_file{::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666)} {
    if (m_file < 0) {
        throw io_failure(path, "cannot be opened");
    }
    using clock = std::chrono::steady_clock;
    const auto end = clock::now() + timeout;
    while (::flock(m_file, LOCK_EX | LOCK_NB) != 0) {
        const int reason = errno;
        if (reason == EINTR) {
            continue;
        }
        if (reason != EWOULDBLOCK || clock::now() >= end) {
            const std::string holder = read_holder(m_file);
            ::close(m_file);
            throw reason == EWOULDBLOCK ? held_by(holder, path)
                                        : io_failure(path, "cannot be locked", reason);
        }
        constexpr std::chrono::milliseconds pause{20};
        std::this_thread::sleep_for(pause);
    }
    write_holder(m_file);
}

lock_file::~lock_file() { ::close(m_file); }

} // namespace pprofdelta::tool
