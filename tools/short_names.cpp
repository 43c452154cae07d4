// SPDX-License-Identifier: Apache-2.0
#include "short_names.hpp"

#include <algorithm>
#include <cstdint>
#include <set>

#include "characters.hpp"

namespace pprofdelta::tool {

namespace {

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U; }

// Whether a CI system would read `text` as the start of a command: "::" at the start of a line for
// GitHub; "##[", "##vso[" and "##teamcity[" anywhere for GitHub, Azure and TeamCity.
bool begins_command(std::string_view text, bool begins_line) {
    if (text.starts_with("::")) {
        return begins_line;
    }
    constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const std::size_t end =
        text.starts_with("##") ? text.find_first_not_of(letters, 2) : std::string_view::npos;
    return end != std::string_view::npos && text[end] == '[';
}

// `name` in at most `width` bytes, with `mark` in place of what is left out.
std::string without_middle(const std::string& name, std::size_t width, const std::string& mark) {
    if (width <= mark.size()) {
        return mark;
    }
    std::size_t head = (width - mark.size()) / 2;
    std::size_t tail = name.size() - (width - mark.size() - head);
    while (head > 0 && continues(name[head])) {
        --head;
    }
    while (tail < name.size() && continues(name[tail])) {
        ++tail;
    }
    return name.substr(0, head) + mark + name.substr(tail);
}

} // namespace

// Escapes rather than question marks, so that most different names look different. A backslash of
// the name stays as it is, as some paths have them; short_names() numbers names that look alike,
// and JSON has the exact names.
std::string printable(std::string_view text) {
    std::string result;
    bool begins_line = true; // after blanks it still does, as they are skipped
    while (!text.empty()) {
        const auto [size, code] = first_character(text);
        if (size == 0) {
            result += "\\x" + hexadecimal(static_cast<unsigned char>(text[0]), 2);
        } else if (code < 0x80 && (!is_shown(code) || begins_command(text, begins_line))) {
            result += "\\x" + hexadecimal(code, 2);
        } else if (!is_shown(code)) {
            result += "\\u" + hexadecimal(code, 4);
        } else {
            result += text.substr(0, size);
        }
        begins_line = begins_line && size != 0 && is_blank(code);
        text.remove_prefix(std::max<std::size_t>(size, 1));
    }
    return result;
}

std::vector<std::string> short_names(const std::vector<std::string>& names, std::size_t width) {
    std::set<std::string> taken;
    int number = 1; // for all names: with one for each look, numbers would be tried again for each
    std::vector<std::string> result;
    for (const std::string& name : names) {
        const std::string whole = printable(name);
        std::string shown = whole.size() <= width ? whole : without_middle(whole, width, "...");
        while (!taken.insert(shown).second) {
            const std::string mark = "..." + std::to_string(++number) + "...";
            shown = without_middle(whole, std::min(width, whole.size()), mark);
        }
        result.push_back(shown);
    }
    return result;
}

} // namespace pprofdelta::tool
