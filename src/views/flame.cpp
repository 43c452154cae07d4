// SPDX-License-Identifier: Apache-2.0
#include "views/flame.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include <pprofdelta/characters.hpp>
#include <pprofdelta/flame_graph.hpp>

#include "base/key_table.hpp"
#include "base/numbers.hpp"
#include "profile/index.hpp"
#include "select/rows.hpp"
#include "select/stacks.hpp"

namespace pprofdelta {

stack_set::adder::adder(stack_set& to, const profile_index& index, const location_rows& rows)
    : m_to{to}, m_rows{rows}, m_allowance{frame_allowance(index.view.bytes().size())},
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
    if (m_to.m_is_cut) {
        places = places.last(std::min<std::size_t>(places.size(), m_to.m_deepest + std::size_t{1}));
    }
    m_frames.clear();
    for (auto place = places.rbegin(); place != places.rend(); ++place) {
        if (const std::uint32_t only = m_rows.only(*place); only != location_rows::several) {
            m_frames.push_back(only);
        } else if (m_frames.size() < m_to.m_deepest) {
            const auto of_place = m_rows.of(*place);
            m_allowance.take(of_place.size());
            m_frames.insert(m_frames.end(), of_place.rbegin(), of_place.rend());
        } else {
            m_frames.push_back(step_of(*place));
        }
    }
    if (m_to.m_is_cut) {
        m_frames.resize(std::min<std::size_t>(m_frames.size(), m_to.m_deepest));
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
    const range frames = (step & several) == 0 ? range{} : m_inlined[step & ~several];
    const std::uint32_t row =
        (step & several) == 0 ? step : m_rows[frames.begin + at.frames_taken++];
    if (frames.begin + at.frames_taken == frames.end) {
        at.frames_taken = 0;
        ++at.step;
        --at.steps_left;
    }
    return row;
}

innermost_frames take_innermost(const stack_frames& of, std::size_t most) {
    std::size_t count = 0;
    for (stack_frames counted = of; counted.take() != stack_frames::none;) {
        ++count;
    }
    innermost_frames taken{.left_out = count - std::min(count, most)};
    stack_frames frames = of;
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t row = frames.take();
        if (i >= taken.left_out) {
            taken.rows.push_back(row);
        }
    }
    return taken;
}

namespace {

// How wide a stack makes frames, and how wide it made them before.
struct frame_width {
    double now = 0;
    double before = 0;

    void operator+=(const frame_width& by) {
        now += by.now;
        before += by.before;
    }
};

double width(std::int64_t value) { return std::fabs(static_cast<double>(value)); }

frame_width width_of(const value_pair& value) {
    return {width(value.current), width(value.previous)};
}
frame_width width_of(const wide_stack& stack) { return {stack.width, stack.width_before}; }

// Follows stacks for the trees of some types together: to look at their frames takes most time.
template <typename Value>
class tree_maker {
public:
    // @param all    the numbers of stacks.
    // @param values of each of these all types, with widths.
    tree_maker(const stack_set& stacks, std::span<const std::uint32_t> all,
               std::span<const Value> values, std::size_t types, const flame_graph_limits& limits)
        : m_stacks{stacks}, m_values{values}, m_types{types}, m_limits{limits}, m_nodes(1),
          m_node_widths(types), m_left_out(types), m_ends(all.size()) {
        m_followers.reserve(all.size());
        for (std::uint32_t i = 0; i < all.size(); ++i) {
            widen(&m_node_widths[0], i);
            m_followers.push_back({stacks.begin_of(all[i]), i});
        }
        m_waiting.push_back({0, 0, all.size()});
        while (!m_waiting.empty()) {
            const group next = m_waiting.back();
            m_waiting.pop_back();
            add_children(next);
        }
    }

    [[nodiscard]] flame_tree make(std::size_t type) const {
        flame_tree tree{.nodes = m_nodes, .ends = m_ends};
        std::vector<std::uint32_t> first_places = m_first_places;
        for (std::size_t i = 0; i < m_nodes.size(); ++i) {
            const std::size_t place = i * m_types + type;
            tree.nodes[i].width = m_node_widths[place].now;
            tree.nodes[i].width_before = m_node_widths[place].before;
            tree.nodes[i].children_left_out = m_left_out[place];
        }
        leave_out(tree, first_places, [&](double part) { return is_wide(part); });
        tree.left_out = 0;
        for (const tree_node& node : tree.nodes) {
            tree.left_out += node.children_left_out;
        }
        const std::size_t most = std::max<std::size_t>(m_limits.most_nodes, 1);
        if (tree.nodes.size() > most) {
            std::vector<double> parts = parts_of(tree.nodes);
            const auto limit = parts.begin() + static_cast<std::ptrdiff_t>(most);
            std::nth_element(parts.begin(), limit, parts.end(), std::greater<>{});
            leave_out(tree, first_places, [&](double part) { return part > *limit; });
        }
        put_in_levels(tree, first_places);
        if (m_limits.sums_left_out) {
            add_rests(tree, type);
        }
        return tree;
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
    // What may become a node below the one at hand, and how many have come to it.
    struct child {
        std::uint32_t row = 0;
        std::size_t followers = 0;
    };
    using end = flame_tree::end;

    void widen(frame_width* widths, std::size_t place) const {
        for (std::size_t type = 0; type < m_types; ++type) {
            widths[type] += width_of(m_values[place * m_types + type]);
        }
    }

    // As a part of the whole width.
    [[nodiscard]] double part(const frame_width& width, const frame_width& whole) const {
        const double now = whole.now > 0 ? width.now / whole.now : 0;
        const double before = whole.before > 0 ? width.before / whole.before : 0;
        return m_limits.keeps_previous ? std::max(now, before) : now;
    }

    [[nodiscard]] std::vector<double> parts_of(const std::vector<tree_node>& nodes) const {
        const auto widths = [](const tree_node& node) {
            return frame_width{node.width, node.width_before};
        };
        std::vector<double> parts(nodes.size());
        std::transform(nodes.begin(), nodes.end(), parts.begin(), [&](const tree_node& node) {
            return part(widths(node), widths(nodes.front()));
        });
        return parts;
    }

    [[nodiscard]] bool is_wide(double part) const { return part > 0 && part >= m_limits.narrowest; }

    void add_children(const group& of) {
        const std::uint32_t depth = m_nodes[of.node].depth + 1;
        m_children.clear();
        m_child_widths.clear();
        m_numbers.clear();
        std::size_t begin = of.begin;
        std::size_t stop = begin; // of those that go on
        for (std::size_t i = begin; i < of.end; ++i) {
            if (const std::size_t later = i + followers_ahead; later < of.end) {
                m_stacks.prefetch(m_followers[later].at);
                __builtin_prefetch(&m_values[m_followers[later].place * m_types]);
            }
            follower& f = m_followers[i];
            if (f.at.steps_left == 0) {
                m_ends[f.place] = {of.node, false};
                continue;
            }
            m_numbers.push_back(number_of_child(m_stacks.take(f.at)));
            widen(&m_child_widths[m_numbers.back() * m_types], f.place);
            ++m_children[m_numbers.back()].followers;
            m_followers[stop++] = f;
        }
        sort_by_children(begin);
        const frame_width* widths = m_child_widths.data();
        for (const child& each : m_children) {
            stop = begin + each.followers;
            bool is_any_wide = false;
            for (std::size_t type = 0; type < m_types; ++type) {
                m_child_parts[type] = part(widths[type], m_node_widths[type]);
                is_any_wide = is_any_wide || is_wide(m_child_parts[type]);
            }
            if (is_any_wide && depth <= m_limits.deepest) {
                m_waiting.push_back({static_cast<std::uint32_t>(m_nodes.size()), begin, stop});
                m_nodes.push_back({.row = each.row, .parent = of.node, .depth = depth});
                m_node_widths.insert(m_node_widths.end(), widths, widths + m_types);
                m_left_out.resize(m_left_out.size() + m_types);
                m_first_places.push_back(m_followers[begin].place);
            } else {
                for (std::size_t type = 0; type < m_types; ++type) {
                    m_left_out[of.node * m_types + type] += m_child_parts[type] > 0 ? 1 : 0;
                }
                for (std::size_t i = begin; i < stop; ++i) {
                    m_ends[m_followers[i].place] = {of.node, true};
                }
            }
            begin = stop;
            widths += m_types;
        }
    }

    // Of the node at hand. What m_child_of_row has may be about another node.
    std::uint32_t number_of_child(std::uint32_t row) {
        m_child_of_row.resize(std::max<std::size_t>(m_child_of_row.size(), row + std::size_t{1}));
        std::uint32_t& number = m_child_of_row[row];
        if (number >= m_children.size() || m_children[number].row != row) {
            number = static_cast<std::uint32_t>(m_children.size());
            m_children.push_back({.row = row});
            m_child_widths.resize(m_child_widths.size() + m_types);
        }
        return number;
    }

    // Puts those from `begin` on, whose children m_numbers has, in the order of these.
    void sort_by_children(std::size_t begin) {
        if (m_children.size() < 2) {
            return;
        }
        std::vector<std::size_t> places; // of the next one of each child
        for (const child& each : m_children) {
            places.push_back(begin);
            begin += each.followers;
        }
        begin -= m_numbers.size();
        m_unsorted.assign(m_followers.data() + begin,
                          m_followers.data() + begin + m_numbers.size());
        for (std::size_t i = 0; i < m_numbers.size(); ++i) {
            m_followers[places[m_numbers[i]]++] = m_unsorted[i];
        }
    }

    // One level after the other, each in the order of the stacks that came to a node first. In
    // which order fractions are added up later makes them differ in their last digits.
    static void put_in_levels(flame_tree& tree, const std::vector<std::uint32_t>& first_places) {
        std::vector<std::uint32_t> order(tree.nodes.size());
        std::iota(order.begin(), order.end(), 0U);
        std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            return std::pair{tree.nodes[a].depth, first_places[a]} <
                   std::pair{tree.nodes[b].depth, first_places[b]};
        });
        std::vector<tree_node> nodes;
        std::vector<std::uint32_t> numbers(tree.nodes.size());
        for (const std::uint32_t each : order) {
            numbers[each] = static_cast<std::uint32_t>(nodes.size());
            nodes.push_back(tree.nodes[each]);
            nodes.back().parent = numbers[nodes.back().parent];
        }
        tree.nodes = std::move(nodes);
        for (end& each : tree.ends) {
            each.node = numbers[each.node];
        }
    }

    // Leaves out nodes whose part of the width does not stay, and counts them unless they have
    // none. No node is wider than its parent, so what stays is a tree.
    template <typename Stays>
    void leave_out(flame_tree& tree, std::vector<std::uint32_t>& first_places,
                   const Stays& stays) const {
        const std::vector<double> parts = parts_of(tree.nodes);
        const std::vector<tree_node> all = std::exchange(tree.nodes, {tree.nodes.front()});
        const std::vector<std::uint32_t> places = std::exchange(first_places, {0});
        tree.nodes.reserve(all.size());
        // The node itself or the last one below it that stays.
        std::vector<end> last{{0, false}};
        for (std::size_t i = 1; i < all.size(); ++i) {
            const end parent = last[all[i].parent];
            if (!parent.is_left_out && stays(parts[i])) {
                last.push_back({static_cast<std::uint32_t>(tree.nodes.size()), false});
                tree.nodes.push_back(all[i]);
                tree.nodes.back().parent = parent.node;
                first_places.push_back(places[i]);
                continue;
            }
            if (!parent.is_left_out && parts[i] > 0) {
                ++tree.left_out;
                ++tree.nodes[parent.node].children_left_out;
            }
            last.push_back({parent.node, true});
        }
        for (end& each : tree.ends) {
            const end now = last[each.node];
            each = {now.node, now.is_left_out || each.is_left_out};
        }
    }

    void add_rests(flame_tree& tree, std::size_t type) const {
        std::vector<frame_width> rests(tree.nodes.size()); // of what was left out right above each
        for (std::size_t i = 0; i < tree.ends.size(); ++i) {
            if (tree.ends[i].is_left_out) {
                rests[tree.ends[i].node] += width_of(m_values[i * m_types + type]);
            }
        }
        std::vector<std::uint32_t> numbers(rests.size(), no_node);
        for (std::uint32_t i = 0; i < rests.size(); ++i) {
            if (rests[i].now > 0 || rests[i].before > 0) {
                numbers[i] = static_cast<std::uint32_t>(tree.nodes.size());
                tree.nodes.push_back({.row = tree_node::left_out,
                                      .parent = i,
                                      .depth = tree.nodes[i].depth + 1,
                                      .width = rests[i].now,
                                      .width_before = rests[i].before,
                                      .children_left_out = tree.nodes[i].children_left_out});
            }
        }
        for (end& each : tree.ends) {
            if (each.is_left_out && numbers[each.node] != no_node) {
                each.node = numbers[each.node];
            }
        }
    }

    const stack_set& m_stacks;
    std::span<const Value> m_values;
    std::size_t m_types;
    flame_graph_limits m_limits;
    std::vector<tree_node> m_nodes;         // wide enough for any type; each after its parent
    std::vector<frame_width> m_node_widths; // of each node all types
    std::vector<std::uint32_t> m_left_out;  // children of each node, by type
    std::vector<end> m_ends;                // of all stacks
    std::vector<follower> m_followers;
    std::vector<group> m_waiting;
    std::vector<std::uint32_t> m_first_places{0}; // of the followers of each node
    // Of the node at hand, or for their memory.
    std::vector<child> m_children;
    std::vector<frame_width> m_child_widths; // of each child all types
    std::vector<double> m_child_parts = std::vector<double>(m_types);
    std::vector<std::uint32_t> m_numbers; // of the children that followers go on to
    std::vector<std::uint32_t> m_child_of_row;
    std::vector<follower> m_unsorted;
};

} // namespace

flame_tree make_tree(const stack_set& stacks, std::span<const wide_stack> all,
                     const flame_graph_limits& limits) {
    std::vector<std::uint32_t> numbers(all.size());
    std::transform(all.begin(), all.end(), numbers.begin(),
                   [](const wide_stack& each) { return each.stack; });
    return tree_maker{stacks, numbers, all, 1, limits}.make(0);
}

void add_up_values(std::vector<tree_node>& nodes) {
    for (std::size_t i = nodes.size() - 1; i > 0; --i) {
        add_pair(nodes[nodes[i].parent].value, nodes[i].value);
    }
}

void write_tree(const std::vector<tree_node>& nodes, const row_names& names, flame_graph& out) {
    std::vector<std::vector<std::uint32_t>> children = children_of(nodes);
    std::vector<std::uint32_t> numbers(names.size(), no_node);
    out.names.emplace_back();
    std::vector<std::uint32_t> waiting{0};
    while (!waiting.empty()) {
        const std::uint32_t i = waiting.back();
        waiting.pop_back();
        const tree_node& node = nodes[i];
        std::uint32_t name = 0;
        if (i != 0 && node.row != tree_node::left_out) {
            std::uint32_t& number = numbers[node.row];
            if (number == no_node) {
                number = static_cast<std::uint32_t>(out.names.size());
                out.names.push_back(cut_name(names.name(node.row)));
            }
            name = number;
        }
        out.nodes.push_back({name, node.depth, node.value, node.width});
        std::sort(children[i].begin(), children[i].end(), [&](std::uint32_t a, std::uint32_t b) {
            if (nodes[a].row == tree_node::left_out || nodes[b].row == tree_node::left_out) {
                return nodes[b].row != tree_node::left_out;
            }
            return names.name(nodes[a].row) > names.name(nodes[b].row);
        });
        waiting.insert(waiting.end(), children[i].begin(), children[i].end());
    }
}

void paired_stacks::add(std::uint32_t stack, std::span<const std::int64_t> values,
                        side_of_pair which) {
    const std::size_t place = stack * m_types;
    m_values.resize(std::max(m_values.size(), place + m_types));
    for (std::size_t i = 0; i < m_types; ++i) {
        std::int64_t& sum = m_values[place + i].*which;
        sum = fitting_add(sum, values[i]);
    }
}

std::vector<std::int64_t> paired_stacks::read(const profile_stacks& from, const location_rows& rows,
                                              std::span<const std::size_t> types,
                                              side_of_pair which) {
    stack_set::adder adder{m_stacks, from.index(), rows};
    m_values.reserve(from.index().view.samples.size() * m_types); // no more than it has values
    return visit_samples(from, types, [&](const auto& values, auto places) {
        add(adder.add(places), values, which);
    });
}

std::vector<row_sum> paired_stacks::sum_rows(std::uint32_t count, std::uint32_t no_stack,
                                             allowance inlined) const {
    std::vector<row_sum> sums(count * m_types);
    // The stack that each counted for last, from 1.
    std::vector<std::uint32_t> last_of_row(count);
    std::vector<std::uint32_t> last_of_inlined(m_stacks.end().inlined);
    for (std::uint32_t stack = 0; stack < m_stacks.size(); ++stack) {
        const value_pair* const values = &m_values[stack * m_types];
        // Of most stacks of a heap nothing is in use, which stands last.
        std::size_t types = m_types;
        while (types > 0 && is_nothing(values[types - 1])) {
            --types;
        }
        const auto add = [&](std::uint32_t row, value_pair row_sum::*to) {
            for (std::size_t type = 0; type < types; ++type) {
                add_pair(sums[row * m_types + type].*to, values[type]);
            }
        };
        const std::span<const std::uint32_t> steps = m_stacks.steps(stack);
        for (const std::uint32_t& step : steps) {
            const std::span<const std::uint32_t> rows = m_stacks.rows(step);
            if (const auto number = stack_set::inlined(step)) {
                if (std::exchange(last_of_inlined[*number], stack + 1) == stack + 1) {
                    continue;
                }
                inlined.take(rows.size());
            }
            for (const std::uint32_t row : rows) {
                if (std::exchange(last_of_row[row], stack + 1) != stack + 1) {
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

void paired_stacks::draw(const row_names& names, const flame_graph_limits& limits,
                         std::span<flame_graph* const> graphs) const {
    std::vector<std::uint32_t> all(m_stacks.size());
    std::iota(all.begin(), all.end(), 0U);
    const tree_maker trees{m_stacks, all, std::span{m_values}, m_types, limits};
    for (std::size_t type = 0; type < m_types; ++type) {
        flame_graph& graph = *graphs[type];
        flame_tree tree = trees.make(type);
        graph.left_out = tree.left_out;
        for (const std::uint32_t stack : all) {
            const value_pair& value = value_of(stack, type);
            add_pair(tree.nodes[tree.ends[stack].node].value, value);
            if (value.current == 0) {
                graph.vanished = fitting_add(graph.vanished, value.previous);
            }
        }
        add_up_values(tree.nodes);
        write_tree(tree.nodes, names, graph);
    }
}

viewed_stacks read_stacks(viewed_profiles::impl& of, std::size_t type,
                          const report_options& options, stack_set none) {
    viewed_stacks read{.stacks = paired_stacks{1, std::move(none)}};
    const stack_rules rules{options};
    of.for_each_side(type, [&](const profile_index& index, side_of_pair which) {
        const profile_stacks from{index, rules, true};
        const location_rows rows{from, read.names};
        read.no_stack = rows.of_no_stack();
        read.total.*which = read.stacks.read(from, rows, {&type, 1}, which).front();
    });
    return read;
}

flame_graph make_flame_graph(const viewed_profiles& of, const report_options& options,
                             const flame_graph_limits& limits) {
    viewed_profiles::impl& profiles = of.content();
    const std::size_t type = choose_type(profiles, options);
    flame_graph graph;
    graph.of = profiles.content_of(type);
    graph.type = profiles.main().whole().types.sample_types[type];
    const viewed_stacks of_type =
        read_stacks(profiles, type, options, stack_set{limits.deepest, true});
    graph.total = of_type.total;
    of_type.stacks.draw(of_type.names, limits, std::array{&graph});
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
