// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/flame_graph.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <utility>

#include <pprofdelta/error.hpp>
#include <pprofdelta/statistics.hpp>

#include "base/fitting.hpp"
#include "base/key_table.hpp"
#include "base/whole.hpp"
#include "profile/index.hpp"
#include "profile/stack_reader.hpp"
#include "report/flame_tree.hpp"
#include "report/sample_type.hpp"
#include "report/stack_filter.hpp"

namespace pprofdelta {

namespace {

constexpr std::uint32_t none = 0xffffffff;

// Each takes some 40 bytes; a profile of 100 MB has a tenth of it.
constexpr std::size_t most_nodes_in_all = 8'000'000;

struct capture {
    std::vector<std::uint32_t> nodes; // of the innermost frame of each stack
    std::vector<std::int64_t> values; // of each stack, all types
    std::vector<double> totals;       // of each type, over all stacks
};

std::int64_t rounded(double value) { return to_whole(std::round(value)); }

} // namespace

class median_flame_graph::impl {
public:
    impl(report_options options, const flame_graph_limits& limits)
        : m_options{std::move(options)}, m_limits{limits}, m_nodes(1) {}

    void add(compare_side to, std::string_view profile) {
        profile_index index;
        index.build(profile, match_mode::exact);
        const std::size_t type = choose_type(index, m_options);
        const std::size_t types = index.types.sample_types.size();
        if (count() > 0) {
            require_same(m_types, index.types);
        }
        const location_rows rows{index, m_options.by, m_names};
        const stack_filter filter{index, m_options};
        frame_allowance allowance{index};
        capture added;
        added.totals.resize(types);
        stack_reader reader{index};
        for (const record sample : index.view.samples) {
            reader.read(sample);
            const std::vector<std::int64_t>& values = reader.values();
            bool is_nothing = true;
            for (std::size_t i = 0; i < types; ++i) {
                added.totals[i] += static_cast<double>(values[i]);
                is_nothing = is_nothing && values[i] == 0;
            }
            if (!is_nothing && filter.has(reader)) {
                added.nodes.push_back(find_or_add(reader.locations(), rows, allowance));
                added.values.insert(added.values.end(), values.begin(), values.end());
            }
        }
        side(to).push_back(std::move(added));
        if (count() == 1) {
            m_types = std::move(index.types);
            m_type = type;
        }
    }

    [[nodiscard]] std::size_t chosen_type() const { return m_type; }

    [[nodiscard]] flame_graph make(std::size_t type, const std::vector<double>& base,
                                   const std::vector<double>& head) const {
        if (m_captures[0].empty() || m_captures[1].empty()) {
            throw error{error_kind::invalid_argument,
                        "there is nothing to draw before each side has a capture"};
        }
        const std::array<std::vector<double>, 2> factors{base, head};
        flame_graph graph;
        graph.type = m_types.sample_types[type];
        std::array<double, 2> totals{};
        for (std::size_t side = 0; side < 2; ++side) {
            std::vector<double> scaled;
            std::transform(m_captures[side].begin(), m_captures[side].end(),
                           std::back_inserter(scaled),
                           [&](const capture& each) { return each.totals[type]; });
            for (std::size_t i = 0; i < factors[side].size(); ++i) {
                scaled[i] *= factors[side][i];
            }
            totals[side] = median(scaled);
        }
        graph.total = {rounded(totals[0]), rounded(totals[1])};
        std::vector<tree_node> kept;
        const std::vector<std::uint32_t> numbers = keep_widest(type, kept, graph.left_out);
        put_medians(type, factors, numbers, kept);
        put_widths(kept);
        write_tree(m_limits.keeps_previous ? kept : with_width(kept, graph), m_names, graph);
        return graph;
    }

private:
    struct node {
        std::uint32_t row = 0;
        std::uint32_t parent = 0;
        std::uint32_t depth = 0;
    };

    [[nodiscard]] std::vector<capture>& side(compare_side of) {
        return m_captures[static_cast<std::size_t>(of)];
    }
    [[nodiscard]] std::size_t count() const { return m_captures[0].size() + m_captures[1].size(); }

    // The node of a stack's innermost frame, or of the last one that is looked at.
    std::uint32_t find_or_add(std::span<const std::uint32_t> places, const location_rows& rows,
                              frame_allowance& allowance) {
        std::uint32_t at = 0;
        for (auto place = places.rbegin(); place != places.rend(); ++place) {
            const auto of_place = rows.of(*place);
            allowance.take(of_place.size() == 1 ? 0 : of_place.size());
            for (auto row = of_place.rbegin(); row != of_place.rend(); ++row) {
                if (m_nodes[at].depth == m_limits.deepest) {
                    return at;
                }
                const std::uint32_t number =
                    m_keys.find_or_add({std::uint64_t{at} << 32U | *row, 0}) + 1;
                if (number == m_nodes.size()) {
                    if (number > most_nodes_in_all) {
                        throw error{error_kind::too_large, "the stacks of all captures differ in "
                                                           "too many frames"};
                    }
                    m_nodes.push_back({*row, at, m_nodes[at].depth + 1});
                }
                at = number;
            }
        }
        return at;
    }

    // What a node has in one capture, with all nodes above it.
    [[nodiscard]] std::vector<double> values_of(const capture& of, std::size_t type,
                                                bool is_width) const {
        std::vector<double> values(m_nodes.size());
        for (std::size_t i = 0; i < of.nodes.size(); ++i) {
            const std::int64_t value = of.values[i * of.totals.size() + type];
            values[of.nodes[i]] +=
                static_cast<double>(is_width ? std::max<std::int64_t>(value, 0) : value);
        }
        for (std::size_t i = m_nodes.size() - 1; i > 0; --i) {
            values[m_nodes[i].parent] += values[i];
        }
        return values;
    }

    // Of the captures' mean, which adds up: no node has more than its parent. Fills `kept`.
    // @returns by node its place in `kept`, or none.
    std::vector<std::uint32_t> keep_widest(std::size_t type, std::vector<tree_node>& kept,
                                           std::size_t& left_out) const {
        std::vector<double> size(m_nodes.size());
        for (const auto& captures : m_captures) {
            for (const capture& each : captures) {
                const std::vector<double> values = values_of(each, type, true);
                std::transform(size.begin(), size.end(), values.begin(), size.begin(),
                               [&](double sum, double value) {
                                   return sum + value / static_cast<double>(captures.size());
                               });
            }
        }
        double least = size.front() * m_limits.narrowest;
        const std::size_t most = std::max<std::size_t>(m_limits.most_nodes, 1);
        if (size.size() > most) {
            std::vector<double> in_order = size;
            const auto limit = in_order.begin() + static_cast<std::ptrdiff_t>(most);
            std::nth_element(in_order.begin(), limit, in_order.end(), std::greater<>{});
            least = std::max(least, std::nextafter(*limit, HUGE_VAL));
        }
        std::vector<std::uint32_t> numbers(m_nodes.size(), none);
        for (std::uint32_t i = 0; i < m_nodes.size(); ++i) {
            const std::uint32_t parent = i == 0 ? 0 : numbers[m_nodes[i].parent];
            if (i == 0 || (parent != none && size[i] >= least && size[i] > 0)) {
                numbers[i] = static_cast<std::uint32_t>(kept.size());
                kept.push_back({m_nodes[i].row, parent, m_nodes[i].depth, {}, 0, 0});
            } else if (parent != none && size[i] > 0) {
                ++left_out;
            }
        }
        if (m_limits.sums_left_out) {
            add_rests(size, numbers, kept);
        }
        return numbers;
    }

    // Gives what is left out right below a node to one more node there.
    void add_rests(const std::vector<double>& size, std::vector<std::uint32_t>& numbers,
                   std::vector<tree_node>& kept) const {
        const std::size_t count = kept.size();
        std::vector<std::uint32_t> rests(count, none);
        for (std::uint32_t i = 1; i < m_nodes.size(); ++i) {
            const std::uint32_t parent = numbers[m_nodes[i].parent];
            if (numbers[i] != none || parent >= count || size[i] == 0) {
                continue; // it is there, or below what is left out, or nothing
            }
            if (rests[parent] == none) {
                rests[parent] = static_cast<std::uint32_t>(kept.size());
                kept.push_back({tree_node::left_out, parent, m_nodes[i].depth, {}, 0, 0});
            }
            numbers[i] = rests[parent];
        }
    }

    void put_medians(std::size_t type, const std::array<std::vector<double>, 2>& factors,
                     const std::vector<std::uint32_t>& numbers,
                     std::vector<tree_node>& kept) const {
        for (const compare_side of : {compare_side::base, compare_side::head}) {
            const auto place = static_cast<std::size_t>(of);
            const std::size_t count = m_captures[place].size();
            std::vector<std::vector<double>> columns(kept.size(), std::vector<double>(count));
            for (std::size_t i = 0; i < count; ++i) {
                const std::vector<double> values = values_of(m_captures[place][i], type, false);
                const double factor = factors[place].empty() ? 1 : factors[place][i];
                for (std::size_t n = 0; n < numbers.size(); ++n) {
                    if (numbers[n] != none) {
                        columns[numbers[n]][i] += values[n] * factor;
                    }
                }
            }
            for (std::size_t n = 0; n < kept.size(); ++n) {
                const std::int64_t middle = rounded(median(columns[n]));
                (of == compare_side::base ? kept[n].value.previous : kept[n].value.current) =
                    middle;
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
        std::vector<std::uint32_t> numbers(nodes.size(), none);
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const std::uint32_t parent = i == 0 ? 0 : numbers[nodes[i].parent];
            if (i == 0 || (parent != none && nodes[i].width > 0)) {
                numbers[i] = static_cast<std::uint32_t>(wide.size());
                wide.push_back(nodes[i]);
                wide.back().parent = parent;
            } else if (parent != none) {
                graph.vanished = fitting_add(graph.vanished, nodes[i].value.previous);
            }
        }
        return wide;
    }

    report_options m_options;
    flame_graph_limits m_limits;
    profile_types m_types; // of the first capture
    std::size_t m_type = 0;
    row_names m_names;
    key_table m_keys;          // parents and rows of all nodes but the root
    std::vector<node> m_nodes; // each after its parent
    std::array<std::vector<capture>, 2> m_captures;
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
