// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_TOOLS_BATCH_WORK_METRICS_HPP
#define PPROFDELTA_TOOLS_BATCH_WORK_METRICS_HPP

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "batch/plan/shard.hpp"
#include "batch/work/results.hpp"

namespace pprofdelta::tool {

/// What Prometheus is told about a run.
struct batch_metrics {
    std::string batch{}; ///< A name that no other run on the machine has.
    shard part{};        ///< Of that, what the run did.
    batch_counts counts{};
    exit_status status{};
    double seconds = 0;         ///< That the run took.
    std::int64_t end_nanos = 0; ///< When it ended, since 1970.
    std::size_t top = 0;        ///< How many functions of each type are named.
    /// The series whose last profile is the oldest, with its time; the oldest first.
    std::vector<std::pair<std::string_view, std::int64_t>> oldest{};
};

/// In Prometheus' text format, with the names that pprofdelta-batch(1) describes.
[[nodiscard]] std::string to_text(const batch_metrics& metrics);

} // namespace pprofdelta::tool

#endif // PPROFDELTA_TOOLS_BATCH_WORK_METRICS_HPP
