// SPDX-License-Identifier: Apache-2.0
#include "short_names.hpp"

#include <algorithm>
#include <cstdint>
#include <set>

namespace pprofdelta::tool {

namespace {

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U; }

// How many bytes the character at the start of `text` has; 0 if it is no good UTF-8.
std::size_t character_size(std::string_view text) {
    const auto first = static_cast<unsigned char>(text[0]);
    const std::size_t size = first < 0x80U   ? 1
                             : first < 0xc2U ? 0
                             : first < 0xe0U ? 2
                             : first < 0xf0U ? 3
                             : first < 0xf5U ? 4
                                             : 0;
    if (size > text.size() ||
        !std::all_of(text.begin() + 1, text.begin() + std::max(size, 1UL), continues)) {
        return 0;
    }
    const auto second = size > 1 ? static_cast<unsigned char>(text[1]) : 0U;
    const bool is_too_long =
        (first == 0xe0U && second < 0xa0U) || (first == 0xf0U && second < 0x90U);
    const bool is_no_character = (first == 0xedU && second > 0x9fU) || // half of a pair
                                 (first == 0xf4U && second > 0x8fU);
    const bool is_control = first < 0x20U || first == 0x7fU || (first == 0xc2U && second < 0xa0U);
    return is_too_long || is_no_character || is_control ? 0 : size;
}

// `name` in at most `width` bytes, with `mark` in the place of what is left out.
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

std::string printable(std::string_view text) {
    std::string result;
    while (!text.empty()) {
        const std::size_t size = character_size(text);
        result += size == 0 ? "?" : text.substr(0, size);
        text.remove_prefix(std::max<std::size_t>(size, 1));
    }
    return result;
}

std::vector<std::string> short_names(const std::vector<std::string>& names, std::size_t width) {
    std::set<std::string> taken;
    int number = 1; // of all names: one for each look would be tried again for the next look
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
