// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_COMMANDS_DOCUMENT_COMMAND_HPP
#define PPROFDELTA_TOOLS_COMMANDS_DOCUMENT_COMMAND_HPP

#include <string>
#include <vector>

#include "cli/command_options.hpp"
#include "cli/common_options.hpp"
#include "cli/output_form.hpp"
#include "cli/paths.hpp"
#include "flame/flame_svg.hpp"
#include "gate/limit_messages.hpp"

namespace pprofdelta::tool {

/// What report, compare and trend have in common: they write tables, a page and a picture if they
/// are asked for, and judge limits.
struct document_command {
    output_form form;
    std::string page;        ///< A file; empty for none.
    std::string flame_graph; ///< The same.
    int flame_graph_width = flame_widths.usual;

    std::vector<std::string> given_options; ///< The options that matter to a page, as they were.
    limit_options limits;
    std::string status; ///< The file of the run_status; empty for none.
    bool quiet = false;

protected:
    /// Declares the options for these, but `--format`. To be called last.
    /// @param what is written, for the help.
    void add_outputs(command_options& options, const std::string& what, bool can_draw);
    /// @throws usage_failure
    void check_outputs();
    /// @param more what is written besides.
    /// @throws path_failure, failure io as run_paths does.
    void check_paths(const std::vector<std::string>& inputs,
                     const std::vector<output_path>& more = {}) const;
    /// How messages about limits are printed.
    /// @param have_table whether those that were crossed stand in what is written.
    [[nodiscard]] message_options how_to_print(bool have_table = true) const;
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_COMMANDS_DOCUMENT_COMMAND_HPP
