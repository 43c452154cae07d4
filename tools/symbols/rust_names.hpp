// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pprofdelta::tool {

/// The name that google/pprof, as Go 1.27 has it, shows by default for a symbol of Rust, without
/// hashes and what LLVM appends:
///
/// - of the mangling v0 (RFC 2603; the standard library of Rust 1.95 has it) without generic
///   arguments, such as "<m::Cache<>>::fill";
/// - of the older one, which ends in "17h", 16 digits and "E", with what it has of generics, such
///   as "m::Cache<T>::fill".
///
/// Three names are right that google/pprof's are not: what begins with an underscore keeps it
/// ("std::io::stdio::_print"), a function within a closure has its name, and so has one that is not
/// of ASCII.
///
/// As a name of v0 can repeat its parts, one is not read that would be longer than 4096 bytes, is
/// nested deeper than 500 levels, or takes more than 65,536 steps.
/// @returns nothing for any other symbol.
[[nodiscard]] std::optional<std::string> demangled_rust(std::string_view symbol);

} // namespace pprofdelta::tool
