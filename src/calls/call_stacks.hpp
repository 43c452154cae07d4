// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_CALLS_CALL_STACKS_HPP
#define PPROFDELTA_SRC_CALLS_CALL_STACKS_HPP

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <pprofdelta/calls.hpp>

#include "report/report_stacks.hpp"

namespace pprofdelta {

/// The size of the change of a stack, of which coverage is a part.
[[nodiscard]] double weight_of(const value_pair& value) noexcept;

/// The part of a whole that is covered; 1 of nothing.
[[nodiscard]] inline double coverage_of(double covered, double whole) noexcept {
    return whole > 0 ? covered / whole : 1;
}

/// Which end of a call has the functions that are asked for.
enum class call_end : std::uint8_t { caller, callee };

/// The calls of functions whose names match. See call_stacks.
[[nodiscard]] call_list find_calls(const report_stacks& of, std::string_view regex,
                                   call_end asked_for, const call_limits& limits);

[[nodiscard]] call_tree make_call_tree(const report_stacks& of, const call_tree_limits& limits);

[[nodiscard]] call_paths find_paths(const report_stacks& of, std::size_t most);

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_CALLS_CALL_STACKS_HPP
