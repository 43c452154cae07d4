// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_CLI_PROFILE_OUTPUT_HPP
#define PPROFDELTA_TOOLS_CLI_PROFILE_OUTPUT_HPP

#include <cstdint>
#include <string>
#include <string_view>

#include <pprofdelta/codec.hpp>

#include "cli/command_options.hpp"
#include "files/temporary_file.hpp"

namespace pprofdelta::tool {

/// What a profile is written as.
enum class profile_format : std::uint8_t { pprof, otlp };

/// Where the profile that a command makes goes to, and in which form.
struct profile_output {
    std::string file; ///< Empty for standard output.
    profile_format format = profile_format::pprof;
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
    /// @param is_delta whether it says what happened in an interval, for a format that has to be
    ///                 told.
    /// @param lost     what the format has no place for, as a warning; empty for nothing.
    [[nodiscard]] std::string encoded(std::string profile, bool is_delta, std::string& lost) const;
    /// @throws failure io
    void write(std::string_view bytes, durability when) const;
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_CLI_PROFILE_OUTPUT_HPP
