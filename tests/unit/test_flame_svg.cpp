// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "base/names.hpp"
#include "document/flame_svg.hpp"
#include "document/palette.hpp"

#include "catch.hpp"

using namespace pprofdelta::tool;
using namespace pprofdelta;

TEST_CASE("labels that are cut keep the function") {
    flame_graph graph;
    graph.type = {"space", "bytes"};
    graph.names = {"", "github.com/a/b.(*reader).parseEverything", "void a::f<int>(long, long)"};
    graph.nodes.push_back({.name = 0, .depth = 0, .value = {100, 100}, .width = 100});
    graph.nodes.push_back({.name = 1, .depth = 1, .value = {10, 10}, .width = 12});
    graph.nodes.push_back({.name = 2, .depth = 1, .value = {10, 10}, .width = 15});
    const std::string text = flame_graph_as_svg(
        {.content = graph, .previous = "prev", .current = "cur", .normalization_text = {}});
    CHECK(text.find(">parseEverything</text>") != std::string::npos);
    CHECK(text.find(">void a::f&lt;int&gt;(\u2026)</text>") != std::string::npos);
}

TEST_CASE("different names have different titles in a picture, which XML can hold") {
    const std::vector<std::string> names{"a\x01",
                                         "a\x02",
                                         "a\xff",
                                         std::string{"a\0", 2},
                                         "a\xef\xbf\xbe",
                                         "a\xef\xbf\xbf",
                                         "a\u0085\u202e",
                                         "a?",
                                         "a",
                                         "<a>&amp;"};
    flame_graph graph;
    graph.type = {"space", "bytes"};
    graph.names = {""};
    graph.nodes.push_back({.name = 0, .depth = 0, .value = {100, 100}, .width = 100});
    for (const std::string& name : names) {
        graph.nodes.push_back({.name = static_cast<std::uint32_t>(graph.names.size()),
                               .depth = 1,
                               .value = {10, 10},
                               .width = 10});
        graph.names.push_back(name);
    }
    const std::string text = flame_graph_as_svg(
        {.content = graph, .previous = "prev", .current = "cur", .normalization_text = {}});
    std::set<std::string> titles;
    const std::string start = "<g><title>";
    for (std::size_t at = text.find(start); at != std::string::npos; at = text.find(start, at)) {
        at += start.size();
        titles.insert(text.substr(at, text.find('\n', at) - at));
    }
    CHECK(titles.size() == names.size() + 1);
    CHECK(titles.count("all") == 1);
    CHECK(titles.count(R"(a\x01)") == 1);
    CHECK(titles.count(R"(a\xff)") == 1);
    CHECK(titles.count(R"(a\ufffe)") == 1);
    CHECK(titles.count("&lt;a&gt;&amp;amp;") == 1);
}

namespace {

std::size_t count(const std::string& text, const std::string& what) {
    std::size_t found = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
        ++found;
    }
    return found;
}

// The texts above the frames, in their order.
std::vector<std::string> heading_of(const std::string& picture) {
    std::vector<std::string> lines;
    const std::string start = "<text";
    const std::size_t end = picture.find("class=\"frames\"");
    for (std::size_t at = picture.find(start); at < end; at = picture.find(start, at)) {
        at = picture.find('>', at) + 1;
        lines.push_back(picture.substr(at, picture.find('<', at) - at));
    }
    return lines;
}

} // namespace

TEST_CASE("a heading fits pictures of every width, and loses no word") {
    flame_graph graph;
    graph.type = {"space", "bytes"};
    graph.names = {""};
    graph.nodes.push_back({.name = 0, .depth = 0, .value = {1000000, 3333333}, .width = 1});
    graph.vanished = 5000000;
    graph.left_out = 1000;
    std::string all;
    for (const int width : {flame_widths.least, 401, 777, flame_widths.usual, flame_widths.most}) {
        const std::string text =
            flame_graph_as_svg({.content = graph,
                                .previous = "/home/me/" + std::string(200, 'p'),
                                .current = "/home/me/" + std::string(200, 'c') + ".pb.gz",
                                .normalization_text = "previous values normalized by the total",
                                .filter_text = "only stacks with a match of main",
                                .width = width});
        INFO(width);
        CHECK(text.find("width=\"" + std::to_string(width) + "\"") != std::string::npos);
        std::string words;
        bool is_title = true;
        for (const std::string& line : heading_of(text)) {
            words += line + " ";
            is_title = is_title && line.find("previous") != 0;
            CHECK(static_cast<double>(count_characters(line)) * (is_title ? 8.43 : 7.23) <=
                  width - 20);
        }
        CHECK(words.find("/me/") == std::string::npos);
        const std::size_t after_names = words.find("previous 976.56KiB");
        REQUIRE(after_names != std::string::npos);
        all = all.empty() ? words.substr(after_names) : all;
        CHECK(words.substr(after_names) == all);
    }
    CHECK(all.find("1000; only stacks with a match of main; previous values normalized") !=
          std::string::npos);
}

TEST_CASE("files are named without their folders") {
    flame_graph graph;
    graph.type = {"space", "bytes"};
    graph.names = {""};
    graph.nodes.push_back({});
    const auto picture = [&](const std::string& previous, const std::string& current) {
        return flame_graph_as_svg({.content = graph, .previous = previous, .current = current});
    };
    const std::string of_two = picture("/srv/a/heap.pb.gz", "/srv/b/heap.pb.gz");
    CHECK(of_two.find("<title>Flame graph of space/bytes: a/heap.pb.gz to b/heap.pb.gz</title>") !=
          std::string::npos);
    CHECK(heading_of(of_two).front() == "space/bytes: a/heap.pb.gz to b/heap.pb.gz");
    CHECK(of_two.find("/srv") == std::string::npos);
    CHECK(heading_of(picture("", "/srv/heap.pb.gz")).front() == "space/bytes: heap.pb.gz");
    CHECK(heading_of(picture("/a/heap \u2026", "/b/heap \u2026")).front() ==
          "space/bytes: a/heap \u2026 to b/heap \u2026");
}

TEST_CASE("names are white on what is dark") {
    flame_graph graph;
    graph.names = {"", "function"};
    graph.nodes.push_back({.name = 0, .depth = 0, .value = {100, 100}, .width = 100});
    graph.nodes.push_back({.name = 1, .depth = 1, .value = {0, 100}, .width = 100});
    const std::string text =
        flame_graph_as_svg({.content = graph, .previous = "prev", .current = "cur"});
    CHECK(text.find("<g><title>all\n") != std::string::npos);
    CHECK(text.find("<g class=\"dark\"><title>function\n") != std::string::npos);
    CHECK(text.find(".dark text { fill: white }") != std::string::npos);
}

TEST_CASE("what was left out is drawn, but for the narrowest of too many") {
    flame_graph graph;
    graph.names = {"", "function"};
    graph.nodes.push_back({.name = 0, .depth = 0, .value = {0, 5000}, .width = 5000});
    for (int i = 0; i < 1500; ++i) {
        graph.nodes.push_back({.name = 1, .depth = 1, .value = {0, 3}, .width = 3});
        graph.nodes.push_back(
            {.name = 0, .depth = 2, .value = {0, 1}, .width = i == 700 ? 1 : 0.5});
    }
    const std::string text = flame_graph_as_svg({.content = graph, .current = "cur"});
    CHECK(count(text, "<g><title>function\n") +
              count(text, "<g class=\"dark\"><title>function\n") ==
          1500);
    CHECK(count(text, "<g><title>(frames too narrow to show)\n") == 1);
    graph.nodes.resize(most_frames);
    CHECK(count(flame_graph_as_svg({.content = graph, .current = "cur"}), "too narrow to show") ==
          most_frames / 2 - 1);
}

TEST_CASE("what was left out and has vanished has no frame") {
    flame_graph graph;
    graph.names = {""};
    graph.nodes.push_back({.name = 0, .depth = 0, .value = {5, 10}, .width = 10});
    graph.nodes.push_back({.name = 0, .depth = 1, .value = {5, 0}, .width = 0});
    CHECK(count(flame_graph_as_svg({.content = graph, .current = "cur"}), "too narrow") == 0);
}

TEST_CASE("packages have the colours that the page gives them") {
    flame_graph graph;
    graph.of = report::content::profile;
    graph.names = {"", "os.f", "net/http.f", "net/http.g"};
    graph.nodes.push_back({.name = 0, .depth = 0, .value = {0, 10}, .width = 10});
    graph.nodes.push_back({.name = 1, .depth = 1, .value = {0, 4}, .width = 4});
    graph.nodes.push_back({.name = 2, .depth = 1, .value = {0, 3}, .width = 3});
    graph.nodes.push_back({.name = 3, .depth = 1, .value = {0, 2}, .width = 2});
    const std::string text = flame_graph_as_svg({.content = graph, .current = "cur"});
    const auto fill_of = [&](const std::string& name) {
        const std::size_t at = text.find("<title>" + name + "\n");
        return text.substr(text.find("fill=\"", at) + 6, 7);
    };
    CHECK(fill_of("all") == to_string(unchanged_color));
    CHECK(fill_of("net/http.f") == to_string(name_colors[0]));
    CHECK(fill_of("net/http.g") == to_string(name_colors[0]));
    CHECK(fill_of("os.f") == to_string(name_colors[1]));
}

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
    std::vector<std::pair<std::string_view, double>> frames;
    const std::vector<std::string> names{"main.f", "os.f", "io.f", "net/http.f", "a::f", "b::f"};
    for (const std::string& name : names) {
        frames.emplace_back(name, 10);
    }
    frames.emplace_back("compress/flate.NewWriter", 5);
    frames.emplace_back("com.example.Thing.run", 6);
    for (const char* const name : {"small.f", "", "::", "(anonymous namespace)::f", "compress/x"}) {
        frames.emplace_back(name, 1);
    }
    const group_colors colors{frames};
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
