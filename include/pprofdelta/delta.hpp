// SPDX-License-Identifier: Apache-2.0
#pragma once

// Example:
//
//     delta_computer computer;
//     computer.prime(previous);
//     const auto [delta, summary] = computer.compute(current);
//     std::cout << summary.samples_kept << " samples in " << delta.size() << " bytes\n";

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/local.hpp>
#include <pprofdelta/value_type.hpp>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

/// When two frames are the same. Every mode writes complete frames: equal samples of a profile are
/// written with the stack of the first one, with its addresses and lines.
enum class match_mode : std::uint8_t {
    /// Mapping (build id, or else file; size in pages of 4 KiB; offset), address relative to the
    /// mapping, all lines (function name, system name, file, start line, line, column) and
    /// is_folded. Works with ASLR, and with runtimes that emit no addresses. Mappings are
    /// identified as in google/pprof (profile/merge.go).
    exact,
    line,     ///< Function name, file and line; for builds of nearly the same source.
    function, ///< Function name and file; for builds whose lines have moved.
};

/// Returns "exact", "line" or "function".
[[nodiscard]] const char* to_string(match_mode match) noexcept;

/// The format that a profile was converted from. The frames of a stack depend on it, so profiles
/// with different sources have no samples in common and do not go together.
enum class profile_source : std::uint8_t {
    protobuf, ///< The Profile message of profile.proto; not converted.
    text,     ///< One of the formats of text_profile.hpp.
    otlp,     ///< The protobuf message of otlp_profile.hpp.
};

/// Returns "protobuf", "text" or "otlp".
[[nodiscard]] const char* to_string(profile_source source) noexcept;

/// The reaction to a counter reset, as after a restart of the profiled process.
enum class reset_policy : std::uint8_t {
    emit,     ///< Takes the current values as the increase, as Prometheus' increase() does.
    drop,     ///< Writes a delta without samples.
    error,    ///< Throws an error of kind reset; the computer keeps its state.
    negative, ///< Subtracts nevertheless.
};

/// The evidence for a counter reset.
enum class reset_reason : std::uint8_t {
    none, ///< There was no counter reset.
    /// The mappings show another process, which is certain: the address of [vdso] differs, or, if a
    /// profile lacks that mapping, the address of a position-independent program or its dynamic
    /// linker.
    process,
    /// Values fell, and the mappings say nothing. This is a guess: some type lost more than it
    /// gained, or more than a tenth of its total, or more than one sample, and more than 2 % of the
    /// samples, fell.
    counters,
    /// The mappings show the same process, and in some type the samples that are still there lost
    /// more than a tenth of its total, which counters of one process do not. Most likely it is
    /// another process that was forked from the same parent.
    sibling,
    /// The mappings show the same process, and none of the previous samples is there any more:
    /// their labels or names have changed.
    samples,
    /// The sampling period of jemalloc differs, which starts its counters over: prof.reset.
    period,
};

/// Returns "none", "process", "counters", "sibling", "samples" or "period".
[[nodiscard]] const char* to_string(reset_reason reason) noexcept;

/// Returns what a reset means, as messages have it: "the counters started over: ...".
[[nodiscard]] const char* reset_text(reset_reason reason) noexcept;

/// Most callers leave all of this alone. Those with profiles of other producers than Go, C and C++
/// name types; those that write the first profile of a series elsewhere set `skip_first`.
struct delta_options {
    /// The value types to subtract, and those to pass through, in addition to the defaults, which
    /// they override. A pattern that matches no type of the profile is an error, and so is a type
    /// that two lists match.
    std::vector<value_type_pattern> cumulative{};
    std::vector<value_type_pattern> gauge{};
    std::vector<value_type_pattern> interval{};
    match_mode match = match_mode::exact;
    reset_policy on_reset = reset_policy::emit;
    /// Whether the first profile of a series gets a delta without samples, since its values count
    /// from the start of the process and not from a previous profile.
    bool skip_first = false;
    /// Whether samples with a negative value after the subtraction are left out.
    bool drop_negative = false;
    /// The number of threads that a call may use to read the samples of a profile, which is most of
    /// the work; 0 and 1 are the calling thread alone. Each thread needs 32,768 times 48 bytes with
    /// four types, and threads are started in each call, so they do not pay for small profiles. The
    /// result does not depend on the number.
    unsigned threads = 1;
};

/// The findings of delta_computer::compute() or diff(), for messages and statistics.
struct delta_summary {
    std::size_t samples_in = 0;   ///< The number of samples in the profile, with duplicates.
    std::size_t samples_kept = 0; ///< The number of samples in the delta.
    /// Whether there was nothing to subtract. The delta is then the profile, aggregated and pruned.
    bool first = false;
    /// Whether a counter reset was found and the policy applied.
    bool reset = false;
    reset_reason reason = reset_reason::none; ///< The evidence for the reset.
    /// The number of samples with less of some cumulative type than before. These are negative in
    /// the delta if there is no reset; counters of one process should not fall.
    std::size_t negative_samples = 0;
    /// Whether the previous process ran another program, by the names of their files. This is then
    /// no restart.
    bool other_program = false;
    /// Whether a process is back that another one had replaced, or a sibling was found for the
    /// second time. Several processes then answer in turn, and no series of their deltas can be
    /// right. Set once in a series.
    bool process_returned = false;
    /// Whether a process is back that another one had replaced, each time: this is no restart.
    bool is_in_turn = false;
    /// Whether reset_reason::counters was found for the third time in a row. Each profile then most
    /// likely covers an interval of its own, as a delta does. Set once in a series.
    bool starts_over_each_time = false;
    /// Whether the previous profile has the later time.
    bool out_of_order = false;
    /// Whether the previous profile has a duration, as deltas do. It may be a delta already.
    bool previous_has_duration = false;
    /// Whether `out_of_order` is because the clock was set: the process is the same, for certain,
    /// and its counters have grown. The duration is then unknown.
    bool clock_was_set = false;
    /// Whether no counter of a heap profile of Go has changed at all. Go publishes what was
    /// allocated when a garbage collection ends, so most likely none did. The duration is then
    /// unknown, and that of the next delta begins with the profile before this one.
    bool is_unpublished = false;
    /// The sampling period of the previous profile, if that of the current one differs; otherwise
    /// 0.
    std::int64_t previous_period = 0;
    /// The sampling period of the current profile. For a heap of Go, 1 stands for 0, too.
    std::int64_t period = 0;
    /// Whether the previous counters were scaled to the current period first.
    bool is_rescaled = false;
    std::int64_t time_nanos = 0;     ///< The delta's time: when the profile was taken.
    std::int64_t duration_nanos = 0; ///< The time that the delta covers; 0 if unknown, or a diff.
};

/// A delta, serialized and uncompressed, and what was found.
struct delta_result {
    std::string delta;
    delta_summary summary{};
};

/// A value type of a profile, and what it is. delta_computer subtracts what is cumulative.
struct type_treatment {
    value_type type;
    value_kind kind;

    [[nodiscard]] bool is_cumulative() const noexcept { return kind == value_kind::cumulative; }
};

/// A profile that has been read ahead: the places of its records, and the keys of its samples. This
/// needs no other profile and is most of the work of delta_computer::compute() and diff(), so one
/// thread can do it while another one still works on the previous profile.
///
/// Memory: 16 bytes per sample, and 40 per location, function and string, and up to half as much
/// more, as tables grow in steps.
class keyed_profile {
public:
    /// @param profile must outlive the object.
    /// @param match   the match mode of the computer or the diff.
    /// @param threads the number, as in delta_options.
    /// @throws error malformed, too_large; about `current`.
    explicit keyed_profile(std::string_view profile, match_mode match = match_mode::exact,
                           unsigned threads = 1);
    ~keyed_profile();
    keyed_profile(keyed_profile&&) noexcept;
    keyed_profile& operator=(keyed_profile&&) noexcept;
    keyed_profile(const keyed_profile&) = delete;
    keyed_profile& operator=(const keyed_profile&) = delete;

private:
    friend class delta_computer;
    friend delta_summary diff(std::string_view previous, keyed_profile& current,
                              const delta_options& options, std::string& delta);
    class PPROFDELTA_LOCAL impl;
    std::unique_ptr<impl> m_impl;
};

/// Turns a series of cumulative profiles into deltas, as DataDog's fastdelta.DeltaComputer does.
///
/// A profile here is the serialized, uncompressed Profile message of profile.proto; see codec.hpp
/// for files. All profiles of a series must have the same sample types, and the same period type if
/// they have one.
///
/// Cumulative values become current minus previous: alloc_objects/count, alloc_space/bytes, and
/// contentions/count and delay/nanoseconds, unless the first profile has a duration, or says by its
/// period type that it counts from its own start (pprofdelta-producers(7)). All others pass
/// through. Samples are identified by stack and labels, and equal
/// samples of a profile are added up. Samples whose values all become zero are left out, and so are
/// the locations, functions, mappings and strings that no other sample needs. A sample that only
/// the previous profile has yields nothing, but is remembered in case it comes back. Arithmetic
/// wraps around at 64 bits, as in Go.
///
/// All or nothing: a call either returns a complete delta and advances, or throws and leaves the
/// computer as it was.
///
/// Cost: time linear in the size of the profile; memory of 64 KiB, about 100 bytes per distinct
/// sample with four types of which two are cumulative, 20 bytes per frame of the longest stack, and
/// 40 bytes per location, function and string of the largest profile so far, up to twice that after
/// a table has grown. It grows with the number of distinct samples since the start or the last
/// reset. A call for a profile not larger than those before allocates nothing, if `delta` has the
/// capacity.
///
/// Several threads must not use it at once; distinct objects are independent.
class delta_computer {
public:
    explicit delta_computer(delta_options options = {});
    ~delta_computer();
    delta_computer(delta_computer&&) noexcept;
    delta_computer& operator=(delta_computer&&) noexcept;
    delta_computer(const delta_computer&) = delete;
    delta_computer& operator=(const delta_computer&) = delete;

    /// Computes the delta of `profile` from the previous profile, and makes it the previous one. A
    /// profile from OTLP without samples changes no previous value, as exporters send it for an
    /// idle interval.
    ///
    /// @param profile needed only during the call.
    /// @param delta   replaced by the serialized, uncompressed delta; unspecified after an
    ///                exception.
    /// @param source  the format of `profile` before conversion; the same for all profiles of a
    ///                series.
    /// @throws error malformed, too_large, incompatible, reset; no_cumulative_type for a first
    ///         profile. About `current`, or about `both` if the profiles do not go together.
    delta_summary compute(std::string_view profile, std::string& delta,
                          profile_source source = profile_source::protobuf);
    /// Returns the delta as well, in a string of its own.
    [[nodiscard]] delta_result compute(std::string_view profile,
                                       profile_source source = profile_source::protobuf) {
        delta_result result;
        result.summary = compute(profile, result.delta, source);
        return result;
    }

    /// Computes the delta of a profile that was read ahead, which can be used once.
    /// @throws error as above, and invalid_argument if it was read for another match mode.
    delta_summary compute(keyed_profile& profile, std::string& delta,
                          profile_source source = profile_source::protobuf);

    /// Makes `profile` the previous one, as compute() does, but without a delta, in less time. It
    /// does not look for a reset.
    ///
    /// @throws error as compute(), except reset.
    void prime(std::string_view profile, profile_source source = profile_source::protobuf);

    /// Returns whether there is a previous profile: after compute(), prime() or load().
    [[nodiscard]] bool has_previous() const noexcept;

    /// Returns the value types of the series in their order, and how each is treated; empty without
    /// has_previous().
    [[nodiscard]] std::vector<type_treatment> types() const;

    /// Returns the total of each type, in their order, over all samples of the delta that compute()
    /// wrote last. Empty before the first delta; unspecified after an exception. O(types)
    /// @throws error too_large for a total that does not fit 64 bits.
    [[nodiscard]] std::vector<std::int64_t> totals() const;

    /// Returns the sum of the negative values of each type in the last delta that compute() wrote:
    /// what samples lost. Empty before the first delta; unspecified after an exception. O(types)
    [[nodiscard]] std::vector<std::int64_t> negative_totals() const;

    /// Returns the state, with which load() continues the series, possibly in another process: the
    /// keys of all samples and their previous values. A sample with two cumulative types takes at
    /// most 32 bytes, before compression. pprofdelta-state(5) describes the format.
    /// O(samples)
    /// @throws error too_large; invalid_argument without has_previous().
    [[nodiscard]] std::string save() const;

    /// Replaces the series by that of the computer that save() was called on. Unchanged after an
    /// exception.
    /// @throws error malformed for damage, too_large; incompatible for an unknown version of the
    ///         format, or a state saved with another match mode or other types to subtract. About
    ///         `state`.
    void load(std::string_view state);

private:
    class PPROFDELTA_LOCAL impl;
    std::unique_ptr<impl> m_impl;
};

/// Computes `current` minus `previous` in every value type, for two independent captures. Samples
/// that only one of them has appear as well, negated if it is `previous`. The result is that of `go
/// tool pprof -diff_base` without its label. Header fields come from `current`.
///
/// @param options `cumulative`, `gauge` and `on_reset` are ignored.
/// @param delta   replaced by the serialized, uncompressed result; unspecified after an exception.
/// @throws error malformed, too_large, incompatible; about `previous`, `current` or `both`.
delta_summary diff(std::string_view previous, std::string_view current,
                   const delta_options& options, std::string& delta);
/// Returns the diff as well, in a string of its own.
[[nodiscard]] inline delta_result diff(std::string_view previous, std::string_view current,
                                       const delta_options& options = {}) {
    delta_result result;
    result.summary = diff(previous, current, options, result.delta);
    return result;
}

/// Computes the diff with a current profile that was read ahead, which can be used once.
/// @throws error as above, and invalid_argument if it was read for another match mode.
delta_summary diff(std::string_view previous, keyed_profile& current, const delta_options& options,
                   std::string& delta);

/// A delta and the profiles that it was made from, for functions that evaluate deltas:
/// make_report(), judge() and make_flame_graph(). The bytes must outlive it.
struct computed_delta {
    std::string_view delta;   ///< The result of delta_computer::compute().
    std::string_view current; ///< The profile that compute() was given.
    /// The previous profile. Empty if only its saved state is left, which has values of cumulative
    /// types and no names.
    std::optional<std::string_view> previous;
    std::vector<type_treatment> types; ///< The result of delta_computer::types().
    delta_summary summary;             ///< The result of compute().
};

/// Returns the value types of `profile` in their order, and how `options` treats each.
///
/// @throws error malformed, too_large; incompatible for options that do not fit the profile. A
///         profile without a cumulative type is no error here.
[[nodiscard]] std::vector<type_treatment> list_types(std::string_view profile,
                                                     const delta_options& options = {});

} // namespace pprofdelta

#pragma GCC visibility pop
