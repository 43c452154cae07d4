// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SYMBOLIZE_HPP
#define PPROFDELTA_SYMBOLIZE_HPP

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

/// Where an instruction lies in a file that a process had in its memory. The views are into the
/// profile.
struct code_place {
    std::string_view file;     ///< The path that the mapping has; empty if it has none.
    std::string_view build_id; ///< In hexadecimal digits; empty if the mapping has none.
    std::uint64_t offset = 0;  ///< From the start of the file, in bytes.
};

/// What is known of a function that is in execution at some place.
struct code_frame {
    std::string function;    ///< For people, such as "ns::f"; empty if unknown.
    std::string system_name; ///< As the linker has it, such as "_ZN2ns1fEv".
    std::string file;        ///< Of its source; empty if unknown.
    std::int64_t line = 0;   ///< In this file; 0 if unknown.

    friend bool operator==(const code_frame&, const code_frame&) = default;
};

/// Finds the frames of a place, the innermost first: inlined functions and then the one that they
/// are in. None if the place has no name.
using frame_finder = std::function<std::vector<code_frame>(const code_place& place)>;

/// Gives names to the addresses of a profile.
///
/// Asks `find` for each location that has a mapping and no lines, in the order of the profile, and
/// writes what it gets as the location's lines. The mapping then says that it has functions, files,
/// line numbers and inlined frames, as the lines do. All else is copied as it stands. What the
/// library writes does not depend on whether names were found for other profiles, so that two
/// profiles of one process still go together afterwards.
///
/// @param profile serialized and uncompressed.
/// @returns the profile with names; one without such locations unchanged.
/// @throws error malformed; too_large if the names make it too large; whatever `find` throws.
///
/// O(n log n) in the locations and their names, besides what `find` takes.
[[nodiscard]] std::string add_names(std::string_view profile, const frame_finder& find);

} // namespace pprofdelta

#pragma GCC visibility pop

#endif // PPROFDELTA_SYMBOLIZE_HPP
