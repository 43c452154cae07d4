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
#include "views/stack_tree.hpp"

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

// The value of a name, by its number.
struct numbered_value {
    std::uint32_t name = 0;
    value_pair value{};
};

// A function that is asked for, with all of its edges.
struct asked_function {
    std::uint32_t name = 0;
    value_pair cum{};
    std::vector<numbered_value> edges{};
};

// Whether some frame is the outermost one on both sides. A tree of changes does not have stacks
// that are as before.
bool share_root(const viewed_stacks& of) {
    std::vector<unsigned char> sides(of.names.size());
    for (std::uint32_t stack = 0; stack < of.stacks.stacks().size(); ++stack) {
        const value_pair& value = of.stacks.value_of(stack);
        unsigned char& has = sides[of.frames(stack).take()];
        has |= (value.previous != 0 ? 1U : 0U) | (value.current != 0 ? 2U : 0U);
        if (has == 3) {
            return true;
        }
    }
    return false;
}

// The part of the stacks that has any of the functions.
double coverage(const viewed_stacks& stacks, const std::vector<asked_function>& functions) {
    std::vector<bool> covers(stacks.names.size());
    for (const asked_function& each : functions) {
        covers[each.name] = true;
    }
    double covered = 0;
    double whole = 0;
    for (std::uint32_t stack = 0; stack < stacks.stacks.stacks().size(); ++stack) {
        const double weight = weight_of(stacks.stacks.value_of(stack));
        whole += weight;
        covered += weight > 0 && has_any(stacks.frames(stack), covers) ? weight : 0;
    }
    return functions.empty() ? 0 : coverage_of(covered, whole);
}

call_list find_calls(const viewed_stacks& stacks, std::string_view regex, call_end asked_for,
                     const call_limits& limits) {
    const name_pattern pattern{regex};
    std::vector<asked_function> functions; // that match
    std::vector<std::uint32_t> places(stacks.names.size(),
                                      stack_frames::none); // by name, among these
    for (std::uint32_t name = 0; name < places.size(); ++name) {
        if (pattern.is_in(stacks.names.name(name))) {
            places[name] = static_cast<std::uint32_t>(functions.size());
            functions.push_back({name, stacks.rows[name].cum});
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
    std::erase_if(functions, [&](const asked_function& each) {
        return change_size(stacks.rows[each.name].flat) == 0 && change_size(each.cum) == 0 &&
               each.edges.empty();
    });
    call_list list;
    const std::size_t most =
        put_largest_first(functions, limits.most_functions, &asked_function::cum, stacks.names);
    list.functions_left_out = functions.size() - most;
    functions.resize(most);
    for (asked_function& each : functions) {
        const std::size_t kept =
            put_largest_first(each.edges, limits.most_edges, &numbered_value::value, stacks.names);
        call_list::function& made = list.functions.emplace_back();
        made.name = stacks.names.name(each.name);
        made.flat = stacks.rows[each.name].flat;
        made.cum = each.cum;
        made.edges_left_out = each.edges.size() - kept;
        for (std::size_t i = 0; i < each.edges.size(); ++i) {
            const auto& [name, value] = each.edges[i];
            if (i < kept) {
                made.edges.push_back({stacks.names.name(name), value});
            } else {
                add_pair(made.left_out, value);
            }
        }
    }
    list.coverage = coverage(stacks, functions);
    return list;
}

value_pair difference(const value_pair& a, const value_pair& b) {
    return {fitting_subtract(a.previous, b.previous), fitting_subtract(a.current, b.current)};
}

// The values of stacks, as make_stack_tree() asks for them: each node is as wide as the changes of
// all stacks through it.
// @tparam ValueOf gives the value of a stack.
template <typename ValueOf>
struct paired_sums {
    using row = report::row;

    ValueOf value_of;

    [[nodiscard]] std::optional<double> width(std::uint32_t stack) const {
        const value_pair value = value_of(stack);
        return is_nothing(value) ? std::nullopt : std::optional{weight_of(value)};
    }
    void add_stack(row& to, std::uint32_t stack, bool is_left_out) const {
        const value_pair value = value_of(stack);
        add_pair(to.cum, value);
        if (!is_left_out) {
            add_pair(to.flat, value);
        }
    }
    static void add(row& to, const row& more) { add_pair(to.cum, more.cum); }
    static void subtract(row& from, const row& less) { from.cum = difference(from.cum, less.cum); }
    [[nodiscard]] static row scaled(row sums) { return sums; }
    [[nodiscard]] static row untested(const row& of) { return {{}, {}, of.cum}; }
    [[nodiscard]] static bool are_equal(const row& a, const row& b) { return a.cum == b.cum; }
    static void end_chain(row& chain, const row& last) { chain.flat = last.flat; }
};
template <typename ValueOf>
paired_sums(ValueOf) -> paired_sums<ValueOf>;

template <typename ValueOf>
stack_tree<report::row> make_paired_tree(const viewed_stacks& viewed, double smallest,
                                         const paired_sums<ValueOf>& sums) {
    return make_stack_tree(viewed.stacks.stacks(), viewed.names, viewed.no_stack,
                           {.share = smallest}, sums);
}

} // namespace

class call_stacks::impl : public viewed_stacks {};

call_stacks::call_stacks() : m_impl{std::make_unique<impl>()} {}
call_stacks::~call_stacks() = default;
call_stacks::call_stacks(call_stacks&& other) noexcept = default;
call_stacks& call_stacks::operator=(call_stacks&& other) noexcept = default;

call_list call_stacks::callers(std::string_view regex, const call_limits& limits) const {
    return find_calls(*m_impl, regex, call_end::callee, limits);
}

call_list call_stacks::callees(std::string_view regex, const call_limits& limits) const {
    return find_calls(*m_impl, regex, call_end::caller, limits);
}

call_tree call_stacks::tree(const call_tree_limits& limits) const {
    const viewed_stacks& of = *m_impl;
    const stack_tree<report::row> from = make_paired_tree(
        of, limits.smallest,
        paired_sums{[&](std::uint32_t stack) { return of.stacks.value_of(stack); }});
    const auto& nodes = from.nodes;
    call_tree made;
    made.too_small = from.left_out;
    // Samples without a stack come first, then the larger ones, and what is too small last.
    const auto is_before = [&](std::uint32_t a, std::uint32_t b) {
        const auto place_of = [&](std::uint32_t node) {
            const std::vector<std::uint32_t>& rows = nodes[node].rows;
            const bool is_no_stack = !rows.empty() && rows.front() == of.no_stack;
            return std::pair{rows.empty()  ? 0
                             : is_no_stack ? 2
                                           : 1,
                             change_size(nodes[node].value.cum)};
        };
        const auto [place_of_a, place_of_b] = std::pair{place_of(a), place_of(b)};
        return place_of_a != place_of_b ? place_of_a < place_of_b
                                        : nodes[a].value.name > nodes[b].value.name;
    };
    double small = 0; // the width of what is left out as that
    walk(nodes, is_before, [&](std::uint32_t number, std::uint32_t depth) {
        const auto& node = nodes[number];
        if (depth >= limits.deepest) {
            ++made.too_deep;
            return false;
        }
        small += node.rows.empty() ? node.width : 0;
        made.nodes.push_back(
            {{of.names.names(node.rows), depth, node.value.cum}, node.value.flat, node.left_out});
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
        found.paths.push_back({of.names.names(frames.rows), frames.left_out, value});
        covered += weight_of(value);
    }
    found.paths_left_out = changed.size() - count;
    found.coverage = coverage_of(covered, whole);
    return found;
}

call_causes call_stacks::causes(std::size_t most) const {
    const viewed_stacks& of = *m_impl;
    constexpr double least_part = 0.05; // of all changes
    const paired_sums sums{[&](std::uint32_t stack) {
        return difference(of.stacks.value_of(stack), of.stacks.capture_of(stack));
    }};
    const stack_tree<report::row> tree = make_paired_tree(of, call_tree_limits{}.smallest, sums);
    // The cost of taking a profile is said elsewhere.
    value_pair total = of.total;
    std::vector<row_sum> of_names = of.rows;
    for (std::uint32_t stack = 0; stack < of.stacks.stacks().size(); ++stack) {
        if (const value_pair capture = of.stacks.capture_of(stack); !is_nothing(capture)) {
            value_pair& flat = of_names[take_innermost(of.frames(stack), 1).rows.back()].flat;
            flat = difference(flat, capture);
            total = difference(total, capture);
        }
    }
    call_causes made{.causes = {}, .rest = total};
    const double whole = tree.nodes.front().width;
    if (whole == 0) {
        return made;
    }
    const std::vector<report::row> own = own_rows(tree, sums);
    // A value with one side only has come as a whole.
    const auto change_of = [&](const report::row& row) -> change_tree::change {
        const auto now = static_cast<double>(row.cum.current);
        const auto before = static_cast<double>(row.cum.previous);
        return of.are_compared ? change_tree::change{before, now, now - before}
                               : change_tree::change{now, now, now};
    };
    cause_search<report::row> search{tree, own, of.names, change_of};
    if (of.are_compared && !share_root(of)) {
        made.differing_roots = search.differing_roots([](const report::row& row) {
            return sides_of_place{row.cum.previous != 0, row.cum.current != 0};
        });
    }
    std::vector<report::row> functions; // by the samples that end in them
    const auto flat_rows = [&]() -> const std::vector<report::row>& {
        std::vector<numbered_value> values;
        for (std::uint32_t name = 0; name < of_names.size(); ++name) {
            values.push_back({name, of_names[name].flat});
        }
        put_largest_first(values, values.size(), &numbered_value::value, of.names);
        for (const auto& [name, value] : values) {
            if (change_size(value) == 0) {
                break;
            }
            functions.push_back({of.names.name(name), {}, value});
        }
        return functions;
    };
    const auto joined = [](const report::row& gone, report::row now) {
        now.cum.previous = gone.cum.previous;
        return now;
    };
    for (change_cause<report::row>& each :
         search.find(change_of({{}, {}, total}), whole * least_part, most, flat_rows, joined)) {
        if (each.depth == 0) {
            made.rest = difference(made.rest, each.value.cum);
        }
        made.causes.push_back({each.of, std::move(each.frames), std::move(each.previous_name),
                               each.depth, each.value.cum});
    }
    return made;
}

report make_report(const viewed_profiles& profiles, const report_options& options,
                   call_stacks& stacks, std::optional<std::uint32_t> deepest) {
    return make_report(profiles, options, deepest.value_or(stack_set::all), *stacks.m_impl);
}

} // namespace pprofdelta
