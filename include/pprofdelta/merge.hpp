// SPDX-License-Identifier: Apache-2.0
#pragma once

// Example:
//
//     profile_sum sum;
//     sum.add(previous);
//     sum.add(current);
//     const auto [profile, summary] = sum.write();
//     std::cout << summary.samples_out << " samples of " << summary.profiles << " profiles\n";

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/info.hpp>
#include <pprofdelta/local.hpp>
#include <pprofdelta/report.hpp>
#include <pprofdelta/value_type.hpp>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

/// Defines which parts of a profile are kept before it is added; most callers set `selection` or
/// `keep_types` alone. The strings, functions, locations and mappings that only the other parts
/// refer to are left out as well.
struct trim_options {
    /// Keeps only these sample types, in this order; empty for all. Each pattern must match.
    std::vector<value_type_pattern> keep_types{};
    /// Removes labels whose whole key matches one of these: regular expressions in the syntax of
    /// RE2, so a key without special characters matches itself.
    std::vector<std::string> drop_labels{};
    /// Keys and texts of labels to set on each sample, in place of its own labels with these keys.
    /// A key that `drop_labels` matches is left out, and so is an empty text, which is not a label.
    std::vector<std::pair<std::string, std::string>> add_labels{};
    /// Keeps only what this selects, with the frames and names that it says. Samples that differ
    /// only in what it removes become one. The value of a label among `label_roots` is a function
    /// whose file is the key, as in google/pprof; system names of functions stay.
    stack_selection selection{};
    /// Removes line numbers and columns, and the addresses of frames with a name. Samples that
    /// differ only in these become one.
    bool drop_lines = false;
    /// Keeps only what Go's compiler reads for its profile-guided optimization (cmd/internal/pgo,
    /// Go 1.21 to 1.24): samples/count or cpu/nanoseconds, whichever comes first, stacks, and the
    /// name, start line and line of functions. Addresses stay in stacks in which two frames differ
    /// in nothing else, as the compiler distinguishes these. `keep_types` is ignored.
    bool for_pgo = false;

    /// Returns whether everything is kept.
    [[nodiscard]] bool are_empty() const noexcept {
        return keep_types.empty() && drop_labels.empty() && add_labels.empty() &&
               selection == stack_selection{} && !drop_lines && !for_pgo;
    }
};

/// Returns an uncompressed profile with the parts of `profile` that `options` keep, its mappings
/// and its header.
/// @throws error malformed; too_large; incompatible for a profile without a part that must stay;
///         invalid_argument for an invalid regular expression.
[[nodiscard]] std::string trim(std::string_view profile, const trim_options& options);

/// The way the values of gauges, such as memory in use, are combined, each sample by itself. A
/// profile without a sample counts as 0.
enum class level_policy : std::uint8_t {
    sum, ///< The sum, as for processes at one time.
    /// The value of the latest profile, as for one process over time; without times, of the profile
    /// added last.
    last,
    mean, ///< The sum divided by the sum of the weights.
    max,  ///< The largest value, and at least 0.
};

/// Most callers leave all of this alone but `levels`, which says what a sum of gauges is.
struct merge_options {
    match_mode match = match_mode::exact;
    trim_options trim{};
    level_policy levels = level_policy::sum;
    /// The remaining types that are cumulative, those that are gauges, and those of intervals, as
    /// in delta_options.
    std::vector<value_type_pattern> cumulative{};
    std::vector<value_type_pattern> gauge{};
    std::vector<value_type_pattern> interval{};
    /// Whether the time of a sum is the latest one, as for deltas, whose time is the end of their
    /// interval. Otherwise it is the earliest one, as in google/pprof.
    bool ends_last = false;
};

/// A description of a sum.
struct merge_summary {
    std::size_t profiles = 0;
    std::size_t samples_in = 0;      ///< The number of samples of all profiles, before trimming.
    std::size_t samples_out = 0;     ///< The number of samples of the sum.
    std::int64_t time_nanos = 0;     ///< The time of the sum.
    std::int64_t duration_nanos = 0; ///< The duration of the sum.
    /// The number of profiles that counted something in an unknown time. The sum has no duration if
    /// there are any.
    std::size_t without_duration = 0;
};

/// A sum, serialized and uncompressed, and its description.
struct merge_result {
    std::string profile;
    merge_summary summary{};
};

/// Adds up any number of profiles with the same sample types, as profile.Merge of google/pprof
/// does.
///
/// A profile here is the serialized, uncompressed Profile message of profile.proto; see codec.hpp
/// for files.
///
/// Samples with the same stack and labels are one in the sum, by the match mode of delta_options.
/// Mappings of different processes are the same if their build ids, or else their files, their
/// sizes and their offsets are; addresses are those of the first. Samples whose values are all
/// zero, in a profile or in the sum, are left out, with the records that only they refer to.
///
/// The header follows the rules of google/pprof: the earliest time unless `ends_last` is set, the
/// sum of the durations, the largest period, all different comments, default_sample_type and
/// doc_url of the first profile that has one, and drop_frames and keep_frames of the first profile.
/// Unlike there, a time of 0 is not a time, a duration of more than 10^18 ns, or 31 years, is not a
/// duration, as some profilers write the time since 1970 there, the sum has no duration if the time
/// in which something was counted is unknown, and a profile without a period type goes with any.
/// Fields that profile.proto does not have are the first profile's, and in records those of the
/// first profile with the record.
///
/// All or nothing: add() adds a whole profile, or throws and leaves the sum as it was.
///
/// Cost: time linear in the profiles. Memory does not depend on their number. It is that of the
/// sum, uncompressed, with 32 bytes and 8 for each type per distinct sample, 16 for a gauge with
/// the policy `last` or `max`, and 32 per distinct string, function, location and mapping, up to
/// twice that after a table has grown. The largest profile adds 40 bytes per location, function and
/// string, 4 and 8 for each type per sample, and its own size if it is trimmed.
///
/// Several threads must not use it at once; distinct objects are independent.
class profile_sum {
public:
    /// @throws error invalid_argument for an invalid regular expression.
    explicit profile_sum(merge_options options = {});
    ~profile_sum();
    profile_sum(profile_sum&&) noexcept;
    profile_sum& operator=(profile_sum&&) noexcept;
    profile_sum(const profile_sum&) = delete;
    profile_sum& operator=(const profile_sum&) = delete;

    /// Adds a profile.
    /// @param profile needed only during the call.
    /// @param weight  a factor for each value. Products are rounded, with halves away from zero.
    ///                They are exact for a whole weight, and otherwise as exact as a double.
    /// @returns the result of read_profile_info() for the profile after trimming, at nearly no
    ///          cost.
    /// @throws error malformed; too_large, also for a sum that does not fit 64 bits; incompatible
    ///         for types that the previous profiles do not have, about `both`, and for a first
    ///         profile without the types that `cumulative` and `gauge` name; invalid_argument for a
    ///         weight that is not positive and finite.
    profile_info add(std::string_view profile, double weight = 1);

    /// Returns the number of profiles added.
    [[nodiscard]] std::size_t size() const noexcept;

    /// Writes the sum of the profiles so far. More can be added afterwards.
    /// @param sum replaced by the serialized, uncompressed profile; unspecified after an exception.
    /// @throws error too_large; invalid_argument if no profile was added.
    merge_summary write(std::string& sum) const;
    /// Returns the sum as well, in a string of its own.
    [[nodiscard]] merge_result write() const {
        merge_result result;
        result.summary = write(result.profile);
        return result;
    }

    /// Writes the mean: the sums of the values, and of the durations times the weights, divided by
    /// the sum of the weights. Rounded with halves away from zero, and as exact as weighted values.
    /// Gauges with the policy `last` or `max` are not divided. Otherwise as write().
    merge_summary write_mean(std::string& mean) const;

private:
    class PPROFDELTA_LOCAL impl;
    std::unique_ptr<impl> m_impl;
};

} // namespace pprofdelta

#pragma GCC visibility pop
