// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_COMMANDS_MERGE_HPP
#define PPROFDELTA_TOOLS_COMMANDS_MERGE_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <pprofdelta/merge.hpp>

#include "base/failure.hpp"
#include "cli/command_options.hpp"
#include "cli/options.hpp"
#include "cli/series_folder.hpp"
#include "cli/status.hpp"
#include "commands/inputs.hpp"
#include "files/profile_file.hpp"

namespace pprofdelta::tool {

/// `pprofdelta merge`: writes the sum, or the mean, of any number of profiles.
struct merge_command {
    static constexpr const char* name = "merge";
    static constexpr const char* summary = "Add up any number of profiles, or trim one";
    static constexpr const char* usage =
        "Usage: pprofdelta merge [OPTION]... FILE...\n"
        "       pprofdelta merge [OPTION]... --files-from LIST [FILE]...\n"
        "       pprofdelta merge [OPTION]... --into TIME DIR...\n";

    void add_options(command_options& options);
    /// @throws failure usage
    void check();
    /// @returns malformed if profiles were passed over, else done.
    /// @throws failure
    [[nodiscard]] exit_status run() const;

    std::vector<std::string> files; ///< Files, folders and patterns. "-" is standard input.
    std::vector<double> weights;    ///< Of each of these, or none.
    std::string list;               ///< A file with more of them; empty for none.
    bool list_has_nul = false;      ///< Each path there ends with NUL.

    merge_options merged;
    std::optional<level_policy> levels; ///< Nothing if it was not said; then it is the sum.
    bool mean = false;
    std::optional<std::chrono::seconds> into; ///< The windows that series are put together in.
    std::optional<std::int64_t> until;        ///< Those that end later stay; empty for now.
    bool skip_bad = false;
    reading input;

    profile_output output;
    std::string status; ///< The file of the run_status; empty for none.
    bool quiet = false;
    bool verbose = false;

private:
    struct inputs {
        std::vector<std::string> files;
        std::vector<double> weights; // of each
    };
    struct sizes { // of profiles together
        std::size_t bytes = 0;
        std::size_t bytes_on_disk = 0;
    };
    void check_trim() const;
    [[nodiscard]] inputs find_inputs(series_readers& held) const;
    /// @param found files as they are named, or found.
    void check_paths(const std::vector<std::string>& found) const;
    [[nodiscard]] sizes add_all(const inputs& from, profile_sum& sum, process_list& processes,
                                run_status& told) const;
    void check_into();
    [[nodiscard]] exit_status run(run_status& told) const;
    [[nodiscard]] exit_status run_into(run_status& told) const;
    void report(const merge_summary& found, const sizes& in, const sizes& out, double seconds,
                run_status& told) const;
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_COMMANDS_MERGE_HPP
