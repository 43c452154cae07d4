// SPDX-License-Identifier: Apache-2.0
#include "flame/stack_set.hpp"

#include <algorithm>

namespace pprofdelta {

std::uint32_t stack_set::adder::add(std::span<const std::uint32_t> places) {
    const std::size_t deepest = m_to.m_deepest;
    const std::size_t count = std::min<std::size_t>(places.size(), deepest + 1);
    const auto outermost = places.last(count);
    auto place = outermost.rbegin();
    // Nearly all locations have one frame.
    m_frames.resize(std::min(count, deepest));
    std::size_t plain = 0;
    for (; plain < m_frames.size() && m_rows.only(*place) != location_rows::several; ++plain) {
        m_frames[plain] = m_rows.only(*place);
        ++place;
    }
    m_frames.resize(plain);
    for (; place != outermost.rend(); ++place) {
        const std::size_t room = deepest - std::min(m_frames.size(), deepest);
        const auto of_place = m_rows.of(*place);
        const auto innermost = of_place.last(std::min(of_place.size(), room));
        m_allowance.take(of_place.size() == 1 ? 0 : innermost.size());
        m_frames.insert(m_frames.end(), innermost.rbegin(), innermost.rend());
    }
    const hash128 key = hash_bytes(m_frames.data(), m_frames.size() * sizeof m_frames[0]);
    return m_to.m_stacks.find_or_add(key, [&] {
        const std::size_t begin = m_to.m_steps.size();
        for (auto each = outermost.rbegin(); each != outermost.rend(); ++each) {
            std::uint32_t& step = m_known[*each];
            if (step == unknown) {
                step = m_to.step(m_rows.of(*each));
            }
            m_to.m_steps.push_back(step);
        }
        return range{begin, m_to.m_steps.size()};
    });
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

std::uint32_t stack_set::cursor::take(const stack_set& of) {
    if (m_next == m_end) {
        return none;
    }
    const std::uint32_t step = of.m_steps[m_next];
    if ((step & several) == 0) {
        ++m_next;
        return step;
    }
    const range frames = of.m_inlined[step & ~several];
    const std::uint32_t row = of.m_rows[frames.begin + m_frames_taken++];
    if (frames.begin + m_frames_taken == frames.end) {
        m_frames_taken = 0;
        ++m_next;
    }
    return row;
}

} // namespace pprofdelta
