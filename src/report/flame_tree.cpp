// SPDX-License-Identifier: Apache-2.0
#include "report/flame_tree.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/fitting.hpp"
#include "base/keyed_list.hpp"

namespace pprofdelta {

namespace {

constexpr std::uint32_t none = 0xffffffff;

void add(tree_node& to, const value_pair& value) {
    to.value.previous = fitting_add(to.value.previous, value.previous);
    to.value.current = fitting_add(to.value.current, value.current);
    to.width += static_cast<double>(std::max<std::int64_t>(value.current, 0));
    to.width_before += static_cast<double>(std::max<std::int64_t>(value.previous, 0));
}

// Makes the tree one level after the other: below a node that is too narrow nothing is looked at,
// so that it does not matter how many frames there are.
class tree_maker {
public:
    tree_maker(const stack_set& from, std::size_t type, const flame_graph_limits& limits)
        : m_from{from}, m_type{type}, m_limits{limits} {
        tree_node root;
        for (std::size_t i = 0; i < m_from.size(); ++i) {
            const value_pair& value = m_from.value(i, type);
            if (value.previous != 0 || value.current != 0) {
                add(root, value);
                m_active.push_back({i, {from, i}, 0});
            }
        }
        m_nodes.push_back(root);
        m_rests.emplace_back();
        for (std::uint32_t depth = 1; !m_active.empty(); ++depth) {
            add_level(depth);
        }
        leave_out_narrowest();
        if (m_limits.sums_left_out) {
            add_rests();
        }
    }

    [[nodiscard]] const std::vector<tree_node>& nodes() const noexcept { return m_nodes; }
    [[nodiscard]] std::size_t left_out() const noexcept { return m_left_out; }

private:
    // A stack, and how far it has been followed.
    struct follower {
        std::size_t stack;
        stack_set::cursor at;
        std::uint32_t node; // that it has come to
    };

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
            const std::uint32_t row = f.at.take(m_from);
            if (row == stack_set::cursor::none) {
                return true;
            }
            const std::uint32_t number =
                m_level.find_or_add({std::uint64_t{f.node} << 32U | row, 0},
                                    [&] { return tree_node{row, f.node, depth, {}, 0, 0}; });
            add(m_level[number], m_from.value(f.stack, m_type));
            f.node = number; // in the level, for now
            return false;
        });
        std::vector<std::uint32_t> kept;
        for (const tree_node& node : m_level.values()) {
            const double size = part(node);
            const bool keep = size > 0 && size >= m_limits.narrowest && depth <= m_limits.deepest;
            kept.push_back(keep ? static_cast<std::uint32_t>(m_nodes.size()) : none);
            if (keep) {
                m_nodes.push_back(node);
                m_rests.emplace_back();
            } else {
                leave_out(node, node.parent);
            }
        }
        std::erase_if(m_active, [&](follower& f) {
            f.node = kept[f.node];
            return f.node == none;
        });
    }

    void leave_out(const tree_node& node, std::uint32_t below) {
        m_left_out += part(node) > 0 ? 1 : 0;
        tree_node& rest = m_rests[below];
        rest.value.previous = fitting_add(rest.value.previous, node.value.previous);
        rest.value.current = fitting_add(rest.value.current, node.value.current);
        rest.width += node.width;
        rest.width_before += node.width_before;
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
        const std::vector<tree_node> rests = std::exchange(m_rests, {m_rests.front()});
        std::vector<std::uint32_t> numbers{0};
        for (std::size_t i = 1; i < all.size(); ++i) {
            const std::uint32_t parent = numbers[all[i].parent];
            const bool keep = parent != none && parts[i] > *limit;
            numbers.push_back(keep ? static_cast<std::uint32_t>(m_nodes.size()) : none);
            if (keep) {
                m_nodes.push_back(all[i]);
                m_nodes.back().parent = parent;
                m_rests.push_back(rests[i]);
            } else if (parent != none) {
                leave_out(all[i], parent);
            }
        }
    }

    void add_rests() {
        for (std::uint32_t i = 0; i < m_rests.size(); ++i) {
            tree_node rest = m_rests[i];
            if (rest.width > 0 || rest.width_before > 0) {
                rest.row = tree_node::left_out;
                rest.parent = i;
                rest.depth = m_nodes[i].depth + 1;
                m_nodes.push_back(rest);
            }
        }
    }

    const stack_set& m_from;
    std::size_t m_type;
    flame_graph_limits m_limits;
    std::vector<tree_node> m_nodes; // a level after the other
    std::vector<tree_node> m_rests; // what was left out below each
    std::size_t m_left_out = 0;
    std::vector<follower> m_active; // that may go on
    keyed_list<tree_node> m_level;  // by parents and rows
};

} // namespace

void write_tree(const std::vector<tree_node>& nodes, const row_names& names, flame_graph& out) {
    std::vector<std::vector<std::uint32_t>> children(nodes.size());
    for (std::uint32_t i = 1; i < nodes.size(); ++i) {
        children[nodes[i].parent].push_back(i);
    }
    std::vector<std::uint32_t> numbers(names.size(), none);
    out.names.emplace_back();
    std::vector<std::uint32_t> waiting{0};
    while (!waiting.empty()) {
        const std::uint32_t i = waiting.back();
        waiting.pop_back();
        const tree_node& node = nodes[i];
        std::uint32_t name = 0;
        if (i != 0 && node.row != tree_node::left_out) {
            std::uint32_t& number = numbers[node.row];
            if (number == none) {
                number = static_cast<std::uint32_t>(out.names.size());
                out.names.push_back(names.name(node.row));
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

void draw_tree(const stack_set& stacks, std::size_t type, const row_names& names,
               const flame_graph_limits& limits, flame_graph& out) {
    const tree_maker tree{stacks, type, limits};
    out.left_out = tree.left_out();
    for (std::size_t i = 0; i < stacks.size(); ++i) {
        const value_pair& value = stacks.value(i, type);
        if (value.current == 0) {
            out.vanished = fitting_add(out.vanished, value.previous);
        }
    }
    write_tree(tree.nodes(), names, out);
}

} // namespace pprofdelta
