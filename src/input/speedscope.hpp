// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <pprofdelta/value_type.hpp>

namespace pprofdelta {

/// Whether `bytes` are JSON that names the schema of speedscope in its first or last 64 KiB. O(1)
[[nodiscard]] bool is_speedscope(std::string_view bytes) noexcept;

/// Converts a profile with sampled stacks, or with calls and returns in time, of which each stack
/// has the time without its callees; see convert_text_profile(). Memory is about 24 bytes for each
/// frame and sample in the text, and 64 for each stack of calls.
/// @param counted gives the meaning of weights without a unit.
/// @param part    the name of the profile; empty for the only one.
/// @throws error malformed, too_large; invalid_argument where `part` has to tell profiles apart.
void convert_speedscope(std::string_view text, std::string& profile, std::size_t max_size,
                        const value_type& counted, std::string_view part);

} // namespace pprofdelta
