// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_FLAME_STACK_FRAMES_HPP
#define PPROFDELTA_SRC_FLAME_STACK_FRAMES_HPP

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "flame/stack_set.hpp"

namespace pprofdelta {

/// Goes along the frames of a stack, the outermost first. Without any it is that of no stack.
class stack_frames {
public:
    static constexpr std::uint32_t none = stack_set::cursor::none;

    /// @param no_stack the row of samples without a stack.
    stack_frames(const stack_set& of, std::uint32_t no_stack, std::uint32_t stack)
        : m_of{&of}, m_no_stack{no_stack}, m_at{of, stack} {}

    /// The row of the next frame, or none.
    [[nodiscard]] std::uint32_t take() {
        const std::uint32_t row = m_at.take(*m_of);
        const bool is_empty = std::exchange(m_may_be_empty, false) && row == none;
        return is_empty ? m_no_stack : row;
    }

private:
    const stack_set* m_of;
    std::uint32_t m_no_stack;
    stack_set::cursor m_at;
    bool m_may_be_empty = true;
};

/// The innermost frames of a stack, of which the outermost is the first.
struct innermost_frames {
    std::vector<std::uint32_t> rows{};
    std::size_t left_out = 0; ///< So many outer ones.
};

/// @param most of them.
[[nodiscard]] innermost_frames take_innermost(const stack_frames& of, std::size_t most);

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_FLAME_STACK_FRAMES_HPP
