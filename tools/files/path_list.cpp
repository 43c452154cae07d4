// SPDX-License-Identifier: Apache-2.0
#include "files/path_list.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <set>

#include <pprofdelta/codec.hpp>

#include "base/failure.hpp"
#include "base/lists.hpp"
#include "base/names.hpp"
#include "base/value_text.hpp"
#include "files/file.hpp"

namespace pprofdelta::tool {

bool is_url(std::string_view input) noexcept {
    const std::string start =
        lower_case(std::string{input.substr(0, 8)}); // which allocates nothing
    return start.starts_with("http://") || start == "https://";
}

bool has_credentials(std::string_view url) noexcept {
    const std::size_t start = url.find("//") + 2;
    // Some readers take a backslash for a slash, and some do not: what is doubtful is refused.
    return is_url(url) && url.substr(start, url.find_first_of("/?#", start) - start).find('@') !=
                              std::string_view::npos;
}

bool begins_like_host(std::string_view path) noexcept {
    const std::string_view host = path.substr(0, path.find('/'));
    const std::size_t colon = host.rfind(':');
    return colon != 0 && colon < host.size() - 1 &&
           host.find_first_not_of("0123456789", colon + 1) == std::string_view::npos;
}

double parse_weight(std::string_view text, const std::string& where) {
    const std::optional<double> weight = number_in<double>(text);
    if (!weight || !(*weight > 0) || !std::isfinite(*weight)) {
        wrong_usage(where + ": a weight must be a positive number");
    }
    return *weight;
}

std::vector<listed_path> paths_of_lines(std::string_view text, const std::string& name) {
    // A path would end there, and name another file.
    if (text.find('\0') != std::string_view::npos) {
        wrong_usage(name + ": a line contains a NUL; paths that end with NUL need --null");
    }
    std::vector<listed_path> paths;
    for_each_line(text, [&](std::string_view line, std::size_t number) {
        const std::size_t tab = line.find('\t');
        listed_path listed{std::string{line.substr(0, tab)}};
        if (tab != std::string_view::npos) {
            const std::string where = name + ": line " + std::to_string(number);
            listed.weight = parse_weight(line.substr(tab + 1), where);
            if (listed.path.empty()) {
                wrong_usage(where + ": a weight must follow a path");
            }
        }
        if (!listed.path.empty()) {
            paths.push_back(std::move(listed));
        }
    });
    return paths;
}

std::vector<listed_path> paths_with_nul(std::string_view text) {
    std::vector<listed_path> paths;
    for_each_part(text, '\0', [&](std::string_view path, std::size_t) {
        if (!path.empty()) {
            paths.push_back({std::string{path}});
        }
    });
    return paths;
}

namespace {

// The last `parts` of a path.
std::string end_of(const std::string& path, std::size_t parts) {
    constexpr auto none = std::string::npos;
    std::size_t start = path.size();
    for (; parts > 0 && start != none; --parts) {
        start = start == 0 ? none : path.rfind('/', start - 1);
    }
    return start == none ? path : path.substr(start + 1);
}

} // namespace

std::vector<std::string> file_labels(const std::vector<std::string>& paths) {
    const std::vector<std::string> whole = mapped(
        paths, [](const std::filesystem::path& path) { return path.lexically_normal().native(); });
    const std::size_t different = std::set<std::string>{whole.begin(), whole.end()}.size();
    std::size_t most_parts = 1;
    for (const std::string& path : whole) {
        const auto slashes = std::ranges::count(path, '/');
        most_parts = std::max(most_parts, static_cast<std::size_t>(slashes) + 1);
    }
    std::vector<std::string> labels;
    for (std::size_t parts = 1; parts <= most_parts; ++parts) {
        labels = mapped(whole, [parts](const std::string& path) {
            return path.starts_with("/dev/") ? path : end_of(path, parts);
        });
        if (std::set<std::string>{labels.begin(), labels.end()}.size() == different) {
            break;
        }
    }
    return labels;
}

void refuse_credentials(const std::vector<std::string>& files) {
    if (std::ranges::any_of(files, has_credentials)) {
        wrong_usage("a URL must not have a user's name or a password; see --header-file");
    }
}

std::vector<listed_path> paths_in(const list_options& list) {
    std::vector<listed_path> paths;
    if (!list.file.empty()) {
        const std::string text = read_file(list.file, max_profile_size);
        paths = list.has_nul ? paths_with_nul(text) : paths_of_lines(text, display_name(list.file));
    }
    return paths;
}

std::vector<std::string> paths_without_weights(const list_options& list) {
    std::vector<std::string> paths;
    for (listed_path& listed : paths_in(list)) {
        if (listed.weight != 1) {
            wrong_usage(display_name(list.file) + ": " + listed.path +
                        ": a weight is not allowed here");
        }
        paths.push_back(std::move(listed.path));
    }
    return paths;
}

} // namespace pprofdelta::tool
