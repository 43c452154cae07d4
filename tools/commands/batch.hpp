// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_COMMANDS_BATCH_HPP
#define PPROFDELTA_TOOLS_COMMANDS_BATCH_HPP

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/failure.hpp"
#include "batch/inputs.hpp"
#include "batch/results.hpp"
#include "batch/series.hpp"
#include "batch/states.hpp"
#include "cli/command_options.hpp"
#include "cli/paths.hpp"
#include "cli/status.hpp"
#include "commands/inputs.hpp"

namespace pprofdelta::tool {

/// `pprofdelta batch`: the deltas of many series of profiles.
struct batch_command {
    static constexpr const char* name = "batch";
    static constexpr const char* summary = "Write the deltas of many series of profiles";
    static constexpr const char* usage =
        "Usage: pprofdelta batch [OPTION]... --state-dir DIR -o TEMPLATE MANIFEST\n"
        "       pprofdelta batch [OPTION]... --state-dir DIR -o TEMPLATE --targets FILE\n"
        "       pprofdelta batch [OPTION]... --state-dir DIR -o TEMPLATE --dir ROOT\n";

    void add_options(command_options& options);
    /// @throws failure usage
    void check();
    /// @returns the gravest of what happened to an item.
    /// @throws failure
    [[nodiscard]] exit_status run() const;

    std::vector<std::string> files; ///< The manifest; "-" is standard input.
    bool manifest_has_nul = false;  ///< Its entries end with NUL.
    std::string targets;            ///< A file of Prometheus' file_sd; empty for none.
    std::vector<std::string> paths; ///< Of the profiles of each target.
    std::string series_labels = default_series_labels; ///< That name the series of targets.
    std::string root; ///< The folder with a folder for each series; empty for none.
    shard part;       ///< The series that are done; all by default.

    url_options urls;

    std::size_t memory = std::size_t{4} << 30U; ///< For all profiles; see divide_memory().
    std::size_t max_size = 0; ///< The most bytes of a profile; 0 for as many as `memory` allows.

    std::string state_folder;
    double lock_timeout_seconds = 30;              ///< For all series together.
    std::optional<std::chrono::seconds> prune_age; ///< Of states that are removed.

    batch_plan plan;
    std::string output_text;     ///< The template of paths.
    std::string exec_text;       ///< The command for each delta; empty for none.
    unsigned jobs = 0;           ///< Series that are worked on side by side.
    std::string results;         ///< The file of the lines; "-" is standard output, and empty none.
    std::string metrics;         ///< For Prometheus; empty for none.
    unsigned metrics_top = 0;    ///< How many functions these name.
    std::string status;          ///< The file of the run_status; empty for none.
    double allowed_failures = 0; ///< Of a hundred items.
    bool quiet = false;
    bool verbose = false;

private:
    void check_input() const;
    void check_outputs() const;
    void check_exec();
    void divide_memory();
    /// Those that the command line names. A manifest has more.
    [[nodiscard]] run_paths named_paths() const;
    /// Those of all parts.
    [[nodiscard]] batch_items find_items() const;
    [[nodiscard]] std::vector<std::string> warnings_about(const batch_items& items) const;
    void add_unsent(const tool::state_folder& states, batch_results& lines,
                    batch_items& items) const;
    [[nodiscard]] run_paths find_paths(const batch_items& items) const;
    [[nodiscard]] exit_status run(run_status& line) const;
    void report(const batch_counts& counts, std::size_t items, std::size_t pruned, double seconds,
                run_status& line) const;
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_COMMANDS_BATCH_HPP
