// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_BATCH_STATES_UNSENT_HPP
#define PPROFDELTA_TOOLS_BATCH_STATES_UNSENT_HPP

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pprofdelta::tool {

/// A delta that is in its place, and that the command of `--exec` has not taken yet.
struct unsent_delta {
    std::string path{}; ///< From the root.
    std::string id{};   ///< delta_id(), the same whenever it is sent.
    std::int64_t time_nanos = 0;
    std::int64_t duration_nanos = 0;
    std::uint64_t number = 0; ///< In its series.
    std::string type{};
};

/// The deltas of a series that were not taken. It is noted together with them, and removed when all
/// were, so a run that finds the note sends the same bytes again.
struct unsent_note {
    std::string series{};
    std::vector<std::pair<std::string, std::string>> labels{}; ///< Of its target, by name.
    std::vector<unsent_delta> deltas{};                        ///< In their order.
};

/// The content of its file, described in pprofdelta-batch(1).
[[nodiscard]] std::string to_bytes(const unsent_note& note);

/// @param name of the file, for messages.
/// @throws failure malformed, also for what has not the checksum that it had when it was written: a
///         path or an id with another digit would send something else.
[[nodiscard]] unsent_note parse_unsent(std::string_view bytes, const std::string& name);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_BATCH_STATES_UNSENT_HPP
