// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_OPTIONS_HPP
#define PPROFDELTA_TOOLS_OPTIONS_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <pprofdelta/codec.hpp>
#include <pprofdelta/delta.hpp>
#include <pprofdelta/normalize.hpp>
#include <pprofdelta/report.hpp>

namespace pprofdelta::tool {

/// What the command line asks for.
struct options {
    enum class command { delta, state_delta, list_types, state_info };

    command run = command::delta;
    /// For a delta PREV and CUR, with a state CUR alone; "-" is standard input.
    std::vector<std::string> files;
    delta_options delta;
    bool diff = false;
    std::optional<normalization> normalize; ///< Of PREV, in a diff.

    std::size_t max_size = max_profile_size; ///< The most that a profile may have, uncompressed.

    std::string state;                ///< The state file; empty for none.
    bool reset_state = false;         ///< Go on as if there were no state yet.
    double lock_timeout_seconds = 30; ///< How long to wait for another run.

    std::string output; ///< Empty for standard output.
    codec compress = codec::gzip;
    int level = default_level;
    bool force = false; ///< Binary output even to a terminal.

    std::vector<std::string> limits; ///< As given; see parse_limit().
    std::vector<std::string> limit_files;

    enum class report_form { none, text, markdown, json };
    report_form report = report_form::none;
    std::string report_file; ///< Empty for a standard stream.
    std::int64_t top = 20;   ///< Rows of the report.
    report_options reported;
    std::string flame_graph;  ///< Empty for none.
    bool no_delta = false;    ///< Write no delta.
    bool annotations = false; ///< Print workflow commands of GitHub.

    bool quiet = false;
    bool verbose = false;
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_OPTIONS_HPP
