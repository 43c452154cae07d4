// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_DELTA_COMMAND_HPP
#define PPROFDELTA_TOOLS_DELTA_COMMAND_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <pprofdelta/codec.hpp>
#include <pprofdelta/delta.hpp>
#include <pprofdelta/normalize.hpp>

#include "command_options.hpp"
#include "common_options.hpp"
#include "failure.hpp"

namespace pprofdelta::tool {

/// `pprofdelta [delta]`: writes the delta of two profiles, or of one and a state.
struct delta_command {
    static constexpr const char* name = "delta";
    static constexpr const char* summary = "Write what happened between two profiles (default)";
    static constexpr const char* usage =
        "Usage: pprofdelta [delta] [OPTION]... PREV CUR\n"
        "       pprofdelta [delta] [OPTION]... --state FILE [CUR]\n";

    void add_options(command_options& options);
    /// Checks what the single options cannot know, and adds the file that is not named.
    /// @throws failure usage
    void check();
    /// @returns limit_crossed if a limit was, and done otherwise.
    /// @throws failure
    [[nodiscard]] exit_status run() const;

    /// PREV and CUR, with a state CUR alone; "-" is standard input.
    std::vector<std::string> files;
    delta_options delta;
    bool diff = false;
    std::optional<normalization> normalize; ///< Of PREV, in a diff.

    std::size_t max_size = max_profile_size; ///< The most that a profile may have, uncompressed.

    state_options state;

    std::string output; ///< Empty for standard output.
    codec compress = codec::gzip;
    int level = default_level;
    bool force = false; ///< Binary output even to a terminal.

    limit_options limits;

    bool quiet = false;
    bool verbose = false;

private:
    void check_level() const;
    [[nodiscard]] exit_status run_with_two() const;
    [[nodiscard]] exit_status run_with_state() const;
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_DELTA_COMMAND_HPP
