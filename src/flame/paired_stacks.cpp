// SPDX-License-Identifier: Apache-2.0
#include "flame/paired_stacks.hpp"

#include <algorithm>

#include "base/fitting.hpp"
#include "flame/flame_tree.hpp"
#include "select/value_pairs.hpp"

namespace pprofdelta {

namespace {

double width(std::int64_t value) { return static_cast<double>(std::max<std::int64_t>(value, 0)); }

} // namespace

std::vector<std::int64_t> paired_stacks::read(const profile_stacks& from, const location_rows& rows,
                                              side_of_pair which) {
    std::vector<std::int64_t> totals(m_types.size());
    stack_set::adder stacks{m_stacks, from.index(), rows};
    selected_reader reader{from};
    for (std::size_t sample = 0; sample < from.index().view.samples.size(); ++sample) {
        reader.read(sample);
        bool is_nothing = true;
        for (std::size_t i = 0; i < m_types.size(); ++i) {
            const std::int64_t value = reader.values()[m_types[i]];
            totals[i] = fitting_add(totals[i], value);
            is_nothing = is_nothing && value == 0;
        }
        if (is_nothing || !reader.is_selected()) {
            continue;
        }
        const std::size_t place = stacks.add(reader.stack()) * m_types.size();
        if (place == m_values.size()) {
            m_values.resize(place + m_types.size());
        }
        value_pair* to = &m_values[place];
        for (const std::size_t type : m_types) {
            to->*which = fitting_add(to->*which, reader.values()[type]);
            ++to;
        }
    }
    return totals;
}

void paired_stacks::draw(std::size_t type, const row_names& names, const flame_graph_limits& limits,
                         flame_graph& out) const {
    std::vector<wide_stack> stacks;
    std::vector<value_pair> values;
    for (std::uint32_t i = 0; i < m_stacks.size(); ++i) {
        const value_pair& value = value_of(i, type);
        if (value.previous != 0 || value.current != 0) {
            stacks.push_back({i, width(value.current), width(value.previous)});
            values.push_back(value);
        }
        if (value.current == 0) {
            out.vanished = fitting_add(out.vanished, value.previous);
        }
    }
    flame_tree tree = make_tree(m_stacks, stacks, limits);
    out.left_out = tree.left_out;
    for (std::size_t i = 0; i < stacks.size(); ++i) {
        add_pair(tree.nodes[tree.ends[i].node].value, values[i]);
    }
    add_up_values(tree.nodes);
    write_tree(tree.nodes, names, out);
}

} // namespace pprofdelta
