// SPDX-License-Identifier: Apache-2.0
#include "cli/next_commands.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace pprofdelta::tool {

bool can_be_read_again(const std::vector<std::string>& files) {
    return std::all_of(files.begin(), files.end(), [](const std::string& file) {
        std::error_code fault;
        return !file.starts_with('-') && std::filesystem::is_regular_file(file, fault);
    });
}

std::vector<std::string> words_of(const std::vector<std::string>& options,
                                  const std::vector<std::string>& names, bool wanted) {
    std::vector<std::string> words;
    for (const std::string& option : options) {
        const std::size_t end = option.find_first_of(" =");
        const std::string name = option.substr(0, end);
        if ((std::find(names.begin(), names.end(), name) != names.end()) != wanted) {
            continue;
        }
        if (end != std::string::npos && option[end] == ' ') {
            words.insert(words.end(), {name, option.substr(end + 1)});
        } else {
            words.push_back(option);
        }
    }
    return words;
}

std::string just(const std::string& name) {
    constexpr std::string_view special = "\\.+*?()|[]{}^$";
    std::string regex = "^";
    for (const char c : name) {
        regex += special.find(c) == std::string_view::npos ? "" : "\\";
        regex += c;
    }
    return regex + "$";
}

std::vector<std::string> next_command(const std::string& command,
                                      const std::vector<std::string>& options,
                                      const std::vector<std::string>& files) {
    std::vector<std::string> words{"pprofdelta", command};
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(), files.begin(), files.end());
    return words;
}

std::vector<std::string> report_of_profile(const std::string& profile) {
    return next_command("report", {"--format", "json"}, {profile});
}

std::vector<std::string> report_of_callers(const std::vector<std::string>& words,
                                           const std::string& type, const std::string& row,
                                           const std::vector<std::string>& files) {
    std::vector<std::string> options =
        words_of(words,
                 {"--by", "--focus", "--ignore", "--label", "--no-label", "--hide", "--show-from",
                  "--rename", "--label-root", "--max-size", "--unit"},
                 true);
    options.insert(options.begin(),
                   {"--format", "json", "--diff", "--sample-type", type, "--callers", just(row)});
    return next_command("report", options, files);
}

} // namespace pprofdelta::tool
