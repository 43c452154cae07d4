// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_CLI_PROFILE_OUTPUT_HPP
#define PPROFDELTA_TOOLS_CLI_PROFILE_OUTPUT_HPP

#include <string>
#include <string_view>

#include <pprofdelta/codec.hpp>

#include "cli/command_options.hpp"
#include "files/temporary_file.hpp"

namespace pprofdelta::tool {

/// Where the profile that a command makes goes to, and in which form.
struct profile_output {
    std::string file; ///< Empty for standard output.
    codec compress = codec::gzip;
    int level = default_level;
    bool force = false; ///< Write binary output even to a terminal.

    /// @param what the profile is, for the help.
    void add_options(command_options& options, const std::string& what);
    /// Only how profiles are wrapped.
    void add_form(command_options& options, const std::string& what);
    /// @throws failure usage
    void check();
    /// @throws failure usage if the profile would go to a terminal.
    void refuse_terminal() const;

    /// A profile as it will be written.
    [[nodiscard]] std::string encoded(std::string profile) const;
    /// @throws failure io
    void write(std::string_view bytes, durability when) const;
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_CLI_PROFILE_OUTPUT_HPP
