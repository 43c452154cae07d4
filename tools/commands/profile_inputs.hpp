// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_COMMANDS_PROFILE_INPUTS_HPP
#define PPROFDELTA_TOOLS_COMMANDS_PROFILE_INPUTS_HPP

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "cli/command_options.hpp"
#include "commands/url_options.hpp"
#include "files/profile_file.hpp"

namespace pprofdelta::tool {

/// How `delta` and `report` read those of their profiles that are URLs.
struct profile_inputs {
    double seconds = 0; ///< Between two readings of one URL; 0 if it is not read twice.
    url_options urls;
};

/// The options for URLs, and `--seconds`.
void add_profile_inputs(command_options& options, profile_inputs& chosen);
/// With `--seconds` the one URL is put into `files` once more, as it stands for both profiles.
/// @throws usage_failure
void check_profile_inputs(const profile_inputs& chosen, std::vector<std::string>& files,
                          bool has_state);

/// What a run reads from servers, each URL in its turn, before it does anything else; between two
/// readings it waits, with a countdown if standard error is a terminal. A signal ends the program
/// at any time, as nothing has been written.
class read_inputs {
public:
    /// @param files outlive this.
    /// @throws failure usage, io.
    read_inputs(const std::vector<std::string>& files, const profile_inputs& chosen,
                std::size_t max_size, bool quiet);

    /// Whether a profile came from a server.
    [[nodiscard]] bool has(std::size_t place) const { return m_answers.contains(place); }
    /// The profile at a place: what came from a server, or a file, which is read here. To be called
    /// once for each.
    /// @throws failure io, malformed.
    [[nodiscard]] raw_file take(std::size_t place);

private:
    const std::vector<std::string>& m_files;
    std::size_t m_max_size;
    std::map<std::size_t, std::string> m_answers; // by place
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_COMMANDS_PROFILE_INPUTS_HPP
