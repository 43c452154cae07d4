// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_PROFILE_STACKS_HPP
#define PPROFDELTA_SRC_PROFILE_STACKS_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "profile/index.hpp"

namespace pprofdelta {

/// Reads samples one by one, where their stacks are wanted rather than their identity.
class stack_reader {
public:
    /// `index` must outlive the reader. Unless locations() is called, it needs only types.
    explicit stack_reader(const profile_index& index)
        : m_index{index}, m_values(index.types.sample_types.size()) {}

    /// @throws error malformed if there are more or fewer values than sample types.
    void read(record sample);

    /// Places of the sample's locations, leaf first; until the next read. They are decoded only
    /// when they are asked for: many samples turn out not to count.
    /// @throws error malformed for a location that the profile does not have.
    [[nodiscard]] std::span<const std::uint32_t> locations() {
        for (const std::string_view packed : m_packed) {
            add_packed(packed);
        }
        m_packed.clear();
        return {m_locations.data(), m_location_count};
    }
    /// One for each sample type.
    [[nodiscard]] const std::vector<std::int64_t>& values() const noexcept { return m_values; }

private:
    void add_packed(std::string_view packed);
    void add_location(std::uint64_t id);
    void add_values(std::string_view packed);
    void add_value(std::uint64_t value);
    void make_room(std::size_t locations);

    const profile_index& m_index;
    std::string_view m_sample;
    std::vector<std::string_view> m_packed; // locations that are not decoded yet, by field
    std::vector<std::uint32_t> m_locations; // with room for more
    std::size_t m_location_count = 0;
    std::vector<std::int64_t> m_values;
    std::size_t m_value_count = 0; // in the sample; maybe more than there is room for
};

/// The total of each sample type over all samples. Stacks are not looked at.
/// @param sizes gets the same of the values without their signs, or the largest number of 64 bits.
/// @throws error malformed, as read() does; too_large if one would not fit 64 bits.
[[nodiscard]] std::vector<std::int64_t> totals(const profile_index& index,
                                               std::vector<std::int64_t>* sizes = nullptr);

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

#endif // PPROFDELTA_SRC_PROFILE_STACKS_HPP
