// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/codec.hpp>
#include <pprofdelta/traces.hpp>

namespace pprofdelta {

/// The build id in the notes of an ELF file, in hexadecimal digits; empty if there is none, or if
/// the notes are damaged before it.
/// @param notes     a segment of type PT_NOTE, in the byte order of this machine.
/// @param alignment p_align of the segment; notes of it are aligned to 8 bytes, or else to 4.
[[nodiscard]] std::string build_id(std::string_view notes, std::size_t alignment);

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

/// The number of times that the dynamic loader has loaded something into this process: while it is
/// the same, no library has taken the place of another one. 0 where it is not known. Cheap: it
/// reads no file and goes through no list.
[[nodiscard]] std::uint64_t count_loads() noexcept;

/// Finds the mapping that an address lies in.
class mapping_search {
public:
    static constexpr std::uint32_t npos = 0xffffffff;

    /// Replaces the mappings, which are not needed afterwards. O(n log n), and O(n) if they are in
    /// order; memory is reused.
    void build(std::span<const mapping> mappings) {
        m_ranges.clear();
        for (const mapping& m : mappings) {
            m_ranges.push_back({m.start, m.limit, static_cast<std::uint32_t>(m_ranges.size())});
        }
        if (!std::ranges::is_sorted(m_ranges, {}, &range::start)) {
            std::ranges::sort(m_ranges, {}, &range::start);
        }
    }

    /// The place of the mapping in the list, or npos. The mapping is one with the highest start if
    /// several overlap. O(log n)
    [[nodiscard]] std::uint32_t find(std::uint64_t address) const noexcept {
        auto after = std::ranges::upper_bound(m_ranges, address, {}, &range::start);
        if (after == m_ranges.begin()) {
            return npos;
        }
        const range& last = *--after;
        return address < last.limit ? last.place : npos;
    }

private:
    struct range {
        std::uint64_t start;
        std::uint64_t limit;
        std::uint32_t place;
    };
    std::vector<range> m_ranges; // by start
};

} // namespace pprofdelta
