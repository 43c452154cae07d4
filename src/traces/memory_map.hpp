// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_TRACES_MEMORY_MAP_HPP
#define PPROFDELTA_SRC_TRACES_MEMORY_MAP_HPP

#include <cstddef>
#include <string_view>
#include <vector>

#include <pprofdelta/codec.hpp>
#include <pprofdelta/mapping.hpp>

namespace pprofdelta {

/// The mappings with code in them that `text` lists: /proc/PID/maps, or the section at the end of a
/// text profile, whose lines are those or
///
///     0x40000-0x80000 r-xp /path/to/binary (@FF00) BUILD-ID
///
/// where all after the addresses can be missing. A line NAME=VALUE defines what $NAME stands for in
/// the lines after it; the first 16 names of up to 64 bytes count. Prefixes of log files are
/// skipped, and so are all other lines.
///
/// The rules are those of google/pprof (profile/legacy_profile.go and profile.go): neighbours of
/// one file are one mapping; what seems to be the program's is the first; a main mapping that would
/// start at 0x400000 with its offset subtracted does.
///
/// Cost: time linear in the text, in which names are replaced by at most 16 times its size, and
/// memory of about 150 bytes, and what its file is called, for each mapping.
/// @param max_size the most that the lines with a $NAME may have together once it is replaced.
/// @throws error too_large over that, over 16 times the text, and for more than 2^20 mappings.
[[nodiscard]] std::vector<mapping> parse_memory_map(std::string_view text,
                                                    std::size_t max_size = max_profile_size);

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_TRACES_MEMORY_MAP_HPP
