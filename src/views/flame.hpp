// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <pprofdelta/calls.hpp>
#include <pprofdelta/flame_graph.hpp>
#include <pprofdelta/report.hpp>

#include "base/budget.hpp"
#include "base/key_table.hpp"
#include "profile/index.hpp"
#include "select/rows.hpp"
#include "select/stacks.hpp"
#include "select/viewed_profiles.hpp"

namespace pprofdelta {

/// The distinct stacks of profiles whose rows have the same numbers.
class stack_set {
public:
    /// The depth of all frames.
    static constexpr std::uint32_t all = 0xfffffffe;

    /// @param deepest stacks that differ only in how frames beyond are inlined are not one.
    explicit stack_set(std::uint32_t deepest) : m_deepest{deepest} {}

    /// Adds stacks of one profile.
    class adder {
    public:
        /// @param index belongs to the profile, and outlives this.
        /// @param rows  are those of the profile, and outlive this.
        adder(stack_set& to, const profile_index& index, const location_rows& rows);

        /// The number of a stack.
        /// @param places are those of its locations, innermost first.
        /// @throws error too_large
        std::uint32_t add(std::span<const std::uint32_t> places);

    private:
        static constexpr std::uint32_t unknown = 0xffffffff;

        stack_set& m_to;
        const location_rows& m_rows;
        budget m_budget;
        std::vector<std::uint32_t> m_known;  // steps, by place
        std::vector<std::uint32_t> m_frames; // of the stack at hand, outermost first
        // The candidates for the next stack: the one after the last stack and, if that was out of
        // order, the one after the stack before it.
        std::array<std::uint32_t, 2> m_next{};
    };

    [[nodiscard]] std::uint32_t size() const noexcept { return m_stacks.size(); }

    /// The sizes, for truncate().
    struct mark {
        std::uint32_t stacks;
        std::uint32_t inlined;
    };
    [[nodiscard]] mark end() const noexcept { return {m_stacks.size(), m_inlined.size()}; }
    /// Forgets what was added after a mark.
    void truncate(const mark& to) noexcept;

    /// A step is a location: the row of its frame, or this and the number of its inlined frames. A
    /// stack can name one of a thousand frames with a byte, so these are not kept with each stack.
    static constexpr std::uint32_t several = 0x80000000;

    [[nodiscard]] std::size_t all_steps() const noexcept { return m_steps.size(); }
    /// The outermost first.
    [[nodiscard]] std::span<const std::uint32_t> steps(std::uint32_t stack) const noexcept {
        const range& steps = m_stacks[stack];
        return {m_steps.data() + steps.begin, steps.end - steps.begin};
    }
    /// The outermost first.
    [[nodiscard]] std::span<const std::uint32_t> rows(const std::uint32_t& step) const noexcept {
        if ((step & several) == 0) {
            return {&step, 1};
        }
        const range& rows = m_inlined[step & ~several];
        return {m_rows.data() + rows.begin, rows.end - rows.begin};
    }

    /// A position in a stack along its frames, the outermost first.
    struct position {
        std::size_t step = 0;
        std::uint32_t steps_left = 0;
        std::uint32_t frames_taken = 0; ///< The number of frames taken of that step.
    };
    [[nodiscard]] position begin_of(std::uint32_t stack) const noexcept {
        const range& steps = m_stacks[stack];
        return {steps.begin, static_cast<std::uint32_t>(steps.end - steps.begin)};
    }
    /// The row of the next frame, where some are left.
    [[nodiscard]] std::uint32_t take(position& at) const noexcept;
    /// Fetches what take() will look at, for when there is something else to do before.
    void prefetch(const position& at) const noexcept {
        __builtin_prefetch(m_steps.data() + at.step);
    }

private:
    struct range {
        std::size_t begin = 0;
        std::size_t end = 0;
    };

    [[nodiscard]] std::uint32_t step(std::span<const std::uint32_t> rows);

    std::uint32_t m_deepest;
    keyed_list<range> m_stacks;         // in m_steps, by the hash of all their frames
    std::vector<std::uint32_t> m_steps; // outermost first
    keyed_list<range> m_inlined;        // in m_rows, by the hash of the frames
    std::vector<std::uint32_t> m_rows;  // outermost first
};

/// Goes along the frames of a stack, the outermost first.
class stack_frames {
public:
    static constexpr std::uint32_t none = 0xffffffff;

    /// @param no_stack the row in place of the frames of samples without a stack.
    stack_frames(const stack_set& stacks, std::uint32_t no_stack, std::uint32_t stack)
        : m_of{&stacks}, m_at{stacks.begin_of(stack)}, m_no_stack{m_at.steps_left == 0 ? no_stack
                                                                                       : none} {}

    /// The row of the next frame, or none.
    [[nodiscard]] std::uint32_t take() noexcept {
        return m_at.steps_left == 0 ? std::exchange(m_no_stack, none) : m_of->take(m_at);
    }

private:
    const stack_set* m_of;
    stack_set::position m_at;
    std::uint32_t m_no_stack; // none once it was taken
};

/// The innermost frames of a stack, of which the outermost is the first.
struct innermost_frames {
    std::vector<std::uint32_t> rows{};
    std::size_t left_out = 0; ///< The number of outer frames left out.
};

/// @param most is the largest number of them.
[[nodiscard]] innermost_frames take_innermost(const stack_frames& stack, std::size_t most);

/// Replaces the number of a node, or of a stack, where there is none.
inline constexpr std::uint32_t no_node = 0xffffffff;

/// A node of a flame graph while it is made. The root is the first, and has itself as its parent.
struct tree_node {
    /// The row of a node for all that was left out below its parent.
    static constexpr std::uint32_t left_out = 0xffffffff;

    std::uint32_t row = 0;
    std::uint32_t parent = 0; ///< Stands before it.
    std::uint32_t depth = 0;
    std::uint32_t first = 0; ///< Place of the first stack through it.
    value_pair value{};
    double width = 0;
    double width_before = 0; ///< The same of the previous profile.
    /// The number of its children that were left out; for a node of these, the number that it
    /// stands for.
    std::uint32_t children_left_out = 0;
};

/// A stack with what makes its frames wide. Whatever has a value is one, also without a width.
struct wide_stack {
    std::uint32_t stack = 0;
    double width = 0;
    double width_before = 0;
};

/// The part of all stacks that is wide enough.
struct flame_tree {
    /// The end of a stack, or the node below which the rest of it was left out. Its value counts
    /// there and in all nodes up to the root.
    struct end {
        std::uint32_t node = 0;
        bool is_left_out = false; ///< The rest of the stack was left out below that node.
    };

    std::vector<tree_node> nodes; ///< The nodes have widths, but no values yet.
    std::vector<end> ends;        ///< The end of each stack.
    std::size_t left_out = 0;     ///< See flame_graph::left_out.
};

/// Frames below a node that is too narrow are not looked at, so that it does not matter how many
/// there are.
[[nodiscard]] flame_tree make_tree(const stack_set& stacks, std::span<const wide_stack> all,
                                   const flame_graph_limits& limits);

/// The children of each node, in the order of the nodes.
template <typename Node>
[[nodiscard]] std::vector<std::vector<std::uint32_t>> children_of(const std::vector<Node>& nodes) {
    std::vector<std::vector<std::uint32_t>> children(nodes.size());
    for (std::uint32_t i = 1; i < nodes.size(); ++i) {
        children[nodes[i].parent].push_back(i);
    }
    return children;
}

/// A node, or a chain of nodes with equal values each of which has only the next below it.
struct node_chain {
    std::uint32_t parent = 0;          ///< The chain above, which stands before it.
    std::uint32_t first = 0;           ///< The outermost node of the tree.
    std::uint32_t last = 0;            ///< The innermost one.
    std::vector<std::uint32_t> rows{}; ///< None of the root, and of what was left out.
};

/// The chains of a tree. The root is one by itself, as is what was left out below a node.
/// @param are_equal whether a node has the value of its parent, by their places.
template <typename AreEqual>
[[nodiscard]] std::vector<node_chain> chains_of(const std::vector<tree_node>& nodes,
                                                AreEqual&& are_equal) {
    const std::vector<std::vector<std::uint32_t>> children = children_of(nodes);
    std::vector<node_chain> chains;
    std::vector<std::uint32_t> chain_of; // by node
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
        const std::uint32_t parent = nodes[i].parent;
        const bool has_frame = i != 0 && nodes[i].row != tree_node::left_out;
        if (has_frame && parent != 0 && children[parent].size() == 1 && are_equal(i, parent)) {
            chain_of.push_back(chain_of[parent]);
        } else {
            chains.push_back({.parent = i == 0 ? 0 : chain_of[parent], .first = i});
            chain_of.push_back(static_cast<std::uint32_t>(chains.size() - 1));
        }
        node_chain& chain = chains[chain_of.back()];
        chain.last = i;
        if (has_frame) {
            chain.rows.push_back(nodes[i].row);
        }
    }
    return chains;
}

/// Visits the nodes of a tree but for its root, each before its children.
/// @param is_before compares two children by their places: the later ones are visited first.
/// @param visit     gets a place and the depth below the root, from 0, and returns whether children
///                  are visited.
template <typename Node, typename IsBefore, typename Visit>
void walk(const std::vector<Node>& nodes, IsBefore&& is_before, Visit&& visit) {
    std::vector<std::vector<std::uint32_t>> children = children_of(nodes);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> waiting; // with their depths
    const auto add_children = [&](std::uint32_t node, std::uint32_t depth) {
        std::ranges::sort(children[node], is_before);
        for (const std::uint32_t child : children[node]) {
            waiting.emplace_back(child, depth);
        }
    };
    add_children(0, 0);
    while (!waiting.empty()) {
        const auto [node, depth] = waiting.back();
        waiting.pop_back();
        if (visit(node, depth)) {
            add_children(node, depth + 1);
        }
    }
}

/// Adds the value of each node to those of all nodes below it.
/// @throws error too_large
void add_up_values(std::vector<tree_node>& nodes);

/// Gives nodes the widths of their values, of which children share what their parent has.
void put_widths(std::vector<tree_node>& nodes);

/// Leaves out nodes without a width, which vanished or are seldom there.
/// @param graph gets what vanished.
[[nodiscard]] std::vector<tree_node> with_width(const std::vector<tree_node>& nodes,
                                                flame_graph& graph);

/// Puts each node before its children, which get the order of their names, and what was left out
/// last.
void write_tree(const std::vector<tree_node>& nodes, const row_names& names, flame_graph& out);

/// The sums of the stacks that have a row.
struct row_sum {
    value_pair flat{}; ///< The sum of the stacks that end in it.
    value_pair cum{};  ///< A stack counts once, however often it has the row.
};

/// The stacks of one or two profiles, equal ones added up, each with a value for each of some
/// sample types.
class paired_stacks {
public:
    /// @param types how many sample types.
    paired_stacks(std::size_t types, std::uint32_t deepest) : m_types{types}, m_stacks{deepest} {}

    /// Adds the samples of a profile.
    /// @param types places of the sample types.
    /// @returns the totals of these types, of all samples.
    /// @throws error malformed, too_large
    std::vector<std::int64_t> read(const profile_stacks& from, const location_rows& rows,
                                   std::span<const std::size_t> types, side_of_pair which);

    [[nodiscard]] const stack_set& stacks() const noexcept { return m_stacks; }
    /// @param stack its number among stacks().
    /// @param type  its place among the types of this.
    [[nodiscard]] const value_pair& value_of(std::uint32_t stack, std::size_t type = 0) const {
        return m_values[stack * m_types + type];
    }
    /// The part of it, of the first type, that is of stacks in which a profile is taken.
    [[nodiscard]] value_pair capture_of(std::uint32_t stack) const {
        return stack < m_capture.size() ? m_capture[stack] : value_pair{};
    }

    /// Adds up all types by row: that of type t of row r is at r * types + t.
    /// @param count    how many rows there are.
    /// @param no_stack the row of samples without a stack.
    /// @param inlined  how many frames of locations with several may be looked at.
    /// @throws error too_large
    [[nodiscard]] std::vector<row_sum> sum_rows(std::uint32_t count, std::uint32_t no_stack,
                                                budget inlined) const;

    /// Puts the tree of one type's values, as one of make_flame_graph(), into a graph.
    /// @param type a place among the types of this.
    void draw(std::size_t type, const row_names& names, const flame_graph_limits& limits,
              flame_graph& out) const;

private:
    std::size_t m_types;
    bool m_has_previous = false;
    stack_set m_stacks;
    std::vector<value_pair> m_values;  // of each stack, all types
    std::vector<value_pair> m_capture; // of the first stacks, the first type
};

/// The stacks behind the rows of a report, as far as filters leave them, with the values of its
/// sample type. Those whose values are zero on both sides are there, too.
struct viewed_stacks {
    row_names names{};
    paired_stacks stacks{1, stack_set::all};
    std::uint32_t no_stack = 0; ///< The row of samples without one.
    value_pair total{};         ///< The sum of all samples.
    bool are_compared = false;  ///< Whether values are of both sides.
    /// The sums by name, if a report was made with these.
    std::vector<row_sum> rows{};

    [[nodiscard]] stack_frames frames(std::uint32_t stack) const {
        return {stacks.stacks(), no_stack, stack};
    }
};

/// Reads the stacks of one type, and the names of their frames.
[[nodiscard]] viewed_stacks read_stacks(viewed_profiles::impl& views, std::size_t type,
                                        const report_options& options,
                                        std::uint32_t deepest = stack_set::all);

} // namespace pprofdelta
