// SPDX-License-Identifier: Apache-2.0
#include "files/file_labels.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <set>

namespace pprofdelta::tool {

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
