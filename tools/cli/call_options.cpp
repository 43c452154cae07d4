// SPDX-License-Identifier: Apache-2.0
#include "cli/call_options.hpp"

#include "base/failure.hpp"
#include "cli/common_options.hpp"

namespace pprofdelta::tool {

void add_calls(command_options& options, call_options& chosen) {
    options.add_value("--callers", "REGEX", chosen.callers,
                      "Instead of rows who calls the functions that match");
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

call_views views_of(const call_options& chosen, const call_stacks& stacks, std::int64_t top) {
    call_views views;
    if (!chosen.are_given()) {
        return views;
    }
    views.stacks = &stacks;
    const auto most = static_cast<std::size_t>(top);
    const call_limits limits{.most_functions = most, .most_edges = most};
    if (!chosen.callers.empty()) {
        views.callers_of = chosen.callers;
        views.callers = stacks.callers(chosen.callers, limits);
    }
    if (!chosen.callees.empty()) {
        views.callees_of = chosen.callees;
        views.callees = stacks.callees(chosen.callees, limits);
    }
    if (chosen.tree) {
        const call_tree_limits of_tree{.deepest = chosen.depth};
        views.smallest_of_tree = of_tree.smallest;
        views.tree = stacks.tree(of_tree);
    }
    if (chosen.paths != 0) {
        views.paths = stacks.paths(chosen.paths);
    }
    return views;
}

} // namespace pprofdelta::tool
