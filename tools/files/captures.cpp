// SPDX-License-Identifier: Apache-2.0
#include "files/captures.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <system_error>

#include <fnmatch.h>

#include "base/lists.hpp"
#include "base/names.hpp"
#include "base/threads.hpp"
#include "base/value_text.hpp"

namespace pprofdelta::tool {

// The folder of a series

namespace {

constexpr std::string_view sum_ending = ".pb.gz";
constexpr std::string_view summed = ".summed";

// Whether it is "20261121T090000Z", as the names of sums begin.
bool is_moment(std::string_view text) {
    constexpr std::string_view form = "00000000T000000Z";
    return std::ranges::equal(
        text, form, [](char c, char as) { return as == '0' ? c >= '0' && c <= '9' : c == as; });
}

} // namespace

std::string path_in(const std::string& folder, const std::string& name) {
    return folder + (folder.empty() || folder.ends_with('/') ? "" : "/") + name;
}

std::string merge_window::hidden_name() const {
    return "." + sum.substr(0, sum.size() - sum_ending.size()) +
           std::string{is_summed ? summed : std::string_view{}};
}

std::optional<merge_window> window_of_folder(std::string_view name) {
    if (!name.starts_with('.')) {
        return std::nullopt;
    }
    name.remove_prefix(1);
    const bool is_summed = name.ends_with(summed);
    name.remove_suffix(is_summed ? summed.size() : 0);
    merge_window window{.sum = std::string{name} + std::string{sum_ending}, .is_summed = is_summed};
    if (!is_moment(name.substr(0, name.find('.'))) || window_in_name(window.sum).count() == 0) {
        return std::nullopt;
    }
    return window;
}

std::chrono::seconds window_in_name(std::string_view name) {
    const std::size_t point = name.find('.');
    if (!name.ends_with(sum_ending) || point + 1 + sum_ending.size() >= name.size()) {
        return {};
    }
    const std::string_view length =
        name.substr(point + 1, name.size() - sum_ending.size() - point - 1);
    // Nothing for a profile that is called otherwise.
    return length.find('.') != std::string_view::npos
               ? std::chrono::seconds{0}
               : read_age(length).value_or(std::chrono::seconds{0});
}

bool is_named_after(std::string_view name, std::int64_t moment) {
    const std::string seconds = utc_text(moment, "%Y%m%dT%H%M%S");
    return is_moment(std::string{name.substr(0, seconds.size())} + "Z") &&
           // A delta has this name if it ended then, while a sum is of what ended after its start.
           name > seconds && !name.starts_with(seconds + ".000000000Z");
}

std::string series_lock_path(const std::string& folder) { return path_in(folder, ".merge.lock"); }

series_reader::series_reader(std::string folder)
    : m_folder{std::move(folder)}, m_lock{lock_file::shared(series_lock_path(m_folder),
                                                            series_patience)} {}

bool series_reader::is_overtaken() const {
    return !m_lock.is_there() && kind_of(series_lock_path(m_folder)) != entry_kind::none;
}

void series_readers::add(const std::string& folder) {
    if (m_all.empty()) {
        (void)raise_open_files(); // a pattern can be of more series than the usual number
    }
    m_all.emplace_back(folder);
}

void series_readers::require_undisturbed() const {
    for (const series_reader& each : m_all) {
        if (each.is_overtaken()) {
            throw failure{
                exit_status::io,
                each.folder() +
                    ": merge --into started to use this folder while it was read; run this again"};
        }
    }
}

// Appends what counts of the hidden folder of a window.
static void add_hidden_files(const merge_window& window, const std::string& inside,
                             std::vector<series_file>& to) {
    if (window.is_summed) {
        const std::string sum = path_in(inside, merge_window::made);
        if (kind_of(sum) == entry_kind::file) {
            to.push_back({window.sum, sum, entry_kind::file});
        }
        return;
    }
    try {
        for_each_entry(inside, [&](std::string_view each, entry_kind kind) {
            if (!each.starts_with('.') && kind == entry_kind::file) {
                to.push_back({std::string{each}, path_in(inside, std::string{each}), kind});
            }
        });
    } catch (const failure&) {
        if (kind_of(inside) == entry_kind::folder) {
            throw;
        } // else a first run goes on with it, which is_overtaken() tells
    }
}

std::vector<series_file> entries_in(const std::string& folder, series_readers* held) {
    const std::string opened = folder.empty() ? "." : folder;
    if (held != nullptr) {
        held->add(opened);
    }
    std::vector<series_file> entries;
    for_each_entry(opened, [&](std::string_view name, entry_kind kind) {
        entries.push_back({std::string{name}, path_in(folder, std::string{name}), kind});
        const std::optional<merge_window> window = window_of_folder(name);
        if (window && kind == entry_kind::folder) {
            add_hidden_files(*window, std::string{entries.back().path}, entries);
        }
    });
    std::ranges::sort(entries, [](const series_file& a, const series_file& b) {
        return a.name != b.name ? natural_order(a.name, b.name) < 0 : a.path < b.path;
    });
    return entries;
}

// Choice of files

namespace {

namespace fs = std::filesystem;

bool is_pattern(const std::string& name) { return name.find_first_of("*?[") != std::string::npos; }

// States, what runs tell, what they draw, and what killed ones left. A choice by content would hide
// that a capture is damaged.
bool is_left_by_runs(std::string_view name) {
    constexpr std::array<std::string_view, 8> endings{".state", ".lock", ".status", ".tmp",
                                                      ".json",  ".html", ".svg",    ".md"};
    return std::ranges::any_of(endings,
                               [&](std::string_view ending) { return name.ends_with(ending); });
}

// All captures in a folder and in the folders below it, which are not followed by links.
std::vector<std::string> files_in(const std::string& root, series_readers* held) {
    std::vector<std::string> files;
    // Folders can lie deeper than a stack of calls goes.
    std::vector<series_file> to_do{{"", root, entry_kind::folder}};
    while (!to_do.empty()) {
        const series_file next = std::move(to_do.back());
        to_do.pop_back();
        if (next.kind != entry_kind::folder) {
            files.push_back(next.path);
            continue;
        }
        std::vector<series_file> inside = entries_in(next.path, held);
        std::erase_if(inside, [](const series_file& each) {
            return each.name.starts_with('.') || (each.kind != entry_kind::folder &&
                                                  (is_left_by_runs(each.name) || !each.is_file()));
        });
        to_do.insert(to_do.end(), std::move_iterator{inside.rbegin()},
                     std::move_iterator{inside.rend()});
    }
    return files;
}

// All paths that match, a part between slashes after the other. glob(3) is no choice, as it is not
// safe beside other threads.
std::vector<std::string> files_that_match(const std::string& pattern, series_readers* held) {
    std::vector<std::string> paths{pattern.starts_with('/') ? "/" : ""};
    for (const fs::path& part : fs::path{pattern}.relative_path()) {
        std::vector<std::string> longer;
        for (const std::string& path : paths) {
            if (!is_pattern(part.native())) {
                longer.push_back(path_in(path, part.native()));
            } else if (path.empty() || is_folder(path)) {
                for (const series_file& each : entries_in(path, held)) {
                    if (::fnmatch(part.c_str(), each.name.c_str(), FNM_PERIOD) == 0) {
                        longer.push_back(each.path);
                    }
                }
            }
        }
        paths = std::move(longer);
    }
    std::vector<std::string> files;
    for (const std::string& path : paths) {
        std::error_code fault;
        if (kind_of(path) == entry_kind::folder) {
            const std::vector<std::string> inside = files_in(path, held);
            files.insert(files.end(), inside.begin(), inside.end());
        } else if (fs::is_regular_file(path, fault)) {
            files.push_back(path);
        }
    }
    return files;
}

// The list without links to others of these files: "latest.pb.gz" is no other capture.
std::vector<std::string> without_other_names(std::vector<std::string> files) {
    std::error_code fault;
    const auto is_link = [&](const std::string& file) { return fs::is_symlink(file, fault); };
    if (std::ranges::none_of(files, is_link)) {
        return files;
    }
    std::set<std::string> real;
    for (const std::string& file : files) {
        if (!is_link(file)) {
            real.insert(fs::weakly_canonical(file, fault).native());
        }
    }
    std::erase_if(files, [&](const std::string& file) {
        return is_link(file) && real.contains(fs::weakly_canonical(file, fault).native());
    });
    return files;
}

} // namespace

std::vector<std::string> find_files(const std::vector<std::string>& names, const list_options& list,
                                    series_readers* held) {
    std::vector<std::string> files = find_files(names, held);
    std::vector<std::string> listed = paths_without_weights(list);
    refuse_credentials(listed);
    files.insert(files.end(), std::move_iterator{listed.begin()}, std::move_iterator{listed.end()});
    if (files.empty()) {
        wrong_usage(display_name(list.file) + ": there is no path in this list");
    }
    return files;
}

std::vector<std::string> find_files(const std::vector<std::string>& names, series_readers* held) {
    std::vector<std::string> files;
    for (const std::string& name : names) {
        if (name == "-" || is_url(name)) { // in which '?' is no pattern
            files.push_back(name);
            continue;
        }
        std::error_code fault;
        const fs::file_status status = fs::status(name, fault);
        const bool is_folder = fs::is_directory(status);
        if (!is_folder && (fs::exists(status) || !is_pattern(name))) {
            files.push_back(name);
            continue;
        }
        const std::vector<std::string> inside =
            without_other_names(is_folder ? files_in(name, held) : files_that_match(name, held));
        if (held != nullptr) { // else what is moved meanwhile could look like nothing at all
            held->require_undisturbed();
        }
        if (inside.empty()) {
            wrong_usage(name +
                        (is_folder ? ": no capture in or below this folder" : ": no file matches"));
        }
        files.insert(files.end(), inside.begin(), inside.end());
    }
    return files;
}

std::vector<std::string> without_shell_order(std::vector<std::string> names) {
    if (std::ranges::is_sorted(names)) {
        std::ranges::sort(names, is_before_naturally{});
    }
    return names;
}

// A file that is named twice. The library finds copies among different files.
std::string find_repeated(const std::vector<std::string>& files) {
    std::set<std::string> paths;
    for (const std::string& file : files) {
        std::error_code fault; // what cannot be followed is refused when it is opened
        const std::string path = fs::weakly_canonical(file, fault).native();
        if (!fault && file != "-" && !paths.insert(path).second) {
            return file;
        }
    }
    return {};
}

void require_different(const std::vector<std::string>& files) {
    if (const std::string repeated = find_repeated(files); !repeated.empty()) {
        wrong_usage(repeated + ": it is given twice");
    }
}

std::vector<std::string> names_of(const std::vector<std::string>& files) {
    return mapped(files, display_name);
}

void read_all(
    const std::vector<std::string>& files, const read_options& options,
    const std::function<std::function<void()>(std::size_t, const shared_profile&)>& prepare,
    const std::function<void(std::size_t, const failure&)>& pass_over) {
    const auto read = [&](std::size_t place) {
        return run_async(should_use_thread(files[place]), [&, place] {
            const shared_profile profile =
                std::make_shared<const profile_file>(raw_file{files[place], options}, options);
            return std::pair{profile,
                             with_file_context(*profile, [&] { return prepare(place, profile); })};
        });
    };
    auto next = read(0);
    for (std::size_t i = 0; i < files.size(); ++i) {
        auto current = std::exchange(next, i + 1 < files.size() ? read(i + 1) : decltype(next){});
        try {
            const auto [profile, use] = current.get();
            with_file_context(*profile, use);
        } catch (const failure& e) {
            if (!pass_over || e.status() != exit_status::malformed) {
                throw;
            }
            pass_over(i, e);
        }
    }
}

} // namespace pprofdelta::tool
