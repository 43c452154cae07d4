// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_BATCH_WORK_RESULTS_HPP
#define PPROFDELTA_TOOLS_BATCH_WORK_RESULTS_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/failure.hpp"
#include "batch/work/function_rates.hpp"
#include "batch/work/outcome.hpp"
#include "cli/progress.hpp"
#include "files/descriptor.hpp"

namespace pprofdelta::tool {

/// What a run did, in numbers.
struct batch_counts {
    std::array<std::size_t, item_statuses> items{}; ///< By item_status.
    std::size_t resets = 0;
    std::size_t left_unsent = 0; ///< Of `unsent`, those that are no items of this run.
    std::uint64_t bytes_in = 0;  ///< Uncompressed.
    std::uint64_t bytes_in_on_disk = 0;
    std::uint64_t bytes_out_on_disk = 0;
    /// By the label `job` of targets, or "targets", and item_status.
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
    /// @param path  of the file to which lines are appended; "-" is standard output, and empty
    /// none.
    /// @param items how many there will be.
    /// @throws failure io
    batch_results(std::string path, std::size_t items, bool quiet);

    /// @throws failure io if the lines cannot be written. They are lost then, and so are those of
    ///         later calls; all else goes on.
    void add(const std::vector<item_outcome>& outcomes);

    /// Tells people of something that is no item's fault.
    void warn(const std::string& text);
    /// What warn() was told.
    [[nodiscard]] std::vector<std::string> warnings();

    /// To be called when nothing is added any more.
    void end();
    /// Not while anything is added.
    [[nodiscard]] const batch_counts& counts() const noexcept { return m_counts; }

private:
    void count(const item_outcome& outcome);
    void tell(const item_outcome& outcome);

    std::string m_path;
    bool m_is_quiet;
    descriptor m_file{-1};
    batch_counts m_counts;
    std::vector<std::string> m_warnings;
    progress m_progress;
    std::mutex m_mutex;
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_BATCH_WORK_RESULTS_HPP
