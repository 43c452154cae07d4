// SPDX-License-Identifier: Apache-2.0
#include "location_rows.hpp"

#include <utility>

#include "frame_name.hpp"

namespace pprofdelta {

std::uint32_t row_names::number(std::string name) {
    const auto [place, is_new] =
        m_numbers.try_emplace(std::move(name), static_cast<std::uint32_t>(m_names.size()));
    if (is_new) {
        m_names.push_back(&place->first);
    }
    return place->second;
}

location_rows::location_rows(const profile_index& index, grouping by, row_names& names)
    : m_frames{index} {
    for (const auto& frame : m_frames.frames()) {
        m_rows.push_back(names.number(frame_name(frame, index, by)));
    }
    for (std::uint32_t place = 0; place < index.locations.size(); ++place) {
        const std::span<const std::uint32_t> rows = of(place);
        m_only.push_back(rows.size() == 1 ? rows.front() : several);
    }
}

} // namespace pprofdelta
