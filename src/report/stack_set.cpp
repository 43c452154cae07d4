// SPDX-License-Identifier: Apache-2.0
#include "report/stack_set.hpp"

#include <algorithm>

#include "base/fitting.hpp"
#include "profile/stack_reader.hpp"

namespace pprofdelta {

std::vector<std::int64_t> stack_set::read(const profile_index& index, const location_rows& rows,
                                          const stack_filter& filter, side_of_pair which) {
    std::vector<std::int64_t> totals(m_types.size());
    frame_allowance allowance{index};
    stack_reader reader{index};
    for (const record sample : index.view.samples) {
        reader.read(sample);
        bool is_nothing = true;
        for (std::size_t i = 0; i < m_types.size(); ++i) {
            const std::int64_t value = reader.values()[m_types[i]];
            totals[i] = fitting_add(totals[i], value);
            is_nothing = is_nothing && value == 0;
        }
        if (is_nothing || !filter.has(reader)) {
            continue;
        }
        value_pair* to =
            &m_values[find_or_add(reader.locations(), rows, allowance) * m_types.size()];
        for (const std::size_t type : m_types) {
            to->*which = fitting_add(to->*which, reader.values()[type]);
            ++to;
        }
    }
    return totals;
}

std::size_t stack_set::find_or_add(std::span<const std::uint32_t> places, const location_rows& rows,
                                   frame_allowance& allowance) {
    m_rows.clear();
    const std::size_t count = std::min<std::size_t>(places.size(), m_deepest + 1);
    const auto outermost = places.last(count);
    for (auto place = outermost.rbegin(); place != outermost.rend(); ++place) {
        const auto of_place = rows.of(*place);
        const std::size_t room = m_deepest - std::min<std::size_t>(m_rows.size(), m_deepest);
        const auto seen = of_place.last(std::min(of_place.size(), room));
        allowance.take(of_place.size() == 1 ? 0 : seen.size());
        m_rows.insert(m_rows.end(), seen.rbegin(), seen.rend());
    }
    const std::uint32_t number =
        m_paths.find_or_add(hash_bytes(m_rows.data(), m_rows.size() * sizeof m_rows[0]));
    if (number == m_stacks.size()) {
        const std::size_t begin = m_places.size();
        m_places.insert(m_places.end(), outermost.rbegin(), outermost.rend());
        m_stacks.push_back({&rows, begin, m_places.size()});
        m_values.resize(m_values.size() + m_types.size());
    }
    return number;
}

std::uint32_t stack_set::cursor::take(const stack_set& of) {
    if (m_next == m_end) {
        return none;
    }
    const auto rows = m_rows->of(of.m_places[m_next]);
    const std::uint32_t row = rows[rows.size() - ++m_frames_taken];
    if (m_frames_taken == rows.size()) {
        m_frames_taken = 0;
        ++m_next;
    }
    return row;
}

} // namespace pprofdelta
