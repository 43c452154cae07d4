// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_PROFILE_FRAME_INDEX_HPP
#define PPROFDELTA_SRC_PROFILE_FRAME_INDEX_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

#include "profile/index.hpp"

namespace pprofdelta {

/// The frames of each location of one profile, innermost first: one for each line, as an inlined
/// function is a frame too, or one without a function if there is no line.
class frame_index {
public:
    struct frame {
        std::uint32_t function = id_map::npos; ///< By place; npos for none.
        std::int64_t line = 0;
        std::uint32_t mapping_file = 0; ///< String number.
    };

    /// @throws error malformed
    explicit frame_index(const profile_index& index);

    /// Where the frames of a location begin. The location at place p has begin(p) to begin(p + 1).
    [[nodiscard]] std::uint32_t begin(std::uint32_t place) const noexcept {
        return m_begins[place];
    }
    [[nodiscard]] const std::vector<frame>& frames() const noexcept { return m_frames; }

    /// Takes frames away: those for which `keep(frame number)` is not true, which is asked for each
    /// once, in their order.
    template <typename Keep>
    void keep_if(Keep&& keep) {
        std::uint32_t left = 0;
        std::uint32_t number = 0;
        for (std::size_t place = 0; place + 1 < m_begins.size(); ++place) {
            for (const std::uint32_t end = m_begins[place + 1]; number < end; ++number) {
                if (keep(number)) {
                    m_frames[left++] = m_frames[number];
                }
            }
            m_begins[place + 1] = left;
        }
        m_frames.resize(left);
    }

private:
    std::vector<std::uint32_t> m_begins;
    std::vector<frame> m_frames;
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_PROFILE_FRAME_INDEX_HPP
