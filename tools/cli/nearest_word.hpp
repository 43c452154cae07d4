// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_CLI_NEAREST_WORD_HPP
#define PPROFDELTA_TOOLS_CLI_NEAREST_WORD_HPP

#include <string_view>
#include <vector>

namespace pprofdelta::tool {

/// The one of `words` that `typed` may be a slip of: one letter wrong, missing, too many, or
/// exchanged with the next. Empty if there is none.
[[nodiscard]] std::string_view nearest_word(std::string_view typed,
                                            const std::vector<std::string_view>& words);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_CLI_NEAREST_WORD_HPP
