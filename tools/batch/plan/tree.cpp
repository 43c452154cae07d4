// SPDX-License-Identifier: Apache-2.0
#include "batch/plan/tree.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "base/failure.hpp"
#include "batch/plan/series_name.hpp"

namespace pprofdelta::tool {

namespace {

namespace fs = std::filesystem;

// A folder, and what its series is called; empty for the root.
struct visited_folder {
    std::string path;
    std::string series;
};

struct content {
    std::vector<std::string> profiles; // names
    std::vector<std::string> folders;  // names
};

content content_of(const visited_folder& folder) {
    content inside;
    std::error_code fault;
    for (fs::directory_iterator entry{folder.path, fault}, end; !fault && entry != end;
         entry.increment(fault)) {
        std::string name = entry->path().filename().native();
        std::error_code gone; // what cannot be looked at is neither
        if (name.starts_with('.')) {
            continue;
        }
        if (entry->symlink_status(gone).type() == fs::file_type::directory) {
            inside.folders.push_back(std::move(name));
        } else if (is_name_of_profile(name) && entry->is_regular_file(gone)) {
            inside.profiles.push_back(std::move(name));
        }
    }
    // Collectors may remove old folders at the same time.
    const bool is_gone = fault == std::errc::no_such_file_or_directory && !folder.series.empty();
    if (fault && !is_gone) {
        throw failure{exit_status::io,
                      folder.path + ": cannot read the folder: " + fault.message()};
    }
    std::sort(inside.profiles.begin(), inside.profiles.end());
    std::sort(inside.folders.begin(), inside.folders.end());
    return inside;
}

// The name of the folder that `root` is, whatever path leads to it.
std::string name_of_root(const std::string& root) {
    std::error_code fault;
    const fs::path path = fs::canonical(root, fault);
    if (fault) {
        throw failure{exit_status::io, root + ": cannot find the folder: " + fault.message()};
    }
    return series_component(path.has_filename() ? path.filename().native() : path.native());
}

void add_series(const visited_folder& folder, const std::string& name, const content& inside,
                batch_items& items) {
    if (const std::string fault = fault_in_series_name(name); !fault.empty()) {
        throw failure{exit_status::usage, folder.path + ": the name of its series " + fault};
    }
    if (items.find(name)) {
        throw failure{exit_status::usage, folder.path + ": the name of its series, " + name +
                                              ", is that of the profiles above it, too"};
    }
    const std::string_view kept = items.keep(name);
    for (const std::string& profile : inside.profiles) {
        items.add(kept, items.keep((fs::path{folder.path} / profile).native()));
    }
}

} // namespace

bool is_name_of_profile(std::string_view name) {
    for (const std::string_view ending : {".gz", ".zst"}) {
        if (name.ends_with(ending)) {
            name.remove_suffix(ending.size());
            break;
        }
    }
    constexpr std::array<std::string_view, 5> endings{".pb", ".pprof", ".prof", ".heap", ".otlp"};
    return std::any_of(endings.begin(), endings.end(),
                       [&](std::string_view ending) { return name.ends_with(ending); });
}

void add_tree(const std::string& root, batch_items& items) {
    // Folders can lie deeper than a stack of calls goes.
    std::vector<visited_folder> to_do{{root, ""}};
    while (!to_do.empty()) {
        const visited_folder folder = std::move(to_do.back());
        to_do.pop_back();
        const content inside = content_of(folder);
        if (!inside.profiles.empty()) {
            add_series(folder, folder.series.empty() ? name_of_root(root) : folder.series, inside,
                       items);
        }
        for (auto name = inside.folders.rbegin(); name != inside.folders.rend(); ++name) {
            to_do.push_back(
                {(fs::path{folder.path} / *name).native(),
                 folder.series + (folder.series.empty() ? "" : "/") + series_component(*name)});
        }
    }
    if (items.size() == 0) {
        throw failure{exit_status::usage,
                      root + ": there is no profile in this folder: no *.pb, *.pprof, *.prof, "
                             "*.heap or *.otlp, also with .gz or .zst"};
    }
}

} // namespace pprofdelta::tool
