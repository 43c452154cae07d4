// SPDX-License-Identifier: Apache-2.0
#include "cli/file_kind.hpp"

#include <cerrno>
#include <cstddef>
#include <string_view>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <pprofdelta/codec.hpp>
#include <pprofdelta/delta.hpp>
#include <pprofdelta/error.hpp>
#include <pprofdelta/otlp_profile.hpp>
#include <pprofdelta/state.hpp>
#include <pprofdelta/text_profile.hpp>

#include "base/failure.hpp"
#include "cli/limit_input.hpp"
#include "files/descriptor.hpp"
#include "files/file.hpp"
#include "files/known_formats.hpp"
#include "files/series_record.hpp"

namespace pprofdelta::tool {

namespace {

// Empty for what may not be read, or is no regular file: opening a pipe would wait for its writer.
std::string first_bytes(const std::string& path) {
    constexpr std::size_t enough = std::size_t{64} << 10U; // what is_text_profile() looks at
    const descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    if (file.number() < 0) {
        if (errno != EACCES && errno != ENOENT && errno != ENXIO) {
            throw io_failure(path, "cannot be opened");
        }
        return "";
    }
    struct stat status = {};
    if (::fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode)) {
        return "";
    }
    std::string bytes(enough, '\0');
    ssize_t got = 0;
    do {
        got = ::read(file.number(), bytes.data(), bytes.size());
    } while (got < 0 && errno == EINTR);
    if (got < 0) {
        throw io_failure(path, "reading failed");
    }
    bytes.resize(static_cast<std::size_t>(got));
    return bytes;
}

bool is_sound_profile(const std::string& path) {
    try {
        const std::string bytes = read_file(path, max_profile_size);
        return is_otlp_profile(bytes) || !list_types(bytes).empty();
    } catch (const error&) {
        return false;
    } catch (const failure& e) {
        if (e.status() == exit_status::io) {
            throw;
        }
        return false; // it is too large
    }
}

} // namespace

file_kind kind_of_file(const std::string& path) {
    const std::string start = first_bytes(path);
    if (start.empty()) {
        return file_kind::other;
    }
    if (is_state(start)) {
        return file_kind::state;
    }
    if (is_record(start)) {
        return file_kind::series_state;
    }
    if (detect_codec(start) != codec::none) {
        return file_kind::archive;
    }
    if (is_text_profile(start) || !unread_format(start).empty() ||
        (begins_like_profile(start) && is_sound_profile(path))) {
        return file_kind::profile;
    }
    return holds_limits(path) ? file_kind::limits : file_kind::other;
}

const char* to_string(file_kind kind) noexcept {
    switch (kind) {
    case file_kind::archive:
        return "what is compressed, such as a profile";
    case file_kind::profile:
        return "a profile";
    case file_kind::state:
        return "a state";
    case file_kind::series_state:
        return "the state of a series of batch";
    case file_kind::limits:
        return "a file of limits";
    case file_kind::other:
        break;
    }
    return "a file";
}

} // namespace pprofdelta::tool
