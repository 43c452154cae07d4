// SPDX-License-Identifier: Apache-2.0
#include "report_format.hpp"

#include "figures.hpp"
#include "short_names.hpp"

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

std::string github_annotations(const std::vector<judgement>& judgements,
                               std::optional<normalization> by) {
    std::vector<std::string> lines;
    for (const judgement& j : judgements) {
        if (j.crossed) {
            lines.push_back("::error title=pprofdelta::limit crossed: " + escaped(describe(j, by)));
        }
    }
    const std::size_t errors = lines.size();
    for (const judgement& j : judgements) {
        if (!j.unknown.empty()) {
            lines.push_back("::warning title=pprofdelta::" + escaped(describe(j, by)));
        } else if (!j.has_match) {
            lines.push_back("::warning title=pprofdelta::no function matches: " + escaped(j.limit));
        }
    }
    if (lines.size() > most) {
        const std::size_t rest = lines.size() - (most - 1);
        lines.resize(most - 1);
        lines.push_back(std::string{errors >= most ? "::error" : "::warning"} +
                        " title=pprofdelta::and " + std::to_string(rest) + " more");
    }
    std::string text;
    for (const std::string& line : lines) {
        text += line + "\n";
    }
    return text;
}

} // namespace pprofdelta::tool
