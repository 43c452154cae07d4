// SPDX-License-Identifier: Apache-2.0
#pragma once

// Example:
//
//     std::string profile = current;
//     add_comment(profile, "commit 1a2b3c");

#include <string>
#include <string_view>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

/// Adds a comment to a serialized, uncompressed profile, after its other comments. Readers such as
/// `go tool pprof -comments` show it. Linear in the records of the profile.
/// @throws error malformed, too_large
void add_comment(std::string& profile, std::string_view text);

} // namespace pprofdelta

#pragma GCC visibility pop
