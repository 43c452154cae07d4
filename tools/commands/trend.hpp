// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_COMMANDS_TREND_HPP
#define PPROFDELTA_TOOLS_COMMANDS_TREND_HPP

#include <optional>
#include <string>
#include <vector>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/trend.hpp>

#include "base/failure.hpp"
#include "cli/command_options.hpp"
#include "cli/options.hpp"
#include "cli/status.hpp"
#include "commands/inputs.hpp"
#include "document/trend.hpp"
#include "files/profile_file.hpp"

namespace pprofdelta::tool {

/// `pprofdelta trend`: finds what grows over many captures.
struct trend_command : document_command {
    static constexpr const char* name = "trend";
    static constexpr const char* summary = "Find what grows over many captures, such as a leak";
    static constexpr const char* usage = "Usage: pprofdelta trend [OPTION]... FILE...\n";

    void add_options(command_options& options);
    /// @throws failure usage
    void check();
    /// @returns limit_crossed if a limit was crossed, else done.
    /// @throws failure
    [[nodiscard]] exit_status run() const;

    std::vector<std::string> captures; ///< Files, folders and patterns.
    reading input;

    trend_options followed;
    delta_options types; ///< Which are cumulative.
    test_options tested{correction::holm, "5%"};
    std::string every; ///< The time between captures; empty for their own times.

    std::optional<value_type_pattern> sample_type; ///< Of the rows.

private:
    [[nodiscard]] exit_status run(run_status& told) const;
    [[nodiscard]] trend_view view_of(profile_trend& trend,
                                     const std::vector<std::string>& files) const;
    [[nodiscard]] command_list next_of(const trend_view& view,
                                       const std::vector<std::string>& files) const;
    [[nodiscard]] exit_status report(const trend_view& view, run_status& told) const;
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_COMMANDS_TREND_HPP
