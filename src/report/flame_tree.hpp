// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_REPORT_FLAME_TREE_HPP
#define PPROFDELTA_SRC_REPORT_FLAME_TREE_HPP

#include <cstdint>
#include <vector>

#include <pprofdelta/flame_graph.hpp>

#include "report/location_rows.hpp"

namespace pprofdelta {

/// A node of a flame graph while it is made. The root is the first, and has itself as its parent.
struct tree_node {
    std::uint32_t row = 0;
    std::uint32_t parent = 0; ///< Stands before it.
    std::uint32_t depth = 0;
    value_pair value;
    double width = 0;
};

/// Puts each node before its children, which get the order of their names.
void write_tree(const std::vector<tree_node>& nodes, const row_names& names, flame_graph& out);

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_REPORT_FLAME_TREE_HPP
