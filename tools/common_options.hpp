// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_COMMON_OPTIONS_HPP
#define PPROFDELTA_TOOLS_COMMON_OPTIONS_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/normalize.hpp>
#include <pprofdelta/report.hpp>

#include "command_options.hpp"
#include "run_status.hpp"

// Options that several commands have.
namespace pprofdelta::tool {

void add_types(command_options& options, delta_options& chosen);
void add_match(command_options& options, match_mode& match);
/// `--on-reset`
void add_on_reset(command_options& options, reset_policy& policy);
/// Takes `--diff`, which has to be there.
void add_normalize(command_options& options, std::optional<normalization>& by);
/// `--by`, what a row is.
void add_grouping(command_options& options, grouping& by);
void add_max_size(command_options& options, std::size_t& size);
void add_threads(command_options& options, unsigned& threads);
void add_quiet(command_options& options, bool& quiet);

/// What profiles have to keep.
struct limit_options {
    std::vector<std::string> limits; ///< As given; see parse_limit().
    std::vector<std::string> files;
    std::string min_amount;   ///< Of a function, for limits on each; see parse_amount().
    bool annotations = false; ///< Print workflow commands of GitHub.

    [[nodiscard]] bool are_given() const noexcept { return !limits.empty() || !files.empty(); }
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
/// @param skip_first is set by `--first`.
void add_state(command_options& options, state_options& chosen, bool& skip_first);
/// @throws usage_failure
void check_lock_timeout(double seconds);
/// Checks what goes with a state, and adds the file that is not named.
/// @param outputs files that are written beside the state, which must not be it; empty for none.
/// @throws failure usage
void check_state(const state_options& chosen, std::vector<std::string>& files,
                 const std::vector<std::string>& outputs);

/// What a run works on.
void add_inputs(run_status& told, const std::vector<std::string>& files,
                const state_options& state);

/// The file of a run_status; empty for none.
void add_status(command_options& options, std::string& path);
/// @param outputs where the run writes to; the first is the main one, empty for standard output.
/// @param inputs  what the run reads, as given. None of it may be written to, also if the run
/// fails.
/// @throws usage_failure
void check_status(const std::string& path, const std::vector<std::string>& outputs,
                  const std::vector<std::string>& inputs);

/// PREV and CUR.
/// @throws usage_failure
void check_pair(const std::string& what, const std::vector<std::string>& files);
/// An input that is written to would be lost, also under another name.
/// @param output "" for none.
/// @throws usage_failure if it is one of the files.
void check_output(const std::string& output, const std::vector<std::string>& files);

/// `--flamegraph` and `--flamegraph-width`, in pixels.
void add_flame_graph(command_options& options, std::string& file, int& width);
/// @param what is written to `output`, beside the flame graph.
/// @throws usage_failure if the flame graph, unless empty, would not have a file of its own, or a
///         width that none can have.
void check_flame_graph(const std::string& flame_graph, int width, const std::string& output,
                       const std::string& what);
/// `--html`
void add_page(command_options& options, std::string& file);
/// @param what is written to `output`.
/// @throws usage_failure if the page, unless empty, would not have a file of its own.
void check_page(const std::string& page, const std::string& flame_graph, const std::string& output,
                const std::string& what);
/// @throws usage_failure for what is no regular expression; empty stands for none.
void check_regex(const std::string& option, const std::string& regex);
/// @throws usage_failure if standard input is to be read more than once.
void check_standard_input(const std::vector<std::string>& files);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_COMMON_OPTIONS_HPP
