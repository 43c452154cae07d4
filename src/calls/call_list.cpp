// SPDX-License-Identifier: Apache-2.0
#include "calls/call_stacks.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/hash128.hpp"
#include "base/keyed_list.hpp"
#include "select/name_pattern.hpp"
#include "select/row_order.hpp"
#include "select/value_pairs.hpp"

namespace pprofdelta {

namespace {

constexpr std::uint32_t none = stack_frames::none;

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

} // namespace

call_list find_calls(const report_stacks& of, std::string_view regex, call_end asked_for,
                     const call_limits& limits) {
    return call_finder{of, regex, asked_for}.found(limits);
}

} // namespace pprofdelta
