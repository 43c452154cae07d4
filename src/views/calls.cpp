// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>

#include <pprofdelta/calls.hpp>

#include "base/numbers.hpp"
#include "select/names.hpp"
#include "select/rows.hpp"
#include "views/calls.hpp"
#include "views/causes.hpp"
#include "views/report.hpp"

namespace pprofdelta {

namespace {

// The size of the change of a stack, of which coverage is a part.
double weight_of(const value_pair& value) { return static_cast<double>(change_size(value)); }

// The part of a whole that is covered; 1 of nothing.
double coverage_of(double covered, double whole) { return whole > 0 ? covered / whole : 1; }

// Puts the largest first, of equal ones the first by name, and returns how many of at most `most`
// there are.
template <typename Item>
std::size_t put_largest_first(std::vector<Item>& all, std::size_t most, value_pair Item::*value,
                              const row_names& names) {
    const std::size_t count = std::min(most, all.size());
    std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count), all.end(),
                      [&](const Item& a, const Item& b) {
                          const std::uint64_t of_a = change_size(a.*value);
                          const std::uint64_t of_b = change_size(b.*value);
                          return of_a != of_b ? of_a > of_b
                                              : names.name(a.name) < names.name(b.name);
                      });
    return count;
}

// The part of the stacks that has any of the functions.
double coverage(const viewed_stacks& stacks, const std::vector<call_list::function>& functions) {
    std::vector<bool> covers(stacks.names.size());
    for (const call_list::function& each : functions) {
        covers[each.name] = true;
    }
    double covered = 0;
    double whole = 0;
    for (std::uint32_t stack = 0; stack < stacks.stacks.stacks().size(); ++stack) {
        const double weight = weight_of(stacks.stacks.value_of(stack));
        whole += weight;
        covered += weight > 0 && has_any(stacks.frames(stack), covers) ? weight : 0;
    }
    return coverage_of(covered, whole);
}

call_list find_calls(const viewed_stacks& stacks, std::string_view regex, call_end asked_for,
                     const call_limits& limits) {
    const name_pattern pattern{regex};
    std::vector<call_list::function> functions; // that match
    std::vector<std::uint32_t> places(stacks.names.size(),
                                      stack_frames::none); // by name, among these
    for (std::uint32_t name = 0; name < places.size(); ++name) {
        if (pattern.is_in(stacks.names.name(name))) {
            places[name] = static_cast<std::uint32_t>(functions.size());
            functions.push_back(
                {.name = name, .flat = stacks.rows[name].flat, .cum = stacks.rows[name].cum});
        }
    }
    keyed_list<call_sum<value_pair>> edges;
    for (std::uint32_t stack = 0; stack < stacks.stacks.stacks().size(); ++stack) {
        const value_pair& value = stacks.stacks.value_of(stack);
        if (is_nothing(value)) {
            continue;
        }
        add_calls(stack, stacks.frames(stack), asked_for, places, edges,
                  [&](value_pair& to) { add_pair(to, value); });
    }
    for (const call_sum<value_pair>& each : edges.values()) {
        if (change_size(each.value) != 0) {
            functions[each.function].edges.push_back({each.other, each.value});
        }
    }
    std::erase_if(functions, [](const call_list::function& each) {
        return change_size(each.flat) == 0 && change_size(each.cum) == 0 && each.edges.empty();
    });
    call_list list;
    const std::size_t most = put_largest_first(functions, limits.most_functions,
                                               &call_list::function::cum, stacks.names);
    list.functions_left_out = functions.size() - most;
    functions.resize(most);
    for (call_list::function& each : functions) {
        const std::size_t kept =
            put_largest_first(each.edges, limits.most_edges, &call_list::edge::value, stacks.names);
        each.edges_left_out = each.edges.size() - kept;
        for (std::size_t i = kept; i < each.edges.size(); ++i) {
            add_pair(each.left_out, each.edges[i].value);
        }
        each.edges.resize(kept);
    }
    list.coverage = coverage(stacks, functions);
    list.functions = std::move(functions);
    return list;
}

value_pair difference(const value_pair& a, const value_pair& b) {
    return {fitting_subtract(a.previous, b.previous), fitting_subtract(a.current, b.current)};
}

// The stacks as a tree whose frames are as wide as the changes of all stacks through them, without
// what is narrower than a part. A chain of frames with the same value, each of which calls only the
// next, is one node.
struct changed_tree {
    struct node {
        std::uint32_t parent = 0;
        std::vector<std::uint32_t> rows{}; // none of the root, and of what is too narrow
        value_pair cum{};
        value_pair flat{}; // of the stacks that end with the last of these
        double width = 0;
        std::uint32_t left_out = 0; // so many frames it stands for
    };

    std::vector<node> nodes{};
    std::size_t left_out = 0;
};

// @param value_of gives the value of a stack.
template <typename ValueOf>
changed_tree make_changed_tree(const viewed_stacks& viewed, double smallest, ValueOf&& value_of) {
    std::vector<wide_stack> stacks;
    for (std::uint32_t stack = 0; stack < viewed.stacks.stacks().size(); ++stack) {
        if (const value_pair value = value_of(stack); !is_nothing(value)) {
            stacks.push_back({stack, weight_of(value), 0});
        }
    }
    flame_tree tree = make_tree(viewed.stacks.stacks(), stacks,
                                {.narrowest = smallest,
                                 .deepest = call_stacks::deepest,
                                 .sums_left_out = true,
                                 .folds_recursion = true});
    std::vector<value_pair> flat(tree.nodes.size());
    for (std::size_t i = 0; i < stacks.size(); ++i) {
        const flame_tree::end& end = tree.ends[i];
        const value_pair value = value_of(stacks[i].stack);
        add_pair(tree.nodes[end.node].value, value);
        if (!end.is_left_out) {
            add_pair(flat[end.node], value);
        }
    }
    add_up_values(tree.nodes);
    changed_tree made{.left_out = tree.left_out};
    const auto are_equal = [&](std::uint32_t a, std::uint32_t b) {
        return tree.nodes[a].value == tree.nodes[b].value;
    };
    for (node_chain& chain : chains_of(tree.nodes, are_equal)) {
        const tree_node& from = tree.nodes[chain.first];
        const bool is_rest = from.row == tree_node::left_out;
        made.nodes.push_back({.parent = chain.parent,
                              .rows = std::move(chain.rows),
                              .cum = from.value,
                              .flat = flat[chain.last],
                              .width = from.width,
                              .left_out = is_rest ? from.children_left_out : 0});
    }
    return made;
}

} // namespace

class call_stacks::impl : public viewed_stacks {};

call_stacks::call_stacks() : m_impl{std::make_unique<impl>()} {}
call_stacks::~call_stacks() = default;
call_stacks::call_stacks(call_stacks&& other) noexcept = default;
call_stacks& call_stacks::operator=(call_stacks&& other) noexcept = default;

const std::string& call_stacks::name(std::uint32_t number) const {
    return m_impl->names.name(number);
}

call_list call_stacks::callers(std::string_view regex, const call_limits& limits) const {
    return find_calls(*m_impl, regex, call_end::callee, limits);
}

call_list call_stacks::callees(std::string_view regex, const call_limits& limits) const {
    return find_calls(*m_impl, regex, call_end::caller, limits);
}

call_tree call_stacks::tree(const call_tree_limits& limits) const {
    const viewed_stacks& of = *m_impl;
    const changed_tree from = make_changed_tree(
        of, limits.smallest, [&](std::uint32_t stack) { return of.stacks.value_of(stack); });
    const std::vector<changed_tree::node>& nodes = from.nodes;
    call_tree made;
    made.too_small = from.left_out;
    // The one without frames is the first, and then the smaller ones.
    const auto is_before = [&](std::uint32_t a, std::uint32_t b) {
        if (nodes[a].rows.empty() || nodes[b].rows.empty()) {
            return nodes[a].rows.empty() && !nodes[b].rows.empty();
        }
        const std::uint64_t of_a = change_size(nodes[a].cum);
        const std::uint64_t of_b = change_size(nodes[b].cum);
        return of_a != of_b
                   ? of_a < of_b
                   : of.names.name(nodes[a].rows.front()) > of.names.name(nodes[b].rows.front());
    };
    if (const value_pair& value = nodes.front().flat; !is_nothing(value)) {
        made.nodes.push_back({.names = {of.no_stack}, .flat = value, .cum = value});
    }
    double small = 0; // the width of what is left out as that
    walk(nodes, is_before, [&](std::uint32_t number, std::uint32_t depth) {
        const changed_tree::node& node = nodes[number];
        if (depth >= limits.deepest) {
            ++made.too_deep;
            return false;
        }
        small += node.rows.empty() ? node.width : 0;
        made.nodes.push_back({node.rows, depth, node.flat, node.cum, node.left_out});
        return true;
    });
    const double whole = nodes.front().width;
    made.coverage = coverage_of(whole - small, whole);
    return made;
}

call_paths call_stacks::paths(std::size_t most) const {
    const viewed_stacks& of = *m_impl;
    std::vector<std::uint32_t> changed;
    double whole = 0;
    const auto size_of = [&](std::uint32_t stack) {
        return change_size(of.stacks.value_of(stack));
    };
    for (std::uint32_t stack = 0; stack < of.stacks.stacks().size(); ++stack) {
        if (size_of(stack) != 0) {
            changed.push_back(stack);
            whole += weight_of(of.stacks.value_of(stack));
        }
    }
    const std::size_t count = std::min(most, changed.size());
    std::partial_sort(changed.begin(), changed.begin() + static_cast<std::ptrdiff_t>(count),
                      changed.end(), [&](std::uint32_t a, std::uint32_t b) {
                          return size_of(a) != size_of(b) ? size_of(a) > size_of(b) : a < b;
                      });
    call_paths found;
    double covered = 0;
    for (std::size_t i = 0; i < count; ++i) {
        innermost_frames frames = take_innermost(of.frames(changed[i]), call_paths::longest);
        const value_pair& value = of.stacks.value_of(changed[i]);
        found.paths.push_back(
            {.names = std::move(frames.rows), .left_out = frames.left_out, .value = value});
        covered += weight_of(value);
    }
    found.paths_left_out = changed.size() - count;
    found.coverage = coverage_of(covered, whole);
    return found;
}

call_causes call_stacks::causes(std::size_t most) const {
    const viewed_stacks& of = *m_impl;
    constexpr double least_part = 0.05; // of all changes
    changed_tree from =
        make_changed_tree(of, call_tree_limits{}.smallest, [&](std::uint32_t stack) {
            return difference(of.stacks.value_of(stack), of.stacks.capture_of(stack));
        });
    // The cost of taking a profile is said elsewhere.
    value_pair total = of.total;
    std::vector<row_sum> sums = of.rows;
    for (std::uint32_t stack = 0; stack < of.stacks.stacks().size(); ++stack) {
        if (const value_pair capture = of.stacks.capture_of(stack); !is_nothing(capture)) {
            value_pair& flat = sums[take_innermost(of.frames(stack), 1).rows.back()].flat;
            flat = difference(flat, capture);
            total = difference(total, capture);
        }
    }
    call_causes made{.causes = {}, .rest = total};
    const double whole = from.nodes.front().width;
    if (whole == 0) {
        return made;
    }
    if (!is_nothing(from.nodes.front().flat)) {
        from.nodes.push_back({.rows = {of.no_stack}, .cum = from.nodes.front().flat});
    }
    change_tree tree;
    const std::size_t count = from.nodes.size();
    std::vector<value_pair> values(2 * count); // of its changes, and then of functions
    for (std::size_t i = count; i-- > 1;) {
        const changed_tree::node& node = from.nodes[i];
        if (!node.rows.empty()) {
            values[i] = node.cum;
            add_pair(values[count + node.parent], node.cum);
        }
        // A node without nodes below it keeps 0 here, since all of it goes on in none.
        if (!is_nothing(values[count + i])) {
            values[count + i] = difference(node.cum, values[count + i]);
        }
    }
    values[count] = {}; // the root is no place
    for (const changed_tree::node& each : from.nodes) {
        tree.nodes.push_back({each.parent, each.rows});
    }
    if (of.are_compared) {
        made.differing_roots = differing_roots(
            tree.nodes,
            [&](std::size_t node) {
                const value_pair& cum = from.nodes[node].cum;
                return sides_of_place{cum.previous != 0, cum.current != 0};
            },
            [&](std::uint32_t row) { return of.names.name(row); });
    }
    // A value with one side only has come as a whole.
    const auto change_of = [&](const value_pair& value) -> change_tree::change {
        const auto now = static_cast<double>(value.current);
        const auto before = static_cast<double>(value.previous);
        return of.are_compared ? change_tree::change{before, now, now - before}
                               : change_tree::change{now, now, now};
    };
    std::ranges::transform(values, std::back_inserter(tree.changes), change_of);
    std::vector<call_list::edge> rows; // functions, by the samples that end in them
    const auto functions = [&] {
        for (std::uint32_t name = 0; name < sums.size(); ++name) {
            rows.push_back({name, sums[name].flat});
        }
        put_largest_first(rows, rows.size(), &call_list::edge::value, of.names);
        std::vector<double> changes;
        for (const call_list::edge& each : rows) {
            values.push_back(each.value);
            changes.push_back(change_of(each.value).by);
        }
        return changes;
    };
    for (found_cause& each :
         find_causes(tree, change_of(total), functions, whole * least_part, most)) {
        call_causes::cause cause{.of = each.of,
                                 .names = std::move(each.rows),
                                 .depth = each.depth,
                                 .value = values[each.place]};
        if (each.of == cause_kind::function) {
            cause.names = {rows[each.place - tree.changes.size()].name};
        } else if (each.of == cause_kind::renamed) {
            cause.previous_name = from.nodes[each.gone].rows.front();
        }
        if (each.gone != 0) {
            cause.value.previous = values[each.gone].previous;
        }
        if (each.depth == 0) {
            made.rest = difference(made.rest, cause.value);
        }
        made.causes.push_back(std::move(cause));
    }
    return made;
}

report make_report(const viewed_profiles& profiles, const report_options& options,
                   call_stacks& stacks, std::uint32_t deepest) {
    return make_report(profiles, options, deepest, *stacks.m_impl);
}

} // namespace pprofdelta
