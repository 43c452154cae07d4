// SPDX-License-Identifier: Apache-2.0
#include <set>
#include <string>
#include <vector>

#include "base/names.hpp"
#include "document/flame_svg.hpp"
#include "document/palette.hpp"
#include "document/report.hpp"

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

TEST_CASE("frames left out are drawn, but for the narrowest of too many") {
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

TEST_CASE("frames left out that have vanished have no frame") {
    flame_graph graph;
    graph.names = {""};
    graph.nodes.push_back({.name = 0, .depth = 0, .value = {5, 10}, .width = 10});
    graph.nodes.push_back({.name = 0, .depth = 1, .value = {5, 0}, .width = 0});
    CHECK(count(flame_graph_as_svg({.content = graph, .current = "cur"}), "too narrow") == 0);
}

TEST_CASE("packages have colours of their own, the same in pictures and pages") {
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
    CHECK(fill_of("all") == to_string(light_palette.unchanged));
    CHECK(fill_of("net/http.f") == to_string(light_palette.groups[0]));
    CHECK(fill_of("net/http.g") == to_string(light_palette.groups[0]));
    CHECK(fill_of("os.f") == to_string(light_palette.groups[1]));
    overview all;
    all.types.resize(2);
    for (overview::type& type : all.types) {
        type.of = report::content::profile;
        type.stacks = graph;
    }
    all.types[0].stacks.nodes[1].value.current = 9;
    all.chosen = 1;
    const std::string page = report_page_data({}, all);
    CHECK(page.find("\"names\":[\"\",\"os.f\",\"net/http.f\",\"net/http.g\"]") !=
          std::string::npos);
    CHECK(page.find("\"groups\":[7,1,0,0]") != std::string::npos);
}

TEST_CASE("functions of one package, class or namespace have one color") {
    flame_graph graph;
    graph.nodes.emplace_back();
    graph.names = {"",     "github.com/a/b", "runtime", "std",    "com.example.Other.run",
                   "main", "(anonymous)",    "seventh", "eighth", "ninth"};
    for (std::uint32_t i = 1; i < graph.names.size(); ++i) {
        graph.nodes.push_back({.name = i, .depth = 1, .value = {0, 100 - i}});
    }
    const group_colors colors{{&graph}};
    CHECK(colors.place("github.com/a/b.(*reader).parse") == 0);
    CHECK(colors.place("runtime.main") == 1);
    CHECK(colors.place("std::vector<a::b>::at(int)") == 2);
    CHECK(colors.place("com.example.Thing.run") == 3);
    CHECK(colors.place("main") == 4);
    CHECK(colors.place("(anonymous)") == 5);
    CHECK(colors.place("eighth.f") == 7);
    CHECK(colors.place("ninth.f") == 7);
    CHECK(colors.place("com.Example.run") == 7);
}
