// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_COMMANDS_TOP_HPP
#define PPROFDELTA_TOOLS_COMMANDS_TOP_HPP

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <pprofdelta/fleet.hpp>

#include "base/failure.hpp"
#include "cli/command_options.hpp"
#include "cli/output_form.hpp"
#include "cli/run_status.hpp"
#include "commands/fleet_files.hpp"
#include "document/top_format.hpp"
#include "files/profile_file.hpp"

namespace pprofdelta::tool {

/// `pprofdelta top`: which services of a fleet, and which functions in them, use and grew most.
struct top_command {
    static constexpr const char* name = "top";
    static constexpr const char* summary = "Show which services of a fleet use and grew most";
    static constexpr const char* usage = "Usage: pprofdelta top [OPTION]... DIR...\n"
                                         "       pprofdelta top [OPTION]... --files-from LIST\n";

    void add_options(command_options& options);
    /// @throws failure usage
    void check();
    /// @returns the gravest of what happened to a file.
    /// @throws failure
    [[nodiscard]] exit_status run() const;

    std::vector<std::string> folders;
    std::string list;          ///< A file of paths; empty for none.
    bool list_has_nul = false; ///< They end with NUL.
    std::string against;       ///< A folder; empty for none.
    std::chrono::seconds since{3600};
    std::optional<std::int64_t> until; ///< Nanoseconds since 1970; empty for now.
    std::optional<std::chrono::seconds> ago;
    std::int64_t depth = 0;
    std::string services; ///< A pattern of their names; empty for all.
    reading input;
    unsigned threads = 0; ///< 0 for as many as there are processors, up to 4.

    fleet_options asked;           ///< But for the times.
    std::optional<grouping> by;    ///< Empty for services.
    std::string min_change{"10%"}; ///< As given.
    std::int64_t top = 20;
    std::int64_t functions = 5;

    output_form form;
    std::string page;   ///< A file; empty for none.
    std::string status; ///< The file of the run_status; empty for none.
    bool quiet = false;
    std::vector<std::string> given_options; ///< As they were.

private:
    [[nodiscard]] exit_status run(run_status& told) const;
    [[nodiscard]] fleet_options with_times() const;
    [[nodiscard]] fleet_files find_deltas() const;
    [[nodiscard]] command_list next_of(const top_view& view) const;
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_COMMANDS_TOP_HPP
