// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_COMMANDS_MERGE_WINDOWS_HPP
#define PPROFDELTA_TOOLS_COMMANDS_MERGE_WINDOWS_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <pprofdelta/merge.hpp>

#include "base/failure.hpp"
#include "cli/profile_output.hpp"
#include "cli/series_folder.hpp"
#include "files/profile_file.hpp"

namespace pprofdelta::tool {

/// Puts one profile for each window of time into the place of those of that window, in each folder
/// below a root, which is a series: `20261121T090000Z.1h.pb.gz` is of all that ended after nine,
/// up to ten. Only windows that are over are touched.
///
/// Nothing is lost, and nothing counts twice, wherever a run is killed, of whatever windows the
/// runs after it are, and whoever reads in between. For what counts is told by names alone, and
/// changes by one rename at a time. A window goes through these steps:
///
///  1. its profiles, and a sum of an earlier run, are moved into a hidden folder of its name,
///     `.20261121T090000Z.1h`. They count there as before;
///  2. the sum of them comes there as `.sum`, which does not count;
///  3. the folder is renamed and ends with `.summed`, so that `.sum` counts, and nothing else in
///  it;
///  4. `.sum` comes into place, `20261121T090000Z.1h.pb.gz`;
///  5. what is in the folder is removed, and then the folder.
///
/// A run first ends what others of the series left, windows of any length: it goes on with step 2,
/// or, if the name says so, with 4. What a step relies on is durable before it, as a crash of the
/// machine may undo the last moves in any order. A move of step 1 that is undone changes nothing.
/// Who reads a series holds its lock as a series_reader, so that no file moves meanwhile.
class window_merge {
public:
    struct settings {
        std::chrono::seconds window{};
        std::int64_t until_nanos = 0; ///< Windows that end later are not over.
        merge_options merged{};
        reading input{};
        profile_output form{};
    };
    struct counts {
        std::size_t series = 0;   ///< With a new sum.
        std::size_t sums = 0;     ///< That were written.
        std::size_t profiles = 0; ///< That are in these, and were removed.
        /// About profiles that stay where they are, as they are damaged or do not fit, and about
        /// series that are left to the next run, as reading or writing failed.
        std::vector<std::string> bad{};
        exit_status status = exit_status::done; ///< The worst of these, or done.
    };

    explicit window_merge(settings chosen) : m_chosen{std::move(chosen)} {}

    /// Works on all series below a folder, one after the other. Links are not followed.
    /// @throws failure io if the folder cannot be read.
    counts run(const std::string& root);

private:
    using names_by_window = std::map<std::int64_t, std::vector<std::string>>;
    struct folder_content {
        std::vector<std::string> profiles; ///< Their names, in order.
        std::vector<merge_window> begun;
        std::vector<std::string> folders;
    };

    [[nodiscard]] folder_content content_of(const std::string& folder) const;
    void merge_series(const std::string& folder);
    [[nodiscard]] names_by_window windows_of(const std::string& folder,
                                             const std::vector<std::string>& profiles);
    void take(const std::string& folder, const merge_window& window,
              const std::vector<std::string>& profiles);
    void sum_up(const std::string& folder, merge_window window);
    [[nodiscard]] bool is_sound_sum(const std::string& path);
    void set_aside(const failure& reason);
    void note(const failure& reason);
    [[nodiscard]] std::string name_of(std::int64_t window) const;
    [[nodiscard]] bool is_input(const std::string& name) const;

    settings m_chosen;
    counts m_found;
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_COMMANDS_MERGE_WINDOWS_HPP
