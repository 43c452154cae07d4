// SPDX-License-Identifier: Apache-2.0
#pragma once

// Example:
//
//     const flame_graph graph = make_flame_graph({previous, current});
//     for (const flame_graph::node& each : graph.nodes) {
//         std::cout << std::string(each.depth, ' ') << printable(graph.names[each.name]) << ' '
//                   << each.value.current << '\n';
//     }

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <pprofdelta/report.hpp>
#include <pprofdelta/value_type.hpp>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

/// The stacks of two profiles as a tree, for a differential flame graph.
struct flame_graph {
    struct node {
        std::uint32_t name = 0;  ///< The place in `names`.
        std::uint32_t depth = 0; ///< 0 for the root, from which all stacks start.
        /// The sum of all stacks that begin with the frames up to this one.
        value_pair value;
        /// The sum of the absolute current values of these stacks, in the unit of `type`; in a
        /// graph of medians, the absolute current value of the node. The children of a node
        /// together are at most as wide as the node.
        double width = 0;
    };

    /// Whether values are from both profiles, or from one alone as `current`.
    report::content of = report::content::comparison;
    value_type type; ///< The sample type of the values.
    /// Any bytes, shortened by cut_name(). The first one is empty, for the root.
    std::vector<std::string> names;
    /// The nodes in preorder: each before its children, which are in the order of their names, and
    /// directly after it all of its descendants.
    std::vector<node> nodes;
    /// The total over all samples, including those that `focus` and `ignore` leave out.
    value_pair total;
    /// The sum of the previous values of stacks without a current value.
    std::int64_t vanished = 0;
    /// The number of frames with a width that were left out, without their descendants.
    std::size_t left_out = 0;
};

/// Limits on the size of a tree. A node is left out together with its descendants. Most callers
/// leave these alone: they are what a picture or a page can show.
struct flame_graph_limits {
    double narrowest = 1.0 / 2000;  ///< The smallest width, as a share of the root's.
    std::size_t most_nodes = 10000; ///< If there are more, the narrowest are left out.
    std::uint32_t deepest = 500;    ///< The largest depth.
    /// Whether nodes that were wide enough in the previous profile are kept, too.
    bool keeps_previous = false;
    /// Whether the children of a node that were left out become one node, its last child, with an
    /// empty name.
    bool sums_left_out = false;
    /// Whether frames of one name of which each calls the next become one node.
    bool folds_recursion = false;
};

/// Makes the tree of the stacks behind a report, with the same type and the same names of frames as
/// make_report().
///
/// Equal stacks are added up. Unless keeps_previous is set, only nodes with a width are included.
/// The sum of the stacks without a current value is in `vanished` in both cases.
///
/// Cost: time linear in the profiles and their stacks; the same memory, and that of up to `deepest
/// / narrowest` nodes.
/// @throws error as make_report().
[[nodiscard]] flame_graph make_flame_graph(const viewed_profiles& profiles,
                                           const report_options& options = {},
                                           const flame_graph_limits& limits = {});

} // namespace pprofdelta

#pragma GCC visibility pop
