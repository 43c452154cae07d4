// SPDX-License-Identifier: Apache-2.0
// The parts that several commands share.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <pprofdelta/info.hpp>
#include <pprofdelta/trend.hpp>

#include "base/failure.hpp"
#include "base/value_text.hpp"
#include "batch/fetcher.hpp"
#include "cli/command_options.hpp"
#include "cli/options.hpp"
#include "commands/commands.hpp"
#include "document/flame_svg.hpp"
#include "document/page.hpp"
#include "files/captures.hpp"
#include "files/file.hpp"
#include "files/path_list.hpp"
#include "files/profile_file.hpp"
#include "output/gate.hpp"
#include "output/paths.hpp"
#include "output/status.hpp"

namespace pprofdelta::tool {

/// How servers are asked.
struct url_options {
    fetch_options fetch;
    std::string header_file; ///< Empty for none.

    /// The files that are read for that; empty for those that are not given.
    [[nodiscard]] std::vector<std::string> files() const {
        return {header_file, fetch.ca_file, fetch.cert_file, fetch.key_file};
    }
    /// The options with the headers of the file.
    /// @throws failure usage, io.
    [[nodiscard]] fetch_options with_headers() const;
};

/// Timeouts, retries, headers and TLS, under a heading of their own.
void add_urls(command_options& options, url_options& chosen);
/// Lets `input` read URLs, one after the other. `chosen` and `input` outlive `options`.
void add_urls(command_options& options, url_options& chosen, read_options& input);

/// Warns if there is more than one program.
/// @param subject says whose they are, such as "the base".
void warn_of_programs(const std::string& subject, const std::vector<std::string>& programs,
                      run_status& line);

/// A warning about captures that were sampled with different periods.
[[nodiscard]] std::string different_periods_text(std::int64_t least, std::int64_t most,
                                                 const std::string& unit);

/// The processes that captures are of, as far as their mappings tell.
///
/// Two captures of one process are no two observations: of what it counts since its start the later
/// one has all that the earlier one has, and what it has at one time is nothing to add to what it
/// has at another. A warning takes more than one capture in a hundred, since a few of very many
/// processes have the same addresses by chance.
class process_list {
public:
    void add(const profile_info& capture);

    /// Says that captures of one process are taken for independent ones, and in which types that
    /// matters; empty if there is nothing to warn of.
    [[nodiscard]] std::string not_independent() const;

    /// Lists the types that are added up but mean nothing as a sum.
    /// @param sum       holds the result of adding the captures up.
    /// @param is_summed whether levels such as memory in use were added to each other.
    [[nodiscard]] std::vector<std::string> meaningless_sums(const profile_info& sum,
                                                            bool is_summed) const;

    /// Says that a process comes back after another one; empty if none does.
    /// @param in_time are the captures in the order of time.
    [[nodiscard]] std::string in_turn(const std::vector<trend_capture>& in_time) const;

    /// Says that only counters tell restarts, and so many that more are likely; empty if
    /// that is not so.
    /// @param in_time are the captures in the order of time.
    [[nodiscard]] std::string starts_over(const std::vector<trend_capture>& in_time) const;

    /// Returns a warning if the captures were sampled with different periods; otherwise empty.
    [[nodiscard]] std::string different_periods() const;

private:
    /// The signs of a capture; each is 0 if it is not known.
    struct signs {
        std::int64_t time_nanos = 0;
        std::int64_t duration_nanos = 0;
        std::uint64_t process = 0;
    };

    [[nodiscard]] std::string are_many(std::size_t repeated) const;
    /// Whether they are of intervals one after the other, as deltas of one process are, whose
    /// mappings need not tell.
    [[nodiscard]] bool are_successive() const;

    std::vector<signs> m_captures; // in the order of addition
    std::set<std::uint64_t> m_all;
    std::size_t m_repeated = 0; // captures of a process that another one before was of
    // Processes of captures that count from the start of the process, as deltas do not.
    std::set<std::uint64_t> m_all_with_totals;
    std::size_t m_repeated_totals = 0;
    std::string m_totals; // the names of such types
    std::set<std::int64_t> m_periods;
    std::string m_period_unit;
};

/// @throws usage_failure with the message unless there is one URL and no more.
void require_url(const std::vector<std::string>& files, bool has_more, const std::string& message);

/// Has Go run a garbage collection before it writes a heap, as it publishes what was allocated when
/// one ends; a URL with `gc=`, such as `gc=0`, is as it was. For URLs that are read more than once.
[[nodiscard]] std::string with_collection(const std::string& url);

/// Waits for some time to have gone by, with a countdown if standard error is a terminal; no longer
/// than until stop_signals says so.
void wait_until(std::chrono::steady_clock::time_point start, double seconds, bool quiet);

/// One URL that stands for both profiles of `delta` and `report`.
struct interval_options {
    /// The time between the two readings; nothing if it is read once.
    std::optional<double> seconds;

    /// `--seconds`
    void add(command_options& options);
    /// Puts the one URL into `files` once more.
    /// @throws usage_failure
    void check(std::vector<std::string>& files, bool has_state) const;
    /// Reads the first profile; if it is read twice, waits then, with a countdown if standard error
    /// is a terminal. A signal ends the program at any time, as nothing has been written.
    /// @param check_first refuses it before the wait.
    /// @throws failure usage, io, and what check_first() throws.
    [[nodiscard]] raw_file
    read_first(const std::string& path, const read_options& options, bool quiet,
               const std::function<void(const profile_file&)>& check_first) const;
};

/// The views of stacks.
/// @param top  limits the number of functions, and of edges of each.
/// @param most limits the same, paths and levels of a tree, which lacks what is less than one of so
///             many equal parts. It is for outputs that have little room.
[[nodiscard]] call_views views_of(const call_options& chosen, const call_stacks& stacks,
                                  std::size_t top, std::size_t most = no_limit);

/// Checks what a run reads and writes, before it writes anything.
/// @throws path_failure, failure io as run_paths does.
void check_paths(const std::vector<output_path>& outputs,
                 const std::vector<std::vector<std::string>>& inputs);

/// A command that reads profiles.
struct reading_command : command {
    std::vector<std::string> files; ///< The inputs as given: files, folders, patterns and URLs.
    list_options list;              ///< Applies to commands that take many.
    read_options input;
    url_options urls;
};

/// A command that writes a profile.
struct profile_command : reading_command {
    profile_output output;
    bool verbose = false;

protected:
    /// @param what the profile is, for the help.
    void add_outputs(command_options& options, const std::string& what);
};

/// The part that commands with tables share: they write these, a page and a picture if they are
/// asked for, and judge limits.
struct document_command : reading_command {
    output_form form;
    std::string page;        ///< A file; empty for none.
    std::string flame_graph; ///< The same.
    int flame_graph_width = flame_widths.usual;

    std::vector<std::string> given_options; ///< The options that matter to a page, as they were.
    limit_options limits;

protected:
    /// Declares the options for these, but `--format` and limits.
    /// @param what      names the output, for the help.
    /// @param elsewhere options that do not matter to a page.
    void add_outputs(command_options& options, const std::string& what, bool can_draw,
                     const std::vector<std::string>& elsewhere = {"--format", "--state"});
    /// @throws usage_failure
    void check_outputs();
    /// @param more lists the other outputs.
    /// @throws path_failure, failure io as run_paths does.
    void check_inputs(const std::vector<std::string>& inputs,
                      const std::vector<output_path>& more = {}) const;
    /// Writes what is beside the tables, unless the file is empty or making it has failed already.
    /// @param fault is the earlier one, if there was one.
    /// @returns the faults so far, which are no reason to go without the tables.
    [[nodiscard]] static deferred_error write_beside(const std::string& file,
                                                     const std::function<std::string()>& make,
                                                     durability when = durability::cached,
                                                     deferred_error fault = {});
    /// Says which limits were crossed, as tool::report_limits() does.
    /// @param have_table whether these stand in what is written.
    [[nodiscard]] exit_status report_limits(const std::vector<document::limit>& found,
                                            run_status& status, bool have_table = true) const;
};

} // namespace pprofdelta::tool
