// SPDX-License-Identifier: Apache-2.0
#include "descriptor.hpp"

#include <cerrno>

#include <fcntl.h>

#include "failure.hpp"

namespace pprofdelta::tool {

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

void sync_folder(const std::string& folder, const std::string& name) {
    const descriptor opened{::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (opened.number() >= 0 && ::fsync(opened.number()) != 0 && errno != EINVAL &&
        errno != EROFS) {
        throw io_failure(name, "its folder cannot be synced");
    }
}

} // namespace pprofdelta::tool
