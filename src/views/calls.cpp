// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pprofdelta/calls.hpp>

#include "base/key_table.hpp"
#include "base/numbers.hpp"
#include "select/names.hpp"
#include "select/rows.hpp"
#include "views/calls.hpp"
#include "views/causes.hpp"
#include "views/flame.hpp"
#include "views/report.hpp"

namespace pprofdelta {

namespace {

constexpr std::uint32_t none = stack_frames::none;

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
double coverage(const viewed_stacks& of, const std::vector<call_list::function>& by) {
    std::vector<bool> covers(of.names.size());
    for (const call_list::function& each : by) {
        covers[each.name] = true;
    }
    double covered = 0;
    double whole = 0;
    for (std::uint32_t stack = 0; stack < of.stacks.stacks().size(); ++stack) {
        const double weight = weight_of(of.stacks.value_of(stack));
        whole += weight;
        covered += weight > 0 && has_any(of.frames(stack), covers) ? weight : 0;
    }
    return coverage_of(covered, whole);
}

call_list find_calls(const viewed_stacks& of, std::string_view regex, call_end asked_for,
                     const call_limits& limits) {
    const name_pattern pattern{regex};
    std::vector<call_list::function> functions;               // that match
    std::vector<std::uint32_t> places(of.names.size(), none); // by name, among these
    for (std::uint32_t name = 0; name < places.size(); ++name) {
        if (pattern.is_in(of.names.name(name))) {
            places[name] = static_cast<std::uint32_t>(functions.size());
            functions.push_back({.name = name, .flat = {}, .cum = {}});
        }
    }
    keyed_list<call_sum<value_pair>> edges;
    std::vector<std::uint32_t> last_stacks(functions.size(), none);
    for (std::uint32_t stack = 0; stack < of.stacks.stacks().size(); ++stack) {
        const value_pair& value = of.stacks.value_of(stack);
        if (is_nothing(value)) {
            continue;
        }
        add_calls(stack, of.frames(stack), asked_for, places, edges,
                  [&](value_pair& to) { add_pair(to, value); });
        std::uint32_t innermost = none;
        stack_frames frames = of.frames(stack);
        for (std::uint32_t row = frames.take(); row != none; row = frames.take()) {
            innermost = places[row];
            if (innermost != none && std::exchange(last_stacks[innermost], stack) != stack) {
                add_pair(functions[innermost].cum, value);
            }
        }
        if (innermost != none) {
            add_pair(functions[innermost].flat, value);
        }
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
    const std::size_t most =
        put_largest_first(functions, limits.most_functions, &call_list::function::cum, of.names);
    list.functions_left_out = functions.size() - most;
    functions.resize(most);
    for (call_list::function& each : functions) {
        const std::size_t kept =
            put_largest_first(each.edges, limits.most_edges, &call_list::edge::value, of.names);
        each.edges_left_out = each.edges.size() - kept;
        for (std::size_t i = kept; i < each.edges.size(); ++i) {
            add_pair(each.left_out, each.edges[i].value);
        }
        each.edges.resize(kept);
    }
    list.coverage = coverage(of, functions);
    list.functions = std::move(functions);
    return list;
}

call_paths find_paths(const viewed_stacks& of, std::size_t most) {
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

constexpr std::uint32_t most_frames = 500; // above each other, as in a flame graph

// The stacks as a tree that is as wide as their changes, without what is narrower than a part.
struct changed_tree {
    std::vector<tree_node> nodes{}; // with their values
    std::vector<value_pair> flat{}; // of the stacks that end in each
    std::size_t left_out = 0;
};

changed_tree make_changed_tree(const viewed_stacks& of, double smallest) {
    std::vector<wide_stack> stacks;
    for (std::uint32_t stack = 0; stack < of.stacks.stacks().size(); ++stack) {
        if (const value_pair& value = of.stacks.value_of(stack); !is_nothing(value)) {
            stacks.push_back({stack, weight_of(value), 0});
        }
    }
    flame_tree tree =
        make_tree(of.stacks.stacks(), stacks,
                  {.narrowest = smallest, .deepest = most_frames, .sums_left_out = true});
    std::vector<value_pair> flat(tree.nodes.size());
    for (std::size_t i = 0; i < stacks.size(); ++i) {
        const flame_tree::end& end = tree.ends[i];
        const value_pair& value = of.stacks.value_of(stacks[i].stack);
        add_pair(tree.nodes[end.node].value, value);
        if (!end.is_left_out) {
            add_pair(flat[end.node], value);
        }
    }
    add_up_values(tree.nodes);
    return {std::move(tree.nodes), std::move(flat), tree.left_out};
}

bool are_equal(const value_pair& a, const value_pair& b) {
    return a.previous == b.previous && a.current == b.current;
}

void subtract_pair(value_pair& from, const value_pair& value) {
    from.previous = fitting_subtract(from.previous, value.previous);
    from.current = fitting_subtract(from.current, value.current);
}

// Rows by the changes of the samples that end in them, the larger ones first.
std::vector<std::pair<std::uint32_t, value_pair>> changed_rows(const viewed_stacks& of) {
    std::vector<std::pair<std::uint32_t, value_pair>> rows(of.names.size());
    for (std::uint32_t name = 0; name < rows.size(); ++name) {
        rows[name].first = name;
    }
    for (std::uint32_t stack = 0; stack < of.stacks.stacks().size(); ++stack) {
        if (const value_pair& value = of.stacks.value_of(stack); !is_nothing(value)) {
            std::uint32_t innermost = of.no_stack;
            stack_frames frames = of.frames(stack);
            for (std::uint32_t row = frames.take(); row != none; row = frames.take()) {
                innermost = row;
            }
            add_pair(rows[innermost].second, value);
        }
    }
    std::sort(rows.begin(), rows.end(), [&](const auto& a, const auto& b) {
        const std::uint64_t of_a = change_size(a.second);
        const std::uint64_t of_b = change_size(b.second);
        return of_a != of_b ? of_a > of_b : of.names.name(a.first) < of.names.name(b.first);
    });
    return rows;
}

call_causes find_causes(const viewed_stacks& of, std::size_t most) {
    constexpr double least_part = 0.05; // of all changes
    const changed_tree from = make_changed_tree(of, call_tree_limits{}.smallest);
    call_causes made{.causes = {}, .rest = of.total};
    const double whole = from.nodes.front().width;
    if (whole == 0) {
        return made;
    }
    // What there is of one side only has all come.
    const auto change_of = [&](const value_pair& value) -> change_tree::change {
        const auto now = static_cast<double>(value.current);
        const auto before = static_cast<double>(value.previous);
        return of.are_compared ? change_tree::change{before, now, now - before}
                               : change_tree::change{now, now, now};
    };
    change_tree tree;
    std::vector<value_pair> all;          // of its nodes
    std::vector<std::uint32_t> places{0}; // by node of what it is made from
    const auto add = [&](std::uint32_t parent, std::vector<std::uint32_t> rows,
                         const value_pair& value) {
        tree.nodes.push_back({.parent = parent, .rows = std::move(rows)});
        all.push_back(value);
    };
    add(0, {}, from.nodes.front().value);
    const std::vector<std::vector<std::uint32_t>> children = children_of(from.nodes);
    for (std::uint32_t i = 1; i < from.nodes.size(); ++i) {
        const tree_node& node = from.nodes[i];
        const std::uint32_t parent = places[node.parent];
        const bool has_frame = node.row != tree_node::left_out;
        if (has_frame && parent != 0 && children[node.parent].size() == 1 &&
            are_equal(node.value, all[parent])) {
            places.push_back(parent);
            tree.nodes[parent].rows.push_back(node.row);
        } else {
            places.push_back(static_cast<std::uint32_t>(tree.nodes.size()));
            add(parent, has_frame ? std::vector{node.row} : std::vector<std::uint32_t>{},
                node.value);
        }
    }
    if (!is_nothing(from.flat.front())) {
        add(0, {of.no_stack}, from.flat.front());
    }
    // Nothing of what goes on in no node, as that is all of it.
    std::vector<value_pair> own(all.size());
    for (std::size_t i = all.size(); i-- > 1;) {
        const change_tree::node& node = tree.nodes[i];
        if (!node.rows.empty()) {
            tree.nodes[i].all = change_of(all[i]);
            add_pair(own[node.parent], all[i]);
        }
        if (!is_nothing(own[i])) {
            own[i] = {fitting_subtract(all[i].previous, own[i].previous),
                      fitting_subtract(all[i].current, own[i].current)};
            tree.nodes[i].own = change_of(own[i]);
        }
    }
    std::vector<std::pair<std::uint32_t, value_pair>> rows;
    const auto functions = [&] {
        rows = changed_rows(of);
        std::vector<double> changes;
        std::transform(rows.begin(), rows.end(), std::back_inserter(changes),
                       [&](const auto& row) { return change_of(row.second).by; });
        return changes;
    };
    for (found_cause& each :
         find_causes(tree, change_of(of.total), functions, whole * least_part, most)) {
        call_causes::cause cause{
            .of = each.of, .names = std::move(each.rows), .depth = each.depth, .value = {}};
        switch (each.of) {
        case cause_kind::stacks:
            cause.value = all[each.node];
            break;
        case cause_kind::itself:
            cause.value = own[each.node];
            break;
        case cause_kind::renamed:
            cause.formerly = tree.nodes[each.gone].rows.front();
            cause.value = {all[each.gone].previous, all[each.node].current};
            break;
        case cause_kind::function:
            cause.value = rows[each.node].second;
            cause.names = {rows[each.node].first};
            break;
        }
        if (each.depth == 0) {
            subtract_pair(made.rest, cause.value);
        }
        made.causes.push_back(std::move(cause));
    }
    return made;
}

call_tree find_tree(const viewed_stacks& of, const call_tree_limits& limits) {
    const auto [nodes, flat, left_out] = make_changed_tree(of, limits.smallest);
    call_tree made;
    made.too_small = left_out;
    std::vector<std::vector<std::uint32_t>> children = children_of(nodes);
    const auto is_rest = [&](std::uint32_t node) { return nodes[node].row == tree_node::left_out; };
    const auto is_before = [&](std::uint32_t a, std::uint32_t b) {
        if (is_rest(a) || is_rest(b)) {
            return is_rest(a) && !is_rest(b);
        }
        const std::uint64_t of_a = change_size(nodes[a].value);
        const std::uint64_t of_b = change_size(nodes[b].value);
        return of_a != of_b ? of_a < of_b
                            : of.names.name(nodes[a].row) > of.names.name(nodes[b].row);
    };
    std::vector<std::pair<std::uint32_t, std::uint32_t>> waiting; // nodes and their depths
    // The largest is the next to be put.
    const auto put_children = [&](std::uint32_t node, std::uint32_t depth) {
        if (depth >= limits.deepest) {
            made.too_deep += children[node].size();
            return;
        }
        std::sort(children[node].begin(), children[node].end(), is_before);
        for (const std::uint32_t child : children[node]) {
            waiting.emplace_back(child, depth);
        }
    };
    // Whether a node's one child has all of its value.
    const auto goes_on = [&](std::uint32_t node) {
        if (children[node].size() != 1 || is_rest(children[node].front())) {
            return false;
        }
        return are_equal(nodes[node].value, nodes[children[node].front()].value);
    };
    put_children(0, 0);
    if (!is_nothing(flat[0])) {
        made.nodes.push_back({.names = {of.no_stack}, .flat = flat[0], .cum = flat[0]});
    }
    double small = 0; // the width of what is left out as that
    while (!waiting.empty()) {
        auto [node, depth] = waiting.back();
        waiting.pop_back();
        call_tree::node& to = made.nodes.emplace_back();
        to.depth = depth;
        to.cum = nodes[node].value;
        if (is_rest(node)) {
            to.left_out = nodes[node].children_left_out;
            small += nodes[node].width;
            continue;
        }
        to.names.push_back(nodes[node].row);
        while (goes_on(node)) {
            node = children[node].front();
            to.names.push_back(nodes[node].row);
        }
        to.flat = flat[node];
        put_children(node, depth + 1);
    }
    const double whole = nodes.front().width;
    made.coverage = coverage_of(whole - small, whole);
    return made;
}

} // namespace

class call_stacks::impl {
public:
    viewed_stacks of;
};

call_stacks::call_stacks() : m_impl{std::make_unique<impl>()} {}
call_stacks::~call_stacks() = default;
call_stacks::call_stacks(call_stacks&& other) noexcept = default;
call_stacks& call_stacks::operator=(call_stacks&& other) noexcept = default;

const std::string& call_stacks::name(std::uint32_t number) const {
    return m_impl->of.names.name(number);
}

call_list call_stacks::callers(std::string_view regex, const call_limits& limits) const {
    return find_calls(m_impl->of, regex, call_end::callee, limits);
}

call_list call_stacks::callees(std::string_view regex, const call_limits& limits) const {
    return find_calls(m_impl->of, regex, call_end::caller, limits);
}

call_tree call_stacks::tree(const call_tree_limits& limits) const {
    return find_tree(m_impl->of, limits);
}

call_paths call_stacks::paths(std::size_t most) const { return find_paths(m_impl->of, most); }

call_causes call_stacks::causes(std::size_t most) const { return find_causes(m_impl->of, most); }

report make_report(const viewed_profiles& of, const report_options& options, call_stacks& stacks) {
    return make_report(of, options, stacks.m_impl->of);
}

} // namespace pprofdelta
