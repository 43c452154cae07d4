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
    // A function has many frames. All of one binary have one name, unless that is of a line.
    struct known {
        std::uint32_t binary = no_row;
        std::uint32_t row = no_row;
    };
    std::vector<known> functions(index.view.functions.size());
    for (const auto& frame : m_frames.frames()) {
        known last;
        known& k = frame.function == id_map::npos ? last : functions[frame.function];
        if (k.row == no_row || k.binary != frame.mapping_file || by == grouping::line) {
            k = {frame.mapping_file, names.number(frame_name(frame, index, by))};
        }
        m_rows.push_back(k.row);
    }
    for (std::uint32_t place = 0; place < index.locations.size(); ++place) {
        const std::span<const std::uint32_t> rows = of(place);
        m_only.push_back(rows.size() == 1 ? rows.front() : no_row);
    }
}

} // namespace pprofdelta
