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
#include "files/profile_file.hpp"

namespace pprofdelta::tool {

/// Puts one profile for each window of time into the place of those of that window, in each folder
/// below a root, which is a series: `20261121T090000Z.1h.pb.gz` is of all that ended after nine,
/// up to ten. Only windows that are over are touched.
///
/// Nothing is lost, and nothing counts twice, wherever a run is killed. While a window is worked
/// on, there is a hidden folder of its name, `.20261121T090000Z.1h`, and:
///
///  1. a sum that is there from an earlier run goes into the hidden folder, before anything else;
///  2. the profiles of the window follow it;
///  3. the sum of all in the hidden folder comes into place, once these moves are durable;
///  4. what is in the hidden folder is removed, once the sum is durable, and then the folder.
///
/// So a sum in place that stands beside a hidden folder which is not empty is of all that is in
/// there, and a run that finds both goes on with step 4. Without a sum in place the hidden folder
/// has all that there is, and it goes on with step 2. An empty hidden folder says nothing. Moves
/// are durable before what follows them, as a crash of the machine may undo the last ones in any
/// order.
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
        /// About profiles that stay where they are, as they are damaged or do not fit.
        std::vector<std::string> bad{};
        exit_status status = exit_status::done; ///< The worst of these, or done.
    };

    explicit window_merge(settings chosen) : m_chosen{std::move(chosen)} {}

    /// Works on all series below a folder, one after the other. Links are not followed.
    /// @throws failure io, usage if there is no series. What was done until then stays done.
    counts run(const std::string& root);

private:
    using names_by_window = std::map<std::int64_t, std::vector<std::string>>;
    struct folder_content {
        std::vector<std::string> profiles; ///< Their names, in order.
        std::vector<std::string> begun;    ///< Windows that were worked on: names of sums.
        std::vector<std::string> folders;
    };

    [[nodiscard]] folder_content content_of(const std::string& folder) const;
    void merge_series(const std::string& folder);
    [[nodiscard]] names_by_window windows_of(const std::string& folder,
                                             const std::vector<std::string>& profiles);
    void merge_window(const std::string& folder, const std::string& sum,
                      const std::vector<std::string>& profiles);
    [[nodiscard]] bool is_sound_sum(const std::string& path);
    void put_into_place(const std::string& folder, const std::string& sum);
    void note_bad(const failure& reason);
    [[nodiscard]] std::string name_of(std::int64_t window) const;
    [[nodiscard]] bool is_input(const std::string& name) const;

    settings m_chosen;
    counts m_found;
};

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_COMMANDS_MERGE_WINDOWS_HPP
