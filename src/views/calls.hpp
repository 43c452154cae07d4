// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/hash128.hpp"
#include "base/key_table.hpp"
#include "views/flame.hpp"

namespace pprofdelta {

/// The end of a call at which the functions stand that are asked for.
enum class call_end : std::uint8_t { caller, callee };

/// All stacks in which one function calls another, added up.
template <typename Value>
struct call_sum {
    std::uint32_t function; ///< The one that is asked for, by its place among these.
    std::uint32_t other;    ///< The name of the other end.
    Value value{};
    std::uint32_t first_stack = 0; ///< The first stack that has it.
    std::size_t depth = 0;         ///< The depth in this stack, of the innermost such call.
    std::uint32_t last_stack = stack_frames::none;
};

/// Adds a stack to the calls in it. It counts once for a call, however often it has that, and what
/// calls itself is no call, as in `go tool pprof -peek`.
/// @param places are those of functions that are asked for, by name; stack_frames::none for others.
/// @param add    adds the value of the stack to that of a call.
template <typename Value, typename Add>
void add_calls(std::uint32_t stack, stack_frames frames, call_end asked_for,
               const std::vector<std::uint32_t>& places, keyed_list<call_sum<Value>>& to,
               Add&& add) {
    std::uint32_t caller = frames.take();
    std::size_t depth = 0;
    for (std::uint32_t callee = frames.take(); callee != stack_frames::none;
         callee = frames.take()) {
        ++depth;
        const auto [asked, other] =
            asked_for == call_end::callee ? std::pair{callee, caller} : std::pair{caller, callee};
        const std::uint32_t function = places[asked];
        if (std::exchange(caller, callee) == callee || function == stack_frames::none) {
            continue;
        }
        call_sum<Value>& call =
            to[to.find_or_add({std::uint64_t{function} << 32U | other, 0}, [&, other = other] {
                return call_sum<Value>{function, other, {}, stack};
            })];
        call.depth = call.first_stack == stack ? depth : call.depth;
        if (std::exchange(call.last_stack, stack) != stack) {
            add(call.value);
        }
    }
}

/// Whether a stack has any of some rows.
[[nodiscard]] inline bool has_any(stack_frames frames, const std::vector<bool>& rows) {
    for (std::uint32_t row = frames.take(); row != stack_frames::none; row = frames.take()) {
        if (rows[row]) {
            return true;
        }
    }
    return false;
}

} // namespace pprofdelta
