// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_FLAME_FLAME_TREE_HPP
#define PPROFDELTA_SRC_FLAME_FLAME_TREE_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <pprofdelta/flame_graph.hpp>

#include "flame/stack_set.hpp"
#include "select/location_rows.hpp"

namespace pprofdelta {

/// In place of the number of a node, or of a stack.
inline constexpr std::uint32_t no_node = 0xffffffff;

/// A node of a flame graph while it is made. The root is the first, and has itself as its parent.
struct tree_node {
    /// In place of the row of a node for all that was left out below its parent.
    static constexpr std::uint32_t left_out = 0xffffffff;

    std::uint32_t row = 0;
    std::uint32_t parent = 0; ///< Stands before it.
    std::uint32_t depth = 0;
    value_pair value{};
    double width = 0;
    double width_before = 0; ///< The same of the previous profile.
    /// How many of its children were left out; of a node for these, how many it stands for.
    std::uint32_t children_left_out = 0;
};

/// A stack with what makes its frames wide. Whatever has a value is one, also without a width.
struct wide_stack {
    std::uint32_t stack = 0;
    double width = 0;
    double width_before = 0;
};

/// What is wide enough of all stacks.
struct flame_tree {
    /// Where a stack ends, or below what the rest of it was left out. Its value counts there and in
    /// all nodes up to the root.
    struct end {
        std::uint32_t node = 0;
        bool is_left_out = false; ///< What is above that node.
    };

    std::vector<tree_node> nodes; ///< With widths, and without values.
    std::vector<end> ends;        ///< Of each stack.
    std::size_t left_out = 0;     ///< As flame_graph has it.
};

/// Made one level after the other: below a node that is too narrow nothing is looked at, so that it
/// does not matter how many frames there are.
[[nodiscard]] flame_tree make_tree(const stack_set& stacks, std::span<const wide_stack> all,
                                   const flame_graph_limits& limits);

/// Adds the value of each node to those of all nodes below it.
/// @throws error too_large
void add_up_values(std::vector<tree_node>& nodes);

/// Puts each node before its children, which get the order of their names, and what was left out
/// last.
void write_tree(const std::vector<tree_node>& nodes, const row_names& names, flame_graph& out);

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_FLAME_FLAME_TREE_HPP
