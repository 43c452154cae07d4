// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "batch/series.hpp"
#include "files/series_record.hpp"

namespace pprofdelta::tool {

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

} // namespace pprofdelta::tool
