// SPDX-License-Identifier: Apache-2.0
#include "cli/series_folder.hpp"

#include <algorithm>
#include <utility>

#include "base/failure.hpp"
#include "cli/options.hpp"
#include "files/file.hpp"

namespace pprofdelta::tool {

namespace {

constexpr std::string_view ending = ".pb.gz";
constexpr std::string_view summed = ".summed";

// Whether it is "20261121T090000Z", as the names of sums begin.
bool is_moment(std::string_view text) {
    constexpr std::string_view form = "00000000T000000Z";
    return std::equal(text.begin(), text.end(), form.begin(), form.end(),
                      [](char c, char as) { return as == '0' ? c >= '0' && c <= '9' : c == as; });
}

} // namespace

std::string path_in(const std::string& folder, const std::string& name) {
    return folder + (folder.empty() || folder.ends_with('/') ? "" : "/") + name;
}

std::string merge_window::hidden_name() const {
    return "." + sum.substr(0, sum.size() - ending.size()) +
           std::string{is_summed ? summed : std::string_view{}};
}

std::optional<merge_window> window_of_folder(std::string_view name) {
    if (!name.starts_with('.')) {
        return std::nullopt;
    }
    name.remove_prefix(1);
    const bool is_summed = name.ends_with(summed);
    name.remove_suffix(is_summed ? summed.size() : 0);
    merge_window window{.sum = std::string{name} + std::string{ending}, .is_summed = is_summed};
    if (!is_moment(name.substr(0, name.find('.'))) || window_in_name(window.sum).count() == 0) {
        return std::nullopt;
    }
    return window;
}

std::chrono::seconds window_in_name(std::string_view name) {
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

void add_hidden_files(const std::string& folder, std::string_view name,
                      std::vector<series_file>& to) {
    const std::optional<merge_window> window = window_of_folder(name);
    const std::string inside = path_in(folder, std::string{name});
    if (!window || kind_of(inside) != entry_kind::folder) {
        return;
    }
    const auto add = [&](const std::string& as, const std::string& path) {
        if (kind_of(path) == entry_kind::file) {
            to.push_back({as, path});
        }
    };
    if (window->is_summed) {
        add(window->sum, path_in(inside, merge_window::made));
        return;
    }
    try {
        for_each_name(inside, [&](std::string_view each) {
            if (!each.starts_with('.')) {
                add(std::string{each}, path_in(inside, std::string{each}));
            }
        });
    } catch (const failure&) {
        if (kind_of(inside) == entry_kind::folder) {
            throw;
        } // else a first run goes on with it, which is_overtaken() tells
    }
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

} // namespace pprofdelta::tool
