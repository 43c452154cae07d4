// SPDX-License-Identifier: Apache-2.0
#include "location_rows.hpp"

#include <utility>

#include <pprofdelta/error.hpp>

#include "frame_name.hpp"

namespace pprofdelta {

namespace {

// A stack names a location with a byte, and each of its lines is looked at: without a limit a small
// profile could take days. Compilers inline no tenth of it.
constexpr std::size_t most_frames = 1000;

} // namespace

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
        if (rows.size() > most_frames) {
            throw error{error_kind::too_large, "a location has " + std::to_string(rows.size()) +
                                                   " lines, and a report takes " +
                                                   std::to_string(most_frames)};
        }
        m_only.push_back(rows.size() == 1 ? rows.front() : no_row);
    }
}

} // namespace pprofdelta
