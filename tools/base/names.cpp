// SPDX-License-Identifier: Apache-2.0
#include "base/names.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "base/lists.hpp"

namespace pprofdelta::tool {

std::strong_ordering natural_order(std::string_view a, std::string_view b) {
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    const auto take_number = [&](std::string_view& from) {
        from.remove_prefix(std::min(from.find_first_not_of('0'), from.size()));
        const auto* const end = std::ranges::find_if_not(from, is_digit);
        const std::string_view number =
            from.substr(0, static_cast<std::size_t>(end - from.begin()));
        from.remove_prefix(number.size());
        return number;
    };
    std::string_view left = a;
    std::string_view right = b;
    while (!left.empty() && !right.empty()) {
        std::strong_ordering order = std::strong_ordering::equal;
        if (is_digit(left.front()) && is_digit(right.front())) {
            const std::string_view number = take_number(left);
            const std::string_view other = take_number(right);
            order =
                number.size() != other.size() ? number.size() <=> other.size() : number <=> other;
        } else {
            order = static_cast<unsigned char>(left.front()) <=>
                    static_cast<unsigned char>(right.front());
            left.remove_prefix(1);
            right.remove_prefix(1);
        }
        if (order != 0) {
            return order;
        }
    }
    const std::strong_ordering of_rest = left.size() <=> right.size();
    return of_rest != 0 ? of_rest : a <=> b;
}

std::string lower_case(std::string text) {
    for (char& c : text) {
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return text;
}

std::string with_backslashes(std::string_view text, std::string_view before) {
    std::string result;
    for (const char c : text) {
        result += before.find(c) == std::string_view::npos ? "" : "\\";
        result += c;
    }
    return result;
}

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U; }

std::string_view start_of(std::string_view text, std::size_t most) {
    while (most > 0 && most < text.size() && is_continuation(text[most])) {
        --most;
    }
    return text.substr(0, most);
}

std::size_t count_characters(std::string_view text) {
    return text.size() - static_cast<std::size_t>(std::ranges::count_if(text, is_continuation));
}

namespace {

std::string first_characters(std::string_view text, std::size_t count) {
    std::string first;
    for (; count > 0 && !text.empty(); --count) {
        const std::size_t size = std::max<std::size_t>(first_character(text).size, 1);
        first += text.substr(0, size);
        text.remove_prefix(size);
    }
    return first;
}

// `name` in at most `width` characters, with `mark` in the place of what comes first.
std::string without_start(const std::string& name, std::size_t width, const std::string& mark) {
    const std::size_t length = count_characters(name);
    const std::size_t room = width - std::min(width, count_characters(mark));
    return mark + name.substr(first_characters(name, length - std::min(length, room)).size());
}

// The place where the " FILE:LINE" begins that a row of lines ends with; the end of other names.
std::size_t start_of_place(const std::string& name) {
    const std::size_t colon = name.find_last_not_of("0123456789");
    const std::size_t blank = name.rfind(' ');
    const bool has_place = colon != std::string::npos && colon + 1 < name.size() &&
                           name[colon] == ':' && blank != std::string::npos && blank < colon;
    return has_place ? blank : name.size();
}

// The name without what is in brackets of this kind behind a word, as arguments are; Go's "(*T)"
// follows a point. An arrow closes nothing.
std::string without_arguments(const std::string& name, char open, char close) {
    if (name.find(open) == std::string::npos) {
        return name;
    }
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

// The last characters of a text.
std::string last_characters(const std::string& text, std::size_t count) {
    const std::size_t length = count_characters(text);
    return text.substr(first_characters(text, length - std::min(length, count)).size());
}

// A name without parts that others have, too: around the words between `prefix` bytes and the last
// `suffix` bytes, by which they differ, as much of both ends as has room. Empty if these words have
// no room.
std::string cut_where_equal(const std::string& name, std::size_t prefix, std::size_t suffix,
                            std::size_t width) {
    std::size_t end = name.size() - suffix;
    while (prefix > 0 && (is_in_word(name[prefix - 1]) || is_continuation(name[prefix]))) {
        --prefix;
    }
    while (end < name.size() && (is_in_word(name[end]) || is_continuation(name[end]))) {
        ++end;
    }
    const std::string differing = name.substr(prefix, end - prefix);
    const std::size_t used = count_characters(differing) + 2; // and an ellipsis on both sides
    if (used > width) {
        return {};
    }
    const std::string start = name.substr(0, prefix);
    const std::string rest = name.substr(end);
    const auto cut = [](const std::string& part, std::size_t room, auto&& take) {
        return count_characters(part) <= room + 1 ? part : take(part, room);
    };
    const std::size_t room_of_last =
        width - used - std::min(count_characters(start), (width - used) / 2);
    const std::string last = cut(rest, room_of_last, [](const auto& part, std::size_t most) {
        return ellipsis + last_characters(part, most);
    });
    const std::size_t room = width - used + 1 - count_characters(last);
    return cut(start, room,
               [](const auto& part, std::size_t most) {
                   return first_characters(part, most) + ellipsis;
               }) +
           differing + last;
}

// How many bytes two texts begin with alike, of at most so many.
std::size_t common_start(std::string_view a, std::string_view b, std::size_t most) {
    const auto ends = std::ranges::mismatch(a.substr(0, most), b.substr(0, most));
    return static_cast<std::size_t>(ends.in1 - a.begin());
}

// Different names that look alike in so many characters, each cut where it is as another one is.
std::map<std::string, std::string> cut_where_equal(const std::vector<std::string>& names,
                                                   std::size_t width) {
    const auto reversed = [](const std::string& text) {
        return std::string{text.rbegin(), text.rend()};
    };
    std::size_t prefix = names.front().size();
    std::size_t suffix = prefix;
    const std::string first_reversed = reversed(names.front());
    for (const std::string& each : names) {
        prefix = common_start(names.front(), each, prefix);
        suffix = common_start(first_reversed, reversed(each), suffix);
    }
    std::map<std::string, std::string> cut;
    for (const std::string& each : names) {
        const std::size_t start = std::min(prefix, each.size());
        cut[each] = cut_where_equal(each, start, std::min(suffix, each.size() - start), width);
    }
    return cut;
}

} // namespace

std::string shortened(const std::string& name, std::size_t width) {
    if (name.size() <= width) { // no character has less than a byte
        return name;
    }
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
    const std::vector<std::string> wholes = mapped(names, printable);
    std::map<std::pair<std::size_t, std::string>, std::string> looks;              // by width, name
    std::map<std::pair<std::size_t, std::string>, std::vector<std::string>> alike; // by width, look
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::size_t width = width_of(i);
        const auto [place, is_new] = looks.try_emplace({width, wholes[i]});
        if (is_new) {
            const std::string& whole = place->first.second;
            place->second = shortened(whole, width);
            alike[{width, place->second}].push_back(whole);
        }
    }
    for (const auto& [look, whole] : alike) {
        if (whole.size() > 1) {
            for (auto& [name, text] : cut_where_equal(whole, look.first)) {
                if (!text.empty()) {
                    looks[{look.first, name}] = std::move(text);
                }
            }
        }
    }
    std::map<std::pair<std::size_t, std::string>, std::string> known; // by width and name
    std::map<std::string, std::string> taken;                         // whose each is
    int number = 1; // for all names: with one for each look, numbers would be tried again for each
    std::vector<std::string> result;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::size_t width = width_of(i);
        const auto [place, is_new] = known.try_emplace({width, names[i]});
        if (is_new) {
            std::string shown = looks.at({width, wholes[i]});
            const std::string last = shown;
            while (taken.try_emplace(shown, names[i]).first->second != names[i]) {
                const std::string mark = ellipsis + std::to_string(++number) + ellipsis;
                shown = without_start(last, std::min(width, count_characters(wholes[i])), mark);
            }
            place->second = shown;
        }
        result.push_back(place->second);
    }
    return result;
}

namespace {

// The name without the folders of a package.
std::string without_folders(const std::string& name) {
    return name.substr(name.substr(0, name.find_first_of("(<[ ")).rfind('/') + 1); // npos + 1 is 0
}

// The name without the first of the packages, namespaces or classes that a function is in; empty if
// there is none. A part in brackets, or a file behind a blank, is no such.
std::string without_first(const std::string& name) {
    constexpr std::string_view open = "(<[{";
    constexpr std::string_view close = ")>]}";
    int depth = 0;
    for (std::size_t i = 0; i < name.size() && name[i] != ' '; ++i) {
        if (is_in_word(name[i])) {
            continue; // most are
        }
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

// The name without the type arguments of Go.
std::string without_types(const std::string& name) {
    return without_all(without_arguments(name, '[', ']'), "[\u2026]");
}

// Returns the ways to write a name, from the longest to the shortest.
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

distinct_names::distinct_names(const std::vector<std::string>& names, bool keeps_folders)
    : m_keeps_folders{keeps_folders} {
    constexpr std::size_t most_characters = 64U << 20U; // all names of any page but a hostile one
    std::size_t characters = 0;
    for (const std::string& name : names) {
        if (characters > most_characters) {
            break;
        }
        const std::string owner = without_types(name);
        for (const std::string& text : calls_of(name)) {
            characters += text.size();
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

name_forms distinct_names::forms(const std::string& name) const {
    if (!m_owners.contains(name)) {
        return {.texts = {name}};
    }
    const std::vector<std::string> calls = calls_of(name);
    name_forms found;
    for (std::size_t i = !m_keeps_folders && is_clear(calls[1]) ? 1 : 0; i < calls.size(); ++i) {
        if (is_clear(calls[i])) {
            found.texts.push_back(calls[i]);
        }
    }
    if (found.texts.empty()) {
        found.texts.push_back(name);
    }
    const std::string& shortest = found.texts.back();
    const std::string& last = calls.back();
    found.tail = shortest != last && shortest.ends_with(last) ? count_characters(last) : 0;
    return found;
}

std::string distinct_names::shortened(const std::string& name, std::size_t room) const {
    const name_forms all = forms(name);
    const auto fits = [room](const std::string& text) { return count_characters(text) <= room; };
    const auto found = std::ranges::find_if(all.texts, fits);
    return found != all.texts.end() ? *found : cut(all.texts.back(), room, all.tail);
}

} // namespace pprofdelta::tool
