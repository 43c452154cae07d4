// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_CLI_NEXT_COMMANDS_HPP
#define PPROFDELTA_TOOLS_CLI_NEXT_COMMANDS_HPP

#include <string>
#include <vector>

#include "base/json.hpp"

namespace pprofdelta::tool {

// Commands that outputs for programs name, for what one asks next.

/// Whether a command may read them once more: all are files, and no pipes.
[[nodiscard]] bool can_be_read_again(const std::vector<std::string>& files);

/// The words of options as command_options::collect_given() has them: of those in `names`, or if
/// they are not `wanted`, of all others.
[[nodiscard]] std::vector<std::string> words_of(const std::vector<std::string>& options,
                                                const std::vector<std::string>& names, bool wanted);

/// The regular expression of a name that matches no other.
[[nodiscard]] std::string just(const std::string& name);

/// `pprofdelta COMMAND OPTION... FILE...`
[[nodiscard]] std::vector<std::string> next_command(const std::string& command,
                                                    const std::vector<std::string>& options,
                                                    const std::vector<std::string>& files);

/// What is in a profile.
[[nodiscard]] std::vector<std::string> report_of_profile(const std::string& profile);

/// Who calls the function of a row, in the difference of two captures.
/// @param words as for words_of(); those that choose samples and frames count here too.
[[nodiscard]] std::vector<std::string> report_of_callers(const std::vector<std::string>& words,
                                                         const std::string& type,
                                                         const std::string& row,
                                                         const std::vector<std::string>& files);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_CLI_NEXT_COMMANDS_HPP
