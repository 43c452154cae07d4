// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_OPTIONS_HPP
#define PPROFDELTA_TOOLS_OPTIONS_HPP

#include <string>
#include <vector>

#include <pprofdelta/codec.hpp>
#include <pprofdelta/delta.hpp>

namespace pprofdelta::tool {

/// What the command line asks for.
struct options {
    enum class command { delta, list_types };

    command run = command::delta;
    std::vector<std::string> files; ///< For a delta PREV and CUR; "-" is standard input.
    delta_options delta;
    bool diff = false;

    std::string output; ///< Empty for standard output.
    codec compress = codec::gzip;
    int level = default_level;
    bool force = false; ///< Binary output even to a terminal.

    bool quiet = false;
    bool verbose = false;
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_OPTIONS_HPP
