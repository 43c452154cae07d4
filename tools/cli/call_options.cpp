// SPDX-License-Identifier: Apache-2.0
#include "cli/call_options.hpp"

#include <algorithm>

#include "base/failure.hpp"
#include "cli/common_options.hpp"

namespace pprofdelta::tool {

void add_calls(command_options& options, call_options& chosen) {
    options.add_heading("Calls and stacks, in place of rows");
    options.add_value("--callers", "REGEX", chosen.callers, "Who calls the functions that match");
    options.add_value("--callees", "REGEX", chosen.callees, "Whom the functions that match call");
    options.add_flag("--tree", chosen.tree, "The stacks as a tree, without what is below 1%");
    options.add_number("--depth", "N", chosen.depth, "Levels of the tree");
    options.needs("--depth", "--tree");
    options.add_number("--paths", "N", chosen.paths, "The N stacks that changed most");
}

void check_calls(const call_options& chosen) {
    check_regex("--callers", chosen.callers);
    check_regex("--callees", chosen.callees);
    if (chosen.depth == 0) {
        wrong_usage("--depth is a number of levels, from 1");
    }
}

call_views views_of(const call_options& chosen, const call_stacks& stacks, std::int64_t top,
                    std::size_t most) {
    call_views views;
    if (!chosen.are_asked()) {
        return views;
    }
    views.stacks = &stacks;
    const std::size_t rows = std::min(static_cast<std::size_t>(top), most);
    const call_limits limits{.most_functions = rows, .most_edges = rows};
    if (!chosen.callers.empty()) {
        views.callers_of = chosen.callers;
        views.callers = stacks.callers(chosen.callers, limits);
    }
    if (!chosen.callees.empty()) {
        views.callees_of = chosen.callees;
        views.callees = stacks.callees(chosen.callees, limits);
    }
    if (chosen.tree) {
        call_tree_limits of_tree{.deepest = chosen.depth};
        if (most < of_tree.deepest) {
            of_tree.deepest = static_cast<std::uint32_t>(std::max<std::size_t>(most, 1));
        }
        of_tree.smallest = std::max(of_tree.smallest, 1 / (1 + static_cast<double>(most)));
        views.smallest_of_tree = of_tree.smallest;
        views.tree = stacks.tree(of_tree);
    }
    if (chosen.paths != 0) {
        views.paths = stacks.paths(std::min<std::size_t>(chosen.paths, most));
    }
    return views;
}

} // namespace pprofdelta::tool
