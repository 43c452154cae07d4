// SPDX-License-Identifier: Apache-2.0
#include "calls/call_stacks.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "flame/stack_frames.hpp"
#include "select/row_order.hpp"

namespace pprofdelta {

namespace {

call_paths::path path_of(const report_stacks& of, std::uint32_t stack) {
    innermost_frames frames = take_innermost(of.frames(stack), call_paths::longest);
    return {.names = std::move(frames.rows),
            .left_out = frames.left_out,
            .value = of.stacks.value_of(stack)};
}

} // namespace

call_paths find_paths(const report_stacks& of, std::size_t most) {
    std::vector<std::uint32_t> changed;
    double whole = 0;
    const auto size_of = [&](std::uint32_t stack) {
        return change_size(of.stacks.value_of(stack));
    };
    for (std::uint32_t stack = 0; stack < of.stacks.stacks().size(); ++stack) {
        if (size_of(stack) != 0) {
            changed.push_back(stack);
            whole += weight_of(of.stacks.value_of(stack));
        }
    }
    const std::size_t count = std::min(most, changed.size());
    std::partial_sort(changed.begin(), changed.begin() + static_cast<std::ptrdiff_t>(count),
                      changed.end(), [&](std::uint32_t a, std::uint32_t b) {
                          return size_of(a) != size_of(b) ? size_of(a) > size_of(b) : a < b;
                      });
    call_paths found;
    double covered = 0;
    for (std::size_t i = 0; i < count; ++i) {
        found.paths.push_back(path_of(of, changed[i]));
        covered += weight_of(found.paths.back().value);
    }
    found.paths_left_out = changed.size() - count;
    found.coverage = coverage_of(covered, whole);
    return found;
}

} // namespace pprofdelta
