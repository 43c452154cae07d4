// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/value_type.hpp>

#include "base/failure.hpp"
#include "batch/delivery.hpp"
#include "batch/rates.hpp"
#include "batch/series.hpp"
#include "files/file.hpp"
#include "output/status.hpp"

namespace pprofdelta::tool {

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

    /// The series with a delta in which counters decreased although the process is the same, in the
    /// order of their names. Nothing may be added meanwhile.
    [[nodiscard]] const std::set<std::string, std::less<>>& decreased_series() const noexcept {
        return m_decreased_series;
    }

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
    std::set<std::string, std::less<>> m_warned_series; // series that were told
    std::set<std::string, std::less<>> m_decreased_series;
    progress m_progress;
    std::mutex m_mutex;
};

} // namespace pprofdelta::tool
