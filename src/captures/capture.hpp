// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_CAPTURES_CAPTURE_HPP
#define PPROFDELTA_SRC_CAPTURES_CAPTURE_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "captures/packed_sums.hpp"
#include "limits/measure.hpp"
#include "profile/process_sign.hpp"

namespace pprofdelta {

/// What is kept of one profile among many, but for its rows.
struct capture {
    std::vector<std::int64_t> totals{}; ///< Of all sample types.
    std::vector<std::size_t> samples{}; ///< Of rows, that have any of a type.
    measures of_limits{};               ///< Of the limits on some samples.
    std::string program{};              ///< The name of its file, if the profile has it.
    process_sign process{};
    std::int64_t time_nanos = 0;
    std::int64_t duration_nanos = 0;
};

/// Sums of the rows of a capture.
struct capture_rows {
    /// A row has flat by type, and then by how much cum is larger. Where that does not fit it wraps
    /// around.
    packed_sums::rows sums{};
    packed_sums::rows of_calls{};  ///< Of calls between rows that are asked for, all types.
    packed_sums::rows of_stacks{}; ///< All types; none unless stacks are kept.
};

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_CAPTURES_CAPTURE_HPP
