// SPDX-License-Identifier: Apache-2.0
#include "base/short_names.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "base/characters.hpp"

namespace pprofdelta::tool {

namespace {

// `name` in at most `width` characters, with `mark` in the place of what comes first.
std::string without_start(const std::string& name, std::size_t width, const std::string& mark) {
    const std::size_t used = count_characters(mark);
    std::size_t start = name.size();
    for (std::size_t left = width - std::min(width, used); left > 0 && start > 0; --left) {
        do {
            --start;
        } while (start > 0 && is_continuation(name[start]));
    }
    return mark + name.substr(start);
}

bool is_in_word(char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

// Where the " FILE:LINE" begins that a row of lines ends with; the end of other names.
std::size_t start_of_place(const std::string& name) {
    const std::size_t colon = name.find_last_not_of("0123456789");
    const std::size_t blank = name.rfind(' ');
    const bool has_place = colon != std::string::npos && colon + 1 < name.size() &&
                           name[colon] == ':' && blank != std::string::npos && blank < colon;
    return has_place ? blank : name.size();
}

} // namespace

std::string without_arguments(const std::string& name, char open, char close) {
    std::string result;
    std::size_t depth = 0;
    bool is_empty = true; // what is in the bracket
    char before = 0;
    for (const char c : name) {
        if (depth == 0) {
            depth = c == open && (is_in_word(before) || (c == '(' && before == '>')) ? 1 : 0;
            is_empty = true;
            result += c;
        } else {
            depth += c == open ? 1 : 0;
            depth -= c == close && before != '-' ? 1 : 0;
            if (depth == 0) {
                result += c;
            } else if (is_empty) {
                is_empty = false;
                result += ellipsis;
            }
        }
        before = c;
    }
    return result;
}

std::string shortened(const std::string& name, std::size_t width) {
    const std::size_t place = start_of_place(name);
    std::string function = name.substr(0, place);
    std::string file = name.substr(place);
    if (const std::size_t slash = file.rfind('/');
        count_characters(name) > width && slash != std::string::npos) {
        file.replace(0, slash, std::string{" "} + ellipsis);
    }
    for (const auto& [open, close] : {std::pair{'(', ')'}, std::pair{'<', '>'}}) {
        if (count_characters(function) + count_characters(file) > width) {
            function = without_arguments(function, open, close);
        }
    }
    const std::string all = function + file;
    return count_characters(all) <= width ? all : without_start(all, width, ellipsis);
}

std::vector<std::string> short_names(const std::vector<std::string>& names, std::size_t width) {
    return short_names(names, [width](std::size_t) { return width; });
}

std::vector<std::string> short_names(const std::vector<std::string>& names,
                                     const std::function<std::size_t(std::size_t)>& width_of) {
    std::map<std::pair<std::size_t, std::string>, std::string> known; // by width and name
    std::map<std::string, std::string> taken;                         // whose each is
    int number = 1; // for all names: with one for each look, numbers would be tried again for each
    std::vector<std::string> result;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::size_t width = width_of(i);
        const auto [place, is_new] = known.try_emplace({width, names[i]});
        if (is_new) {
            const std::string whole = printable(names[i]);
            std::string shown = shortened(whole, width);
            const std::string last = shown;
            while (taken.try_emplace(shown, names[i]).first->second != names[i]) {
                const std::string mark = ellipsis + std::to_string(++number) + ellipsis;
                shown = without_start(last, std::min(width, count_characters(whole)), mark);
            }
            place->second = shown;
        }
        result.push_back(place->second);
    }
    return result;
}

} // namespace pprofdelta::tool
