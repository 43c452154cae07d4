// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_TEXT_FORMATS_HPP
#define PPROFDELTA_SRC_TEXT_FORMATS_HPP

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

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_TEXT_FORMATS_HPP
