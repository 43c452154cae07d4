// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/failure.hpp"
#include "batch/results.hpp"
#include "batch/series.hpp"

namespace pprofdelta::tool {

/// The data of a run that Prometheus reads.
struct batch_metrics {
    std::string batch{}; ///< A name that no other run on the machine has.
    shard part{};        ///< The part of that which the run did.
    batch_counts counts{};
    exit_status status{};
    double seconds = 0;         ///< The time that the run took.
    std::int64_t end_nanos = 0; ///< When it ended, since 1970.
    std::size_t top = 0;        ///< The number of functions of each type that are named.
    /// The series whose last profile is the oldest, with its time; the oldest first.
    std::vector<std::pair<std::string_view, std::int64_t>> oldest{};
};

/// The text is in Prometheus' format, with the names that pprofdelta-batch(1) describes.
[[nodiscard]] std::string to_text(const batch_metrics& metrics);

} // namespace pprofdelta::tool
