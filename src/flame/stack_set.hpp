// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_FLAME_STACK_SET_HPP
#define PPROFDELTA_SRC_FLAME_STACK_SET_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/keyed_list.hpp"
#include "profile/index.hpp"
#include "select/location_rows.hpp"

namespace pprofdelta {

/// The distinct stacks of profiles whose rows have the same numbers. Of a stack no more than its
/// outermost frames count, as many as are looked at.
class stack_set {
public:
    explicit stack_set(std::uint32_t deepest) : m_deepest{deepest} {}

    /// Adds stacks of one profile.
    class adder {
    public:
        /// @param index and
        /// @param rows  of the profile, must outlive this.
        adder(stack_set& to, const profile_index& index, const location_rows& rows)
            : m_to{to}, m_rows{rows}, m_allowance{index}, m_known(rows.places(), unknown) {}

        /// The number of a stack.
        /// @param places of its locations, innermost first.
        /// @throws error too_large
        std::uint32_t add(std::span<const std::uint32_t> places);

    private:
        static constexpr std::uint32_t unknown = 0xffffffff;

        stack_set& m_to;
        const location_rows& m_rows;
        frame_allowance m_allowance;
        std::vector<std::uint32_t> m_known;  // steps, by place
        std::vector<std::uint32_t> m_frames; // of the stack at hand, outermost first
    };

    [[nodiscard]] std::uint32_t size() const noexcept { return m_stacks.size(); }

    /// How much there is, for truncate().
    struct mark {
        std::uint32_t stacks;
        std::uint32_t inlined;
    };
    [[nodiscard]] mark end() const noexcept { return {m_stacks.size(), m_inlined.size()}; }
    /// Forgets what was added after a mark.
    void truncate(const mark& to) noexcept;

    /// Goes along the frames of a stack, the outermost first.
    class cursor {
    public:
        cursor(const stack_set& of, std::uint32_t stack)
            : m_next{of.m_stacks[stack].begin}, m_end{of.m_stacks[stack].end} {}

        static constexpr std::uint32_t none = 0xffffffff;

        /// The row of the next frame, or none.
        [[nodiscard]] std::uint32_t take(const stack_set& of);

    private:
        std::size_t m_next; // step
        std::size_t m_end;
        std::size_t m_frames_taken = 0; // of that step
    };

private:
    // A step is a location: the row of its frame, or this and the number of its inlined frames. A
    // stack can name one of a thousand frames with a byte, so these are not kept with each stack.
    static constexpr std::uint32_t several = 0x80000000;

    struct range {
        std::size_t begin = 0;
        std::size_t end = 0;
    };

    [[nodiscard]] std::uint32_t step(std::span<const std::uint32_t> rows);

    std::uint32_t m_deepest;
    keyed_list<range> m_stacks;         // in m_steps, by the hash of all their frames
    std::vector<std::uint32_t> m_steps; // outermost first
    keyed_list<range> m_inlined;        // in m_rows, by the hash of the frames
    std::vector<std::uint32_t> m_rows;  // outermost first
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_FLAME_STACK_SET_HPP
