// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TEXT_PROFILE_HPP
#define PPROFDELTA_TEXT_PROFILE_HPP

#include <cstddef>
#include <string>
#include <string_view>

#include <pprofdelta/codec.hpp>
#include <pprofdelta/value_type.hpp>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

/// Whether `bytes` begin like a text profile that convert_text_profile() reads. They must not be
/// compressed; see decode(). Folded stacks have no start of their own: the first line of two
/// frames has to be one, and so has each line before it, within 64 KiB without a control character.
/// O(1)
[[nodiscard]] bool is_text_profile(std::string_view bytes) noexcept;

/// What to say about `bytes` in another old format, one that google/pprof reads and this library
/// does not: profiles of Java, lists of C++ threads, CPU profiles of gperftools, and what Go counts
/// by stack, such as goroutines. It completes a sentence that begins with "this is ": "a heap
/// profile of Java as text, which is not supported; go tool pprof -proto converts it". Empty for
/// anything else, and so for everything that delta_computer reads. The bytes must not be
/// compressed. O(1)
[[nodiscard]] std::string_view unread_format(std::string_view bytes) noexcept;

/// Turns a profile in a text format into an ordinary profile, which delta_computer and all other
/// functions take. The formats from before profile.proto are
///
/// - heap profiles of gperftools, tcmalloc and Go (`heap profile: ...`), with any of the sampling
///   methods heapprofile, heap, heap_v2 and heapz_v2, and profiles of the growth of the heap;
/// - heap profiles of jemalloc (`heap_v2/...`);
/// - profiles of mutexes and of blocking (`--- mutex`, `--- contention`, `--- contentionz`).
///
/// Folded stacks are the other one: lines such as `main;run;sleep 12`, outermost frame first, as
/// flamegraph.pl of brendangregg/FlameGraph reads them. Each frame becomes a function of that name,
/// without file, address and mapping. Lines are samples of one type, which the text does not tell;
/// equal ones are not added up.
///
/// The result of the others is that of google/pprof (profile/legacy_profile.go): sample types,
/// values scaled for what sampling did not see, addresses one less than the addresses to return to,
/// mappings, and frames to drop. jemalloc's format, which google/pprof does not read, is treated
/// like the others. pprofdelta-text(7) lists what differs on purpose.
///
/// A text may begin with a byte order mark, in UTF-8 or in UTF-16, which is then read as well.
///
/// A text that was cut off would look like a restart, or like less of everything. It is refused if
/// its samples add up to less than its header says, as they are or, of jemalloc, once scaled; if
/// its last line does not end; or if the list of mappings is missing, with which all but Go's end.
/// A text without samples has to have that list, or `# runtime.MemStats` in Go's heaps. Go writes
/// nothing there while nothing has waited; then complete lines with the attributes `cycles/second`
/// and, for mutexes, `sampling period` are enough.
///
/// Symbols are read where a text has them: those that Go writes as comments behind a sample, and
/// those of a part `--- symbol` before the profile, as jeprof and ClickHouse write it. Otherwise
/// the result has addresses, whose names a reader such as `go tool pprof BINARY PROFILE` finds.
/// Profiles from text and from protobuf do not go together.
///
/// @param profile  replaced by the serialized, uncompressed profile; its capacity is reused.
///                 Unspecified after a throw.
/// @param counted  what the numbers of folded stacks count; of no meaning for the others.
/// @param max_size the most bytes that the profile may have, and the list of mappings. Cost: time
/// linear in the text, and memory of about 60 bytes for each distinct address and 150 for each
/// mapping. $NAME may make the list of mappings 16 times as large.
/// @throws error malformed with the number of the line; too_large over max_size, for a list of
///         mappings that names make larger than that, and for more than 2^20 mappings.
void convert_text_profile(std::string_view text, std::string& profile,
                          std::size_t max_size = max_profile_size,
                          const value_type& counted = {"samples", "count"});

} // namespace pprofdelta

#pragma GCC visibility pop

#endif // PPROFDELTA_TEXT_PROFILE_HPP
