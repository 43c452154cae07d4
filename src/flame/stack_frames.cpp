// SPDX-License-Identifier: Apache-2.0
#include "flame/stack_frames.hpp"

#include <algorithm>

namespace pprofdelta {

innermost_frames take_innermost(const stack_frames& of, std::size_t most) {
    std::size_t count = 0;
    for (stack_frames counted = of; counted.take() != stack_frames::none;) {
        ++count;
    }
    innermost_frames taken{.left_out = count - std::min(count, most)};
    stack_frames frames = of;
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t row = frames.take();
        if (i >= taken.left_out) {
            taken.rows.push_back(row);
        }
    }
    return taken;
}

} // namespace pprofdelta
