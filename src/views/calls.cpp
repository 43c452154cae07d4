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

#include "base/hash128.hpp"
#include "base/key_table.hpp"
#include "select/names.hpp"
#include "select/rows.hpp"
#include "views/flame.hpp"
#include "views/report.hpp"

namespace pprofdelta {

namespace {

constexpr std::uint32_t none = stack_frames::none;

// The size of the change of a stack, of which coverage is a part.
double weight_of(const value_pair& value) { return static_cast<double>(change_size(value)); }

// The part of a whole that is covered; 1 of nothing.
double coverage_of(double covered, double whole) { return whole > 0 ? covered / whole : 1; }

// Which end of a call has the functions that are asked for.
enum class call_end : std::uint8_t { caller, callee };

// A function that is asked for, or one that calls it or is called.
struct sums {
    std::uint32_t name;
    std::uint32_t function; // that is asked for; by its place among these
    value_pair flat{};
    value_pair cum{}; // of an edge its value
    std::uint32_t last_stack = none;
};

// What a stack adds counts once, however often it is there.
void count_once(sums& to, std::uint32_t stack, const value_pair& value) {
    if (to.last_stack != stack) {
        to.last_stack = stack;
        add_pair(to.cum, value);
    }
}

class call_finder {
public:
    call_finder(const report_stacks& of, std::string_view regex, call_end asked_for)
        : m_of{of}, m_asked_for{asked_for}, m_places(of.names.size(), none) {
        const name_pattern pattern{regex};
        for (std::uint32_t name = 0; name < m_places.size(); ++name) {
            if (pattern.is_in(of.names.name(name))) {
                m_places[name] = static_cast<std::uint32_t>(m_functions.size());
                m_functions.push_back({.name = name, .function = m_places[name]});
            }
        }
        for (std::uint32_t stack = 0; stack < of.stacks.stacks().size(); ++stack) {
            read(stack);
        }
    }

    [[nodiscard]] call_list found(const call_limits& limits) const {
        std::vector<std::vector<const sums*>> edges(m_functions.size());
        for (const sums& edge : m_edges.values()) {
            if (change_size(edge.cum) != 0) {
                edges[edge.function].push_back(&edge);
            }
        }
        std::vector<const sums*> functions;
        for (const sums& each : m_functions) {
            if (change_size(each.flat) != 0 || change_size(each.cum) != 0 ||
                !edges[each.function].empty()) {
                functions.push_back(&each);
            }
        }
        const std::size_t most = sort_largest(functions, limits.most_functions);
        call_list list;
        list.functions_left_out = functions.size() - most;
        functions.resize(most);
        for (const sums* const each : functions) {
            list.functions.push_back({.name = each->name, .flat = each->flat, .cum = each->cum});
            put_edges(edges[each->function], limits.most_edges, list.functions.back());
        }
        list.coverage = coverage(functions);
        return list;
    }

private:
    void read(std::uint32_t stack) {
        const value_pair& value = m_of.stacks.value_of(stack);
        if (value.previous == 0 && value.current == 0) {
            return;
        }
        stack_frames frames = m_of.frames(stack);
        std::uint32_t caller = none;
        for (std::uint32_t row = frames.take(); row != none;) {
            const std::uint32_t next = frames.take();
            if (const std::uint32_t place = m_places[row]; place != none) {
                count_once(m_functions[place], stack, value);
                if (next == none) {
                    add_pair(m_functions[place].flat, value);
                }
            }
            if (caller != none && caller != row) {
                add_edge(caller, row, stack, value);
            }
            caller = row;
            row = next;
        }
    }

    void add_edge(std::uint32_t caller, std::uint32_t callee, std::uint32_t stack,
                  const value_pair& value) {
        const bool asks_for_callers = m_asked_for == call_end::callee;
        const std::uint32_t place = m_places[asks_for_callers ? callee : caller];
        if (place == none) {
            return;
        }
        const std::uint32_t other = asks_for_callers ? caller : callee;
        const hash128 key{std::uint64_t{place} << 32U | other, 0};
        const std::uint32_t edge =
            m_edges.find_or_add(key, [&] { return sums{.name = other, .function = place}; });
        count_once(m_edges[edge], stack, value);
    }

    // Puts the `most` largest first, and returns how many these are.
    std::size_t sort_largest(std::vector<const sums*>& all, std::size_t most) const {
        const std::size_t count = std::min(most, all.size());
        std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count), all.end(),
                          [&](const sums* a, const sums* b) {
                              const std::uint64_t of_a = change_size(a->cum);
                              const std::uint64_t of_b = change_size(b->cum);
                              return of_a != of_b
                                         ? of_a > of_b
                                         : m_of.names.name(a->name) < m_of.names.name(b->name);
                          });
        return count;
    }

    void put_edges(std::vector<const sums*>& edges, std::size_t most,
                   call_list::function& to) const {
        const std::size_t count = sort_largest(edges, most);
        for (std::size_t i = 0; i < edges.size(); ++i) {
            if (i < count) {
                to.edges.push_back({edges[i]->name, edges[i]->cum});
            } else {
                ++to.edges_left_out;
                add_pair(to.left_out, edges[i]->cum);
            }
        }
    }

    [[nodiscard]] double coverage(const std::vector<const sums*>& by) const {
        std::vector<bool> covers(m_places.size());
        for (const sums* const each : by) {
            covers[each->name] = true;
        }
        double covered = 0;
        double whole = 0;
        for (std::uint32_t stack = 0; stack < m_of.stacks.stacks().size(); ++stack) {
            const double weight = weight_of(m_of.stacks.value_of(stack));
            whole += weight;
            bool is_covered = false;
            stack_frames frames = m_of.frames(stack);
            for (std::uint32_t row = frames.take(); weight > 0 && !is_covered && row != none;
                 row = frames.take()) {
                is_covered = covers[row];
            }
            covered += is_covered ? weight : 0;
        }
        return coverage_of(covered, whole);
    }

    const report_stacks& m_of;
    call_end m_asked_for;
    std::vector<std::uint32_t> m_places; // by name, among the functions
    std::vector<sums> m_functions;       // that match
    keyed_list<sums> m_edges;
};

call_paths::path path_of(const report_stacks& of, std::uint32_t stack) {
    innermost_frames frames = take_innermost(of.frames(stack), call_paths::longest);
    return {.names = std::move(frames.rows),
            .left_out = frames.left_out,
            .value = of.stacks.value_of(stack)};
}

call_paths find_paths(const report_stacks& of, std::size_t most) {
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
        found.paths.push_back(path_of(of, changed[i]));
        covered += weight_of(found.paths.back().value);
    }
    found.paths_left_out = changed.size() - count;
    found.coverage = coverage_of(covered, whole);
    return found;
}

constexpr std::uint32_t most_frames = 500; // above each other, as in a flame graph

bool is_nothing(const value_pair& value) { return value.previous == 0 && value.current == 0; }

// Widths are the sizes of changes.
std::vector<wide_stack> stacks_by_change(const report_stacks& of) {
    std::vector<wide_stack> stacks;
    for (std::uint32_t stack = 0; stack < of.stacks.stacks().size(); ++stack) {
        if (const value_pair& value = of.stacks.value_of(stack); !is_nothing(value)) {
            stacks.push_back({stack, weight_of(value), 0});
        }
    }
    return stacks;
}

class tree_writer {
public:
    tree_writer(const report_stacks& of, const call_tree_limits& limits)
        : m_of{of}, m_deepest{limits.deepest} {
        const std::vector<wide_stack> stacks = stacks_by_change(of);
        m_tree = make_tree(
            of.stacks.stacks(), stacks,
            {.narrowest = limits.smallest, .deepest = most_frames, .sums_left_out = true});
        m_flat.resize(m_tree.nodes.size());
        m_children.resize(m_tree.nodes.size());
        for (std::size_t i = 0; i < stacks.size(); ++i) {
            const flame_tree::end& end = m_tree.ends[i];
            const value_pair& value = of.stacks.value_of(stacks[i].stack);
            add_pair(m_tree.nodes[end.node].value, value);
            if (!end.is_left_out) {
                add_pair(m_flat[end.node], value);
            }
        }
        add_up_values(m_tree.nodes);
        for (std::uint32_t i = 1; i < m_tree.nodes.size(); ++i) {
            m_children[m_tree.nodes[i].parent].push_back(i);
        }
    }

    [[nodiscard]] call_tree write() {
        put_children(0, 0);
        if (!is_nothing(m_flat[0])) {
            m_made.nodes.push_back({.names = {m_of.no_stack}, .flat = m_flat[0], .cum = m_flat[0]});
        }
        while (!m_waiting.empty()) {
            const auto [node, depth] = m_waiting.back();
            m_waiting.pop_back();
            put(node, depth);
        }
        m_made.too_small = m_tree.left_out;
        const double whole = m_tree.nodes.front().width;
        m_made.coverage = coverage_of(whole - m_small, whole);
        return std::move(m_made);
    }

private:
    [[nodiscard]] bool is_rest(std::uint32_t node) const {
        return m_tree.nodes[node].row == tree_node::left_out;
    }

    // The one child that has all of a node's value.
    [[nodiscard]] bool goes_on(std::uint32_t node) const {
        if (m_children[node].size() != 1 || is_rest(m_children[node].front())) {
            return false;
        }
        const value_pair& value = m_tree.nodes[node].value;
        const value_pair& above = m_tree.nodes[m_children[node].front()].value;
        return value.previous == above.previous && value.current == above.current;
    }

    void put(std::uint32_t node, std::uint32_t depth) {
        call_tree::node& to = m_made.nodes.emplace_back();
        to.depth = depth;
        to.cum = m_tree.nodes[node].value;
        if (is_rest(node)) {
            to.left_out = m_tree.nodes[node].children_left_out;
            m_small += m_tree.nodes[node].width;
            return;
        }
        to.names.push_back(m_tree.nodes[node].row);
        while (goes_on(node)) {
            node = m_children[node].front();
            to.names.push_back(m_tree.nodes[node].row);
        }
        to.flat = m_flat[node];
        put_children(node, depth + 1);
    }

    // The largest is the next to be put.
    void put_children(std::uint32_t node, std::uint32_t depth) {
        std::vector<std::uint32_t>& children = m_children[node];
        if (depth >= m_deepest) {
            m_made.too_deep += children.size();
            return;
        }
        const auto is_before = [&](std::uint32_t a, std::uint32_t b) {
            if (is_rest(a) || is_rest(b)) {
                return is_rest(a) && !is_rest(b);
            }
            const tree_node& of_a = m_tree.nodes[a];
            const tree_node& of_b = m_tree.nodes[b];
            const std::uint64_t size_of_a = change_size(of_a.value);
            const std::uint64_t size_of_b = change_size(of_b.value);
            return size_of_a != size_of_b ? size_of_a < size_of_b
                                          : m_of.names.name(of_a.row) > m_of.names.name(of_b.row);
        };
        std::sort(children.begin(), children.end(), is_before);
        for (const std::uint32_t child : children) {
            m_waiting.emplace_back(child, depth);
        }
    }

    const report_stacks& m_of;
    std::uint32_t m_deepest;
    flame_tree m_tree;
    std::vector<value_pair> m_flat; // by node
    std::vector<std::vector<std::uint32_t>> m_children;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> m_waiting; // nodes and their depths
    call_tree m_made;
    double m_small = 0; // the width of what is left out as that
};

} // namespace

class call_stacks::impl {
public:
    report_stacks of{0};
};

call_stacks::call_stacks() : m_impl{std::make_unique<impl>()} {}
call_stacks::~call_stacks() = default;
call_stacks::call_stacks(call_stacks&& other) noexcept = default;
call_stacks& call_stacks::operator=(call_stacks&& other) noexcept = default;

const std::string& call_stacks::name(std::uint32_t number) const {
    return m_impl->of.names.name(number);
}

call_list call_stacks::callers(std::string_view regex, const call_limits& limits) const {
    return call_finder{m_impl->of, regex, call_end::callee}.found(limits);
}

call_list call_stacks::callees(std::string_view regex, const call_limits& limits) const {
    return call_finder{m_impl->of, regex, call_end::caller}.found(limits);
}

call_tree call_stacks::tree(const call_tree_limits& limits) const {
    return tree_writer{m_impl->of, limits}.write();
}

call_paths call_stacks::paths(std::size_t most) const { return find_paths(m_impl->of, most); }

report make_report(const viewed_profiles& of, const report_options& options, call_stacks& stacks) {
    return make_report(of, options, stacks.m_impl->of);
}

namespace {

std::string value(const value_pair& pair, report::content of) {
    return std::string{"{"}.append(value_members(pair, of)).append("}");
}

std::string frames(const std::vector<std::uint32_t>& names, const call_stacks& stacks) {
    std::vector<std::string> texts;
    texts.reserve(names.size());
    for (const std::uint32_t name : names) {
        texts.push_back(stacks.name(name));
    }
    return json_strings(texts);
}

// The array, with what was left out and how much is there.
std::string object(const std::string& first, const std::string& name,
                   const std::vector<std::string>& all, std::size_t left_out, double coverage) {
    return "{" + first + "\"coverage\": " + json_number(coverage) + ", \"" + name +
           "\": " + json_array(all, 4) + ", \"" + name +
           "_left_out\": " + std::to_string(left_out) + "}";
}

} // namespace

std::string call_list_as_json(const call_list& list, const call_stacks& stacks, report::content of,
                              const std::string& edges, const std::string& regex) {
    std::vector<std::string> functions;
    for (const call_list::function& f : list.functions) {
        std::string each;
        for (const call_list::edge& edge : f.edges) {
            each += (each.empty() ? "{" : ", {") +
                    ("\"name\": " + json_string(stacks.name(edge.name))) + ", " +
                    value_members(edge.value, of) + "}";
        }
        std::string& function = functions.emplace_back("\"name\": ");
        function.append(json_string(stacks.name(f.name)));
        function.append(", \"flat\": ").append(value(f.flat, of));
        function.append(", \"cum\": ").append(value(f.cum, of));
        function.append(", \"").append(edges).append("\": [").append(each).append("], \"");
        function.append(edges).append("_left_out\": ").append(std::to_string(f.edges_left_out));
        function.append(", \"left_out\": ").append(value(f.left_out, of));
    }
    return object("\"regex\": " + json_string(regex) + ", ", "functions", functions,
                  list.functions_left_out, list.coverage);
}

std::string call_tree_as_json(const call_tree& tree, const call_stacks& stacks,
                              report::content of) {
    std::vector<std::string> nodes;
    for (const call_tree::node& node : tree.nodes) {
        nodes.push_back("\"depth\": " + std::to_string(node.depth) + ", \"frames\": " +
                        frames(node.names, stacks) + ", \"flat\": " + value(node.flat, of) +
                        ", \"cum\": " + value(node.cum, of) +
                        ", \"left_out\": " + std::to_string(node.left_out));
    }
    return object("\"too_small\": " + std::to_string(tree.too_small) + ", ", "nodes", nodes,
                  tree.too_deep, tree.coverage);
}

std::string call_paths_as_json(const call_paths& paths, const call_stacks& stacks,
                               report::content of) {
    std::vector<std::string> all;
    for (const call_paths::path& path : paths.paths) {
        all.push_back("\"frames\": " + frames(path.names, stacks) + ", \"frames_left_out\": " +
                      std::to_string(path.left_out) + ", " + value_members(path.value, of));
    }
    return object("", "paths", all, paths.paths_left_out, paths.coverage);
}

} // namespace pprofdelta
