// SPDX-License-Identifier: Apache-2.0
#include "flame/flame_tree.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include <pprofdelta/characters.hpp>

#include "base/keyed_list.hpp"
#include "select/value_pairs.hpp"

namespace pprofdelta {

namespace {

void widen(tree_node& node, const wide_stack& by) {
    node.width += by.width;
    node.width_before += by.width_before;
}

class tree_maker {
public:
    tree_maker(const stack_set& stacks, std::span<const wide_stack> all,
               const flame_graph_limits& limits)
        : m_stacks{stacks}, m_all{all}, m_limits{limits}, m_nodes(1), m_ends(all.size()) {
        for (std::size_t i = 0; i < all.size(); ++i) {
            widen(m_nodes.front(), all[i]);
            m_active.push_back({i, {stacks, all[i].stack}, 0});
        }
        for (std::uint32_t depth = 1; !m_active.empty(); ++depth) {
            add_level(depth);
        }
        leave_out_narrowest();
        if (m_limits.sums_left_out) {
            add_rests();
        }
    }

    [[nodiscard]] flame_tree take() && {
        return {.nodes = std::move(m_nodes), .ends = std::move(m_ends), .left_out = m_left_out};
    }

private:
    // A stack, and how far it has been followed.
    struct follower {
        std::size_t place; // among all
        stack_set::cursor at;
        std::uint32_t node; // that it has come to
    };
    using end = flame_tree::end;

    // As a part of the whole width.
    [[nodiscard]] double part(const tree_node& node) const {
        const tree_node& root = m_nodes.front();
        const double now = root.width > 0 ? node.width / root.width : 0;
        const double before = root.width_before > 0 ? node.width_before / root.width_before : 0;
        return m_limits.keeps_previous ? std::max(now, before) : now;
    }

    void add_level(std::uint32_t depth) {
        m_level.clear();
        std::erase_if(m_active, [&](follower& f) {
            const std::uint32_t row = f.at.take(m_stacks);
            if (row == stack_set::cursor::none) {
                m_ends[f.place] = {f.node, false};
                return true;
            }
            const hash128 key{std::uint64_t{f.node} << 32U | row, 0};
            const std::uint32_t number = m_level.find_or_add(
                key, [&] { return tree_node{.row = row, .parent = f.node, .depth = depth}; });
            widen(m_level[number], m_all[f.place]);
            f.node = number; // in the level, for now
            return false;
        });
        std::vector<std::uint32_t> kept;
        for (const tree_node& node : m_level.values()) {
            const double size = part(node);
            const bool keep = size > 0 && size >= m_limits.narrowest && depth <= m_limits.deepest;
            kept.push_back(keep ? static_cast<std::uint32_t>(m_nodes.size()) : no_node);
            if (keep) {
                m_nodes.push_back(node);
            } else if (size > 0) {
                leave_out_child_of(m_nodes[node.parent]);
            }
        }
        std::erase_if(m_active, [&](follower& f) {
            const std::uint32_t node = kept[f.node];
            if (node == no_node) {
                m_ends[f.place] = {m_level[f.node].parent, true};
            }
            f.node = node;
            return node == no_node;
        });
    }

    void leave_out_child_of(tree_node& parent) {
        ++m_left_out;
        ++parent.children_left_out;
    }

    // No node is wider than its parent, so what stays is a tree.
    void leave_out_narrowest() {
        const std::size_t most = std::max<std::size_t>(m_limits.most_nodes, 1);
        if (m_nodes.size() <= most) {
            return;
        }
        std::vector<double> parts(m_nodes.size());
        std::transform(m_nodes.begin(), m_nodes.end(), parts.begin(),
                       [&](const tree_node& node) { return part(node); });
        std::vector<double> in_order = parts;
        const auto limit = in_order.begin() + static_cast<std::ptrdiff_t>(most);
        std::nth_element(in_order.begin(), limit, in_order.end(), std::greater<>{});
        const std::vector<tree_node> all = std::exchange(m_nodes, {m_nodes.front()});
        // The node itself or the last one below it that stays.
        std::vector<end> stays{{0, false}};
        for (std::size_t i = 1; i < all.size(); ++i) {
            const end parent = stays[all[i].parent];
            if (!parent.is_left_out && parts[i] > *limit) {
                stays.push_back({static_cast<std::uint32_t>(m_nodes.size()), false});
                m_nodes.push_back(all[i]);
                m_nodes.back().parent = parent.node;
            } else {
                if (!parent.is_left_out) {
                    leave_out_child_of(m_nodes[parent.node]);
                }
                stays.push_back({parent.node, true});
            }
        }
        for (end& each : m_ends) {
            const end now = stays[each.node];
            each = {now.node, now.is_left_out || each.is_left_out};
        }
    }

    void add_rests() {
        std::vector<tree_node> rests(m_nodes.size()); // of what was left out right above each
        for (std::size_t i = 0; i < m_ends.size(); ++i) {
            if (m_ends[i].is_left_out) {
                widen(rests[m_ends[i].node], m_all[i]);
            }
        }
        std::vector<std::uint32_t> numbers(rests.size(), no_node);
        for (std::uint32_t i = 0; i < rests.size(); ++i) {
            tree_node& rest = rests[i];
            if (rest.width > 0 || rest.width_before > 0) {
                rest.row = tree_node::left_out;
                rest.parent = i;
                rest.depth = m_nodes[i].depth + 1;
                rest.children_left_out = m_nodes[i].children_left_out;
                numbers[i] = static_cast<std::uint32_t>(m_nodes.size());
                m_nodes.push_back(rest);
            }
        }
        for (end& each : m_ends) {
            if (each.is_left_out && numbers[each.node] != no_node) {
                each.node = numbers[each.node];
            }
        }
    }

    const stack_set& m_stacks;
    std::span<const wide_stack> m_all;
    flame_graph_limits m_limits;
    std::vector<tree_node> m_nodes; // a level after the other
    std::vector<end> m_ends;        // of all stacks
    std::size_t m_left_out = 0;
    std::vector<follower> m_active; // that may go on
    keyed_list<tree_node> m_level;  // by parents and rows
};

} // namespace

flame_tree make_tree(const stack_set& stacks, std::span<const wide_stack> all,
                     const flame_graph_limits& limits) {
    return tree_maker{stacks, all, limits}.take();
}

void add_up_values(std::vector<tree_node>& nodes) {
    for (std::size_t i = nodes.size() - 1; i > 0; --i) {
        add_pair(nodes[nodes[i].parent].value, nodes[i].value);
    }
}

void write_tree(const std::vector<tree_node>& nodes, const row_names& names, flame_graph& out) {
    std::vector<std::vector<std::uint32_t>> children(nodes.size());
    for (std::uint32_t i = 1; i < nodes.size(); ++i) {
        children[nodes[i].parent].push_back(i);
    }
    std::vector<std::uint32_t> numbers(names.size(), no_node);
    out.names.emplace_back();
    std::vector<std::uint32_t> waiting{0};
    while (!waiting.empty()) {
        const std::uint32_t i = waiting.back();
        waiting.pop_back();
        const tree_node& node = nodes[i];
        std::uint32_t name = 0;
        if (i != 0 && node.row != tree_node::left_out) {
            std::uint32_t& number = numbers[node.row];
            if (number == no_node) {
                number = static_cast<std::uint32_t>(out.names.size());
                out.names.push_back(cut_name(names.name(node.row)));
            }
            name = number;
        }
        out.nodes.push_back({name, node.depth, node.value, node.width});
        std::sort(children[i].begin(), children[i].end(), [&](std::uint32_t a, std::uint32_t b) {
            if (nodes[a].row == tree_node::left_out || nodes[b].row == tree_node::left_out) {
                return nodes[b].row != tree_node::left_out;
            }
            return names.name(nodes[a].row) > names.name(nodes[b].row);
        });
        waiting.insert(waiting.end(), children[i].begin(), children[i].end());
    }
}

} // namespace pprofdelta
