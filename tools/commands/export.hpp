// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_COMMANDS_EXPORT_HPP
#define PPROFDELTA_TOOLS_COMMANDS_EXPORT_HPP

#include <string>
#include <vector>

#include <pprofdelta/export.hpp>

#include "base/failure.hpp"
#include "cli/command_options.hpp"
#include "files/profile_file.hpp"

namespace pprofdelta::tool {

/// `pprofdelta export`: profiles as text for other programs.
struct export_command {
    static constexpr const char* name = "export";
    static constexpr const char* summary = "Folded stacks, or rows for a database";
    static constexpr const char* usage = "Usage: pprofdelta export folded [OPTION]... FILE\n"
                                         "       pprofdelta export folded [OPTION]... PREV CUR\n"
                                         "       pprofdelta export ndjson [OPTION]... FILE...\n";

    void add_options(command_options& options);
    /// @throws failure usage
    void check();
    /// @throws failure
    [[nodiscard]] exit_status run() const;

    std::vector<std::string> files; ///< "-" is standard input.
    std::string format;             ///< "folded" or "ndjson".
    report_options exported;        ///< Of folded stacks.
    std::string output;             ///< Empty for standard output.
    reading input;

private:
    void write_to(const text_sink& write, const std::vector<std::string>& found) const;
    void write_stacks(const text_sink& write) const;

    std::vector<std::string> m_given_for_folded; // options
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_COMMANDS_EXPORT_HPP
