// SPDX-License-Identifier: Apache-2.0
#include "files/descriptor.hpp"

#include <cerrno>

#include "base/failure.hpp"

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

} // namespace pprofdelta::tool
