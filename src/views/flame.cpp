// SPDX-License-Identifier: Apache-2.0
#include "views/flame.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include <pprofdelta/characters.hpp>

#include "base/memory.hpp"
#include "base/numbers.hpp"

namespace pprofdelta {

stack_set::adder::adder(stack_set& to, const profile_index& index, const location_rows& rows)
    : m_to{to}, m_rows{rows}, m_budget{budget_of_frames(index.view.bytes().size())},
      m_known(rows.places(), unknown) {
    if (m_to.m_steps.empty()) {
        m_to.m_steps.reserve(index.view.bytes().size() / 2); // what is not used takes no memory
    }
}

std::uint32_t stack_set::adder::add(std::span<const std::uint32_t> places) {
    const auto step_of = [&](std::uint32_t place) {
        std::uint32_t& step = m_known[place];
        return step == unknown ? step = m_to.step(m_rows.of(place)) : step;
    };
    m_frames.clear();
    for (auto place = places.rbegin(); place != places.rend(); ++place) {
        if (const std::uint32_t only = m_rows.only(*place); only != location_rows::several) {
            m_frames.push_back(only);
        } else if (m_frames.size() < m_to.m_deepest) {
            const auto of_place = m_rows.of(*place);
            m_budget.charge(of_place.size());
            m_frames.insert(m_frames.end(), of_place.rbegin(), of_place.rend());
        } else {
            m_frames.push_back(step_of(*place));
        }
    }
    const hash128 key = hash_bytes(m_frames.data(), m_frames.size() * sizeof m_frames[0]);
    // The second of two profiles has most stacks in the order of the first.
    for (std::uint32_t& next : m_next) {
        if (next < m_to.size() && m_to.m_stacks.key(next) == key) {
            std::swap(m_next.front(), next);
            return m_next.front()++;
        }
    }
    const std::uint32_t stack = m_to.m_stacks.find_or_add(key, [&] {
        const std::size_t begin = m_to.m_steps.size();
        std::transform(places.rbegin(), places.rend(), std::back_inserter(m_to.m_steps), step_of);
        return range{begin, m_to.m_steps.size()};
    });
    m_next = {stack + 1, m_next.front()};
    return stack;
}

std::uint32_t stack_set::step(std::span<const std::uint32_t> rows) {
    if (rows.size() == 1) {
        return rows.front();
    }
    const hash128 key = hash_bytes(rows.data(), rows.size() * sizeof rows[0]);
    return several | m_inlined.find_or_add(key, [&] {
        const std::size_t begin = m_rows.size();
        m_rows.insert(m_rows.end(), rows.rbegin(), rows.rend());
        return range{begin, m_rows.size()};
    });
}

void stack_set::truncate(const mark& to) noexcept {
    const auto shorten = [](keyed_list<range>& ranges, std::uint32_t size,
                            std::vector<std::uint32_t>& numbers) {
        ranges.truncate(size);
        numbers.resize(size == 0 ? 0 : ranges[size - 1].end);
    };
    shorten(m_stacks, to.stacks, m_steps);
    shorten(m_inlined, to.inlined, m_rows);
}

std::uint32_t stack_set::take(position& at) const noexcept {
    const std::uint32_t step = m_steps[at.step];
    if ((step & several) == 0) {
        ++at.step;
        --at.steps_left;
        return step;
    }
    const std::span<const std::uint32_t> frames = rows(step);
    const std::uint32_t row = frames[at.frames_taken++];
    if (at.frames_taken == frames.size()) {
        at.frames_taken = 0;
        ++at.step;
        --at.steps_left;
    }
    return row;
}

innermost_frames take_innermost(const stack_frames& stack, std::size_t most) {
    std::size_t count = 0;
    for (stack_frames counted = stack; counted.take() != stack_frames::none;) {
        ++count;
    }
    innermost_frames taken{.left_out = count - std::min(count, most)};
    stack_frames frames = stack;
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t row = frames.take();
        if (i >= taken.left_out) {
            taken.rows.push_back(row);
        }
    }
    return taken;
}

namespace {

double width(std::int64_t value) { return std::fabs(static_cast<double>(value)); }

void widen(tree_node& node, const wide_stack& stack) {
    node.width += stack.width;
    node.width_before += stack.width_before;
}

class tree_maker {
public:
    tree_maker(const stack_set& stacks, std::span<const wide_stack> all,
               const flame_graph_limits& limits)
        : m_stacks{stacks}, m_all{all}, m_limits{limits}, m_nodes(1), m_ends(all.size()) {
        if (limits.folds_recursion) {
            m_folds = budget_of_frames(stacks.all_steps());
        }
        m_followers.reserve(all.size());
        for (std::size_t i = 0; i < all.size(); ++i) {
            widen(m_nodes.front(), all[i]);
            m_followers.push_back({stacks.begin_of(all[i].stack), static_cast<std::uint32_t>(i)});
        }
        m_waiting.push_back({0, 0, all.size()});
        while (!m_waiting.empty()) {
            const group next = m_waiting.back();
            m_waiting.pop_back();
            add_children(next);
        }
        leave_out_narrowest();
        put_in_levels();
        if (m_limits.sums_left_out) {
            add_rests();
        }
    }

    [[nodiscard]] flame_tree take() && {
        return {.nodes = std::move(m_nodes), .ends = std::move(m_ends), .left_out = m_left_out};
    }

private:
    // A stack, and how far it has been followed.
    struct follower {
        stack_set::position at;
        std::uint32_t place; // among all
    };
    // Those that have come to a node: a range of m_followers, which are in the order of `all`.
    struct group {
        std::uint32_t node;
        std::size_t begin;
        std::size_t end;
    };
    static constexpr std::size_t followers_ahead = 16; // whose memory is fetched
    // A candidate for a node below the one at hand, and the number of stacks that have come to it.
    struct child {
        tree_node node;
        std::size_t followers = 0;
    };
    using end = flame_tree::end;

    // The width of a node as a part of the whole.
    [[nodiscard]] double part(const tree_node& node) const {
        const tree_node& root = m_nodes.front();
        const double now = root.width > 0 ? node.width / root.width : 0;
        const double before = root.width_before > 0 ? node.width_before / root.width_before : 0;
        return m_limits.keeps_previous ? std::max(now, before) : now;
    }

    void add_children(const group& parent) {
        const std::uint32_t depth = m_nodes[parent.node].depth + 1;
        m_children.clear();
        grow_to(m_numbers, parent.end - parent.begin);
        std::size_t begin = parent.begin;
        std::size_t count = 0; // of those that go on
        for (std::size_t i = begin; i < parent.end; ++i) {
            if (const std::size_t later = i + followers_ahead; later < parent.end) {
                m_stacks.prefetch(m_followers[later].at);
                __builtin_prefetch(&m_all[m_followers[later].place]);
            }
            follower f = m_followers[i]; // to go on in registers
            const std::uint32_t row = take_next(f.at, m_nodes[parent.node]);
            if (row == stack_frames::none) {
                m_ends[f.place] = {parent.node, false};
                continue;
            }
            const std::uint32_t number = number_of_child(row);
            child& to = m_children[number];
            widen(to.node, m_all[f.place]);
            ++to.followers;
            m_numbers[count] = number;
            m_followers[begin + count++] = f;
        }
        sort_by_children(begin, count);
        for (child& each : m_children) {
            const std::size_t stop = begin + each.followers;
            each.node.parent = parent.node;
            each.node.depth = depth;
            const double size = part(each.node);
            if (size > 0 && size >= m_limits.narrowest && depth <= m_limits.deepest) {
                m_waiting.push_back({static_cast<std::uint32_t>(m_nodes.size()), begin, stop});
                m_nodes.push_back(each.node);
                m_nodes.back().first = m_followers[begin].place;
            } else {
                if (size > 0) {
                    leave_out_child_of(m_nodes[parent.node]);
                }
                for (std::size_t i = begin; i < stop; ++i) {
                    m_ends[m_followers[i].place] = {parent.node, true};
                }
            }
            begin = stop;
        }
    }

    // The row of the next frame above a node, or none.
    [[nodiscard]] std::uint32_t take_next(stack_set::position& at, const tree_node& node) {
        while (at.steps_left != 0) {
            const std::uint32_t row = m_stacks.take(at);
            if (row != node.row || node.depth == 0 || !m_folds.take(1)) {
                return row;
            }
        }
        return stack_frames::none;
    }

    // The number of a child of the node at hand. An entry of m_child_of_row may be about another
    // node.
    std::uint32_t number_of_child(std::uint32_t row) {
        if (row >= m_child_of_row.size()) {
            m_child_of_row.resize(row + std::size_t{1});
        }
        std::uint32_t& number = m_child_of_row[row];
        if (number >= m_children.size() || m_children[number].node.row != row) {
            number = static_cast<std::uint32_t>(m_children.size());
            m_children.push_back({.node{.row = row}});
        }
        return number;
    }

    // Puts so many from `begin` on, whose children m_numbers has, in the order of these.
    void sort_by_children(std::size_t begin, std::size_t count) {
        if (m_children.size() < 2) {
            return;
        }
        m_places.clear();
        std::size_t place = begin;
        for (const child& each : m_children) {
            m_places.push_back(place);
            place += each.followers;
        }
        m_unsorted.assign(m_followers.data() + begin, m_followers.data() + begin + count);
        for (std::size_t i = 0; i < count; ++i) {
            m_followers[m_places[m_numbers[i]]++] = m_unsorted[i];
        }
    }

    // One level after the other, each in the order of the stacks that came to a node first. This
    // order is fixed, as the order in which fractions are added up later changes their last digits.
    void put_in_levels() {
        std::vector<std::uint32_t> order(m_nodes.size());
        std::iota(order.begin(), order.end(), 0U);
        std::ranges::sort(order, {}, [&](std::uint32_t i) {
            return std::pair{m_nodes[i].depth, m_nodes[i].first};
        });
        std::vector<tree_node> nodes;
        std::vector<std::uint32_t> numbers(m_nodes.size());
        for (const std::uint32_t each : order) {
            numbers[each] = static_cast<std::uint32_t>(nodes.size());
            nodes.push_back(m_nodes[each]);
            nodes.back().parent = numbers[nodes.back().parent];
        }
        m_nodes = std::move(nodes);
        for (end& each : m_ends) {
            each.node = numbers[each.node];
        }
    }

    void leave_out_child_of(tree_node& parent) {
        ++m_left_out;
        ++parent.children_left_out;
    }

    // No node is wider than its parent, so what stays is a tree.
    void leave_out_narrowest() {
        const std::size_t most = std::max<std::size_t>(m_limits.most_nodes, 1);
        if (m_nodes.size() <= most) {
            return;
        }
        std::vector<double> parts(m_nodes.size());
        std::ranges::transform(m_nodes, parts.begin(),
                               [&](const tree_node& node) { return part(node); });
        std::vector<double> in_order = parts;
        const auto limit = in_order.begin() + static_cast<std::ptrdiff_t>(most);
        std::nth_element(in_order.begin(), limit, in_order.end(), std::greater<>{});
        const std::vector<tree_node> all = std::exchange(m_nodes, {m_nodes.front()});
        // The node itself or the last one below it that stays.
        std::vector<end> stays{{0, false}};
        for (std::size_t i = 1; i < all.size(); ++i) {
            const end parent = stays[all[i].parent];
            if (!parent.is_left_out && parts[i] > *limit) {
                stays.push_back({static_cast<std::uint32_t>(m_nodes.size()), false});
                m_nodes.push_back(all[i]);
                m_nodes.back().parent = parent.node;
            } else {
                if (!parent.is_left_out) {
                    leave_out_child_of(m_nodes[parent.node]);
                }
                stays.push_back({parent.node, true});
            }
        }
        for (end& each : m_ends) {
            const end now = stays[each.node];
            each = {now.node, now.is_left_out || each.is_left_out};
        }
    }

    void add_rests() {
        std::vector<tree_node> rests(m_nodes.size()); // of what was left out right above each
        for (std::size_t i = 0; i < m_ends.size(); ++i) {
            if (m_ends[i].is_left_out) {
                widen(rests[m_ends[i].node], m_all[i]);
            }
        }
        std::vector<std::uint32_t> numbers(rests.size(), no_node);
        for (std::uint32_t i = 0; i < rests.size(); ++i) {
            tree_node& rest = rests[i];
            if (rest.width > 0 || rest.width_before > 0) {
                rest.row = tree_node::left_out;
                rest.parent = i;
                rest.depth = m_nodes[i].depth + 1;
                rest.children_left_out = m_nodes[i].children_left_out;
                numbers[i] = static_cast<std::uint32_t>(m_nodes.size());
                m_nodes.push_back(rest);
            }
        }
        for (end& each : m_ends) {
            if (each.is_left_out && numbers[each.node] != no_node) {
                each.node = numbers[each.node];
            }
        }
    }

    const stack_set& m_stacks;
    std::span<const wide_stack> m_all;
    flame_graph_limits m_limits;
    std::vector<tree_node> m_nodes; // each after its parent
    std::vector<end> m_ends;        // of all stacks
    std::size_t m_left_out = 0;
    budget m_folds; // of frames, as a byte of a stack can stand for a thousand of one function
    std::vector<follower> m_followers;
    std::vector<group> m_waiting;
    // These belong to the node at hand, or are kept for their memory.
    std::vector<child> m_children;
    std::vector<std::uint32_t> m_numbers; // of the children that followers go on to
    std::vector<std::uint32_t> m_child_of_row;
    std::vector<follower> m_unsorted;
    std::vector<std::size_t> m_places; // of the next follower of each child
};

} // namespace

flame_tree make_tree(const stack_set& stacks, std::span<const wide_stack> all,
                     const flame_graph_limits& limits) {
    return tree_maker{stacks, all, limits}.take();
}

void add_up_values(std::vector<tree_node>& nodes) {
    for (std::size_t i = nodes.size() - 1; i > 0; --i) {
        add_pair(nodes[nodes[i].parent].value, nodes[i].value);
    }
}

void write_tree(const std::vector<tree_node>& nodes, const row_names& names, flame_graph& out) {
    std::vector<std::uint32_t> numbers(names.size(), no_node);
    out.names.emplace_back();
    out.nodes.push_back({0, 0, nodes.front().value, nodes.front().width});
    const auto is_before = [&](std::uint32_t a, std::uint32_t b) {
        if (nodes[a].row == tree_node::left_out || nodes[b].row == tree_node::left_out) {
            return nodes[b].row != tree_node::left_out;
        }
        return names.name(nodes[a].row) > names.name(nodes[b].row);
    };
    walk(nodes, is_before, [&](std::uint32_t i, std::uint32_t /*depth*/) {
        const tree_node& node = nodes[i];
        std::uint32_t name = 0;
        if (node.row != tree_node::left_out) {
            std::uint32_t& number = numbers[node.row];
            if (number == no_node) {
                number = static_cast<std::uint32_t>(out.names.size());
                out.names.push_back(cut_name(names.name(node.row)));
            }
            name = number;
        }
        out.nodes.push_back({name, node.depth, node.value, node.width});
        return true;
    });
}

std::vector<std::int64_t> paired_stacks::read(const profile_stacks& from, const location_rows& rows,
                                              std::span<const std::size_t> types,
                                              side_of_pair which) {
    stack_set::adder adder{m_stacks, from.index(), rows};
    m_has_previous = m_has_previous || which == &value_pair::previous;
    m_values.reserve(from.index().view.samples.size() * m_types); // no more than it has values
    return visit_samples(from, types, [&](const auto& values, auto places) {
        const std::size_t stack = adder.add(places);
        const std::size_t begin = stack * m_types;
        m_values.resize(std::max(m_values.size(), begin + m_types));
        if (from.takes_profile(places)) {
            m_capture.resize(std::max(m_capture.size(), stack + 1));
            std::int64_t& sum = m_capture[stack].*which;
            sum = fitting_add(sum, values[0]);
        }
        for (std::size_t i = 0; i < m_types; ++i) {
            std::int64_t& sum = m_values[begin + i].*which;
            sum = fitting_add(sum, values[i]);
        }
    });
}

std::vector<row_sum> paired_stacks::sum_rows(std::uint32_t count, std::uint32_t no_stack,
                                             budget inlined) const {
    std::vector<row_sum> sums(count * m_types);
    // The stack that each row, and then each inlined step, counted for last, from 1.
    std::vector<std::uint32_t> last(count + m_stacks.end().inlined);
    for (std::uint32_t stack = 0; stack < m_stacks.size(); ++stack) {
        const value_pair* const values = &m_values[stack * m_types];
        // Most stacks of a heap have nothing in use, and in use is the last value.
        std::size_t types = m_types;
        while (types > 0 && is_nothing(values[types - 1])) {
            --types;
        }
        const auto add = [&](std::uint32_t row, value_pair row_sum::*to) {
            row_sum* const of_row = &sums[row * m_types];
            const auto add_side = [&](side_of_pair side) {
                for (std::size_t type = 0; type < types; ++type) {
                    std::int64_t& sum = (of_row[type].*to).*side;
                    sum = fitting_add(sum, values[type].*side);
                }
            };
            add_side(&value_pair::current);
            if (m_has_previous) {
                add_side(&value_pair::previous);
            }
        };
        const auto is_first = [&](std::uint32_t place) {
            return std::exchange(last[place], stack + 1) != stack + 1;
        };
        const std::span<const std::uint32_t> steps = m_stacks.steps(stack);
        for (const std::uint32_t& step : steps) {
            const std::span<const std::uint32_t> rows = m_stacks.rows(step);
            if ((step & stack_set::several) != 0) {
                if (!is_first(count + (step & ~stack_set::several))) {
                    continue;
                }
                inlined.charge(rows.size());
            }
            for (const std::uint32_t row : rows) {
                if (is_first(row)) {
                    add(row, &row_sum::cum);
                }
            }
        }
        if (steps.empty()) {
            add(no_stack, &row_sum::cum);
        }
        add(steps.empty() ? no_stack : m_stacks.rows(steps.back()).back(), &row_sum::flat);
    }
    return sums;
}

void paired_stacks::draw(std::size_t type, const row_names& names, const flame_graph_limits& limits,
                         flame_graph& out) const {
    std::vector<wide_stack> stacks;
    for (std::uint32_t i = 0; i < m_stacks.size(); ++i) {
        const value_pair& value = value_of(i, type);
        if (!is_nothing(value)) {
            stacks.push_back({i, width(value.current), width(value.previous)});
        }
        if (value.current == 0) {
            out.vanished = fitting_add(out.vanished, value.previous);
        }
    }
    flame_tree tree = make_tree(m_stacks, stacks, limits);
    out.left_out = tree.left_out;
    for (std::size_t i = 0; i < stacks.size(); ++i) {
        add_pair(tree.nodes[tree.ends[i].node].value, value_of(stacks[i].stack, type));
    }
    add_up_values(tree.nodes);
    write_tree(tree.nodes, names, out);
}

viewed_stacks read_stacks(viewed_profiles::impl& views, std::size_t type,
                          const report_options& options, std::uint32_t deepest) {
    viewed_stacks read{.stacks{1, deepest}};
    const stack_rules rules{options};
    views.for_each_side(type, [&](const profile_index& index, side_of_pair which) {
        const profile_stacks from{index, rules, true};
        const location_rows rows{from, read.names};
        read.no_stack = rows.stackless_row();
        read.total.*which = read.stacks.read(from, rows, {&type, 1}, which).front();
        read.names.add_folded(from);
    });
    return read;
}

flame_graph make_flame_graph(const viewed_profiles& profiles, const report_options& options,
                             const flame_graph_limits& limits) {
    viewed_profiles::impl& views = viewed_profiles::impl::of(profiles);
    const std::size_t type = choose_type(views, options);
    flame_graph graph;
    graph.of = views.content_of(type);
    graph.type = views.main().whole().types.sample_types[type];
    const viewed_stacks of_type = read_stacks(views, type, options, limits.deepest);
    graph.total = of_type.total;
    of_type.stacks.draw(0, of_type.names, limits, graph);
    return graph;
}

void put_widths(std::vector<tree_node>& nodes) {
    std::vector<double> together(nodes.size()); // of all children
    const auto own = [](const tree_node& node) { return width(node.value.current); };
    for (std::size_t i = 1; i < nodes.size(); ++i) {
        together[nodes[i].parent] += own(nodes[i]);
    }
    nodes.front().width = std::max(own(nodes.front()), together.front());
    for (std::size_t i = 1; i < nodes.size(); ++i) {
        const double room = nodes[nodes[i].parent].width;
        const double asked = together[nodes[i].parent];
        nodes[i].width = own(nodes[i]) * (asked > room ? room / asked : 1);
    }
}

std::vector<tree_node> with_width(const std::vector<tree_node>& nodes, flame_graph& graph) {
    std::vector<tree_node> wide;
    std::vector<std::uint32_t> numbers(nodes.size(), no_node);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const std::uint32_t parent = i == 0 ? 0 : numbers[nodes[i].parent];
        if (i == 0 || (parent != no_node && nodes[i].width > 0)) {
            numbers[i] = static_cast<std::uint32_t>(wide.size());
            wide.push_back(nodes[i]);
            wide.back().parent = parent;
        } else if (parent != no_node) {
            graph.vanished = fitting_add(graph.vanished, nodes[i].value.previous);
        }
    }
    return wide;
}

} // namespace pprofdelta
