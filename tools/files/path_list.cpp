// SPDX-License-Identifier: Apache-2.0
#include "files/path_list.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <set>
#include <system_error>

#include "base/failure.hpp"
#include "base/value_text.hpp"

namespace pprofdelta::tool {

double parse_weight(std::string_view text, const std::string& where) {
    double weight = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, fault] = std::from_chars(text.data(), end, weight);
    if (fault != std::errc{} || rest != end || !(weight > 0) || !std::isfinite(weight)) {
        wrong_usage(where + ": a weight must be a positive number");
    }
    return weight;
}

std::vector<listed_path> paths_of_lines(std::string_view text, const std::string& name) {
    // As a path it would end there, and name another file.
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
                wrong_usage(where + ": a weight follows after a path");
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
    std::vector<std::string> whole;
    whole.reserve(paths.size());
    for (const std::string& path : paths) {
        whole.push_back(std::filesystem::path{path}.lexically_normal().native());
    }
    const std::size_t different = std::set<std::string>{whole.begin(), whole.end()}.size();
    std::size_t most_parts = 1;
    for (const std::string& path : whole) {
        const auto slashes = std::count(path.begin(), path.end(), '/');
        most_parts = std::max(most_parts, static_cast<std::size_t>(slashes) + 1);
    }
    std::vector<std::string> labels;
    for (std::size_t parts = 1; parts <= most_parts; ++parts) {
        labels.clear();
        for (const std::string& path : whole) {
            labels.push_back(path.starts_with("/dev/") ? path : end_of(path, parts));
        }
        if (std::set<std::string>{labels.begin(), labels.end()}.size() == different) {
            break;
        }
    }
    return labels;
}

} // namespace pprofdelta::tool
