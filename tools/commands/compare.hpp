// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_COMMANDS_COMPARE_HPP
#define PPROFDELTA_TOOLS_COMMANDS_COMPARE_HPP

#include <optional>
#include <string>
#include <vector>

#include <pprofdelta/compare.hpp>
#include <pprofdelta/flame_graph.hpp>

#include "base/failure.hpp"
#include "cli/command_options.hpp"
#include "cli/options.hpp"
#include "cli/status.hpp"
#include "commands/inputs.hpp"
#include "document/compare.hpp"
#include "files/profile_file.hpp"

namespace pprofdelta::tool {

/// `pprofdelta compare`: tells what changed between several captures of two versions from noise.
struct compare_command : document_command {
    static constexpr const char* name = "compare";
    static constexpr const char* summary = "Tell from several captures which changes are real";
    static constexpr const char* usage =
        "Usage: pprofdelta compare [OPTION]... --base FILE... --head FILE...\n";

    void add_options(command_options& options);
    /// @throws failure usage
    void check();
    /// @returns limit_crossed if a limit was crossed, else done.
    /// @throws failure
    [[nodiscard]] exit_status run() const;

    std::vector<std::string> base; ///< Files, folders and patterns. "-" is standard input.
    std::vector<std::string> head;
    std::vector<std::string> files; ///< What is of neither side, and so refused.
    reading input;

    compare_options compared;
    test_options tested{compare_options{}.corrected, "2%"};
    bool is_untested = false;
    call_options calls;

    std::optional<value_type_pattern> sample_type; ///< Of the rows.
    std::string explained;                         ///< The name of a row; empty for none.

private:
    [[nodiscard]] exit_status run(run_status& told) const;
    [[nodiscard]] compare_view view_of(profile_comparison& captures) const;
    // Puts in what is shown of stacks, at most so many of each.
    void add_stacks(profile_comparison& captures, std::size_t most, compared_type& to) const;
    [[nodiscard]] std::vector<compared_type> choose_types(const profile_comparison& captures,
                                                          const compare_view& view) const;
    void require_enough(const compare_view& view) const;
    [[nodiscard]] command_list next_of(const compare_view& view,
                                       const std::vector<std::string>& base_files,
                                       const std::vector<std::string>& head_files) const;
    [[nodiscard]] std::string make_text(profile_comparison& captures, compare_view view) const;
    [[nodiscard]] std::string draw(const profile_comparison& captures, const compare_view& view,
                                   const median_flame_graph& graph) const;
    [[nodiscard]] exit_status report(const compare_view& view, run_status& told) const;
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_COMMANDS_COMPARE_HPP
