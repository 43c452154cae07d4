// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/value_type.hpp>

#include "base/failure.hpp"
#include "batch/series.hpp"
#include "cli/status.hpp"
#include "files/file.hpp"
#include "files/series_record.hpp"

namespace pprofdelta::tool {

/// Lets a run end what it has begun when a signal asks the program to end. The second signal ends
/// it at once, with the commands that it runs.
namespace stop_signals {

/// Signals are caught from here on.
void catch_them();

[[nodiscard]] bool is_stopping() noexcept;
/// Whether that was so long ago, a second, that nothing is waited for that another run can do
/// again.
[[nodiscard]] bool is_late() noexcept;

/// Ends the process by the signal that came, as if nobody had caught it. Returns if none came.
void end_by_signal() noexcept;

} // namespace stop_signals

/// The flat values per second of functions, in one sample type.
struct type_rates {
    value_type type{};
    std::vector<std::pair<std::string, double>> functions{};
    double rest = 0; ///< The sum of all others.
};

/// The rates of a delta, for the types in it that are cumulative, but for those whose sums would
/// not fit. Empty if it covers no time.
/// @param types are those of the delta, in its order.
[[nodiscard]] std::vector<type_rates>
rates_of(const std::string& delta, const std::vector<type_treatment>& types, double seconds);

/// Sums of rates over many processes. However many functions and types there are, and however long
/// their names, it takes some 30 MB at the most; what comes after that is in the rest, or nowhere
/// if it is of a further type.
class rate_sums {
public:
    void add(const std::vector<type_rates>& rates);
    /// Returns the largest rates of each type in descending order, equal ones by name.
    [[nodiscard]] std::vector<type_rates> largest(std::size_t count) const;

private:
    struct sums {
        std::unordered_map<std::string, double> functions;
        double total = 0;
    };
    std::map<std::pair<std::string, std::string>, sums> m_types; // by name and unit
};

/// The largest number of commands that run at a time.
inline constexpr unsigned most_commands = 1024;

/// How a command ended.
struct command_end {
    std::optional<int> status{}; ///< None if it was not started, or ended by a signal.
    std::string fault{};         ///< The fault, for people; empty for the status 0.
};

/// Runs a command without a shell and waits for its end. Its standard input is empty; what it
/// prints on both streams goes nowhere, but for the last line, which a fault has. It has a process
/// group of its own, so what it starts ends with it if it takes too long, and what is typed at the
/// terminal does not reach it. Safe for several threads, up to most_commands.
/// @param words       the command, which is looked for as a shell does, and its arguments.
/// @param environment consists of variables NAME=VALUE, all that it has.
[[nodiscard]] command_end run_command(const std::vector<std::string>& words,
                                      const std::vector<std::string>& environment,
                                      std::chrono::duration<double> timeout);

/// Ends all that run_command() waits for, as nobody would see to it that they end in time once this
/// process has ended. A command that is being started at this very moment may be missed. Safe in a
/// signal handler.
void end_commands() noexcept;

/// The result of passing a delta to the command.
struct delivery {
    std::string id{};
    /// The status of the last try; none if it was not started, or did not end.
    std::optional<int> status{};
    unsigned tries = 0;
    double milliseconds = 0;
    std::string fault{}; ///< Why it was not taken; empty if it was.
};

/// Runs the command for a delta that is durable, and again if it fails, until it ends with status
/// 0, there were enough tries, or the run is to end.
/// @throws failure io for a command that must not be run with these values.
[[nodiscard]] delivery deliver(const exec_options& options, const unsent_note& note,
                               const unsent_delta& delta);

enum class item_status : std::uint8_t {
    done,
    skipped,       ///< There is nothing to do: it was done before, or a later one was.
    limit_crossed, ///< It is done, and a limit was crossed.
    sent,          ///< No item: a delta of an earlier run was taken by the command.
    malformed,
    incompatible,
    io,
    unsent, ///< It is done, and the command has still to take it.
};

/// The number of different ones.
inline constexpr std::size_t item_statuses = 8;

/// Returns the name of a status in results and metrics.
[[nodiscard]] const char* to_string(item_status status) noexcept;

/// The total of one type in a delta.
struct type_total {
    value_type type;
    bool is_cumulative;
    std::int64_t value; ///< The sum over all samples.
};

/// The outcome of one profile.
struct item_outcome {
    std::string_view series;
    std::string_view input;
    target_labels labels{};
    item_status status = item_status::done;
    std::string output; ///< The delta's path; empty if there is none.
    std::string
        /// The reason, for people, why it failed, or was skipped; empty if there is nothing to say.
        error;
    delta_summary summary;
    std::size_t bytes_in = 0; ///< Uncompressed.
    std::size_t bytes_in_on_disk = 0;
    std::size_t bytes_out_on_disk = 0;
    double milliseconds = 0;
    /// The totals of the delta, if somebody wants to know.
    std::vector<type_total> totals;
    std::vector<type_rates> rates;                  ///< The same.
    std::optional<std::vector<std::string>> limits; ///< Objects of JSON, if there are limits.
    std::optional<delivery> sent;                   ///< If it was given to a command.
    std::string crossed;                            ///< The limits that were, for people.

    /// Whatever became of its delta, there is none for whoever reads this.
    void fail(exit_status fault, const std::string& why);
    void skip(const std::string& why);
    [[nodiscard]] bool is_failure() const noexcept { return status >= item_status::malformed; }
};

/// The line for programs, with its end. Its members are described in pprofdelta-batch(1).
[[nodiscard]] std::string to_json_line(const item_outcome& outcome);

/// Counts the work of a run.
struct batch_counts {
    std::array<std::size_t, item_statuses> items{}; ///< The numbers by item_status.
    std::size_t resets = 0;
    std::size_t left_unsent = 0; ///< The part of `unsent` that are no items of this run.
    std::uint64_t bytes_in = 0;  ///< Uncompressed.
    std::uint64_t bytes_in_on_disk = 0;
    std::uint64_t bytes_out_on_disk = 0;
    /// Counts by the label `job` of targets, or "targets", and then by item_status.
    std::map<std::string, std::array<std::size_t, item_statuses>, std::less<>> jobs{};
    rate_sums rates{};

    [[nodiscard]] std::size_t of(item_status status) const noexcept {
        return items[static_cast<std::size_t>(status)];
    }
    [[nodiscard]] std::size_t failed() const noexcept;
    /// The gravest of what happened: io, malformed, incompatible, limit_crossed, done.
    /// @param allowed how many of a hundred items, without those that were skipped, may fail and
    ///                count as done.
    [[nodiscard]] exit_status status(double allowed = 0) const noexcept;
};

/// Says what becomes of each item: a line for programs, a message to people for each that failed or
/// crossed a limit, and a line that shows how far the run is. Safe for several threads.
class batch_results {
public:
    /// @param path  is that of the file to which lines are appended; "-" is standard output, and
    /// empty none.
    /// @param items how many there will be.
    /// @throws failure io
    batch_results(std::string path, std::size_t items, bool quiet);

    /// @throws failure io if the lines cannot be written. They are lost then, and so are those of
    ///         later calls; all else goes on.
    void add(const std::vector<item_outcome>& outcomes);

    /// Tells people of something that is no item's fault.
    void warn(const std::string& text);
    /// Returns the texts given to warn().
    [[nodiscard]] std::vector<std::string> warnings();

    /// The call comes when nothing is added any more.
    void end();
    /// Nothing may be added meanwhile.
    [[nodiscard]] const batch_counts& counts() const noexcept { return m_counts; }

private:
    void count(const item_outcome& outcome);
    void publish(const item_outcome& outcome);
    void print(const std::string& text);

    std::string m_path;
    bool m_is_quiet;
    descriptor m_file{-1};
    batch_counts m_counts;
    std::vector<std::string> m_warnings;
    std::set<std::string, std::less<>> m_of_deltas; // series that were told
    progress m_progress;
    std::mutex m_mutex;
};

/// The data of a run that Prometheus reads.
struct batch_metrics {
    std::string batch{}; ///< A name that no other run on the machine has.
    shard part{};        ///< The part of that which the run did.
    batch_counts counts{};
    exit_status status{};
    double seconds = 0;         ///< The time that the run took.
    std::int64_t end_nanos = 0; ///< When it ended, since 1970.
    std::size_t top = 0;        ///< The number of functions of each type that are named.
    /// The series whose last profile is the oldest, with its time; the oldest first.
    std::vector<std::pair<std::string_view, std::int64_t>> oldest{};
};

/// The text is in Prometheus' format, with the names that pprofdelta-batch(1) describes.
[[nodiscard]] std::string to_text(const batch_metrics& metrics);

} // namespace pprofdelta::tool
