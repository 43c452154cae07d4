// SPDX-License-Identifier: Apache-2.0
#include "commands/merge_windows.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <optional>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

#include <pprofdelta/info.hpp>

#include "batch/plan/tree.hpp"
#include "files/file.hpp"
#include "files/folder.hpp"
#include "files/lock_file.hpp"

namespace pprofdelta::tool {

namespace {

constexpr std::int64_t nanos_of_second = 1'000'000'000;

// "1h" of 3600 s, so that a window has one name.
std::string short_text(std::chrono::seconds time) {
    constexpr std::array<std::pair<int, const char*>, 3> units{
        {{86400, "d"}, {3600, "h"}, {60, "m"}}};
    for (const auto& [seconds, letter] : units) {
        if (time.count() % seconds == 0) {
            return std::to_string(time.count() / seconds) + letter;
        }
    }
    return std::to_string(time.count()) + "s";
}

// Replaces nothing: who writes there does not know of this run.
void move_file(const std::string& from, const std::string& to) {
    if (kind_of(to) != entry_kind::none) {
        throw failure{exit_status::io, from + ": cannot be moved, as there is " + to};
    }
    if (::rename(from.c_str(), to.c_str()) != 0) {
        throw io_failure(from, "cannot be moved into " + folder_of(to));
    }
}

void require(entry_kind kind, const std::string& path) {
    if (kind_of(path) != kind) {
        throw failure{exit_status::io, path + ": it is not a " +
                                           (kind == entry_kind::file ? "regular file" : "folder")};
    }
}

std::vector<std::string> sorted_names(const std::string& folder) {
    std::vector<std::string> names;
    for_each_name(folder, [&](std::string_view name) { names.emplace_back(name); });
    std::sort(names.begin(), names.end());
    return names;
}

void remove_all(const std::string& folder) {
    for (const std::string& name : sorted_names(folder)) {
        if (::unlink(path_in(folder, name).c_str()) != 0) {
            throw io_failure(path_in(folder, name), "cannot be removed");
        }
    }
    if (::rmdir(folder.c_str()) != 0) {
        throw io_failure(folder, "cannot be removed");
    }
}

// Steps 4 and 5.
void put_into_place(const std::string& folder, const merge_window& window) {
    const std::string inside = path_in(folder, window.hidden_name());
    const std::string made = path_in(inside, merge_window::made);
    if (kind_of(made) != entry_kind::none) {
        require(entry_kind::file, made);
        move_file(made, path_in(folder, window.sum));
        sync_folder(folder, window.sum);
        sync_folder(inside, window.sum);
    }
    remove_all(inside);
}

} // namespace

std::string window_merge::name_of(std::int64_t window) const {
    const auto seconds = static_cast<std::time_t>(window * m_chosen.window.count());
    std::tm parts{};
    std::array<char, 64> text{};
    if (::gmtime_r(&seconds, &parts) == nullptr ||
        std::strftime(text.data(), text.size(), "%Y%m%dT%H%M%SZ", &parts) == 0) {
        throw failure{exit_status::malformed, "the time of a profile is none"};
    }
    return std::string{text.data()} + "." + short_text(m_chosen.window) + ".pb.gz";
}

// Sums of the same windows, and of longer ones, are not.
bool window_merge::is_input(const std::string& name) const {
    return is_name_of_profile(name) && window_in_name(name) < m_chosen.window;
}

window_merge::folder_content window_merge::content_of(const std::string& folder) const {
    folder_content found;
    for (const std::string& name : sorted_names(folder)) {
        if (std::optional<merge_window> window = window_of_folder(name)) {
            found.begun.push_back(std::move(*window)); // or who works on it looks at what it is
        } else if (!name.starts_with('.')) {
            const entry_kind kind = kind_of(path_in(folder, name));
            if (kind == entry_kind::folder) {
                found.folders.push_back(name);
            } else if (kind == entry_kind::file && is_input(name)) {
                found.profiles.push_back(name);
            }
        }
    }
    return found;
}

window_merge::counts window_merge::run(const std::string& root) {
    m_found = {};
    std::vector<std::string> to_do{root};
    while (!to_do.empty()) { // folders can lie deeper than a stack of calls goes
        const std::string folder = std::move(to_do.back());
        to_do.pop_back();
        const std::size_t sums_before = m_found.sums;
        try {
            const folder_content inside = content_of(folder);
            for (auto name = inside.folders.rbegin(); name != inside.folders.rend(); ++name) {
                to_do.push_back(path_in(folder, *name));
            }
            if (!inside.profiles.empty() || !inside.begun.empty()) {
                merge_series(folder);
            }
        } catch (const failure& e) {
            if (folder == root && !is_folder(root)) {
                throw;
            }
            note(e);
        }
        m_found.series += m_found.sums != sums_before ? 1 : 0;
    }
    return std::move(m_found);
}

void window_merge::merge_series(const std::string& folder) {
    const lock_file lock{series_lock_path(folder), series_patience};
    for (const merge_window& window : content_of(folder).begun) {
        require(entry_kind::folder, path_in(folder, window.hidden_name()));
        if (window.is_summed) {
            put_into_place(folder, window);
        } else {
            sum_up(folder, window);
        }
    }
    for (const auto& [number, names] : windows_of(folder, content_of(folder).profiles)) {
        const merge_window window{.sum = name_of(number)};
        const std::string sum = path_in(folder, window.sum);
        if (kind_of(sum) == entry_kind::none || is_sound_sum(sum)) {
            take(folder, window, names);
            sum_up(folder, window);
        }
    }
}

// Of the windows that are over. A profile is of the window in which it ends.
window_merge::names_by_window window_merge::windows_of(const std::string& folder,
                                                       const std::vector<std::string>& profiles) {
    names_by_window found;
    const std::int64_t nanos = m_chosen.window.count() * nanos_of_second;
    for (const std::string& name : profiles) {
        try {
            const profile_file file{raw_file{path_in(folder, name), m_chosen.input.max_size},
                                    m_chosen.input};
            const std::int64_t time =
                about(file, [&] { return read_profile_info(file.bytes()).time_nanos; });
            if (time <= 0) {
                throw failure{exit_status::incompatible, file.name() + ": the profile has no time"};
            }
            const std::int64_t window = (time - 1) / nanos;
            if (window < m_chosen.until_nanos / nanos) {
                found[window].push_back(name);
            }
        } catch (const failure& e) {
            set_aside(e);
        }
    }
    return found;
}

// What a profile is, costs it alone.
void window_merge::set_aside(const failure& reason) {
    if (reason.status() == exit_status::io) {
        throw reason;
    }
    note(reason);
}

void window_merge::note(const failure& reason) {
    m_found.bad.emplace_back(reason.what());
    m_found.status = worse_of(m_found.status, reason.status());
}

// Whether a sum of an earlier run can be added to.
bool window_merge::is_sound_sum(const std::string& path) {
    require(entry_kind::file, path);
    try {
        const profile_file file{raw_file{path, m_chosen.input.max_size}, m_chosen.input};
        profile_sum alone{m_chosen.merged};
        about(file, [&] { alone.add(file.bytes()); });
        return true;
    } catch (const failure& e) {
        set_aside(e);
        return false;
    }
}

// Step 1.
void window_merge::take(const std::string& folder, const merge_window& window,
                        const std::vector<std::string>& profiles) {
    const std::string inside = path_in(folder, window.hidden_name());
    if (::mkdir(inside.c_str(), 0777) != 0) {
        throw io_failure(inside, "cannot create the folder");
    }
    if (kind_of(path_in(folder, window.sum)) != entry_kind::none) {
        move_file(path_in(folder, window.sum), path_in(inside, window.sum));
    }
    for (const std::string& name : profiles) {
        move_file(path_in(folder, name), path_in(inside, name));
    }
}

// Steps 2 and 3, and the rest.
void window_merge::sum_up(const std::string& folder, merge_window window) {
    const std::string inside = path_in(folder, window.hidden_name());
    std::vector<std::string> names = sorted_names(inside);
    std::erase_if(names, [](const std::string& name) { return name.starts_with('.'); });
    // The sum of an earlier run first: what does not fit goes back, and that must not.
    std::stable_partition(names.begin(), names.end(),
                          [&](const std::string& name) { return name == window.sum; });
    profile_sum all{m_chosen.merged};
    for (const std::string& name : names) {
        const std::string path = path_in(inside, name);
        require(entry_kind::file, path);
        try {
            const profile_file file{raw_file{path, m_chosen.input.max_size}, m_chosen.input};
            about(file, [&] { all.add(file.bytes()); });
        } catch (const failure& e) {
            if (name == window.sum) {
                throw;
            }
            set_aside(e);
            move_file(path, path_in(folder, name));
        }
    }
    if (all.size() == 0) {
        remove_all(inside);
        return;
    }
    const std::string sum = path_in(inside, merge_window::made);
    std::string made;
    about(sum, [&] { all.write(made); });
    remove_abandoned_files(sum);
    std::string lost; // as with a batch, nobody reads a line for each sum
    write_file(sum, m_chosen.form.encoded(std::move(made), false, lost), durability::synced);
    sync_folder(folder, window.sum);
    window.is_summed = true;
    move_file(inside, path_in(folder, window.hidden_name()));
    sync_folder(folder, window.sum);
    ++m_found.sums;
    m_found.profiles += all.size();
    put_into_place(folder, window);
}

} // namespace pprofdelta::tool
