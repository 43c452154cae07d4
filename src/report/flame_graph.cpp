// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/flame_graph.hpp>

#include <algorithm>
#include <functional>
#include <utility>

#include "base/about_input.hpp"
#include "base/key_table.hpp"
#include "base/wrapping.hpp"
#include "profile/index.hpp"
#include "profile/stack_reader.hpp"
#include "report/flame_tree.hpp"
#include "report/location_rows.hpp"
#include "report/sample_type.hpp"
#include "report/stack_filter.hpp"

namespace pprofdelta {

namespace {

constexpr std::uint32_t none = 0xffffffff;

// A distinct stack of both profiles, and how far it has been followed.
struct stack {
    value_pair value;
    const location_rows* rows = nullptr; // of the profile that it was first seen in
    std::size_t next = 0;                // place of its next location, outermost first
    std::size_t end = 0;
    std::size_t frames_taken = 0; // of that location
    std::uint32_t node = 0;       // that it has come to
};

void add(tree_node& to, const value_pair& value) {
    to.value.previous = wrapping_add(to.value.previous, value.previous);
    to.value.current = wrapping_add(to.value.current, value.current);
    to.width += static_cast<double>(std::max<std::int64_t>(value.current, 0));
}

// Reads the stacks of both profiles, equal ones added up. Of a stack no more than its outermost
// frames count, as many as are looked at.
class stack_collector {
public:
    explicit stack_collector(std::uint32_t deepest) : m_deepest{deepest} {}

    /// `rows` must outlive the use of the stacks.
    /// @returns the sum of all samples, also of those that `filter` leaves out.
    std::int64_t read(const profile_index& index, const location_rows& rows,
                      const stack_filter& filter, std::size_t type, side_of_pair which) {
        std::int64_t total = 0;
        frame_allowance allowance{index};
        stack_reader reader{index};
        for (const record sample : index.view.samples) {
            reader.read(sample);
            const std::int64_t value = reader.values()[type];
            total = wrapping_add(total, value);
            if (value != 0 && filter.has(reader)) {
                std::int64_t& sum = find_or_add(reader.locations(), rows, allowance).value.*which;
                sum = wrapping_add(sum, value);
            }
        }
        return total;
    }

    [[nodiscard]] std::vector<stack>& stacks() noexcept { return m_stacks; }
    [[nodiscard]] std::uint32_t place(std::size_t i) const noexcept { return m_places[i]; }

private:
    stack& find_or_add(std::span<const std::uint32_t> places, const location_rows& rows,
                       frame_allowance& allowance) {
        m_path.clear();
        const std::size_t count = std::min<std::size_t>(places.size(), m_deepest + 1);
        const auto outermost = places.last(count);
        for (auto place = outermost.rbegin(); place != outermost.rend(); ++place) {
            const auto of_place = rows.of(*place);
            const std::size_t room = m_deepest - std::min<std::size_t>(m_path.size(), m_deepest);
            const auto seen = of_place.last(std::min(of_place.size(), room));
            allowance.take(of_place.size() == 1 ? 0 : seen.size());
            m_path.insert(m_path.end(), seen.rbegin(), seen.rend());
        }
        const std::uint32_t number =
            m_paths.find_or_add(hash_bytes(m_path.data(), m_path.size() * sizeof m_path[0]));
        if (number == m_stacks.size()) {
            stack s;
            s.rows = &rows;
            s.next = m_places.size();
            m_places.insert(m_places.end(), outermost.rbegin(), outermost.rend());
            s.end = m_places.size();
            m_stacks.push_back(s);
        }
        return m_stacks[number];
    }

    std::uint32_t m_deepest;
    key_table m_paths;
    std::vector<stack> m_stacks;
    std::vector<std::uint32_t> m_places; // of the locations of all stacks
    std::vector<std::uint32_t> m_path;   // rows of the stack at hand
};

// Makes the tree one level after the other: below a node that is too narrow nothing is looked at,
// so that it does not matter how many frames there are.
class tree_maker {
public:
    tree_maker(stack_collector& from, const flame_graph_limits& limits)
        : m_from{from}, m_limits{limits} {
        tree_node root;
        for (std::uint32_t i = 0; i < m_from.stacks().size(); ++i) {
            add(root, m_from.stacks()[i].value);
            m_active.push_back(i);
        }
        m_nodes.push_back(root);
        m_least = root.width * limits.narrowest;
        for (std::uint32_t depth = 1; !m_active.empty(); ++depth) {
            add_level(depth);
        }
        leave_out_narrowest();
    }

    [[nodiscard]] const std::vector<tree_node>& nodes() const noexcept { return m_nodes; }
    [[nodiscard]] std::size_t left_out() const noexcept { return m_left_out; }

private:
    // The row of the next frame of a stack, outermost first; `none` at its end.
    std::uint32_t take_frame(stack& s) const {
        if (s.next == s.end) {
            return none;
        }
        const auto rows = s.rows->of(m_from.place(s.next));
        const std::uint32_t row = rows[rows.size() - ++s.frames_taken];
        if (s.frames_taken == rows.size()) {
            s.frames_taken = 0;
            ++s.next;
        }
        return row;
    }

    void add_level(std::uint32_t depth) {
        m_keys.clear();
        m_level.clear();
        std::erase_if(m_active, [&](std::uint32_t i) {
            stack& s = m_from.stacks()[i];
            const std::uint32_t row = take_frame(s);
            if (row == none) {
                return true;
            }
            const std::uint32_t number =
                m_keys.find_or_add({std::uint64_t{s.node} << 32U | row, 0});
            if (number == m_level.size()) {
                m_level.push_back({row, s.node, depth, {}, 0});
            }
            add(m_level[number], s.value);
            s.node = number; // in the level, for now
            return false;
        });
        std::vector<std::uint32_t> kept;
        for (const tree_node& node : m_level) {
            const bool keep = node.width > 0 && node.width >= m_least && depth <= m_limits.deepest;
            m_left_out += node.width > 0 && !keep ? 1 : 0;
            kept.push_back(keep ? static_cast<std::uint32_t>(m_nodes.size()) : none);
            if (keep) {
                m_nodes.push_back(node);
            }
        }
        std::erase_if(m_active, [&](std::uint32_t i) {
            stack& s = m_from.stacks()[i];
            s.node = kept[s.node];
            return s.node == none;
        });
    }

    // No node is wider than its parent, so what stays is a tree.
    void leave_out_narrowest() {
        const std::size_t most = std::max<std::size_t>(m_limits.most_nodes, 1);
        if (m_nodes.size() <= most) {
            return;
        }
        std::vector<double> widths;
        for (const tree_node& node : m_nodes) {
            widths.push_back(node.width);
        }
        const auto limit = widths.begin() + static_cast<std::ptrdiff_t>(most);
        std::nth_element(widths.begin(), limit, widths.end(), std::greater<>{});
        std::vector<std::uint32_t> numbers;
        std::vector<tree_node> kept;
        for (tree_node& node : m_nodes) {
            const bool keep = node.depth == 0 || node.width > *limit;
            const std::uint32_t parent = node.depth == 0 ? 0 : numbers[node.parent];
            m_left_out += !keep && parent != none ? 1 : 0;
            numbers.push_back(keep ? static_cast<std::uint32_t>(kept.size()) : none);
            if (keep) {
                node.parent = parent;
                kept.push_back(node);
            }
        }
        m_nodes = std::move(kept);
    }

    stack_collector& m_from;
    flame_graph_limits m_limits;
    double m_least = 0;
    std::vector<tree_node> m_nodes; // a level after the other
    std::size_t m_left_out = 0;
    std::vector<std::uint32_t> m_active; // stacks that may go on
    std::vector<tree_node> m_level;
    key_table m_keys; // parents and rows of m_level
};

void draw(stack_collector& collector, const row_names& names, const flame_graph_limits& limits,
          flame_graph& graph) {
    const tree_maker tree{collector, limits};
    graph.left_out = tree.left_out();
    write_tree(tree.nodes(), names, graph);
}

// Its values are the current ones.
flame_graph tree_of_one(const profile_index& index, std::size_t type, report::content of,
                        const report_options& options, const flame_graph_limits& limits) {
    row_names names;
    const location_rows rows{index, options.by, names};
    stack_collector collector{limits.deepest};
    flame_graph graph;
    graph.total.current = collector.read(index, rows, {index, options}, type, &value_pair::current);
    graph.of = of;
    graph.type = index.types.sample_types[type];
    draw(collector, names, limits, graph);
    return graph;
}

} // namespace

flame_graph make_flame_graph(std::string_view previous, std::string_view current,
                             const report_options& options, const flame_graph_limits& limits) {
    const compared_profiles profiles{previous, current, options};
    row_names names;
    const auto rows_of = [&](const profile_index& index) {
        return location_rows{index, options.by, names};
    };
    const location_rows rows_now =
        about_input(error_input::current, [&] { return rows_of(profiles.now); });
    const location_rows rows_before =
        about_input(error_input::previous, [&] { return rows_of(profiles.before); });
    stack_collector collector{limits.deepest};
    flame_graph graph;
    about_input(error_input::current, [&] {
        graph.total.current = collector.read(profiles.now, rows_now, {profiles.now, options},
                                             profiles.type, &value_pair::current);
    });
    about_input(error_input::previous, [&] {
        graph.total.previous =
            collector.read(profiles.before, rows_before, {profiles.before, options}, profiles.type,
                           &value_pair::previous);
    });
    graph.type = profiles.now.types.sample_types[profiles.type];
    for (const stack& s : collector.stacks()) {
        if (s.value.current == 0) {
            graph.vanished = wrapping_add(graph.vanished, s.value.previous);
        }
    }
    draw(collector, names, limits, graph);
    return graph;
}

flame_graph make_flame_graph(std::string_view profile, const report_options& options,
                             const flame_graph_limits& limits) {
    profile_index index;
    index.build(profile, match_mode::exact);
    return tree_of_one(index, choose_type_of_one(index, options), report::content::profile, options,
                       limits);
}

flame_graph make_flame_graph(const computed_delta& delta, const report_options& options,
                             const flame_graph_limits& limits) {
    profile_index index;
    index.build(delta.delta, match_mode::exact);
    std::size_t type = choose_type(index, options);
    if (!options.sample_type && !delta.types[type].cumulative) {
        type = make_report(delta, options).type; // whether anything changed decides
    }
    const bool is_cumulative = delta.types[type].cumulative;
    if (!is_cumulative && delta.previous) {
        return make_flame_graph(*delta.previous, delta.current, options, limits);
    }
    return tree_of_one(index, type,
                       is_cumulative ? report::content::delta : report::content::profile, options,
                       limits);
}

} // namespace pprofdelta
