// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_SELECT_FRAME_NAME_HPP
#define PPROFDELTA_SRC_SELECT_FRAME_NAME_HPP

#include <string>
#include <string_view>

#include "profile/frame_index.hpp"
#include "select/profile_stacks.hpp"

namespace pprofdelta {

/// The row that a frame belongs to, by the rules of its stacks: named as pprof does, "[binary]" or
/// "<unknown>" for want of anything better.
[[nodiscard]] std::string frame_name(const frame_index::frame& frame, const profile_stacks& of);

/// The package of Go's `a/b.(*t).f` is `a/b`, that of `void a::b::f<x::y>(z)` and of Rust's
/// `<a::b::T as c>::f` is `a::b`, and that of Java's `a.b.T.f` is `a.b`; else it is the folder of
/// the file. Empty if nothing tells. A class of C++ without template arguments cannot be told from
/// a namespace. O(length)
[[nodiscard]] std::string_view package_name(std::string_view function, std::string_view file);

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_SELECT_FRAME_NAME_HPP
