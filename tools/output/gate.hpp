// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pprofdelta/limits.hpp>
#include <pprofdelta/normalize.hpp>

#include "base/failure.hpp"
#include "document/document.hpp"
#include "document/report.hpp"
#include "files/profile_file.hpp"
#include "output/limits.hpp"
#include "output/status.hpp"

namespace pprofdelta::tool {

/// Says on standard error, and in the status of the run, which limits were crossed, and warns of
/// those that could not be judged or match nothing.
/// @param annotations  print workflow commands of GitHub, too.
/// @param are_in_table those that were crossed can be read there already.
/// @param may_lack_match whether those may have no match that must have one otherwise.
/// @returns limit_crossed if one was, or else incompatible if one was not judged, or has no match,
///          that must be or have. Then, and where one has a match no more, warnings are printed in
///          any case, as nothing fails without a word.
/// @throws failure io if what is to be printed, but for warnings, is lost.
[[nodiscard]] exit_status report_limits(const std::vector<document::limit>& limits,
                                        run_status& line, bool annotations, bool may_lack_match,
                                        bool are_in_table = false);

/// A gate is to fail if what it looks at was not there at all, whatever it is compared with.
/// @param samples how many there are of what is judged.
/// @param current names the judged profile.
/// @throws failure incompatible
void require_samples(std::int64_t samples, const std::string& current);

/// Two profiles as they are compared: the previous one scaled, if that is asked for.
struct comparison {
    /// @param normalize scales the previous one. The two files outlive this.
    /// @throws failure malformed, incompatible.
    comparison(std::optional<normalization> normalize, const profile_file& before,
               const profile_file& now);
    comparison(const comparison&) = delete;
    comparison& operator=(const comparison&) = delete;

    /// Uncompressed.
    [[nodiscard]] std::string_view previous_bytes() const noexcept {
        return normalized_by ? std::string_view{scaled.profile} : previous.bytes();
    }

    /// Calls `work(std::string_view previous, std::string_view current)` as with_pair_context()
    /// does.
    template <typename Work>
    auto with_both_profiles(Work&& work) const {
        return with_pair_context(previous.name(), current.name(), [&] {
            return std::forward<Work>(work)(previous_bytes(), current.bytes());
        });
    }

    const profile_file& previous; ///< The profile before it was scaled.
    const profile_file& current;
    std::optional<normalization> normalized_by{};
    normalized_profile scaled{}; ///< The previous one; empty unless normalized.
    /// "previous values normalized by total: alloc_space/bytes x1.25, …"; empty unless normalized.
    std::string normalization_text{};
};

/// The limits that profiles have to keep.
class gate {
public:
    /// @param frames are those that stacks consist of; see pprofdelta::judge().
    /// @throws failure usage for what is no limit; io.
    gate(const limit_options& chosen, std::optional<normalization> normalize,
         stack_selection frames = {});

    /// Whether there are limits.
    [[nodiscard]] bool is_on() const noexcept { return !m_limits.empty(); }

    /// This does nothing without limits.
    /// @throws failure incompatible for limits that do not fit the profiles.
    /// @param previous name of the file, for messages; empty if there is but a state.
    void judge(const viewed_profiles& profiles, const std::string& previous,
               const std::string& current);

    [[nodiscard]] const std::vector<judgement>& judgements() const noexcept { return m_judgements; }

    /// The results, for messages. Those on unknown rates must be judged.
    [[nodiscard]] std::vector<document::limit> limits() const {
        return limits_of(m_judgements, m_normalize);
    }

private:
    std::optional<normalization> m_normalize;
    stack_selection m_frames;
    std::optional<amount> m_least; // that a function has to have, for limits on each
    std::vector<limit> m_limits;
    std::vector<judgement> m_judgements;
};

} // namespace pprofdelta::tool
