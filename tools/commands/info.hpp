// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_COMMANDS_INFO_HPP
#define PPROFDELTA_TOOLS_COMMANDS_INFO_HPP

#include <string>
#include <vector>

#include <pprofdelta/delta.hpp>

#include "base/failure.hpp"
#include "cli/command_options.hpp"
#include "commands/inputs.hpp"
#include "files/profile_file.hpp"

namespace pprofdelta::tool {

/// `pprofdelta info`: describes profiles and states.
struct info_command {
    static constexpr const char* name = "info";
    static constexpr const char* summary = "Describe profiles and states";
    static constexpr const char* usage = "Usage: pprofdelta info [OPTION]... FILE...\n";

    void add_options(command_options& options);
    /// @throws failure usage
    void check() const;
    /// @throws failure
    [[nodiscard]] exit_status run() const;

    std::vector<std::string> files; ///< Or URLs; "-" is standard input.
    delta_options delta;
    reading input;
    url_options urls;
    std::size_t max_bytes = 0; ///< Of what is printed; 0 for no limit.
    bool json = false;
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_COMMANDS_INFO_HPP
