// SPDX-License-Identifier: Apache-2.0
#include "report/flame_tree.hpp"

#include <algorithm>

namespace pprofdelta {

namespace {

constexpr std::uint32_t unknown = 0xffffffff;

} // namespace

void write_tree(const std::vector<tree_node>& nodes, const row_names& names, flame_graph& out) {
    std::vector<std::vector<std::uint32_t>> children(nodes.size());
    for (std::uint32_t i = 1; i < nodes.size(); ++i) {
        children[nodes[i].parent].push_back(i);
    }
    std::vector<std::uint32_t> numbers(names.size(), unknown);
    out.names.emplace_back();
    std::vector<std::uint32_t> waiting{0};
    while (!waiting.empty()) {
        const std::uint32_t i = waiting.back();
        waiting.pop_back();
        const tree_node& node = nodes[i];
        std::uint32_t name = 0;
        if (i != 0) {
            std::uint32_t& number = numbers[node.row];
            if (number == unknown) {
                number = static_cast<std::uint32_t>(out.names.size());
                out.names.push_back(names.name(node.row));
            }
            name = number;
        }
        out.nodes.push_back({name, node.depth, node.value, node.width});
        std::sort(children[i].begin(), children[i].end(), [&](std::uint32_t a, std::uint32_t b) {
            return names.name(nodes[a].row) > names.name(nodes[b].row);
        });
        waiting.insert(waiting.end(), children[i].begin(), children[i].end());
    }
}

} // namespace pprofdelta
