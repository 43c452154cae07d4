// SPDX-License-Identifier: Apache-2.0
// What the scripts in tools/deploy/completions ask for when a user presses TAB.
#ifndef PPROFDELTA_TOOLS_CLI_COMPLETION_HPP
#define PPROFDELTA_TOOLS_CLI_COMPLETION_HPP

#include <string>
#include <vector>

#include "cli/command_options.hpp"

namespace pprofdelta::tool {

/// What can stand in place of a word that is being typed.
struct completion {
    struct candidate {
        std::string word;
        std::string text; ///< What it means; it may be empty.
    };
    enum class names { none, files, folders };

    std::vector<candidate> candidates{};
    names also = names::none;
    bool is_part = false; ///< Each candidate is but the beginning of a word.
    std::string prefix{}; ///< What a name stands behind, such as "--state=".

    /// The answer to a script. The first line is `none`, `files`, `folders` or `parts`, a TAB, and
    /// the prefix; then each candidate has a line with its word, a TAB, and the text.
    [[nodiscard]] std::string answer() const;
};

/// The words of a command line, with quotes taken off, but for the name of the command.
struct typed_line {
    std::vector<std::string> before;
    std::string word; ///< That is being typed, up to the cursor.
    std::vector<std::string> after;
};

/// Sample types are those of the first profile or state on the line that can be read. Nothing that
/// takes long is: no pipe, and no large file.
/// @param options of the command, which are of no other use after it.
[[nodiscard]] completion complete(const typed_line& line, command_options& options);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_CLI_COMPLETION_HPP
