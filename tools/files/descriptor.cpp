// SPDX-License-Identifier: Apache-2.0
#include "files/descriptor.hpp"

#include <algorithm>
#include <cerrno>

#include <sys/resource.h>

#include "base/failure.hpp"

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

} // namespace pprofdelta::tool
