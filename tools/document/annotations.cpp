// SPDX-License-Identifier: Apache-2.0
#include "document/annotations.hpp"

#include <cstddef>

#include "base/short_names.hpp"

namespace pprofdelta::tool {

namespace {

constexpr std::size_t most = 10;

// Line ends would need it too; printable() has escaped them.
std::string escaped(const std::string& text) {
    std::string result;
    for (const char c : printable(text)) {
        result += c == '%' ? "%25" : std::string(1, c);
    }
    return result;
}

} // namespace

std::string github_annotations(const std::vector<std::string>& errors,
                               const std::vector<std::string>& warnings) {
    std::vector<std::string> lines;
    lines.reserve(errors.size() + warnings.size());
    for (const std::string& error : errors) {
        lines.push_back("::error title=pprofdelta::" + escaped(error));
    }
    for (const std::string& warning : warnings) {
        lines.push_back("::warning title=pprofdelta::" + escaped(warning));
    }
    if (lines.size() > most) {
        const std::size_t rest = lines.size() - (most - 1);
        lines.resize(most - 1);
        lines.push_back(std::string{errors.size() >= most ? "::error" : "::warning"} +
                        " title=pprofdelta::and " + std::to_string(rest) + " more");
    }
    std::string text;
    for (const std::string& line : lines) {
        text += line + "\n";
    }
    return text;
}

} // namespace pprofdelta::tool
