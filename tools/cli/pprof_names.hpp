// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_CLI_PPROF_NAMES_HPP
#define PPROFDELTA_TOOLS_CLI_PPROF_NAMES_HPP

#include <string>
#include <string_view>

namespace pprofdelta::tool {

/// What the program has in place of an option or a command that people know from elsewhere, mostly
/// from pprof.
struct known_name {
    std::string_view name;    ///< Without dashes.
    std::string_view command; ///< That has it here; empty if `words` are a sentence about it.
    std::string_view words;   ///< The options there; may be empty.
};

/// @param name without dashes; '-' and '_' are the same.
/// @returns nullptr for one that nobody knows from elsewhere.
[[nodiscard]] const known_name* find_known_name(std::string_view name);

/// The end of a message, such as "pprofdelta report --callers REGEX may be meant".
[[nodiscard]] std::string hint_at(const known_name& known);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_CLI_PPROF_NAMES_HPP
