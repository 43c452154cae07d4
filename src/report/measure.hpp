// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_REPORT_MEASURE_HPP
#define PPROFDELTA_SRC_REPORT_MEASURE_HPP

#include <cstdint>
#include <vector>

#include <pprofdelta/limits.hpp>

#include "profile/index.hpp"

namespace pprofdelta {

/// Whether a limit is about functions that it names.
[[nodiscard]] bool names_functions(const limit& l) noexcept;

/// What each limit is to be compared with in one profile, for every sample type.
struct figures {
    std::vector<std::vector<std::int64_t>> sums; ///< By limit, then type.
    std::vector<bool> has_match;                 ///< By limit: whether a function matches.
};

/// Adds up the samples that each limit is about: for one on each function those of all.
/// @throws error malformed; invalid_argument for a bad regular expression.
[[nodiscard]] figures measure(const std::vector<limit>& limits, const profile_index& index);

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_REPORT_MEASURE_HPP
