// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_REPORT_FLAME_TREE_HPP
#define PPROFDELTA_SRC_REPORT_FLAME_TREE_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

#include <pprofdelta/flame_graph.hpp>

#include "report/location_rows.hpp"
#include "report/stack_set.hpp"

namespace pprofdelta {

/// A node of a flame graph while it is made. The root is the first, and has itself as its parent.
struct tree_node {
    /// In place of the row of a node for all that was left out below its parent.
    static constexpr std::uint32_t left_out = 0xffffffff;

    std::uint32_t row = 0;
    std::uint32_t parent = 0; ///< Stands before it.
    std::uint32_t depth = 0;
    value_pair value;
    double width = 0;
    double width_before = 0; ///< The same of the previous profile.
};

/// Puts each node before its children, which get the order of their names, and what was left out
/// last.
void write_tree(const std::vector<tree_node>& nodes, const row_names& names, flame_graph& out);

/// Puts the tree of one type's values, as one of make_flame_graph(), into a graph.
/// @param type a place among the types of `stacks`.
void draw_tree(const stack_set& stacks, std::size_t type, const row_names& names,
               const flame_graph_limits& limits, flame_graph& out);

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_REPORT_FLAME_TREE_HPP
