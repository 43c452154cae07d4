// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_COMMANDS_REPORT_HPP
#define PPROFDELTA_TOOLS_COMMANDS_REPORT_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/normalize.hpp>
#include <pprofdelta/report.hpp>

#include "base/failure.hpp"
#include "base/value_text.hpp"
#include "cli/command_options.hpp"
#include "cli/gate.hpp"
#include "cli/options.hpp"
#include "commands/inputs.hpp"
#include "document/flame_svg.hpp"
#include "document/page.hpp"
#include "document/report.hpp"
#include "files/profile_file.hpp"

namespace pprofdelta::tool {

/// `pprofdelta report`: says what changed most between two profiles.
struct report_command : document_command {
    static constexpr const char* name = "report";
    static constexpr const char* summary = "Say what changed most, draw it, check limits";
    static constexpr const char* usage = "Usage: pprofdelta report [OPTION]... PREV CUR\n"
                                         "       pprofdelta report [OPTION]... --state FILE [CUR]\n"
                                         "       pprofdelta report [OPTION]... --seconds SEC URL\n"
                                         "       pprofdelta report [OPTION]... PROFILE\n";

    void add_options(command_options& options);
    /// @throws failure usage
    void check();
    /// @returns limit_crossed if a limit was crossed, else done.
    /// @throws failure
    [[nodiscard]] exit_status run() const;

    /// PREV and CUR, with a state CUR alone; or the profile to report on. "-" is standard input.
    std::vector<std::string> files;
    delta_options delta;
    state_options state;
    std::optional<std::string> symbolize; ///< Where binaries are looked for first; may be empty.
    std::string trim_path;                ///< What source files that are found do not begin with.
    bool diff = false;
    std::optional<normalization> normalize; ///< Of PREV, in a diff.
    reading input;
    profile_inputs served;

    std::int64_t top = 20; ///< Rows.
    report_options reported;
    call_options calls;
    std::optional<rate_time> per; ///< For what time rows are rates, if they are.

private:
    struct made; // text, picture, and what a page shows
    [[nodiscard]] exit_status run_with_two(run_status& told) const;
    [[nodiscard]] exit_status run_with_state(run_status& told) const;
    void run_with_one() const;
    void check_one() const;
    struct page_profile;
    [[nodiscard]] report read(call_stacks& stacks, const viewed_profiles& of) const;
    void fill(made& all, const report_view& view, const viewed_profiles& of,
              const std::vector<page_profile>& profiles) const;
    [[nodiscard]] made compare(const comparison& profiles, gate& kept) const;
    [[nodiscard]] made show(const computed_delta& delta, const page_profile& previous,
                            const std::string& current, gate& kept) const;
    [[nodiscard]] report_view completed(report_view view) const;
    [[nodiscard]] std::string draw(flame_view view) const;
    void write(made& all, const std::vector<std::string>& warnings) const;
    [[nodiscard]] page_head head_of(const report_view& view) const;
    [[nodiscard]] std::vector<std::string>
    with_names(const std::vector<std::string_view>& profiles) const;
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_COMMANDS_REPORT_HPP
