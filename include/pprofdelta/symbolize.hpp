// SPDX-License-Identifier: Apache-2.0
#pragma once

// Example:
//
//     const std::string named = add_names(current, [](const code_place& place) {
//         return std::vector<code_frame>{{.function = "f" + std::to_string(place.offset)}};
//     });

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

/// The place of an instruction in a file that a process had mapped. The views are into the profile.
struct code_place {
    std::string_view file; ///< The path of the mapping; empty if it has none.
    /// The id in hexadecimal digits; empty if the mapping has none.
    std::string_view build_id;
    std::uint64_t offset = 0;         ///< The offset from the start of the file, in bytes.
    std::uint64_t mapping_offset = 0; ///< The offset in the file at which the mapping begins.
    std::uint64_t mapping_size = 0;   ///< The size of the mapping; 0 if it is unknown.
};

/// A function at a place in the code.
struct code_frame {
    std::string function{};    ///< The name for people, such as "ns::f"; empty if unknown.
    std::string system_name{}; ///< The linker's name, such as "_ZN2ns1fEv".
    std::string file{};        ///< The source file; empty if unknown.
    std::int64_t line = 0;     ///< The line in this file; 0 if unknown.

    friend bool operator==(const code_frame&, const code_frame&) = default;
};

/// Finds the frames of a place, the innermost first: inlined functions, then the function that
/// contains them. Empty if the place has no name.
using frame_finder = std::function<std::vector<code_frame>(const code_place& place)>;

/// Adds names to the addresses of a profile.
///
/// Calls `find` for each location with a mapping and without lines, in the order of the profile,
/// and writes the result as the location's lines. The flags of the mapping are set to match:
/// functions, files, line numbers and inlined frames. Everything else is copied unchanged. Results
/// do not depend on whether names were found for other profiles, so two profiles of one process
/// still go together afterwards.
///
/// Cost: O(n log n) in the locations and their names, besides the calls of `find`.
/// @param profile serialized and uncompressed.
/// @returns the profile with names; unchanged if it has no such location.
/// @throws error malformed; too_large if the names make the profile too large; whatever `find`
///         throws.
[[nodiscard]] std::string add_names(std::string_view profile, const frame_finder& find);

} // namespace pprofdelta

#pragma GCC visibility pop
