// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_REPORT_STACK_SET_HPP
#define PPROFDELTA_SRC_REPORT_STACK_SET_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <pprofdelta/report.hpp>

#include "base/key_table.hpp"
#include "profile/index.hpp"
#include "report/location_rows.hpp"
#include "report/sample_type.hpp"
#include "report/stack_filter.hpp"

namespace pprofdelta {

/// The distinct stacks of one or two profiles, equal ones added up, each with a value for each of
/// some sample types. Of a stack no more than its outermost frames count, as many as are looked at.
class stack_set {
public:
    /// @param types places of the sample types.
    stack_set(std::vector<std::size_t> types, std::uint32_t deepest)
        : m_types{std::move(types)}, m_deepest{deepest} {}

    /// @param rows must outlive this.
    /// @returns the sums of all samples, also of those that `filter` leaves out; by type.
    std::vector<std::int64_t> read(const profile_index& index, const location_rows& rows,
                                   const stack_filter& filter, side_of_pair which);

    [[nodiscard]] std::size_t size() const noexcept { return m_stacks.size(); }
    /// @param type a place among the types of this.
    [[nodiscard]] const value_pair& value(std::size_t stack, std::size_t type) const {
        return m_values[stack * m_types.size() + type];
    }

    /// Goes along the frames of a stack, the outermost first.
    class cursor {
    public:
        cursor(const stack_set& of, std::size_t stack)
            : m_rows{of.m_stacks[stack].rows}, m_next{of.m_stacks[stack].begin},
              m_end{of.m_stacks[stack].end} {}

        static constexpr std::uint32_t none = 0xffffffff;

        /// The row of the next frame, or none.
        [[nodiscard]] std::uint32_t take(const stack_set& of);

    private:
        const location_rows* m_rows; // of the profile that the stack was first seen in
        std::size_t m_next;          // place of the next location
        std::size_t m_end;
        std::size_t m_frames_taken = 0; // of that location
    };

private:
    struct path {
        const location_rows* rows = nullptr;
        std::size_t begin = 0; // of its locations
        std::size_t end = 0;
    };

    std::size_t find_or_add(std::span<const std::uint32_t> places, const location_rows& rows,
                            frame_allowance& allowance);

    std::vector<std::size_t> m_types;
    std::uint32_t m_deepest;
    key_table m_paths;
    std::vector<path> m_stacks;
    std::vector<value_pair> m_values;    // of each stack, all types
    std::vector<std::uint32_t> m_places; // of the locations of all stacks, outermost first
    std::vector<std::uint32_t> m_rows;   // of the stack at hand
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_REPORT_STACK_SET_HPP
