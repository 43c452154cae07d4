// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_FLAME_GRAPH_HPP
#define PPROFDELTA_FLAME_GRAPH_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/report.hpp>
#include <pprofdelta/value_type.hpp>

namespace pprofdelta {

/// The stacks of two profiles as a tree, for a differential flame graph.
struct flame_graph {
    struct node {
        std::uint32_t name = 0;  ///< Place in `names`.
        std::uint32_t depth = 0; ///< 0 for the root, which is above all stacks.
        value_pair value;        ///< Of all stacks that begin with the frames up to this one.
        /// The same of the current profile, with negative stacks taken for zero: never more than
        /// that of the parent, nor is that of all children together.
        double width = 0;
    };

    value_type type;                ///< What the values are of.
    std::vector<std::string> names; ///< Any bytes; the first one is empty, and the root's.
    /// Each node stands before its children, which are in the order of their names, and nothing
    /// stands between them but their own children.
    std::vector<node> nodes;
    /// Over all samples, also those that `focus` and `ignore` leave out.
    value_pair total;
    /// Previous values of stacks that have none in the current profile.
    std::int64_t vanished = 0;
    /// Frames that are not among the nodes, although they have a width, but for those above them.
    std::size_t left_out = 0;
};

/// How much of a tree is kept. A node is left out with all that is above it.
struct flame_graph_limits {
    double narrowest = 1.0 / 2000;  ///< Share of the whole width.
    std::size_t most_nodes = 10000; ///< The narrowest nodes of more are left out.
    std::uint32_t deepest = 500;
};

/// The tree of both profiles, with frames named as the rows of a report are.
///
/// Equal stacks are added up. Only nodes that have a width are kept: what vanished is a sum. Values
/// wrap around at 64 bits.
///
/// Cost: time linear in the profiles and their stacks; memory too, and besides that of up to
/// `deepest / narrowest` nodes.
/// @throws what make_report() throws.
[[nodiscard]] flame_graph make_flame_graph(std::string_view previous, std::string_view current,
                                           const report_options& options = {},
                                           const flame_graph_limits& limits = {});

} // namespace pprofdelta

#endif // PPROFDELTA_FLAME_GRAPH_HPP
