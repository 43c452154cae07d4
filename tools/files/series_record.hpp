// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pprofdelta::tool {

/// A series as it is kept from run to run. Its file is described in pprofdelta-batch(1).
struct series_record {
    std::string series{};
    std::uint64_t deltas = 0; ///< Written since the series began.
    /// The time of the last profile that was done; 0 if it has none.
    std::int64_t time_nanos = 0;
    std::string input{};          ///< The last one that was done, as it was given.
    std::uint64_t input_hash = 0; ///< The hash of its content, as it was read.
    std::string state{};          ///< delta_computer::save()
};

/// The content of the file.
[[nodiscard]] std::string to_bytes(const series_record& record);

/// Whether `bytes` begin as the content of such a file does, in whatever version.
[[nodiscard]] bool is_record(std::string_view bytes) noexcept;

/// @param name is that of the file, for messages.
/// @throws failure malformed; incompatible for a later version of the file.
[[nodiscard]] series_record parse_record(std::string_view bytes, const std::string& name);

/// A delta that is in its place, and that the command of `--exec` has not taken yet.
struct unsent_delta {
    std::string path{}; ///< The path from the root.
    std::string id{};   ///< delta_id(), the same whenever it is sent.
    std::int64_t time_nanos = 0;
    std::int64_t duration_nanos = 0;
    std::uint64_t number = 0; ///< Its number in its series.
    std::string type{};
};

/// The deltas of a series that were not taken. It is noted together with them, and removed when all
/// were, so a run that finds the note sends the same bytes again.
struct unsent_note {
    std::string series{};
    /// The labels of its target, by name.
    std::vector<std::pair<std::string, std::string>> labels{};
    std::vector<unsent_delta> deltas{}; ///< The deltas in their order.
};

/// The content of its file, described in pprofdelta-batch(1).
[[nodiscard]] std::string to_bytes(const unsent_note& note);

/// @param name is that of the file, for messages.
/// @throws failure malformed, also for what has not the checksum that it had when it was written: a
///         path or an id with another digit would send something else.
[[nodiscard]] unsent_note parse_unsent(std::string_view bytes, const std::string& name);

} // namespace pprofdelta::tool
