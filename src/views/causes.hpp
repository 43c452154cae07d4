// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <pprofdelta/calls.hpp>

namespace pprofdelta {

/// A tree of stacks with the change of each place.
struct change_tree {
    struct change {
        double before = 0;
        double now = 0;
        double by = 0; ///< Need not be the difference of both; 0 if it may be noise.
    };
    /// The first one is the root. A node without frames stands for what is too small below a node.
    struct node {
        std::uint32_t parent = 0;          ///< Stands before it.
        std::vector<std::uint32_t> rows{}; ///< The rows of its frames, the outermost first.
    };

    std::vector<node> nodes{};
    /// The changes of all stacks through each node, and then of the stacks of each node that go on
    /// in no node with frames; nothing for a node without such nodes below.
    std::vector<change> changes{};
};

/// A source of a change, in the form of compared_causes and call_causes.
struct found_cause {
    cause_kind of = cause_kind::stacks;
    std::vector<std::uint32_t> rows{}; ///< The rows of frames; a function has none.
    /// The place of its change in the tree, or behind these among the functions.
    std::size_t place = 0;
    /// The place of what was perhaps renamed, or of the same frames below it, whose previous value
    /// counts; 0 for none.
    std::size_t gone = 0;
    std::uint32_t depth = 0;
};

/// Finds the causes of a change.
/// @param total     the change; of nothing, places are looked for that changed all the same.
/// @param functions gives the flat changes of all rows, the larger ones first. It is called if
///                  places of the tree account for less than half of the change.
/// @param least     the smallest change of a cause, more than 0.
/// @param most      limits the number returned, unless nearly all samples go through one.
[[nodiscard]] std::vector<found_cause>
find_causes(const change_tree& tree, const change_tree::change& total,
            const std::function<std::vector<double>()>& functions, double least, std::size_t most);

/// The sides that have stacks through a place.
struct sides_of_place {
    bool before = false;
    bool now = false;
};

/// Finds outer frames that differ in every run, such as those with the number of a process or a
/// thread: no stack of one side begins with a frame of the other.
/// @param sides gives those of each node.
/// @param name  gives the text of a row.
/// @returns nothing if the sides share an outermost frame; otherwise a regular expression that
///          matches the frames to remove; empty if more than numbers differ.
[[nodiscard]] std::optional<std::string>
differing_roots(const std::vector<change_tree::node>& nodes,
                const std::function<sides_of_place(std::size_t node)>& sides,
                const std::function<std::string(std::uint32_t row)>& name);

} // namespace pprofdelta
