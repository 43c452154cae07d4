// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_LOCATION_ROWS_HPP
#define PPROFDELTA_SRC_LOCATION_ROWS_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include <pprofdelta/report.hpp>

#include "frame_index.hpp"
#include "profile_index.hpp"

namespace pprofdelta {

/// Numbers the names of rows 0, 1, 2 … in the order in which they come, for two profiles to have
/// the same number for the same name.
class row_names {
public:
    std::uint32_t number(std::string name);
    [[nodiscard]] const std::string& name(std::uint32_t number) const { return *m_names[number]; }
    [[nodiscard]] std::size_t size() const noexcept { return m_names.size(); }

private:
    std::unordered_map<std::string, std::uint32_t> m_numbers;
    std::vector<const std::string*> m_names; // which lie in m_numbers
};

/// The rows that the frames of each location of one profile belong to.
class location_rows {
public:
    /// @throws error malformed; too_large for a location with more than 1000 lines, or
    ///         names that take far more room than the profile.
    location_rows(const profile_index& index, grouping by, row_names& names);

    /// By the place of a location; innermost first, and never empty.
    [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t place) const {
        const std::uint32_t begin = m_frames.begin(place);
        return {m_rows.data() + begin, m_frames.begin(place + 1) - begin};
    }

    /// Calls `visit(std::uint32_t row)` for each of them. Most locations have one frame, which
    /// takes one look here.
    template <typename Visit>
    void for_each(std::uint32_t place, Visit&& visit) const {
        if (m_only[place] != no_row) {
            visit(m_only[place]);
            return;
        }
        for (const std::uint32_t row : of(place)) {
            visit(row);
        }
    }

private:
    static constexpr std::uint32_t no_row = 0xffffffff; // in m_only: several

    frame_index m_frames;
    std::vector<std::uint32_t> m_rows; // by frame
    std::vector<std::uint32_t> m_only; // by place of a location
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_LOCATION_ROWS_HPP
