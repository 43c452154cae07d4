// SPDX-License-Identifier: Apache-2.0
#include "document/palette.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <utility>

#include "base/names.hpp"

namespace pprofdelta::tool {

namespace {

unsigned mixed(unsigned from, unsigned to, double part) {
    return static_cast<unsigned>(std::lround(from + (static_cast<double>(to) - from) * part));
}

// The relative luminance of a color in sRGB, as WCAG 2 has it.
double luminance(const color& c) {
    const auto linear = [](unsigned level) {
        const double part = level / 255.0;
        return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(c.red) + 0.7152 * linear(c.green) + 0.0722 * linear(c.blue);
}

// Whether it is a method of Java, as in "com.example.Thing.run": words with points between them, at
// least two with a small first letter before one with a capital.
bool is_of_java(std::string_view name) {
    for (int words = 0;; ++words) {
        const char first = name.empty() ? '\0' : name.front();
        if (first >= 'A' && first <= 'Z') {
            return words >= 2;
        }
        const auto end =
            static_cast<std::size_t>(std::ranges::find_if_not(name, is_in_word) - name.begin());
        if (first < 'a' || first > 'z' || end == name.size() || name[end] != '.') {
            return false;
        }
        name.remove_prefix(end + 1);
    }
}

// The package, namespace or class that a name begins with.
std::string_view group_of(std::string_view name) {
    constexpr auto none = std::string_view::npos;
    const std::size_t end = name.find_first_of("(<[ ");
    const std::string_view plain = end == 0 ? name : name.substr(0, end);
    if (const std::size_t colons = plain.find("::"); colons != none && colons > 0) {
        return plain.substr(0, colons);
    }
    const std::size_t slash = plain.rfind('/');
    const std::size_t dot = slash == none && is_of_java(plain)
                                ? plain.rfind('.', plain.rfind('.') - 1)
                                : plain.find('.', slash + 1); // npos + 1 is 0
    return dot == 0 ? plain : plain.substr(0, dot);
}

constexpr int steps_of_change = 20;

} // namespace

color color_of_change(double change, const palette& colors) {
    const color& end = change > 0 ? colors.grown : colors.shrunk;
    const double part =
        std::floor(std::min(std::fabs(change), 1.0) * steps_of_change + 0.5) / steps_of_change;
    return {mixed(colors.unchanged.red, end.red, part),
            mixed(colors.unchanged.green, end.green, part),
            mixed(colors.unchanged.blue, end.blue, part)};
}

group_colors::group_colors(const std::vector<const flame_graph*>& graphs) {
    for (const flame_graph* graph : graphs) {
        std::vector<double> size_of_name(graph->names.size());
        for (const flame_graph::node& node : graph->nodes) {
            size_of_name[node.name] += std::fabs(static_cast<double>(node.value.current));
        }
        std::map<std::string_view, double> sizes;
        for (std::size_t name = 1; name < size_of_name.size(); ++name) {
            sizes[group_of(graph->names[name])] += size_of_name[name];
        }
        using group_size = std::pair<std::string_view, double>;
        std::vector<group_size> ordered{sizes.begin(), sizes.end()};
        std::ranges::stable_sort(ordered, std::greater<>{}, &group_size::second);
        for (const auto& [group, size] : ordered) {
            m_places.try_emplace(std::string{group},
                                 std::min(m_places.size(), light_palette.groups.size() - 1));
        }
    }
}

std::size_t group_colors::place(std::string_view name) const {
    const auto known = m_places.find(group_of(name));
    return known == m_places.end() ? light_palette.groups.size() - 1 : known->second;
}

bool is_dark(const color& ground) {
    // Contrast is the ratio of luminances, to each of which 0.05 is added.
    const double ground_light = luminance(ground) + 0.05;
    return 1.05 / ground_light > ground_light / 0.05;
}

std::string to_string(const color& shown) {
    return "#" + hexadecimal(shown.red << 16U | shown.green << 8U | shown.blue, 6);
}

std::string frame_rules() {
    std::string rules;
    const auto add = [&](const std::string& name, const color& light, const color& dark) {
        const auto pair = [](const std::string& on_light, const std::string& on_dark) {
            return "light-dark(" + on_light + "," + on_dark + ")";
        };
        const auto text_on = [](const color& ground) { return is_dark(ground) ? "#fff" : "#000"; };
        const std::string ground = pair(to_string(light), to_string(dark));
        rules += "." + name + "{background-color:" + ground + ";fill:" + ground +
                 ";color:" + pair(text_on(light), text_on(dark)) + "}";
    };
    for (std::size_t i = 0; i < light_palette.groups.size(); ++i) {
        add("n" + std::to_string(i), light_palette.groups[i], dark_palette.groups[i]);
    }
    for (int step = -steps_of_change; step <= steps_of_change; ++step) {
        const double change = static_cast<double>(step) / steps_of_change;
        add((step < 0 ? "s" : "g") + std::to_string(std::abs(step)), color_of_change(change),
            color_of_change(change, dark_palette));
    }
    return rules;
}

} // namespace pprofdelta::tool
