// SPDX-License-Identifier: Apache-2.0
#include "base/distinct_names.hpp"

#include <algorithm>
#include <string_view>

#include "base/characters.hpp"
#include "base/short_names.hpp"

namespace pprofdelta::tool {

namespace {

// Without the folders of a package.
std::string without_folders(const std::string& name) {
    return name.substr(name.substr(0, name.find_first_of("(<[ ")).rfind('/') + 1); // npos + 1 is 0
}

// Without the first of the packages, namespaces or classes that a function is in; empty if there is
// none. What is in brackets, or a file behind a blank, is no such.
std::string without_first(const std::string& name) {
    constexpr std::string_view open = "(<[{";
    constexpr std::string_view close = ")>]}";
    int depth = 0;
    for (std::size_t i = 0; i < name.size() && name[i] != ' '; ++i) {
        depth += open.find(name[i]) != std::string_view::npos ? 1 : 0;
        depth -= close.find(name[i]) != std::string_view::npos ? 1 : 0;
        const bool is_point = name[i] == '.';
        if (depth == 0 && i > 0 && (is_point || name.compare(i, 2, "::") == 0)) {
            return name.substr(i + (is_point ? 1 : 2));
        }
    }
    return {};
}

std::string without_all(std::string text, std::string_view part) {
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at)) {
        text.erase(at, part.size());
    }
    return text;
}

// Without the type arguments of Go.
std::string without_types(const std::string& name) {
    return without_all(without_arguments(name, '[', ']'), "[\u2026]");
}

// What a name can be called, from the longest to the shortest.
std::vector<std::string> calls_of(const std::string& name) {
    std::vector<std::string> all{name, without_folders(name)};
    const auto add = [&](std::string text) {
        if (text != all.back()) {
            all.push_back(std::move(text));
        }
    };
    add(without_arguments(all.back(), '(', ')'));
    add(without_arguments(all.back(), '<', '>'));
    add(without_types(all.back()));
    for (std::string rest = without_first(all.back()); !rest.empty(); rest = without_first(rest)) {
        add(rest);
    }
    return all;
}

std::string first_characters(std::string_view text, std::size_t count) {
    std::string first;
    for (; count > 0 && !text.empty(); --count) {
        const std::size_t size = std::max<std::size_t>(first_character(text).size, 1);
        first += text.substr(0, size);
        text.remove_prefix(size);
    }
    return first;
}

// Keeps the `last` characters if there is room, and else a third, as names that begin alike often
// end differently.
std::string cut(const std::string& text, std::size_t room, std::size_t last) {
    const std::size_t length = count_characters(text);
    if (length <= room) {
        return text;
    }
    const std::size_t tail = last > 0 && last + 3 <= room ? last : (room - 1) / 3;
    const std::string before = first_characters(text, length - tail);
    return first_characters(before, room - 1 - tail) + std::string{ellipsis} +
           text.substr(before.size());
}

} // namespace

distinct_names::distinct_names(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
        const std::string owner = without_types(name);
        for (const std::string& text : calls_of(name)) {
            const auto [owned, is_new] = m_owners.try_emplace(text, owner);
            if (owned->second != owner) {
                owned->second.clear();
            }
        }
    }
}

bool distinct_names::is_clear(const std::string& text) const {
    const auto owned = m_owners.find(text);
    return owned == m_owners.end() || !owned->second.empty();
}

std::string distinct_names::shortened(const std::string& name, std::size_t room) const {
    const std::vector<std::string> calls = calls_of(name);
    std::string clear = name;
    for (std::size_t i = is_clear(calls[1]) ? 1 : 0; i < calls.size(); ++i) {
        if (is_clear(calls[i])) {
            clear = calls[i];
            if (count_characters(clear) <= room) {
                return clear;
            }
        }
    }
    const std::string& last = calls.back();
    return cut(clear, room, clear != last && clear.ends_with(last) ? count_characters(last) : 0);
}

} // namespace pprofdelta::tool
