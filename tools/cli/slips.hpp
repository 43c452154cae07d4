// SPDX-License-Identifier: Apache-2.0
// What may be meant by a word that is neither a command nor an option.
#ifndef PPROFDELTA_TOOLS_CLI_SLIPS_HPP
#define PPROFDELTA_TOOLS_CLI_SLIPS_HPP

#include <string>
#include <string_view>
#include <vector>

namespace pprofdelta::tool {

/// The one of `words` that `typed` may be a slip of: one letter wrong, missing, too many, or
/// exchanged with the next. Empty if there is none.
[[nodiscard]] std::string_view nearest_word(std::string_view typed,
                                            const std::vector<std::string_view>& words);

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

/// The end of a message, such as "try pprofdelta report --callers REGEX".
[[nodiscard]] std::string hint_at(const known_name& known);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_CLI_SLIPS_HPP
