// SPDX-License-Identifier: Apache-2.0
#include "document/palette.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

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

// The package, namespace or class that a name begins with. The function groupOf() of
// tools/page/names.js is the same.
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

} // namespace

color color_of_change(double change) {
    const color& end = change > 0 ? grown_color : shrunk_color;
    constexpr double steps = 20;
    const double part = std::floor(std::min(std::fabs(change), 1.0) * steps + 0.5) / steps;
    return {mixed(unchanged_color.red, end.red, part),
            mixed(unchanged_color.green, end.green, part),
            mixed(unchanged_color.blue, end.blue, part)};
}

group_colors::group_colors(const std::vector<std::pair<std::string_view, double>>& frames) {
    std::map<std::string_view, double> sizes;
    for (const auto& [name, size] : frames) {
        sizes[group_of(name)] += size;
    }
    std::vector<std::pair<std::string_view, double>> ordered{sizes.begin(), sizes.end()};
    std::ranges::stable_sort(ordered,
                             [](const auto& a, const auto& b) { return a.second > b.second; });
    for (std::size_t i = 0; i < ordered.size(); ++i) {
        m_colors.emplace(ordered[i].first, name_colors[std::min(i, name_colors.size() - 1)]);
    }
}

color group_colors::of(std::string_view name) const {
    const auto known = m_colors.find(group_of(name));
    return known == m_colors.end() ? name_colors.back() : known->second;
}

bool is_dark(const color& ground) {
    // Contrast is the ratio of luminances, to each of which 0.05 is added.
    const double ground_light = luminance(ground) + 0.05;
    return 1.05 / ground_light > ground_light / 0.05;
}

std::string to_string(const color& shown) {
    return "#" + hexadecimal(shown.red << 16U | shown.green << 8U | shown.blue, 6);
}

} // namespace pprofdelta::tool
