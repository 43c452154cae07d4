// SPDX-License-Identifier: Apache-2.0
#include "files/lock_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
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

// Whether it got the lock; not where there are none.
bool wait_for_lock(int file, int kind, const std::string& path,
                   std::chrono::duration<double> timeout, const char* hint) {
    using clock = std::chrono::steady_clock;
    const auto end = clock::now() + timeout;
    while (::flock(file, kind | LOCK_NB) != 0) {
        if (errno == EINTR) {
            continue;
        }
        if (errno != EWOULDBLOCK) {
            return false;
        }
        if (clock::now() >= end) {
            const bool is_shared = ::flock(file, LOCK_SH | LOCK_NB) == 0;
            throw failure{exit_status::io, path + ": locked by " +
                                               (is_shared ? "who reads" : read_holder(file)) +
                                               hint};
        }
        constexpr std::chrono::milliseconds pause{20};
        std::this_thread::sleep_for(pause);
    }
    return true;
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

} // namespace pprofdelta::tool
