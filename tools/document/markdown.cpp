// SPDX-License-Identifier: Apache-2.0
#include "document/markdown.hpp"

#include <algorithm>

#include "base/short_names.hpp"

namespace pprofdelta::tool::markdown {

// Backslashes would not help, as GitHub looks for addresses and names of users after it has removed
// them.
std::string code_span(const std::string& text) {
    const std::string shown = printable(text);
    if (shown.empty()) {
        return {};
    }
    std::size_t longest = 0;
    std::size_t length = 0;
    for (const char c : shown) {
        length = c == '`' ? length + 1 : 0;
        longest = std::max(longest, length);
    }
    const std::string fence(longest + 1, '`');
    // Blanks at both ends are ignored, and separate fence and content.
    const bool is_apart = shown.front() == '`' || shown.back() == '`' ||
                          (shown.front() == ' ' && shown.back() == ' ');
    const char* const apart = is_apart ? " " : "";
    return fence + apart + shown + apart + fence;
}

// A bar would end it, even in a code span. Its backslash is taken away
// before anything else is read, whatever stands before it.
std::string cell(const std::string& text) {
    std::string result;
    for (const char c : code_span(text)) {
        result += c == '|' ? "\\" : "";
        result += c;
    }
    return result;
}

std::string shortened(const std::string& name) {
    return tool::shortened(printable(name), longest_name);
}

std::size_t add_lines(std::string& text, const std::vector<std::string>& lines, std::size_t most) {
    std::size_t added = 0;
    while (added < lines.size() && text.size() + lines[added].size() < most) {
        text += lines[added++] + "\n";
    }
    return lines.size() - added;
}

} // namespace pprofdelta::tool::markdown
