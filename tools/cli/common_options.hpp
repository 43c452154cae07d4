// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_CLI_COMMON_OPTIONS_HPP
#define PPROFDELTA_TOOLS_CLI_COMMON_OPTIONS_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/normalize.hpp>
#include <pprofdelta/report.hpp>

#include "cli/command_options.hpp"
#include "cli/paths.hpp"
#include "cli/run_status.hpp"
#include "files/profile_file.hpp"

// Options that several commands have.
namespace pprofdelta::tool {

void add_types(command_options& options, delta_options& chosen);
void add_match(command_options& options, match_mode& match);
/// `--on-reset`
void add_on_reset(command_options& options, reset_policy& policy);
/// Takes `--diff`, which has to be there.
void add_normalize(command_options& options, std::optional<normalization>& by);
void add_max_size(command_options& options, std::size_t& size);
/// `--max-bytes` of an output.
void add_max_bytes(command_options& options, std::size_t& size);
/// `--unit` of folded stacks.
void add_unit(command_options& options, value_type& counted);
/// `--max-size` and `--unit`.
void add_reading(command_options& options, reading& how);
/// `--memory`, at least 64 MiB.
void add_memory(command_options& options, std::size_t& size);
void add_threads(command_options& options, unsigned& threads);
void add_quiet(command_options& options, bool& quiet);

/// What profiles have to keep.
struct limit_options {
    std::vector<std::string> limits; ///< As given; see parse_limit().
    std::vector<std::string> files;
    std::string min_amount;   ///< Of a function, for limits on each; see parse_amount().
    bool annotations = false; ///< Print workflow commands of GitHub.

    [[nodiscard]] bool has_limits() const noexcept { return !limits.empty() || !files.empty(); }
};
void add_limits(command_options& options, limit_options& chosen);
/// `--annotations` for limits.
void add_annotations(command_options& options, limit_options& chosen);
/// `--min-amount` for limits on each function.
void add_min_amount(command_options& options, limit_options& chosen);
/// @throws usage_failure
void check_limits(const limit_options& chosen);
/// @throws usage_failure
void check_min_amount(const limit_options& chosen);

/// Where the state of a series is kept, and how it is used.
struct state_options {
    std::string file;                 ///< Empty for none.
    bool reset = false;               ///< Go on as if there were no state yet.
    double lock_timeout_seconds = 30; ///< How long to wait for another run.
};
/// `--first`
void add_first(command_options& options, bool& skip_first);
/// Under a heading of their own.
/// @param skip_first is set by `--first`.
void add_state(command_options& options, state_options& chosen, bool& skip_first);
/// @throws usage_failure
void check_lock_timeout(double seconds);
/// Checks what goes with a state, and adds the file that is not named.
/// @throws usage_failure
void check_state(const state_options& chosen, std::vector<std::string>& files);
/// The state and its lock; neither if there is no state.
void add_state_outputs(std::vector<output_path>& outputs, const state_options& chosen);

/// What a run works on.
void add_inputs(run_status& line, const std::vector<std::string>& files,
                const state_options& state);

/// The file of a run_status; empty for none.
void add_status(command_options& options, std::string& path);
/// @param output of the run; empty for standard output.
/// @throws usage_failure
void check_status(const std::string& path, const std::string& output);
[[nodiscard]] output_path status_output(const std::string& path);

/// PREV and CUR.
/// @throws usage_failure
void check_pair(const std::string& what, const std::vector<std::string>& files);

/// `--flamegraph` and `--flamegraph-width`, in pixels.
void add_flame_graph(command_options& options, std::string& file, int& width);
/// @throws usage_failure for one that no flame graph can have.
void check_flame_graph_width(int width);
/// `--html`
void add_page(command_options& options, std::string& file);
/// @throws usage_failure for what is no regular expression; empty stands for none.
void check_regex(const std::string& option, const std::string& regex);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_CLI_COMMON_OPTIONS_HPP
