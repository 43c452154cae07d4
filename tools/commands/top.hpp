// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_COMMANDS_TOP_HPP
#define PPROFDELTA_TOOLS_COMMANDS_TOP_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/fleet.hpp>

#include "base/failure.hpp"
#include "batch/series.hpp"
#include "cli/command_options.hpp"
#include "cli/options.hpp"
#include "cli/status.hpp"
#include "document/top.hpp"
#include "files/profile_file.hpp"

namespace pprofdelta::tool {

/// The deltas of a fleet: a folder of them is a series, whose name is its path below the folder of
/// the fleet, and a service is one series or, by the first parts of their names, several.
class fleet_files {
public:
    /// Which of the two times deltas count for.
    struct sides {
        bool base = true;
        bool head = true;
    };

    /// @param depth   how many parts of its name are the service's; 0 for all.
    /// @param pattern of glob(7) for whole names of services; empty for all.
    fleet_files(std::size_t depth, std::string pattern)
        : m_depth{depth}, m_pattern{std::move(pattern)} {}

    /// Adds what lies below a folder.
    /// @throws failure as add_tree() does.
    void add_folder(const std::string& root, sides to);
    /// Adds files, in whose folders the others of their series are.
    void add_paths(const std::vector<std::string>& paths, sides to);

    [[nodiscard]] std::size_t services() const noexcept { return m_services.size(); }
    [[nodiscard]] std::size_t files() const noexcept { return m_files; }

    /// What could not be read, and the rest went on.
    struct bad_files {
        std::vector<std::string> messages;      ///< In the order of the files.
        exit_status status = exit_status::done; ///< The worst one: io, malformed, incompatible.
    };

    /// Reads each file once, in whatever place `merge --into` has it by then, one at a time on each
    /// of several threads, and a service on one of them.
    /// @throws failure, std::bad_alloc for what is not about a file.
    bad_files read_into(fleet_comparison& to, const reading& how, unsigned threads,
                        bool has_progress) const;

private:
    struct series_of_service {
        std::string folder;        // where it is listed when it is read; empty if paths are given
        const series_items* given; // else nullptr
        sides to;
    };
    using services_by_name = std::map<std::string, std::vector<series_of_service>>;

    void add_series(const std::string& service, series_of_service series, std::size_t files);
    [[nodiscard]] std::string service_of(std::string_view series) const;

    class work;

    std::size_t m_depth;
    std::string m_pattern;
    std::list<batch_items> m_items;
    services_by_name m_services;
    std::size_t m_files = 0;
};

/// `pprofdelta top`: which services of a fleet, and which functions in them, use and grew most.
struct top_command {
    static constexpr const char* name = "top";
    static constexpr const char* summary = "Show which services of a fleet use and grew most";
    static constexpr const char* usage = "Usage: pprofdelta top [OPTION]... DIR...\n"
                                         "       pprofdelta top [OPTION]... --files-from LIST\n";

    void add_options(command_options& options);
    /// @throws failure usage
    void check();
    /// @returns the gravest of what happened to a file.
    /// @throws failure
    [[nodiscard]] exit_status run() const;

    std::vector<std::string> folders;
    std::string list;          ///< A file of paths; empty for none.
    bool list_has_nul = false; ///< They end with NUL.
    std::string against;       ///< A folder; empty for none.
    std::chrono::seconds since{3600};
    std::optional<std::int64_t> until; ///< Nanoseconds since 1970; empty for now.
    std::optional<std::chrono::seconds> ago;
    std::int64_t depth = 0;
    std::string services; ///< A pattern of their names; empty for all.
    reading input;
    unsigned threads = 0; ///< 0 for as many as there are processors, up to 4.

    fleet_options asked;           ///< But for the times.
    std::optional<grouping> by;    ///< Empty for services.
    std::string min_change{"10%"}; ///< As given.
    std::int64_t top = 20;
    std::int64_t functions = 5;

    output_form form;
    std::string page;   ///< A file; empty for none.
    std::string status; ///< The file of the run_status; empty for none.
    bool quiet = false;
    std::vector<std::string> given_options; ///< As they were.

private:
    [[nodiscard]] exit_status run(run_status& told) const;
    [[nodiscard]] fleet_options with_times() const;
    [[nodiscard]] fleet_files find_deltas() const;
    [[nodiscard]] command_list next_of(const top_view& view) const;
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_COMMANDS_TOP_HPP
