// SPDX-License-Identifier: Apache-2.0
#include "output/paths.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <sys/stat.h>
#include <unistd.h>

#include <pprofdelta/codec.hpp>
#include <pprofdelta/delta.hpp>
#include <pprofdelta/error.hpp>
#include <pprofdelta/otlp_profile.hpp>
#include <pprofdelta/state.hpp>
#include <pprofdelta/text_profile.hpp>

#include "base/failure.hpp"
#include "files/file.hpp"
#include "files/path_list.hpp"
#include "files/profile_file.hpp"
#include "files/series_record.hpp"
#include "output/limits.hpp"

namespace pprofdelta::tool {

void add_state_outputs(std::vector<output_path>& outputs, const state_options& chosen) {
    if (!chosen.file.empty()) {
        outputs.push_back({"--state", chosen.file, output_kind::state});
        outputs.push_back({"the lock of --state", lock_path(chosen), output_kind::lock});
    }
}

output_path status_output(const std::string& path) {
    return {"--status", path == "-" ? "" : path, output_kind::document};
}

namespace {

namespace fs = std::filesystem;

// The content of a file, as far as its loss would matter.
enum class file_kind : std::uint8_t {
    other,        // none of the following, or no regular file that can be read
    archive,      // compressed, as profiles mostly are
    profile,      // of this format or an older one
    state,        // of `--state`
    series_state, // of a series, in the folder of `--state-dir`
    limits,       // lines of which each is a limit
};

// The names have an article, in the order of the kinds.
constexpr std::array<const char*, 6> names_of_kinds{
    "a file",  "compressed data, such as a profile", "a profile",
    "a state", "the state of a series of batch",     "a file of limits"};

// Empty for what may not be read, or is no regular file: opening a pipe would wait for its writer.
std::string first_bytes(const std::string& path) {
    constexpr std::size_t enough = std::size_t{64} << 10U; // what is_text_profile() looks at
    struct stat status = {};
    const bool is_there = ::stat(path.c_str(), &status) == 0;
    if (!is_there && errno != ENOENT) {
        throw io_failure(path, "cannot be accessed");
    }
    if (!is_there || !S_ISREG(status.st_mode)) {
        return "";
    }
    std::ifstream file{path, std::ios::binary};
    if (!file && errno != EACCES && errno != ENOENT) {
        throw io_failure(path, "cannot be opened");
    }
    std::string bytes(enough, '\0');
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (file.bad()) {
        throw io_failure(path, "reading failed");
    }
    bytes.resize(static_cast<std::size_t>(file.gcount()));
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

// Looks at the first bytes, and further only for what may be a profile without compression, or
// limits.
file_kind kind_of_file(const std::string& path) {
    const std::string start = first_bytes(path);
    const auto is_profile = [&] {
        return is_text_profile(start) || !unread_format(start).empty() ||
               (begins_like_profile(start) && is_sound_profile(path));
    };
    return start.empty()                        ? file_kind::other
           : is_state(start)                    ? file_kind::state
           : is_record(start)                   ? file_kind::series_state
           : detect_codec(start) != codec::none ? file_kind::archive
           : is_profile()                       ? file_kind::profile
           : holds_limits(path)                 ? file_kind::limits
                                                : file_kind::other;
}

// The path from the root and without links; the file need not be there. A link to what a process
// has open stays as it is: several can write to the file behind.
std::string resolved(const std::string& path) {
    if (std::string opened = open_file(path); !opened.empty()) {
        return opened;
    }
    std::error_code fault;
    const fs::path whole = fs::weakly_canonical(fs::absolute(resolve_links(path), fault), fault);
    if (fault) {
        throw io_failure(path, "cannot be accessed", fault.value());
    }
    return whole.native();
}

// A folder is inside of itself. The paths are resolved.
bool is_inside(const std::string& path, const std::string& folder) {
    const bool has_slash = folder.ends_with('/');
    return path.starts_with(folder) &&
           (path.size() == folder.size() || has_slash || path[folder.size()] == '/');
}

bool may_replace(output_kind written, file_kind existing) {
    const bool is_profile = existing == file_kind::archive || existing == file_kind::profile;
    return existing == file_kind::other || written == output_kind::lock ||
           (written == output_kind::profile && is_profile) ||
           (written == output_kind::state && existing == file_kind::state);
}

// The fault of an output; empty if there is none.
std::string fault_of_kind(const output_path& output) {
    const file_kind existing = kind_of_file(output.path);
    return may_replace(output.kind, existing)
               ? ""
               : output.path + ": " + output.name + " does not replace " +
                     names_of_kinds[static_cast<std::size_t>(existing)] +
                     "; its FILE may be missing";
}

std::string fault_of_input(const std::string& output, const std::string& input) {
    return output + ": this is an input, " + display_name(input) + ", and cannot be written to";
}

// Whether opening a file would end with this as well, and say more.
bool is_wrong_path(int error_number) {
    return error_number == ENOENT || error_number == ENOTDIR || error_number == ELOOP ||
           error_number == ENAMETOOLONG;
}

void refuse(const std::string& fault) {
    if (!fault.empty()) {
        throw path_failure{fault};
    }
}

} // namespace

run_paths::run_paths(const std::vector<output_path>& outputs) {
    for (const output_path& output : outputs) {
        if (output.path.empty()) {
            continue;
        }
        if (output.path == "-") {
            refuse(output.name + " needs a file, not standard output");
        }
        const declared added = find(output);
        refuse(fault_beside_others(added));
        m_outputs.push_back(added);
    }
}

run_paths::declared run_paths::find(const output_path& output) {
    declared found{output, resolved(output.path), {}};
    struct stat status = {};
    if (::stat(output.path.c_str(), &status) == 0) {
        if (S_ISREG(status.st_mode) && open_file(output.path).empty()) {
            found.id = {status.st_dev, status.st_ino};
        }
    } else if (errno != ENOENT) {
        throw io_failure(output.path, "cannot be accessed");
    }
    return found;
}

std::string run_paths::fault_beside_others(const declared& output) const {
    for (const declared& other : m_outputs) {
        if (other.resolved == output.resolved || (other.id && other.id == output.id)) {
            return output.output.path + ": " + other.output.name + " and " + output.output.name +
                   " cannot be the same file";
        }
    }
    return "";
}

void run_paths::read(const std::vector<std::string>& paths) {
    for (const std::string& path : paths) {
        read(path);
    }
}

void run_paths::read(const std::string& path) {
    if (path == "-" && std::exchange(m_reads_standard_input, true)) {
        refuse("standard input can be read only once");
    }
    if (path.empty() || is_url(path) || (m_outputs.empty() && !m_keeps_inputs)) {
        return;
    }
    struct stat status = {};
    const bool is_there =
        (path == "-" ? ::fstat(STDIN_FILENO, &status) : ::stat(path.c_str(), &status)) == 0;
    if (!is_there && !is_wrong_path(errno)) {
        throw io_failure(display_name(path), "cannot be accessed");
    }
    if (is_there ? !S_ISREG(status.st_mode) : errno != ENOENT) {
        return;
    }
    const file_id id{status.st_dev, status.st_ino};
    for (const declared& each : m_outputs) {
        // One that is missing would be found by the next run, after this one has failed.
        if (is_there ? each.id == id : !each.id && each.resolved == resolved(path)) {
            refuse(fault_of_input(each.output.path, path));
        }
    }
    if (is_there && m_keeps_inputs) {
        m_inputs.insert(id);
    }
}

void run_paths::check_kinds() const {
    for (const declared& each : m_outputs) {
        refuse(each.id ? fault_of_kind(each.output) : "");
    }
}

void run_paths::forbid_outputs_in(const std::string& state_folder) {
    m_folder = resolved(state_folder);
    for (const declared& each : m_outputs) {
        refuse(fault_of_folder(each));
    }
}

std::string run_paths::fault_of_folder(const declared& output) const {
    return m_folder.empty() || !is_inside(output.resolved, m_folder)
               ? ""
               : output.output.path + ": " + output.output.name +
                     " cannot go to --state-dir, which is for states only";
}

void run_paths::expect_outputs_below(const output_path& folder) {
    const std::string below = resolved(folder.path.empty() ? "." : folder.path);
    refuse(fault_of_folder({folder, below, {}}));
    m_late_may_be_in_folder = !m_folder.empty() && is_inside(m_folder, below);
}

std::string run_paths::check_late_output(const output_path& output) const {
    struct stat status = {};
    if (::stat(output.path.c_str(), &status) == 0) {
        if (m_inputs.contains({status.st_dev, status.st_ino})) {
            return fault_of_input(output.path, output.path);
        }
        if (std::string fault = fault_of_kind(output); !fault.empty()) {
            return fault;
        }
    }
    // Resolving a path takes time, so it is done only for those that may be meant.
    const std::string name = fs::path{output.path}.filename().native();
    const bool may_be_other = std::ranges::any_of(
        m_outputs, [&](const declared& each) { return each.resolved.ends_with(name); });
    if (!may_be_other && !m_late_may_be_in_folder) {
        return "";
    }
    const declared late = find(output);
    std::string fault = fault_beside_others(late);
    return fault.empty() ? fault_of_folder(late) : fault;
}

bool is_first_of_pattern(const std::string& output, const std::vector<std::string>& files) {
    const fs::path first{output};
    const file_kind kind = kind_of_file(output);
    return files.size() > 1 && first.has_extension() && output < files.front() &&
           std::ranges::is_sorted(files) &&
           (kind == file_kind::archive || kind == file_kind::profile) &&
           std::ranges::all_of(files, [&](const fs::path& file) {
               return file.parent_path() == first.parent_path() &&
                      file.extension() == first.extension();
           });
}

} // namespace pprofdelta::tool
