// SPDX-License-Identifier: Apache-2.0
#include "calls/call_stacks.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "flame/flame_tree.hpp"
#include "select/row_order.hpp"
#include "select/value_pairs.hpp"

namespace pprofdelta {

namespace {

constexpr std::uint32_t most_frames = 500; // above each other, as in a flame graph

bool is_nothing(const value_pair& value) { return value.previous == 0 && value.current == 0; }

// Widths are the sizes of changes.
std::vector<wide_stack> stacks_by_change(const report_stacks& of) {
    std::vector<wide_stack> stacks;
    for (std::uint32_t stack = 0; stack < of.stacks.stacks().size(); ++stack) {
        if (const value_pair& value = of.stacks.value_of(stack); !is_nothing(value)) {
            stacks.push_back({stack, weight_of(value), 0});
        }
    }
    return stacks;
}

class tree_writer {
public:
    tree_writer(const report_stacks& of, const call_tree_limits& limits)
        : m_of{of}, m_deepest{limits.deepest} {
        const std::vector<wide_stack> stacks = stacks_by_change(of);
        m_tree = make_tree(
            of.stacks.stacks(), stacks,
            {.narrowest = limits.smallest, .deepest = most_frames, .sums_left_out = true});
        m_flat.resize(m_tree.nodes.size());
        m_children.resize(m_tree.nodes.size());
        for (std::size_t i = 0; i < stacks.size(); ++i) {
            const flame_tree::end& end = m_tree.ends[i];
            const value_pair& value = of.stacks.value_of(stacks[i].stack);
            add_pair(m_tree.nodes[end.node].value, value);
            if (!end.is_left_out) {
                add_pair(m_flat[end.node], value);
            }
        }
        add_up_values(m_tree.nodes);
        for (std::uint32_t i = 1; i < m_tree.nodes.size(); ++i) {
            m_children[m_tree.nodes[i].parent].push_back(i);
        }
    }

    [[nodiscard]] call_tree write() {
        put_children(0, 0);
        if (!is_nothing(m_flat[0])) {
            m_made.nodes.push_back({.names = {m_of.no_stack}, .flat = m_flat[0], .cum = m_flat[0]});
        }
        while (!m_waiting.empty()) {
            const auto [node, depth] = m_waiting.back();
            m_waiting.pop_back();
            put(node, depth);
        }
        m_made.too_small = m_tree.left_out;
        const double whole = m_tree.nodes.front().width;
        m_made.coverage = coverage_of(whole - m_small, whole);
        return std::move(m_made);
    }

private:
    [[nodiscard]] bool is_rest(std::uint32_t node) const {
        return m_tree.nodes[node].row == tree_node::left_out;
    }

    // The one child that has all of a node's value.
    [[nodiscard]] bool goes_on(std::uint32_t node) const {
        if (m_children[node].size() != 1 || is_rest(m_children[node].front())) {
            return false;
        }
        const value_pair& value = m_tree.nodes[node].value;
        const value_pair& above = m_tree.nodes[m_children[node].front()].value;
        return value.previous == above.previous && value.current == above.current;
    }

    void put(std::uint32_t node, std::uint32_t depth) {
        call_tree::node& to = m_made.nodes.emplace_back();
        to.depth = depth;
        to.cum = m_tree.nodes[node].value;
        if (is_rest(node)) {
            to.left_out = m_tree.nodes[node].children_left_out;
            m_small += m_tree.nodes[node].width;
            return;
        }
        to.names.push_back(m_tree.nodes[node].row);
        while (goes_on(node)) {
            node = m_children[node].front();
            to.names.push_back(m_tree.nodes[node].row);
        }
        to.flat = m_flat[node];
        put_children(node, depth + 1);
    }

    // The largest is the next to be put.
    void put_children(std::uint32_t node, std::uint32_t depth) {
        std::vector<std::uint32_t>& children = m_children[node];
        if (depth >= m_deepest) {
            m_made.too_deep += children.size();
            return;
        }
        const auto is_before = [&](std::uint32_t a, std::uint32_t b) {
            if (is_rest(a) || is_rest(b)) {
                return is_rest(a) && !is_rest(b);
            }
            const tree_node& of_a = m_tree.nodes[a];
            const tree_node& of_b = m_tree.nodes[b];
            const std::uint64_t size_of_a = change_size(of_a.value);
            const std::uint64_t size_of_b = change_size(of_b.value);
            return size_of_a != size_of_b ? size_of_a < size_of_b
                                          : m_of.names.name(of_a.row) > m_of.names.name(of_b.row);
        };
        std::sort(children.begin(), children.end(), is_before);
        for (const std::uint32_t child : children) {
            m_waiting.emplace_back(child, depth);
        }
    }

    const report_stacks& m_of;
    std::uint32_t m_deepest;
    flame_tree m_tree;
    std::vector<value_pair> m_flat; // by node
    std::vector<std::vector<std::uint32_t>> m_children;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> m_waiting; // nodes and their depths
    call_tree m_made;
    double m_small = 0; // the width of what is left out as that
};

} // namespace

call_tree make_call_tree(const report_stacks& of, const call_tree_limits& limits) {
    return tree_writer{of, limits}.write();
}

} // namespace pprofdelta
