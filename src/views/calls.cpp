// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pprofdelta/calls.hpp>
#include <pprofdelta/json.hpp>

#include "base/key_table.hpp"
#include "select/names.hpp"
#include "select/rows.hpp"
#include "views/calls.hpp"
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

call_tree find_tree(const viewed_stacks& of, const call_tree_limits& limits) {
    std::vector<wide_stack> stacks; // as wide as their changes
    for (std::uint32_t stack = 0; stack < of.stacks.stacks().size(); ++stack) {
        if (const value_pair& value = of.stacks.value_of(stack); !is_nothing(value)) {
            stacks.push_back({stack, weight_of(value), 0});
        }
    }
    flame_tree tree =
        make_tree(of.stacks.stacks(), stacks,
                  {.narrowest = limits.smallest, .deepest = most_frames, .sums_left_out = true});
    std::vector<tree_node>& nodes = tree.nodes;
    std::vector<value_pair> flat(nodes.size());
    for (std::size_t i = 0; i < stacks.size(); ++i) {
        const flame_tree::end& end = tree.ends[i];
        const value_pair& value = of.stacks.value_of(stacks[i].stack);
        add_pair(nodes[end.node].value, value);
        if (!end.is_left_out) {
            add_pair(flat[end.node], value);
        }
    }
    add_up_values(nodes);
    call_tree made;
    made.too_small = tree.left_out;
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
        const value_pair& value = nodes[node].value;
        const value_pair& above = nodes[children[node].front()].value;
        return value.previous == above.previous && value.current == above.current;
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

report make_report(const viewed_profiles& of, const report_options& options, call_stacks& stacks) {
    return make_report(of, options, stacks.m_impl->of);
}

namespace {

std::string value(const value_pair& pair, report::content of) {
    return json_object(members_of(pair, of));
}

std::string frames(const std::vector<std::uint32_t>& names, const call_stacks& stacks) {
    std::vector<std::string> texts;
    texts.reserve(names.size());
    for (const std::uint32_t name : names) {
        texts.push_back(stacks.name(name));
    }
    return json_strings(std::move(texts));
}

// The array, with what was left out and how much is there.
std::string object(const json_members& first, const std::string& name,
                   const std::vector<std::string>& all, std::size_t left_out, double coverage) {
    return json_object(joined({first,
                               {{"coverage", json_number(coverage)},
                                {name, json_lines(all)},
                                {name + "_left_out", std::to_string(left_out)}}}));
}

} // namespace

std::string call_list_as_json(const call_list& list, const call_stacks& stacks, report::content of,
                              const std::string& edges, const std::string& regex) {
    std::vector<std::string> functions;
    for (const call_list::function& f : list.functions) {
        std::vector<std::string> all;
        for (const call_list::edge& edge : f.edges) {
            all.push_back(json_object(joined(
                {{{"name", json_string(stacks.name(edge.name))}}, members_of(edge.value, of)})));
        }
        functions.push_back(json_object({{"name", json_string(stacks.name(f.name))},
                                         {"flat", value(f.flat, of)},
                                         {"cum", value(f.cum, of)},
                                         {edges, json_array(all)},
                                         {edges + "_left_out", std::to_string(f.edges_left_out)},
                                         {"left_out", value(f.left_out, of)}}));
    }
    return object({{"regex", json_string(regex)}}, "functions", functions, list.functions_left_out,
                  list.coverage);
}

std::string call_tree_as_json(const call_tree& tree, const call_stacks& stacks,
                              report::content of) {
    std::vector<std::string> nodes;
    for (const call_tree::node& node : tree.nodes) {
        nodes.push_back(json_object({{"depth", std::to_string(node.depth)},
                                     {"frames", frames(node.names, stacks)},
                                     {"flat", value(node.flat, of)},
                                     {"cum", value(node.cum, of)},
                                     {"left_out", std::to_string(node.left_out)}}));
    }
    return object({{"too_small", std::to_string(tree.too_small)}}, "nodes", nodes, tree.too_deep,
                  tree.coverage);
}

std::string call_paths_as_json(const call_paths& paths, const call_stacks& stacks,
                               report::content of) {
    std::vector<std::string> all;
    for (const call_paths::path& path : paths.paths) {
        all.push_back(json_object(joined({{{"frames", frames(path.names, stacks)},
                                           {"frames_left_out", std::to_string(path.left_out)}},
                                          members_of(path.value, of)})));
    }
    return object({}, "paths", all, paths.paths_left_out, paths.coverage);
}

} // namespace pprofdelta
