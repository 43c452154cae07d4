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
#include "cli/series_folder.hpp"

namespace pprofdelta::tool {

namespace {

namespace fs = std::filesystem;

// A folder, and what its series is called; empty for the root.
struct visited_folder {
    std::string path;
    std::string series;
};

struct content {
    std::vector<std::string> profiles; // paths
    std::vector<std::string> folders;  // names
};

// Nothing of a folder that is gone.
content list(const std::string& folder, std::error_code& fault) {
    content inside;
    std::vector<series_file> profiles;
    for (fs::directory_iterator entry{folder, fault}, end; !fault && entry != end;
         entry.increment(fault)) {
        std::string name = entry->path().filename().native();
        std::error_code gone; // what cannot be looked at is neither
        if (name.starts_with('.')) {
            add_hidden_files(folder, name, profiles);
        } else if (entry->symlink_status(gone).type() == fs::file_type::directory) {
            inside.folders.push_back(std::move(name));
        } else if (is_name_of_profile(name) && entry->is_regular_file(gone)) {
            profiles.push_back({std::move(name), entry->path().native()});
        }
    }
    std::sort(profiles.begin(), profiles.end());
    for (series_file& each : profiles) {
        if (is_name_of_profile(each.name)) { // of what is hidden, too
            inside.profiles.push_back(std::move(each.path));
        }
    }
    std::sort(inside.folders.begin(), inside.folders.end());
    return inside;
}

content content_of(const std::string& folder, bool may_be_gone) {
    while (true) {
        const series_reader reader{folder};
        std::error_code fault;
        content inside = list(folder, fault);
        if (fault && !(may_be_gone && fault == std::errc::no_such_file_or_directory)) {
            throw failure{exit_status::io, folder + ": cannot read the folder: " + fault.message()};
        }
        if (!reader.is_overtaken()) {
            return inside;
        }
    }
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

std::vector<std::string> profiles_in(const std::string& folder) {
    return content_of(folder, false).profiles;
}

void for_each_series(const std::string& root,
                     const std::function<void(const std::string&, const std::string&,
                                              const std::vector<std::string>&)>& use) {
    // Folders can lie deeper than a stack of calls goes.
    std::vector<visited_folder> to_do{{root, ""}};
    std::string of_root; // the name of the series that it is
    bool has_any = false;
    while (!to_do.empty()) {
        const visited_folder folder = std::move(to_do.back());
        to_do.pop_back();
        const bool is_root = folder.series.empty();
        // Collectors may remove old folders at the same time.
        const content inside = content_of(folder.path, !is_root);
        if (!inside.profiles.empty()) {
            const std::string name = is_root ? name_of_root(root) : folder.series;
            if (const std::string fault = fault_in_series_name(name); !fault.empty()) {
                throw failure{exit_status::usage,
                              folder.path + ": the name of its series " + fault};
            }
            if (name == of_root) {
                throw failure{exit_status::usage, folder.path + ": the name of its series, " +
                                                      name +
                                                      ", is that of the profiles above it, too"};
            }
            of_root = is_root ? name : of_root;
            has_any = true;
            use(name, folder.path, inside.profiles);
        }
        for (auto name = inside.folders.rbegin(); name != inside.folders.rend(); ++name) {
            to_do.push_back({(fs::path{folder.path} / *name).native(),
                             folder.series + (is_root ? "" : "/") + series_component(*name)});
        }
    }
    if (!has_any) {
        throw failure{exit_status::usage,
                      root + ": there is no profile in this folder: no *.pb, *.pprof, *.prof, "
                             "*.heap or *.otlp, also with .gz or .zst"};
    }
}

void add_tree(const std::string& root, batch_items& items) {
    for_each_series(root, [&](const std::string& name, const std::string&,
                              const std::vector<std::string>& profiles) {
        const std::string_view kept = items.keep(name);
        for (const std::string& profile : profiles) {
            items.add(kept, items.keep(profile));
        }
    });
}

} // namespace pprofdelta::tool
