// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_REPORT_COMMAND_HPP
#define PPROFDELTA_TOOLS_REPORT_COMMAND_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <pprofdelta/codec.hpp>
#include <pprofdelta/delta.hpp>
#include <pprofdelta/limits.hpp>
#include <pprofdelta/normalize.hpp>
#include <pprofdelta/report.hpp>

#include "command_options.hpp"
#include "common_options.hpp"
#include "comparison.hpp"
#include "failure.hpp"

namespace pprofdelta::tool {

/// `pprofdelta report`: says what changed most between two profiles.
struct report_command {
    static constexpr const char* name = "report";
    static constexpr const char* summary = "Say what changed most, draw it, check limits";
    static constexpr const char* usage = "Usage: pprofdelta report [OPTION]... PREV CUR\n";

    void add_options(command_options& options);
    /// @throws failure usage
    void check();
    /// @returns limit_crossed if a limit was, and done otherwise.
    /// @throws failure
    [[nodiscard]] exit_status run() const;

    enum class form { text, markdown, json };

    std::vector<std::string> files;       ///< PREV and CUR; "-" is standard input.
    std::optional<std::string> symbolize; ///< Where binaries are looked for first; may be empty.
    match_mode match = match_mode::exact;
    bool diff = false;
    std::optional<normalization> normalize;  ///< Of PREV, in a diff.
    std::size_t max_size = max_profile_size; ///< The most that a profile may have, uncompressed.

    form format = form::text;
    std::string output;    ///< Empty for standard output.
    std::int64_t top = 20; ///< Rows.
    report_options reported;
    std::string flame_graph; ///< Empty for none.

    limit_options limits;
    bool quiet = false;

private:
    void name_frames(profile_file& previous, profile_file& current) const;
    void check_profiles(const comparison& profiles, const profile_file& previous,
                        const profile_file& current) const;
    [[nodiscard]] std::string make_text(const comparison& profiles,
                                        const std::vector<judgement>& judgements) const;
    [[nodiscard]] std::string draw(const comparison& profiles) const;
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_REPORT_COMMAND_HPP
