// SPDX-License-Identifier: Apache-2.0
#pragma once

// Example:
//
//     const std::string text = "main;run 5\nmain;sleep 7\n";
//     const std::string profile = is_text_profile(text) ? convert_text_profile(text) : text;
//     std::cout << read_totals(profile).front() << '\n'; // 12

#include <cstddef>
#include <string>
#include <string_view>

#include <pprofdelta/codec.hpp>
#include <pprofdelta/value_type.hpp>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

/// Returns whether `bytes` begin like a text profile that convert_text_profile() reads. They must
/// not be compressed; see decode(). Folded stacks have no start of their own: the first line with
/// two frames, or with `(no stack)`, must be a valid one, and so must each line before it, within
/// 64 KiB without a control character; or there are at least two lines, and all are stacks. O(1)
[[nodiscard]] bool is_text_profile(std::string_view bytes) noexcept;

/// Describes `bytes` in an old format that google/pprof reads and this library does not: profiles
/// of Java, lists of C++ threads, and Go's counts by stack, such as those of goroutines. The result
/// completes a sentence that begins with "this is ": "a heap profile of Java as text, which is not
/// supported; go tool pprof -proto converts it". Empty for anything else, and so for everything
/// that delta_computer reads. The bytes must not be compressed. O(1)
[[nodiscard]] std::string_view unread_format(std::string_view bytes) noexcept;

/// Converts a profile in a text format to an ordinary profile, for delta_computer and all other
/// functions. The formats from before profile.proto are
///
/// - heap profiles of gperftools, tcmalloc and Go (`heap profile: ...`), with any of the sampling
///   methods heapprofile, heap, heap_v2 and heapz_v2, and profiles of the growth of the heap;
/// - heap profiles of jemalloc (`heap_v2/...`);
/// - profiles of mutexes and of blocking (`--- mutex`, `--- contention`, `--- contentionz`);
/// - CPU profiles of gperftools, which are binary, in words of either size and order.
///
/// The others are folded stacks and the JSON of speedscope. Folded stacks are lines such as
/// `main;run;sleep 12`, outermost frame first, as flamegraph.pl of brendangregg/FlameGraph reads
/// them. Each frame becomes a function of that name, without file, address and mapping. Lines are
/// samples of one type, which the text does not name, unless it is Austin's; equal lines are not
/// added up. A profile of speedscope with sampled stacks is read, with files and lines; times are
/// in nanoseconds.
///
/// The result for the old formats is that of google/pprof (profile/legacy_profile.go): sample
/// types, values scaled up for sampling, addresses one less than the return addresses, mappings,
/// and frames to drop. jemalloc's format, which google/pprof does not read, is treated like the
/// others. pprofdelta-text(7) lists the intended differences.
///
/// A text may begin with a byte order mark, in UTF-8 or UTF-16, and is then read in that encoding.
///
/// A truncated text would look like a restart, or like a decrease. It is refused if its samples add
/// up to less than its header says, as they are or, for jemalloc, once scaled; if its last line
/// does not end; or if it lacks the list of mappings, with which all formats but Go's end. A text
/// without samples must have that list, or `# runtime.MemStats` in Go's heap profiles. Go writes
/// neither while nothing has waited; complete lines with the attributes `cycles/second` and, for
/// mutexes, `sampling period` are then enough.
///
/// Symbols are read where a text has them: in Go's comments after a sample, and in a part `---
/// symbol` before the profile, as jeprof and ClickHouse write it. Otherwise the result has
/// addresses, whose names a reader such as `go tool pprof BINARY PROFILE` finds. Profiles from text
/// and from protobuf do not go together.
///
/// Cost: time linear in the text; memory of about 60 bytes for each distinct address and 150 for
/// each mapping. $NAME may make the list of mappings 16 times as large.
/// @param profile  replaced by the serialized, uncompressed profile; its capacity is reused.
///                 Unspecified after an exception.
/// @param max_size the largest size of the profile, and of the list of mappings, in bytes.
/// @param counted  the sample type of folded stacks, and of weights of speedscope without a unit;
///                 ignored for the other formats.
/// @param part     the name of a profile in a text of speedscope; empty for the only one.
/// @throws error malformed with the number of the line; too_large over max_size, for a list of
///         mappings that names make larger than that, and for more than 2^20 mappings;
///         invalid_argument if `part` names none of several profiles.
void convert_text_profile(std::string_view text, std::string& profile,
                          std::size_t max_size = max_profile_size,
                          const value_type& counted = {"samples", "count"},
                          std::string_view part = {});
/// Returns the profile, in a string of its own.
[[nodiscard]] inline std::string
convert_text_profile(std::string_view text, std::size_t max_size = max_profile_size,
                     const value_type& counted = {"samples", "count"}, std::string_view part = {}) {
    std::string profile;
    convert_text_profile(text, profile, max_size, counted, part);
    return profile;
}

} // namespace pprofdelta

#pragma GCC visibility pop
