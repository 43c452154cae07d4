// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/flame_graph.hpp>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include <pprofdelta/error.hpp>
#include <pprofdelta/statistics.hpp>

#include "base/fitting.hpp"
#include "base/whole.hpp"
#include "flame/flame_tree.hpp"
#include "flame/stack_set.hpp"
#include "profile/index.hpp"
#include "select/profile_stacks.hpp"
#include "select/sample_type.hpp"

namespace pprofdelta {

namespace {

// The samples of one profile that are not zero.
struct kept_capture {
    std::vector<std::uint32_t> stacks;
    std::vector<std::int64_t> values; // of each of these, all types
    std::vector<double> totals;       // of each type, over all samples
};

// The captures of one side as they are drawn.
struct scaled_side {
    const std::vector<kept_capture>* captures;
    std::vector<double> factors;
};

} // namespace

class median_flame_graph::impl {
public:
    impl(report_options options, const flame_graph_limits& limits)
        : m_options{std::move(options)}, m_rules{m_options}, m_limits{limits},
          m_stacks{limits.deepest} {}

    void add(compare_side to, std::string_view profile) {
        profile_index index;
        index.build(profile, match_mode::exact);
        const std::size_t type = choose_type(index, m_options);
        const bool is_first = m_captures[0].empty() && m_captures[1].empty();
        if (!is_first) {
            require_same(m_types, index.types);
        }
        const std::uint32_t names = m_names.size();
        const stack_set::mark stacks = m_stacks.end();
        std::vector<kept_capture>& side = m_captures[static_cast<std::size_t>(to)];
        try {
            side.push_back(read(index));
        } catch (...) {
            m_names.truncate(names);
            m_stacks.truncate(stacks);
            throw;
        }
        if (is_first) {
            m_types = std::move(index.types);
            m_type = type;
        }
    }

    [[nodiscard]] std::size_t chosen_type() const { return m_type; }

    [[nodiscard]] flame_graph make(std::size_t type, const std::vector<double>& base,
                                   const std::vector<double>& head) const {
        const std::array<scaled_side, 2> sides{scaled(0, base), scaled(1, head)};
        flame_graph graph;
        graph.type = m_types.sample_types[type];
        graph.total = {median_total(sides[0], type), median_total(sides[1], type)};
        const std::vector<wide_stack> stacks = mean_widths(sides, type);
        // A frame may have a median where the other side has none; it is left out below if it has
        // no width.
        flame_graph_limits limits = m_limits;
        limits.keeps_previous = true;
        flame_tree tree = make_tree(m_stacks, stacks, limits);
        graph.left_out = tree.left_out;
        put_medians(sides, type, stacks, tree);
        put_widths(tree.nodes);
        write_tree(m_limits.keeps_previous ? tree.nodes : with_width(tree.nodes, graph), m_names,
                   graph);
        return graph;
    }

private:
    [[nodiscard]] kept_capture read(const profile_index& index) {
        const std::size_t types = index.types.sample_types.size();
        const profile_stacks from{index, m_rules, true};
        const location_rows rows{from, m_names};
        stack_set::adder stacks{m_stacks, index, rows};
        kept_capture added;
        added.totals.resize(types);
        selected_reader reader{from};
        for (std::size_t sample = 0; sample < index.view.samples.size(); ++sample) {
            reader.read(sample);
            const std::vector<std::int64_t>& values = reader.values();
            bool is_nothing = true;
            for (std::size_t i = 0; i < types; ++i) {
                added.totals[i] += static_cast<double>(values[i]);
                is_nothing = is_nothing && values[i] == 0;
            }
            if (!is_nothing && reader.is_selected()) {
                added.stacks.push_back(stacks.add(reader.stack()));
                added.values.insert(added.values.end(), values.begin(), values.end());
            }
        }
        return added;
    }

    [[nodiscard]] scaled_side scaled(std::size_t side, std::vector<double> factors) const {
        const std::vector<kept_capture>& captures = m_captures[side];
        if (captures.empty()) {
            throw error{error_kind::invalid_argument,
                        "there is nothing to draw before each side has a capture"};
        }
        if (factors.empty()) {
            factors.assign(captures.size(), 1);
        }
        if (factors.size() != captures.size()) {
            throw error{error_kind::invalid_argument,
                        "each capture of a side has a factor, or none has one"};
        }
        return {&captures, std::move(factors)};
    }

    static std::int64_t median_total(const scaled_side& side, std::size_t type) {
        std::vector<double> totals;
        std::transform(side.captures->begin(), side.captures->end(), side.factors.begin(),
                       std::back_inserter(totals), [type](const kept_capture& each, double factor) {
                           return each.totals[type] * factor;
                       });
        return to_nearest(median(totals));
    }

    // Calls visit(stack, value) for each sample of a capture that has one.
    template <typename Visit>
    static void for_each_value(const kept_capture& of, std::size_t type, Visit&& visit) {
        for (std::size_t i = 0; i < of.stacks.size(); ++i) {
            if (const std::int64_t value = of.values[i * of.totals.size() + type]; value != 0) {
                visit(of.stacks[i], value);
            }
        }
    }

    // Means add up, so that no frame is wider than its caller, as medians may be.
    [[nodiscard]] std::vector<wide_stack> mean_widths(const std::array<scaled_side, 2>& sides,
                                                      std::size_t type) const {
        std::vector<wide_stack> widths(m_stacks.size(), {no_node, 0, 0});
        for (std::size_t side = 0; side < 2; ++side) {
            double wide_stack::*const width =
                side == 0 ? &wide_stack::width_before : &wide_stack::width;
            const std::vector<kept_capture>& captures = *sides[side].captures;
            for (std::size_t i = 0; i < captures.size(); ++i) {
                const double part = sides[side].factors[i] / static_cast<double>(captures.size());
                for_each_value(captures[i], type, [&](std::uint32_t stack, std::int64_t value) {
                    widths[stack].stack = stack;
                    widths[stack].*width +=
                        static_cast<double>(std::max<std::int64_t>(value, 0)) * part;
                });
            }
        }
        std::erase_if(widths, [](const wide_stack& each) { return each.stack == no_node; });
        return widths;
    }

    void put_medians(const std::array<scaled_side, 2>& sides, std::size_t type,
                     const std::vector<wide_stack>& stacks, flame_tree& tree) const {
        std::vector<std::uint32_t> ends(m_stacks.size());
        for (std::size_t i = 0; i < stacks.size(); ++i) {
            ends[stacks[i].stack] = tree.ends[i].node;
        }
        std::vector<tree_node>& nodes = tree.nodes;
        for (std::size_t side = 0; side < 2; ++side) {
            const std::vector<kept_capture>& captures = *sides[side].captures;
            std::vector<std::vector<double>> columns(nodes.size(),
                                                     std::vector<double>(captures.size()));
            for (std::size_t i = 0; i < captures.size(); ++i) {
                for_each_value(captures[i], type, [&](std::uint32_t stack, std::int64_t value) {
                    columns[ends[stack]][i] += static_cast<double>(value);
                });
                for (std::size_t n = nodes.size() - 1; n > 0; --n) {
                    columns[nodes[n].parent][i] += columns[n][i];
                }
                for (std::vector<double>& column : columns) {
                    column[i] *= sides[side].factors[i];
                }
            }
            std::int64_t value_pair::*const value =
                side == 0 ? &value_pair::previous : &value_pair::current;
            for (std::size_t n = 0; n < nodes.size(); ++n) {
                nodes[n].value.*value = to_nearest(median(columns[n]));
            }
        }
    }

    static void put_widths(std::vector<tree_node>& kept) {
        std::vector<double> together(kept.size()); // of all children
        const auto own = [](const tree_node& node) {
            return static_cast<double>(std::max<std::int64_t>(node.value.current, 0));
        };
        for (std::size_t i = 1; i < kept.size(); ++i) {
            together[kept[i].parent] += own(kept[i]);
        }
        kept.front().width = std::max(own(kept.front()), together.front());
        for (std::size_t i = 1; i < kept.size(); ++i) {
            const double room = kept[kept[i].parent].width;
            const double asked = together[kept[i].parent];
            kept[i].width = own(kept[i]) * (asked > room ? room / asked : 1);
        }
    }

    // A node without a width is one that vanished, or is seldom there.
    static std::vector<tree_node> with_width(const std::vector<tree_node>& nodes,
                                             flame_graph& graph) {
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

    report_options m_options;
    stack_rules m_rules;
    flame_graph_limits m_limits;
    profile_types m_types; // of the first capture
    std::size_t m_type = 0;
    row_names m_names;
    stack_set m_stacks; // of all captures
    std::array<std::vector<kept_capture>, 2> m_captures;
};

median_flame_graph::median_flame_graph(const report_options& options,
                                       const flame_graph_limits& limits)
    : m_impl{std::make_unique<impl>(options, limits)} {}

median_flame_graph::~median_flame_graph() = default;

void median_flame_graph::add(compare_side to, std::string_view profile) {
    m_impl->add(to, profile);
}

flame_graph median_flame_graph::make(const std::vector<double>& base,
                                     const std::vector<double>& head) const {
    return m_impl->make(m_impl->chosen_type(), base, head);
}

flame_graph median_flame_graph::make(std::size_t type, const std::vector<double>& base,
                                     const std::vector<double>& head) const {
    return m_impl->make(type, base, head);
}

} // namespace pprofdelta
