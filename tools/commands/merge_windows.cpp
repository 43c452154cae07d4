// SPDX-License-Identifier: Apache-2.0
#include "commands/merge_windows.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <string_view>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

#include <pprofdelta/info.hpp>

#include "batch/plan/tree.hpp"
#include "cli/option_values.hpp"
#include "files/file.hpp"
#include "files/folder.hpp"
#include "files/lock_file.hpp"

namespace pprofdelta::tool {

namespace {

constexpr std::int64_t nanos_of_second = 1'000'000'000;
constexpr std::string_view ending = ".pb.gz";

std::string in(const std::string& folder, const std::string& name) { return folder + "/" + name; }

// Where the profiles of a window are while they are summed.
std::string hidden(const std::string& sum) {
    return "." + sum.substr(0, sum.size() - ending.size());
}

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

// Of a sum the length of its window, by the part of its name that says it; 0 of all others.
std::chrono::seconds window_in(std::string_view name) {
    const std::size_t point = name.find('.');
    if (!name.ends_with(ending) || point + 1 + ending.size() >= name.size()) {
        return {};
    }
    const std::string time{name.substr(point + 1, name.size() - ending.size() - point - 1)};
    try {
        return parse_age("", time);
    } catch (const failure&) {
        return {}; // a profile that is called otherwise
    }
}

bool is_there(const std::string& path) {
    struct stat status = {};
    if (::lstat(path.c_str(), &status) == 0) {
        return true;
    }
    if (errno != ENOENT) {
        throw io_failure(path, "cannot be looked at");
    }
    return false;
}

// Replaces nothing: who writes there does not know of this run.
void move_file(const std::string& from, const std::string& to) {
    if (is_there(to)) {
        throw failure{exit_status::io, from + ": cannot be moved, as there is " + to};
    }
    if (::rename(from.c_str(), to.c_str()) != 0) {
        throw io_failure(from, "cannot be moved into " + folder_of(to));
    }
}

void remove_all(const std::string& folder) {
    std::vector<std::string> names;
    for_each_name(folder, [&](std::string_view name) { names.emplace_back(name); });
    for (const std::string& name : names) {
        if (::unlink(in(folder, name).c_str()) != 0) {
            throw io_failure(in(folder, name), "cannot be removed");
        }
    }
    if (::rmdir(folder.c_str()) != 0) {
        throw io_failure(folder, "cannot be removed");
    }
}

// Whether it is "20261121T090000Z", as the names of sums begin.
bool is_moment(std::string_view text) {
    constexpr std::string_view form = "00000000T000000Z";
    return std::equal(text.begin(), text.end(), form.begin(), form.end(),
                      [](char c, char as) { return as == '0' ? c >= '0' && c <= '9' : c == as; });
}

std::vector<std::string> sorted_names(const std::string& folder) {
    std::vector<std::string> names;
    for_each_name(folder, [&](std::string_view name) { names.emplace_back(name); });
    std::sort(names.begin(), names.end());
    return names;
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
    return std::string{text.data()} + "." + short_text(m_chosen.window) + std::string{ending};
}

// Sums of the same windows, and of longer ones, are not.
bool window_merge::is_input(const std::string& name) const {
    return is_name_of_profile(name) && window_in(name) < m_chosen.window;
}

window_merge::folder_content window_merge::content_of(const std::string& folder) const {
    folder_content found;
    const std::string own = "." + short_text(m_chosen.window);
    for (const std::string& name : sorted_names(folder)) {
        struct stat status = {};
        if (::lstat(in(folder, name).c_str(), &status) != 0) {
            continue; // gone, or none of this run's
        }
        if (S_ISDIR(status.st_mode)) {
            if (!name.starts_with('.')) {
                found.folders.push_back(name);
            } else if (name.ends_with(own) &&
                       is_moment(std::string_view{name}.substr(1, name.size() - own.size() - 1))) {
                found.begun.push_back(name.substr(1) + std::string{ending});
            }
        } else if (S_ISREG(status.st_mode) && !name.starts_with('.') && is_input(name)) {
            found.profiles.push_back(name);
        }
    }
    return found;
}

window_merge::counts window_merge::run(const std::string& root) {
    m_found = {};
    std::vector<std::string> to_do{root};
    bool has_any = false;
    while (!to_do.empty()) { // folders can lie deeper than a stack of calls goes
        const std::string folder = std::move(to_do.back());
        to_do.pop_back();
        const folder_content inside = content_of(folder);
        for (auto name = inside.folders.rbegin(); name != inside.folders.rend(); ++name) {
            to_do.push_back(in(folder, *name));
        }
        if (!inside.profiles.empty() || !inside.begun.empty()) {
            has_any = true;
            merge_series(folder);
        }
    }
    if (!has_any && !is_there(root)) {
        throw failure{exit_status::usage, root + ": there is no such folder"};
    }
    return std::move(m_found);
}

void window_merge::merge_series(const std::string& folder) {
    constexpr std::chrono::seconds patience{30};
    const lock_file lock{in(folder, ".merge.lock"), patience};
    const std::size_t sums_before = m_found.sums;
    folder_content inside = content_of(folder); // now that nobody else works on it
    for (const std::string& sum : inside.begun) {
        if (is_there(in(folder, sum))) {
            remove_all(in(folder, hidden(sum)));
        }
    }
    std::map<std::string, std::vector<std::string>> to_do;
    for (const std::string& sum : inside.begun) {
        if (is_there(in(folder, hidden(sum)))) {
            to_do[sum];
        }
    }
    for (auto& [window, names] : windows_of(folder, inside.profiles)) {
        to_do[name_of(window)] = std::move(names);
    }
    for (const auto& [sum, names] : to_do) {
        merge_window(folder, sum, names);
    }
    m_found.series += m_found.sums != sums_before ? 1 : 0;
}

// Of the windows that are over. A profile is of the window in which it ends.
window_merge::names_by_window window_merge::windows_of(const std::string& folder,
                                                       const std::vector<std::string>& profiles) {
    names_by_window found;
    const std::int64_t nanos = m_chosen.window.count() * nanos_of_second;
    for (const std::string& name : profiles) {
        try {
            const profile_file file{raw_file{in(folder, name), m_chosen.input.max_size},
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
            note_bad(e);
        }
    }
    return found;
}

void window_merge::note_bad(const failure& reason) {
    if (reason.status() == exit_status::io) {
        throw reason;
    }
    m_found.bad.emplace_back(reason.what());
    m_found.status = m_found.status == exit_status::malformed ? m_found.status : reason.status();
}

// Whether a sum of an earlier run can be added to.
bool window_merge::is_sound_sum(const std::string& path) {
    try {
        const profile_file file{raw_file{path, m_chosen.input.max_size}, m_chosen.input};
        profile_sum alone{m_chosen.merged};
        about(file, [&] { alone.add(file.bytes()); });
        return true;
    } catch (const failure& e) {
        note_bad(e);
        return false;
    }
}

void window_merge::merge_window(const std::string& folder, const std::string& sum,
                                const std::vector<std::string>& profiles) {
    const std::string inside = in(folder, hidden(sum));
    if (is_there(in(folder, sum))) {
        if (!is_sound_sum(in(folder, sum))) {
            return;
        }
        make_folder(inside);
        move_file(in(folder, sum), in(inside, sum));
        sync_folder(inside, sum);
        sync_folder(folder, sum);
    } else {
        make_folder(inside);
    }
    for (const std::string& name : profiles) {
        move_file(in(folder, name), in(inside, name));
    }
    sync_folder(inside, sum);
    sync_folder(folder, sum);
    put_into_place(folder, sum);
}

void window_merge::put_into_place(const std::string& folder, const std::string& sum) {
    const std::string inside = in(folder, hidden(sum));
    profile_sum all{m_chosen.merged};
    const auto add = [&](const std::string& name) {
        const profile_file file{raw_file{in(inside, name), m_chosen.input.max_size},
                                m_chosen.input};
        about(file, [&] { all.add(file.bytes()); });
    };
    // The one of an earlier run first: what does not fit goes back, and that must not.
    if (is_there(in(inside, sum))) {
        add(sum);
    }
    for (const std::string& name : sorted_names(inside)) {
        if (name == sum) {
            continue;
        }
        try {
            add(name);
        } catch (const failure& e) {
            note_bad(e);
            move_file(in(inside, name), in(folder, name));
        }
    }
    sync_folder(inside, sum);
    sync_folder(folder, sum);
    if (all.size() != 0) {
        std::string made;
        about(in(folder, sum), [&] { all.write(made); });
        remove_abandoned_files(in(folder, sum));
        std::string lost; // as with a batch, nobody reads a line for each sum
        write_file(in(folder, sum), m_chosen.form.encoded(std::move(made), false, lost),
                   durability::synced);
        ++m_found.sums;
        m_found.profiles += all.size();
    }
    remove_all(inside);
}

} // namespace pprofdelta::tool
