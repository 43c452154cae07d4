// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_SRC_LIMITS_MEASURE_HPP
#define PPROFDELTA_SRC_LIMITS_MEASURE_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

#include <pprofdelta/limits.hpp>

#include "profile/index.hpp"

namespace pprofdelta {

/// Whether a limit is about samples with functions or a label that it names.
[[nodiscard]] bool is_of_some(const limit& l) noexcept;

/// What each limit is to be compared with in one profile, for every sample type.
struct measures {
    std::vector<std::vector<std::int64_t>> sums; ///< By limit, then type.
    std::vector<bool> has_match;                 ///< By limit: whether a function or label matches.
};

/// Adds up the samples that each limit is about: for one on each function those of all.
/// @param frames has the frames that stacks are of, as judge() has it.
/// @throws error malformed; too_large; invalid_argument for a bad regular expression.
[[nodiscard]] measures measure(const std::vector<limit>& limits, const profile_index& index,
                               const stack_selection& frames);

/// What a selection says of frames, and not of samples.
[[nodiscard]] stack_selection frames_of(const stack_selection& selection);

/// Calls `visit` with the place of each limit and that of each type that it names, in their order.
/// @throws error incompatible for a limit that names none.
template <typename Visit>
void for_each_named_type(const std::vector<limit>& limits, const std::vector<value_type>& types,
                         Visit&& visit) {
    for (std::size_t number = 0; number < limits.size(); ++number) {
        bool is_named = false;
        for (std::size_t type = 0; type < types.size(); ++type) {
            if (limits[number].type.matches(types[type])) {
                visit(number, type);
                is_named = true;
            }
        }
        if (!is_named) {
            const limit& unmatched = limits[number];
            fail_no_match(unmatched.type, types,
                          unmatched.place + (unmatched.place.empty() ? "'" : ": '") +
                              unmatched.text + "': ");
        }
    }
}

} // namespace pprofdelta

#endif // PPROFDELTA_SRC_LIMITS_MEASURE_HPP
