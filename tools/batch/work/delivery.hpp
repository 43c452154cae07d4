// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_BATCH_WORK_DELIVERY_HPP
#define PPROFDELTA_TOOLS_BATCH_WORK_DELIVERY_HPP

#include <optional>
#include <string>

#include "batch/plan/plan.hpp"
#include "batch/states/unsent.hpp"

namespace pprofdelta::tool {

/// What came of giving a delta to the command.
struct delivery {
    std::string id{};
    std::optional<int> status{}; ///< Of the last try; none if it was not started, or did not end.
    unsigned tries = 0;
    double milliseconds = 0;
    std::string fault{}; ///< Why it was not taken; empty if it was.
};

/// Runs the command for a delta that is durable, and again if it fails, until it ends with status
/// 0, there were enough tries, or the run is to end.
/// @throws failure io for a command that must not be run with these values.
[[nodiscard]] delivery deliver(const exec_options& how, const unsent_note& of,
                               const unsent_delta& delta);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_BATCH_WORK_DELIVERY_HPP
