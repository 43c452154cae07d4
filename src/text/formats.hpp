// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_TEXT_FORMATS_HPP
#define PPROFDELTA_SRC_TEXT_FORMATS_HPP

#include <cstddef>
#include <string>
#include <string_view>

#include <pprofdelta/value_type.hpp>

#include "text/lines.hpp"
#include "text/output.hpp"

namespace pprofdelta {

// Each of these converts a text profile of one family of formats. `lines` stands before the first
// line, whose start has been looked at already. All throw error malformed and too_large.

/// Heap profiles of gperftools, tcmalloc and Go: `heap profile:`.
void convert_heap_text(text_lines& lines, text_output& out);

/// Heap profiles of jemalloc: `heap_v2/`.
void convert_jemalloc_text(text_lines& lines, text_output& out);

/// Profiles of mutexes and of blocking, of gperftools and Go: `--- contention` and `--- mutex`.
void convert_contention_text(text_lines& lines, text_output& out);

/// Whether `bytes` are folded stacks, `main;run;sleep 12`, as far as the first 64 KiB tell. These
/// have no start of their own. So the first line of two frames has to be a stack, and so has each
/// line before it; and there may be no control character, as each profile of protobuf has some.
/// O(1)
[[nodiscard]] bool is_folded_text(std::string_view bytes) noexcept;

/// Folded stacks. A frame becomes a function of that name, without an address. A line that is not
/// like the others may be the last one of a text that was cut off, so it is an error.
/// @param counted  what the numbers are.
/// @param profile  replaced.
/// @param max_size the most that it may have.
void convert_folded_text(text_lines& lines, const value_type& counted, std::string& profile,
                         std::size_t max_size);

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_TEXT_FORMATS_HPP
