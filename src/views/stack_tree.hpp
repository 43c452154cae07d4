// SPDX-License-Identifier: Apache-2.0
// The trees of stacks that reports, comparisons and trends follow changes through.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <pprofdelta/calls.hpp>

#include "select/names.hpp"
#include "views/causes.hpp"
#include "views/flame.hpp"

namespace pprofdelta {

/// Adds up the stacks that go through each node of a tree, not scaled.
/// @param sums see make_stack_tree().
template <typename Sums>
[[nodiscard]] std::vector<typename Sums::row>
sums_of_nodes(const std::vector<wide_stack>& stacks, const flame_tree& tree, const Sums& sums) {
    std::vector<typename Sums::row> all(tree.nodes.size());
    for (std::size_t i = 0; i < stacks.size(); ++i) {
        sums.add_stack(all[tree.ends[i].node], stacks[i].stack, tree.ends[i].is_left_out);
    }
    for (std::size_t i = all.size() - 1; i > 0; --i) {
        sums.add(all[tree.nodes[i].parent], all[i]);
    }
    return all;
}

/// A tree of stacks whose nodes have rows of values, without what is too small.
template <typename Row>
struct stack_tree {
    struct node {
        std::uint32_t parent = 0; ///< Stands before it. The first node is the root.
        /// The rows of its frames; none for the root, and for all that is too small below its
        /// parent.
        std::vector<std::uint32_t> rows{};
        Row value{}; ///< All stacks through it. The row carries the name of the first frame.
        double width = 0;
        std::uint32_t left_out = 0; ///< The number of frames that it stands for without rows.
    };

    std::vector<node> nodes{};
    std::size_t left_out = 0; ///< The number of nodes that are too small.

    /// The rows of nodes with frames, to be tested.
    [[nodiscard]] std::vector<Row*> rows() {
        std::vector<Row*> all;
        for (node& each : nodes) {
            if (!each.rows.empty()) {
                all.push_back(&each.value);
            }
        }
        return all;
    }
};

/// The smallest node of a tree: the larger of both.
struct least_node {
    double width = 0;
    double share = 0; ///< The same as a part of the root's width.
};

/// Makes the nodes of all stacks. Samples without a stack are a node like others.
/// @param sums has `row`, the type of the values; `width(stack)`, empty for a stack that has no
///             value; `add_stack(row, stack, is_left_out)` and `add(row, more)`; `scaled(row)`,
///             `are_equal(a, b)`, and `end_chain(row, last)`, which gives a chain what only its
///             last node has.
template <typename Sums, typename Row = typename Sums::row>
[[nodiscard]] stack_tree<Row> make_stack_tree(const stack_set& all, const row_names& names,
                                              std::uint32_t no_stack, const least_node& least,
                                              const Sums& sums) {
    std::vector<wide_stack> stacks;
    double whole = 0;
    for (std::uint32_t stack = 0; stack < all.size(); ++stack) {
        if (const std::optional<double> width = sums.width(stack)) {
            stacks.push_back({stack, *width, 0});
            whole += *width;
        }
    }
    flame_tree tree =
        make_tree(all, stacks,
                  {.narrowest = std::max(least.share, whole > 0 ? least.width / whole : 0),
                   .deepest = call_stacks::deepest,
                   .sums_left_out = true,
                   .folds_recursion = true});
    for (std::size_t i = 0; i < stacks.size(); ++i) {
        flame_tree::end& end = tree.ends[i];
        if (end.node == 0 && !end.is_left_out) {
            const bool is_small = stacks[i].width < least.width;
            tree.left_out += is_small ? 1 : 0;
            end.node = static_cast<std::uint32_t>(tree.nodes.size());
            tree.nodes.push_back({.row = is_small ? tree_node::left_out : no_stack});
        }
    }
    std::vector<Row> values = sums_of_nodes(stacks, tree, sums);
    for (Row& each : values) {
        each = sums.scaled(std::move(each));
    }
    stack_tree<Row> made{.left_out = tree.left_out};
    for (node_chain& chain : chains_of(tree.nodes, [&](std::uint32_t a, std::uint32_t b) {
             return sums.are_equal(values[a], values[b]);
         })) {
        const tree_node& first = tree.nodes[chain.first];
        Row& value = values[chain.first];
        sums.end_chain(value, values[chain.last]);
        if (!chain.rows.empty()) {
            value.name = names.name(chain.rows.front());
        }
        made.nodes.push_back(
            {.parent = chain.parent,
             .rows = std::move(chain.rows),
             .value = std::move(value),
             .width = first.width,
             .left_out = first.row == tree_node::left_out ? first.children_left_out : 0});
    }
    return made;
}

/// The parts of nodes that are not in nodes with frames below them; without values for no such
/// part.
/// @param sums has `untested(row)`, a row with the values of another and without its results, and
///             `subtract(row, less)`.
template <typename Sums, typename Row = typename Sums::row>
[[nodiscard]] std::vector<Row> own_rows(const stack_tree<Row>& tree, const Sums& sums) {
    std::vector<Row> own(tree.nodes.size());
    std::vector<bool> has_parts(tree.nodes.size());
    for (std::size_t i = tree.nodes.size(); i-- > 1;) {
        const auto& [parent, rows, value, width, left_out] = tree.nodes[i];
        if (!rows.empty() && parent != 0) {
            if (!has_parts[parent]) {
                own[parent] = sums.untested(tree.nodes[parent].value);
                has_parts[parent] = true;
            }
            sums.subtract(own[parent], value);
        }
    }
    return own;
}

/// Follows a change through a tree whose nodes have rows.
template <typename Row>
class cause_search {
public:
    /// @param own       is that of own_rows().
    /// @param change_of returns the change of a row.
    /// The tree and `own` must outlive this object.
    cause_search(const stack_tree<Row>& tree, const std::vector<Row>& own, const row_names& names,
                 std::function<change_tree::change(const Row&)> change_of)
        : m_names{names}, m_change_of{std::move(change_of)} {
        for (const auto& node : tree.nodes) {
            m_tree.nodes.push_back({node.parent, node.rows});
            m_values.push_back(&node.value);
            m_tree.changes.push_back(node.rows.empty() ? change_tree::change{}
                                                       : m_change_of(node.value));
        }
        for (const Row& row : own) {
            m_values.push_back(&row);
            m_tree.changes.push_back(m_change_of(row));
        }
    }

    /// Outer frames that differ in every run; see differing_roots().
    /// @param sides_of returns the sides that a row has values on.
    template <typename SidesOf>
    [[nodiscard]] std::optional<std::string> differing_roots(SidesOf&& sides_of) const {
        return pprofdelta::differing_roots(
            m_tree.nodes, [&](std::size_t node) { return sides_of(*m_values[node]); },
            [&](std::uint32_t row) { return m_names.name(row); });
    }

    /// Finds the causes; see find_causes().
    /// @param functions returns the flat rows, the larger changes first, by reference; called at
    ///                  most once.
    /// @param joined    returns the row of what was there before and the one of what is now, for a
    ///                  function that was perhaps renamed.
    template <typename Functions, typename Joined>
    [[nodiscard]] std::vector<change_cause<Row>> find(const change_tree::change& total,
                                                      double least, std::size_t most,
                                                      Functions&& functions, Joined&& joined) {
        const auto changes_of_functions = [&] {
            std::vector<double> changes;
            for (const Row& row : functions()) {
                m_values.push_back(&row);
                changes.push_back(m_change_of(row).by);
            }
            return changes;
        };
        std::vector<change_cause<Row>> causes;
        for (const found_cause& each :
             find_causes(m_tree, total, changes_of_functions, least, most)) {
            const Row& row = *m_values[each.place];
            change_cause<Row>& cause = causes.emplace_back();
            cause.of = each.of;
            cause.frames =
                each.of == cause_kind::function ? std::vector{row.name} : m_names.names(each.rows);
            if (each.of == cause_kind::renamed) {
                cause.previous_name = m_values[each.gone]->name;
            }
            cause.depth = each.depth;
            cause.value = each.gone == 0 ? row : joined(*m_values[each.gone], row);
        }
        return causes;
    }

private:
    const row_names& m_names;
    std::function<change_tree::change(const Row&)> m_change_of;
    change_tree m_tree;
    std::vector<const Row*> m_values; // of its changes, and then of functions
};

} // namespace pprofdelta
