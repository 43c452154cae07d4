// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_MERGE_HPP
#define PPROFDELTA_MERGE_HPP

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
#include <pprofdelta/value_type.hpp>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

/// What is left of a profile before it is added. What goes takes its strings, functions, locations
/// and mappings along.
struct trim_options {
    /// Only these sample types, in this order; empty for all. Each pattern has to match.
    std::vector<value_type_pattern> keep_types{};
    /// Without labels whose whole key one of these matches: regular expressions of RE2's syntax,
    /// and so a key itself if it has no special characters.
    std::vector<std::string> drop_labels{};
    /// Keys and texts of labels that each sample gets, in the place of its own of such a key. A key
    /// that `drop_labels` matches is left out, and so is a text that is empty, which is no label.
    std::vector<std::pair<std::string, std::string>> add_labels{};
    /// Only samples that these leave, as in a stack_selection.
    std::string focus{};
    std::string ignore{};
    std::vector<std::string> labels{};
    std::vector<std::string> no_labels{};
    /// Without line numbers and columns, and without addresses where a frame has a name. Samples
    /// that differ in nothing else become one.
    bool drop_lines = false;
    /// Only what the compiler of Go reads for its profile-guided optimization (cmd/internal/pgo,
    /// Go 1.21 to 1.24): samples/count or cpu/nanoseconds, whichever is first, stacks, and of a
    /// function the name, the start line and the line. Addresses stay in stacks in which two frames
    /// differ in nothing else, as the compiler tells such apart. `keep_types` is not looked at.
    bool for_pgo = false;

    /// Whether all is left.
    [[nodiscard]] bool are_empty() const noexcept {
        return keep_types.empty() && drop_labels.empty() && add_labels.empty() && focus.empty() &&
               ignore.empty() && labels.empty() && no_labels.empty() && !drop_lines && !for_pgo;
    }
};

/// A profile of what `options` leave of `profile`, uncompressed, with its mappings and header.
/// @throws error malformed; too_large; incompatible for a profile that has not what is to stay;
///         invalid_argument for a regular expression that is none.
[[nodiscard]] std::string trim(std::string_view profile, const trim_options& options);

/// What a sum has of gauges, such as memory in use, each sample by itself. A profile that does not
/// have a sample has 0 of it.
enum class level_policy : std::uint8_t {
    sum,  ///< All together, as of processes at one time.
    last, ///< What the latest profile has, as of one process in time; without times the one added
          ///< last.
    mean, ///< What a profile has on average: all, divided by the sum of the weights.
    max,  ///< The most that any profile has, and 0 at least.
};

struct merge_options {
    match_mode match = match_mode::exact;
    trim_options trim{};
    level_policy levels = level_policy::sum;
    /// Which of the types that are left are no gauges, as in delta_options; for other `levels` than
    /// sum.
    std::vector<value_type_pattern> cumulative{};
    std::vector<value_type_pattern> gauge{};
    /// The time of a sum is the latest one, as of deltas, whose time is the end of what they cover;
    /// else it is the earliest one, as google/pprof has it.
    bool ends_last = false;
};

/// What a sum is made of.
struct merge_summary {
    std::size_t profiles = 0;
    std::size_t samples_in = 0;  ///< Of all profiles, before they are trimmed.
    std::size_t samples_out = 0; ///< Of the sum.
    std::int64_t time_nanos = 0; ///< Of the sum, as the next.
    std::int64_t duration_nanos = 0;
    /// Profiles with a duration that is none, and no part of the sum's.
    std::size_t without_duration = 0;
};

/// Adds up any number of profiles of the same sample types, as profile.Merge of google/pprof does.
///
/// A profile here is the serialized, uncompressed Profile message of profile.proto; see codec.hpp
/// for what lies on disk.
///
/// Samples of the same stack and labels are one in the sum, by the identity that delta_options has:
/// mappings of different processes are the same if their build ids, or else their files, their
/// sizes and their offsets are, and the addresses are those of the first. Samples whose values are
/// all zero are left out, of a profile and of the sum, with what only they refer to.
///
/// The header is made by google/pprof's rules: the earliest time unless it `ends_last`, the sum of
/// durations, the largest period, all different comments, default_sample_type and doc_url of the
/// first profile that has one; drop_frames and keep_frames of the first profile. Unlike there, a
/// time of 0 is no time, a duration of more than 10^18 ns, or 31 years, is none, as some profilers
/// have the time since 1970 there, and a profile without a period type goes with any. Fields that
/// profile.proto does not have are the first profile's, and in records those of the first that has
/// the record.
///
/// All or nothing: add() adds a whole profile, or throws and the sum is as it was.
///
/// Cost: time linear in the profiles. Memory is that of the sum, uncompressed, with 32 bytes and 8
/// for each type per distinct sample, 16 for a type of which the last or the largest level is kept,
/// and 32 per distinct string, function, location and mapping, up to twice that where a table has
/// just grown; and of the largest profile 40 bytes per location, function and string, 4 and 8 for
/// each type per sample, and the profile once more if it is trimmed. It does not depend on how many
/// profiles there are.
///
/// Not safe for use by several threads at once; distinct objects are independent.
class profile_sum {
public:
    /// @throws error invalid_argument for a regular expression that is none.
    explicit profile_sum(merge_options options = {});
    ~profile_sum();
    profile_sum(profile_sum&&) noexcept;
    profile_sum& operator=(profile_sum&&) noexcept;
    profile_sum(const profile_sum&) = delete;
    profile_sum& operator=(const profile_sum&) = delete;

    /// @param profile needed only during the call.
    /// @param weight  what each value is multiplied by. Products that are not whole are rounded,
    ///                with halves away from zero. They are exact for a whole weight, and for any
    ///                other one as exact as a double is.
    /// @throws error malformed; too_large, also for a sum that would not fit 64 bits; incompatible
    ///         for types that the profiles before do not have, about `both`, and for a first
    ///         profile without those that `cumulative` and `gauge` name; invalid_argument for a
    ///         weight that is not positive and finite.
    /// @returns what read_profile_info() says of the profile, after it is trimmed, for nearly
    ///          nothing.
    profile_info add(std::string_view profile, double weight = 1);

    /// How many profiles were added.
    [[nodiscard]] std::size_t size() const noexcept;

    /// The sum of what was added so far. More can be added afterwards.
    /// @param sum replaced by the serialized, uncompressed profile; unspecified after a throw.
    /// @throws error too_large; invalid_argument if no profile was added.
    merge_summary write(std::string& sum) const;

    /// The mean of what was added: sums of values, and of the durations times the weights, divided
    /// by the sum of the weights. Rounded, with halves away from zero, and exact as with weights.
    /// The last and the largest levels stay what they are.
    merge_summary write_mean(std::string& mean) const;

private:
    class PPROFDELTA_LOCAL impl;
    std::unique_ptr<impl> m_impl;
};

} // namespace pprofdelta

#pragma GCC visibility pop

#endif // PPROFDELTA_MERGE_HPP
