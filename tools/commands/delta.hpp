// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_COMMANDS_DELTA_HPP
#define PPROFDELTA_TOOLS_COMMANDS_DELTA_HPP

#include <optional>
#include <string>
#include <vector>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/normalize.hpp>

#include "base/failure.hpp"
#include "base/threads.hpp"
#include "cli/command_options.hpp"
#include "cli/options.hpp"
#include "cli/status.hpp"
#include "commands/inputs.hpp"
#include "files/profile_file.hpp"

namespace pprofdelta::tool {

/// `pprofdelta [delta]`: writes the delta of two profiles, or of a profile and a state.
struct delta_command {
    static constexpr const char* name = "delta";
    static constexpr const char* summary = "Write what happened between two profiles (default)";
    static constexpr const char* usage =
        "Usage: pprofdelta [delta] [OPTION]... PREV CUR\n"
        "       pprofdelta [delta] [OPTION]... --state FILE [CUR]\n"
        "       pprofdelta [delta] [OPTION]... --seconds SEC URL\n";

    void add_options(command_options& options);
    /// Checks what single options cannot, and adds the file that is implied.
    /// @throws failure usage
    void check();
    /// @returns limit_crossed if a limit was crossed, else done.
    /// @throws failure
    [[nodiscard]] exit_status run() const;

    /// PREV and CUR, or CUR alone with a state; "-" is standard input.
    std::vector<std::string> files;
    delta_options delta;
    bool diff = false;
    std::optional<normalization> normalize; ///< Of PREV, in a diff.

    reading input;
    profile_inputs served;
    unsigned threads = default_threads();

    state_options state;

    profile_output output;

    limit_options limits;

    std::string status; ///< The file of the run_status; empty for none.
    bool quiet = false;
    bool verbose = false;

private:
    void check_paths() const;
    [[nodiscard]] exit_status run_with_two(run_status& told) const;
    [[nodiscard]] exit_status run_with_state(run_status& told) const;
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_COMMANDS_DELTA_HPP
