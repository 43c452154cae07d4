// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_FLAME_GRAPH_HPP
#define PPROFDELTA_FLAME_GRAPH_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/compare.hpp>
#include <pprofdelta/local.hpp>
#include <pprofdelta/report.hpp>
#include <pprofdelta/value_type.hpp>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

/// The stacks of two profiles as a tree, for a differential flame graph.
struct flame_graph {
    struct node {
        std::uint32_t name = 0;  ///< Place in `names`.
        std::uint32_t depth = 0; ///< 0 for the root, which is above all stacks.
        value_pair value;        ///< Of all stacks that begin with the frames up to this one.
        /// The sum of its stacks' values in the current profile without their signs, of medians
        /// its value without its sign. The widths of all children together are at most the width
        /// of their parent.
        double width = 0;
    };

    /// Whether values are of both profiles, or of one alone as `current`.
    report::content of = report::content::comparison;
    value_type type; ///< What the values are of.
    /// Any bytes, each as cut_name() has it; the first one is empty, and the root's.
    std::vector<std::string> names;
    /// Each node stands before its children, which are in the order of their names. Nothing stands
    /// between children but their own children.
    std::vector<node> nodes;
    /// Over all samples, also those that `focus` and `ignore` leave out.
    value_pair total;
    /// The previous values of stacks that have no value in the current profile.
    std::int64_t vanished = 0;
    /// How many frames have a width and were left out; those above such a frame are not counted.
    std::size_t left_out = 0;
};

/// How much of a tree is kept. A node is left out together with all nodes above it.
struct flame_graph_limits {
    double narrowest = 1.0 / 2000;  ///< As a share of the whole width.
    std::size_t most_nodes = 10000; ///< If there are more, the narrowest are left out.
    std::uint32_t deepest = 500;
    /// Whether what was wide enough in the previous profile is kept, too.
    bool keeps_previous = false;
    /// Whether what is left out below a node is there as one more node, the last of its children,
    /// whose name is empty.
    bool sums_left_out = false;
};

/// The tree of what make_report() has as rows, with the same type and the same names of frames.
///
/// Equal stacks are added up. Unless previous ones are kept, only nodes that have a width are; of
/// what vanished there is a sum.
///
/// Cost: time linear in the profiles and their stacks; the same memory, and that of up to `deepest
/// / narrowest` nodes.
/// @throws error like make_report().
[[nodiscard]] flame_graph make_flame_graph(const viewed_profiles& of,
                                           const report_options& options = {},
                                           const flame_graph_limits& limits = {});

// Of what nothing else is made of.
[[nodiscard]] inline flame_graph make_flame_graph(std::string_view previous,
                                                  std::string_view current,
                                                  const report_options& options = {},
                                                  const flame_graph_limits& limits = {}) {
    return make_flame_graph(viewed_profiles{previous, current}, options, limits);
}
[[nodiscard]] inline flame_graph make_flame_graph(const computed_delta& delta,
                                                  const report_options& options = {},
                                                  const flame_graph_limits& limits = {}) {
    return make_flame_graph(viewed_profiles{delta}, options, limits);
}
[[nodiscard]] inline flame_graph make_flame_graph(std::string_view profile,
                                                  const report_options& options = {},
                                                  const flame_graph_limits& limits = {}) {
    return make_flame_graph(viewed_profiles{profile}, options, limits);
}

/// Makes the tree of several captures of two versions. A node has the medians of both sides as its
/// values. Medians do not add up, so nodes that together would be wider than their parent share its
/// width.
///
/// Memory: that of one profile while it is added, a number for each location of each different
/// stack, and one for each type of each sample of each capture that is not zero.
class median_flame_graph {
public:
    explicit median_flame_graph(const report_options& options = {},
                                const flame_graph_limits& limits = {});
    ~median_flame_graph();
    median_flame_graph(const median_flame_graph&) = delete;
    median_flame_graph& operator=(const median_flame_graph&) = delete;

    /// Time is linear in the profile and its stacks. After an exception nothing has changed.
    /// @throws error like make_report(); incompatible for sample types other than those of the
    ///         first capture.
    /// @param capture one profile.
    void add(compare_side to, const viewed_profiles& capture);
    void add(compare_side to, std::string_view profile) { add(to, viewed_profiles{profile}); }

    /// Which nodes are kept is decided by the means of both sides, which add up. What is wide
    /// enough in the base is looked at as well, as some of it may have vanished.
    ///
    /// Time is that of make_flame_graph(), and linear in the samples of all captures.
    /// @param base what each capture of a side is multiplied by; empty for 1.
    /// @throws error invalid_argument unless each side has captures, and as many factors or none;
    ///         too_large for a sum that would not fit 64 bits.
    [[nodiscard]] flame_graph make(const std::vector<double>& base = {},
                                   const std::vector<double>& head = {}) const;

    /// Makes the graph of any sample type, by its place.
    [[nodiscard]] flame_graph make(std::size_t type, const std::vector<double>& base,
                                   const std::vector<double>& head) const;

private:
    class PPROFDELTA_LOCAL impl;
    std::unique_ptr<impl> m_impl;
};

} // namespace pprofdelta

#pragma GCC visibility pop

#endif // PPROFDELTA_FLAME_GRAPH_HPP
