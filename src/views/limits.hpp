// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <pprofdelta/limits.hpp>

#include "profile/index.hpp"

namespace pprofdelta {

/// Whether a limit is about samples with functions or a label that it names.
[[nodiscard]] bool is_of_some(const limit& l) noexcept;

/// Whether two profiles counted a type in durations that differ; see durations_differ().
[[nodiscard]] bool have_other_intervals(const profile_index& before, const profile_index& now,
                                        std::size_t type);

/// A wait counts when it ends. The mean of those that a delta counts, in nanoseconds, if it is
/// longer than the interval, so that some began before; otherwise 0.
/// @param type is that of the waits' time; 0 is returned for others.
/// @param sums hold all types in the delta, over some samples.
[[nodiscard]] std::int64_t mean_of_longer_waits(const std::vector<value_type>& types,
                                                std::size_t type,
                                                std::span<const std::int64_t> sums,
                                                std::int64_t duration_nanos);

/// Tells the sample types of limits on some samples from what comes before them, where names of
/// types have colons: the longest name at the end of a limit is its type.
void find_types(std::vector<limit>& limits, const std::vector<value_type>& types);

/// The values of one profile that each limit is compared with, for every sample type.
struct measures {
    std::vector<std::vector<std::int64_t>> sums; ///< The sums by limit, then type.
    /// Says for each limit whether a function or label matches.
    std::vector<bool> has_match;
};

/// Keeps the first most_crossing functions that cross a limit, and counts the others.
template <typename Found>
void keep_first_crossing(Found& found) {
    if (found.functions.size() > most_crossing) {
        found.functions_left_out = found.functions.size() - most_crossing;
        found.functions.resize(most_crossing);
        found.functions.shrink_to_fit();
    }
}

/// Adds up the samples that each limit is about: for one on each function those of all.
/// @param frames has the frames that stacks are of, as judge() has it.
/// @throws error malformed; too_large; invalid_argument for a bad regular expression.
[[nodiscard]] measures measure(const std::vector<limit>& limits, const profile_index& index,
                               const stack_selection& frames);

/// The part of a selection that is about frames, and not about samples.
[[nodiscard]] stack_selection frames_of(const stack_selection& selection);

/// How a message about a limit begins: where it was written, and its text.
[[nodiscard]] std::string about_limit(const limit& l);

/// Calls `visit` with the place of each limit and that of each type that it names, in their order.
/// @throws error incompatible for a limit that names none.
template <typename Visit>
void for_each_named_type(const std::vector<limit>& limits, const std::vector<value_type>& types,
                         Visit&& visit) {
    for (std::size_t number = 0; number < limits.size(); ++number) {
        const limit& l = limits[number];
        for (const std::size_t type : matching_types(l.type, types, about_limit(l))) {
            visit(number, type);
        }
    }
}

// Exact, as a limit is crossed by what is more and kept by what is as much.

/// Whether a value of `type` is beyond a limit.
/// @param duration_nanos more than 0 for a limit on a rate.
/// @param change         is the growth of the value.
/// @throws error incompatible if the limit's unit does not fit the type's.
[[nodiscard]] bool is_crossed(const limit& l, const value_type& type, std::int64_t duration_nanos,
                              const value_pair& value, std::int64_t change);

/// The largest allowed value or growth, in the type's unit, rounded down; the largest number if it
/// is more than that.
/// @throws error as is_crossed() does.
[[nodiscard]] std::uint64_t most_allowed(const limit& l, const value_type& type,
                                         std::int64_t duration_nanos, std::int64_t previous);

/// An amount in the unit of a type; empty if its unit does not fit that.
[[nodiscard]] std::optional<double> in_unit(const amount& value, const value_type& type);

/// Whether a value is as much as `least`, before or now. True if that has a unit that does not fit
/// the type's.
[[nodiscard]] bool is_large(const std::optional<amount>& least, const value_type& type,
                            const value_pair& value);

} // namespace pprofdelta
