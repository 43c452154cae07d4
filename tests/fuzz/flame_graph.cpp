// SPDX-License-Identifier: Apache-2.0
// The flame graph of two profiles and its picture: invented profiles that the bytes choose, or the
// bytes themselves.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/flame_graph.hpp>

#include "document/flame_svg.hpp"
#include "fuzz.hpp"
#include "json.hpp"
#include "profile_builder.hpp"
#include "random_profile.hpp"

using namespace pprofdelta;
using namespace pprofdelta::test;

namespace {

void require_tree(const flame_graph& graph, const flame_graph_limits& limits) {
    require(!graph.nodes.empty() && !graph.names.empty() && graph.names.front().empty(),
            "there is a root");
    require(graph.nodes.size() <= std::max<std::size_t>(1, limits.most_nodes),
            "there are no more nodes than are asked for");
    std::vector<double> room; // by depth: width that the children of the last node there may have
    std::vector<std::string> last; // by depth: the name of the last child of the node above
    const double whole = graph.nodes.front().width;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const flame_graph::node& node = graph.nodes[i];
        require(node.name < graph.names.size(), "a node has a name");
        require((node.depth == 0) == (i == 0), "only the first node is the root");
        require(node.depth <= room.size() && node.depth <= limits.deepest,
                "a node is one deeper than that above it");
        const std::string& name = graph.names[node.name];
        if (i != 0) {
            require(node.width > 0 && node.width >= limits.narrowest * whole * (1 - 1e-9),
                    "a node is no narrower than the narrowest");
            double& rest = room[node.depth - 1];
            rest -= node.width;
            require(rest >= -1e-9 * whole, "children are as wide as that below them at most");
            const bool is_first = node.depth == last.size();
            require(is_first || last[node.depth] < name, "children are in the order of names");
        }
        room.resize(node.depth);
        room.push_back(node.width);
        last.resize(node.depth);
        last.push_back(name);
    }
}

void check(std::string_view previous, std::string_view current, unsigned bits,
           const std::string& name) {
    report_options options;
    options.by = static_cast<grouping>(bits % 4);
    flame_graph_limits limits;
    if (bits / 4 % 2 == 0) {
        limits = {.narrowest = bits / 8 % 4 * 0.01, .most_nodes = bits, .deepest = bits / 16};
    }
    flame_graph graph;
    if (!is_accepted([&] { graph = make_flame_graph({previous, current}, options, limits); })) {
        return;
    }
    require_tree(graph, limits);
    // Whether it is XML tests/browser looks at.
    const std::string svg =
        tool::flame_graph_as_svg({graph, name, "current", name.empty() ? "" : name + "x"});
    require(is_utf8(svg) && svg.ends_with("]]></script>\n</svg>\n"), "a picture ends");
}

} // namespace

FUZZ_TARGET(flame_graph, data, size) {
    steering bytes{data, size};
    const unsigned kind = bytes.byte();
    const unsigned bits = bytes.byte();
    const std::string name{bytes.take(4)};
    if (kind % 2 == 0) {
        const std::string_view previous = bytes.take(bytes.word() % 4096);
        check(previous, bytes.rest(), bits, name);
        return 0;
    }
    random_series series{kind, bytes.rest()};
    profile before = series.next();
    profile now = series.next();
    // Names are what a picture has to escape.
    for (profile* each : {&before, &now}) {
        for (function& f : each->functions) {
            f.name += name;
        }
    }
    check(serialize(before, series.next_layout()), serialize(now, series.next_layout()), bits,
          name);
    return 0;
}
