// SPDX-License-Identifier: Apache-2.0
#include "document/palette.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "catch.hpp"

using namespace pprofdelta::tool;

namespace {

using components = std::array<double, 3>;
using matrix = std::array<components, 3>;

components product(const matrix& m, const components& c) {
    components result{};
    for (std::size_t i = 0; i < 3; ++i) {
        result[i] = m[i][0] * c[0] + m[i][1] * c[1] + m[i][2] * c[2];
    }
    return result;
}

components linear(const color& c) {
    const auto part = [](unsigned level) {
        const double value = level / 255.0;
        return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    };
    return {part(c.red), part(c.green), part(c.blue)};
}

double contrast(const color& a, const color& b) {
    const auto light = [](const color& c) {
        const components parts = linear(c);
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2] + 0.05;
    };
    return std::max(light(a), light(b)) / std::min(light(a), light(b));
}

double contrast_of_text(const color& ground) {
    return contrast(ground, is_dark(ground) ? color{255, 255, 255} : color{0, 0, 0});
}

// In CIE Lab, where 2.3 is a difference that is just noticed.
double distance(const color& a, const color& b, const matrix& seen_by) {
    const auto lab = [&](const color& c) {
        const matrix to_xyz{
            {{0.4124, 0.3576, 0.1805}, {0.2126, 0.7152, 0.0722}, {0.0193, 0.1192, 0.9505}}};
        components seen = product(seen_by, linear(c));
        for (double& part : seen) {
            part = std::clamp(part, 0.0, 1.0);
        }
        components xyz = product(to_xyz, seen);
        const components white{0.9505, 1, 1.089};
        for (std::size_t i = 0; i < 3; ++i) {
            const double part = xyz[i] / white[i];
            xyz[i] = part > 0.008856 ? std::cbrt(part) : 7.787 * part + 16.0 / 116;
        }
        return components{116 * xyz[1] - 16, 500 * (xyz[0] - xyz[1]), 200 * (xyz[1] - xyz[2])};
    };
    const components p = lab(a);
    const components q = lab(b);
    return std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

// Machado, Oliveira and Fernandes, A Physiologically-based Model for Simulation of Color Vision
// Deficiency, 2009: nobody's, and all of protanopia, deuteranopia and tritanopia.
const std::vector<matrix> kinds_of_sight{
    {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
    {{{0.152286, 1.052583, -0.204868},
      {0.114503, 0.786281, 0.099216},
      {-0.003882, -0.048116, 1.051998}}},
    {{{0.367322, 0.860646, -0.227968},
      {0.280085, 0.672501, 0.047413},
      {-0.011820, 0.042940, 0.968881}}},
    {{{1.255528, -0.076749, -0.178779},
      {-0.078411, 0.930809, 0.147602},
      {0.004733, 0.691367, 0.303900}}},
};

} // namespace

TEST_CASE("names can be read on every colour") {
    for (int i = -1000; i <= 1000; ++i) {
        INFO(i);
        CHECK(contrast_of_text(color_of_change(i / 1000.0)) >= 4.5);
    }
    for (const color& each : name_colors) {
        CHECK(contrast_of_text(each) >= 4.5);
    }
}

TEST_CASE("what grew, what shrank and what did neither differ for every kind of sight") {
    for (const matrix& sight : kinds_of_sight) {
        CHECK(distance(grown_color, shrunk_color, sight) > 50);
        CHECK(distance(grown_color, unchanged_color, sight) > 40);
        CHECK(distance(shrunk_color, unchanged_color, sight) > 40);
        // What nobody should choose.
        CHECK((distance({96, 176, 77}, {214, 96, 77}, kinds_of_sight[2]) < 10));
    }
}

TEST_CASE("the colour of a change is stronger the larger it is, and goes no further than its end") {
    CHECK(to_string(color_of_change(0)) == "#e8e8e8");
    CHECK(to_string(color_of_change(1)) == to_string(grown_color));
    CHECK(to_string(color_of_change(-1)) == to_string(shrunk_color));
    CHECK(to_string(color_of_change(2)) == to_string(grown_color));
    CHECK(to_string(color_of_change(-2)) == to_string(shrunk_color));
    CHECK(to_string(color_of_change(0.5)) == "#e08c84");
    CHECK(to_string(color_of_change(0.51)) == to_string(color_of_change(0.49)));
    CHECK(color_of_change(0.3).green > color_of_change(0.6).green);
    CHECK(color_of_change(-0.3).red > color_of_change(-0.6).red);
}

TEST_CASE("functions of one package have one colour, and the largest packages different ones") {
    group_colors colors;
    const std::vector<std::string> names{"main.f", "os.f", "io.f", "net/http.f", "a::f", "b::f"};
    for (const std::string& name : names) {
        colors.add(name, 10);
    }
    colors.add("compress/flate.NewWriter", 5);
    colors.add("com.example.Thing.run", 6);
    for (const char* const name : {"small.f", "", "::", "(anonymous namespace)::f", "compress/x"}) {
        colors.add(name, 1);
    }
    colors.choose();
    const auto shown = [&](const std::string& name) { return to_string(colors.of(name)); };
    CHECK(shown("compress/flate.NewWriter") == to_string(name_colors.back()));
    CHECK(shown("compress/flate.NewWriter") == shown("compress/flate.(*compressor).init"));
    CHECK(shown("com.example.Thing.run") == shown("com.example.Other.go"));
    CHECK(shown("com.example.Thing.run") == to_string(name_colors[6]));
    CHECK(shown("small.f") == to_string(name_colors.back()));
    CHECK(shown("(anonymous namespace)::f") == to_string(name_colors.back()));
    CHECK(shown("not added") == to_string(name_colors.back()));
    std::set<std::string> different;
    for (const std::string& name : names) {
        different.insert(shown(name));
    }
    CHECK(different.size() == names.size());
}
