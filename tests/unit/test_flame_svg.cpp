// SPDX-License-Identifier: Apache-2.0
#include "flame_svg.hpp"

#include <set>
#include <string>
#include <vector>

#include "catch.hpp"

using namespace pprofdelta;
using namespace pprofdelta::tool;

TEST_CASE("labels that are cut keep the function") {
    flame_graph graph;
    graph.type = {"space", "bytes"};
    graph.names = {"", "github.com/a/b.(*reader).parseEverything", "void a::f<int>(long, long)"};
    graph.nodes.push_back({.name = 0, .depth = 0, .value = {100, 100}, .width = 100});
    graph.nodes.push_back({.name = 1, .depth = 1, .value = {10, 10}, .width = 12});
    graph.nodes.push_back({.name = 2, .depth = 1, .value = {10, 10}, .width = 15});
    const std::string text = flame_graph_as_svg(
        {.content = graph, .previous = "prev", .current = "cur", .normalization_text = {}});
    CHECK(text.find(">\u2026).parseEverything</text>") != std::string::npos);
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
