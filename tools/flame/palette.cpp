// SPDX-License-Identifier: Apache-2.0
#include "flame/palette.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "base/characters.hpp"

namespace pprofdelta::tool {

namespace {

unsigned mixed(unsigned from, unsigned to, double part) {
    return static_cast<unsigned>(std::lround(from + (static_cast<double>(to) - from) * part));
}

// Of sRGB, as WCAG 2 has it.
double luminance(const color& c) {
    const auto linear = [](unsigned level) {
        const double part = level / 255.0;
        return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(c.red) + 0.7152 * linear(c.green) + 0.0722 * linear(c.blue);
}

// The package, namespace or class that a name begins with.
std::string_view group_of(std::string_view name) {
    constexpr auto none = std::string_view::npos;
    const std::size_t end = name.find_first_of("(<[ ");
    const std::string_view plain = end == 0 ? name : name.substr(0, end);
    if (const std::size_t colons = plain.find("::"); colons != none && colons > 0) {
        return plain.substr(0, colons);
    }
    const std::size_t dot = plain.find('.', plain.rfind('/') + 1); // npos + 1 is 0
    return dot == 0 ? plain : plain.substr(0, dot);
}

} // namespace

color color_of_change(double change) {
    const color& end = change > 0 ? grown_color : shrunk_color;
    const double part = std::min(std::fabs(change), 1.0);
    return {mixed(unchanged_color.red, end.red, part),
            mixed(unchanged_color.green, end.green, part),
            mixed(unchanged_color.blue, end.blue, part)};
}

color color_of_name(std::string_view name) {
    std::uint32_t hash = 2166136261; // FNV-1a
    for (const char c : group_of(name)) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 16777619;
    }
    return name_colors[(hash >> 8U) % name_colors.size()];
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
