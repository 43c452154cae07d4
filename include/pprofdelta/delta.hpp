// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_DELTA_HPP
#define PPROFDELTA_DELTA_HPP

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

/// When two frames count as the same one. Whatever the mode, what is written is whole: of samples
/// of a profile that are the same the stack of the first one, with its addresses and lines.
enum class match_mode : std::uint8_t {
    /// Mapping (build id, else file; size in 4 KiB pages; offset), address relative to the
    /// mapping, all lines (function name, system name, file, start line, line, column) and
    /// is_folded. Holds under ASLR and for runtimes that emit no addresses. The mapping part is
    /// google/pprof's rule (profile/merge.go).
    exact,
    line,     ///< Function name, file and line; for builds of nearly the same source.
    function, ///< Function name and file; for builds whose lines have moved.
};

/// "exact", "line" or "function".
[[nodiscard]] const char* to_string(match_mode match) noexcept;

/// What a profile was before it was profile.proto's message. The same stack has other frames in
/// each, so profiles from two of them have no samples in common and do not go together.
enum class profile_source : std::uint8_t {
    protobuf, ///< Just that.
    text,     ///< One of the formats of text_profile.hpp.
    otlp,     ///< The protobuf of otlp_profile.hpp.
};

/// "protobuf", "text" or "otlp".
[[nodiscard]] const char* to_string(profile_source source) noexcept;

/// What to do when counters started over, as after a restart of the profiled process.
enum class reset_policy : std::uint8_t {
    emit,     ///< The current values are the increase, as Prometheus' increase() takes it.
    drop,     ///< A delta without samples.
    error,    ///< Throw an error of kind reset; the computer keeps the state that it had.
    negative, ///< Subtract all the same.
};

/// Why counters count as started over.
enum class reset_reason : std::uint8_t {
    none, ///< They do not.
    /// The mappings say that it is another process: certain. [vdso] lies elsewhere, or, where a
    /// profile does not have that, a position-independent program or its dynamic linker does.
    process,
    /// The values fell. If the mappings say that the process is the same, some type lost more than
    /// half of its total. If they say nothing, a guess: some type lost more than it gained, or a
    /// tenth of its total, or more than one sample, and 2 % of them, fell.
    counters,
};

/// "none", "process" or "counters".
[[nodiscard]] const char* to_string(reset_reason reason) noexcept;

struct delta_options {
    /// Value types to subtract, and value types to pass through, whatever the defaults say. A
    /// pattern that matches no type of the profile is an error, and so is a type that both name.
    std::vector<value_type_pattern> cumulative;
    std::vector<value_type_pattern> gauge;
    match_mode match = match_mode::exact;
    reset_policy on_reset = reset_policy::emit;
    /// Give the first profile of a series a delta without samples: it tells what happened since the
    /// process began, not since the profile before.
    bool skip_first = false;
    /// Leave out samples that have a negative value after the subtraction.
    bool drop_negative = false;
    /// How many threads a call may use to read the samples of a profile, which is most of the work.
    /// 0 and 1 are this thread alone. With more a call takes 48 bytes times 32,768 for each thread
    /// with four types, and starts threads each time, so small profiles are not worth it. What is
    /// written does not depend on it.
    unsigned threads = 1;
};

/// What compute() found, for messages and statistics.
struct delta_summary {
    std::size_t samples_in = 0;   ///< Samples in the profile, duplicates counted.
    std::size_t samples_kept = 0; ///< Samples in the delta.
    /// There was nothing to subtract: the delta is the profile, aggregated and pruned.
    bool first = false;
    /// Counters started over, and the policy was applied.
    bool reset = false;
    reset_reason reason = reset_reason::none; ///< Why, if they did.
    /// Samples that have less of some cumulative type than before. Without a reset these are
    /// negative in the delta; counters of one process should not fall.
    std::size_t negative_samples = 0;
    /// The process before was one of another program, by the names of their files, so that this is
    /// no restart.
    bool other_program = false;
    /// A process is back that another one had taken the place of: several processes answer in turn,
    /// and no series of deltas of theirs can be right. Set once in a series.
    bool process_returned = false;
    /// For the third time in a row it was the counters that spoke for a restart: most likely each
    /// profile covers an interval of its own, as a delta does. Set once in a series.
    bool starts_over_each_time = false;
    /// The profile subtracted is the later one, by their times.
    bool out_of_order = false;
    /// The profile subtracted had a duration of its own, as deltas do: maybe it already was one.
    bool previous_has_duration = false;
    std::int64_t time_nanos = 0;     ///< Of the delta: when the profile was taken.
    std::int64_t duration_nanos = 0; ///< Of the delta: the time it covers; 0 if it is not known.
};

/// A value type of a profile, and whether delta_computer subtracts it.
struct type_treatment {
    value_type type;
    bool cumulative;
};

/// A profile of which all is known that takes no other profile to know: where its records lie, and
/// the keys of its samples. That is most of the work of delta_computer::compute() and of diff(),
/// and can be done on one thread while another one computes with the profile before.
///
/// Memory: 16 bytes per sample, and 40 per location, function and string.
class keyed_profile {
public:
    /// @param profile must outlive the object.
    /// @param match   that of the computer or the diff.
    /// @param threads as in delta_options.
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
/// for what lies on disk. Every profile of a series must have the same sample types, and the same
/// period type where it has one.
///
/// Cumulative values (alloc_objects/count, alloc_space/bytes, and contentions/count and
/// delay/nanoseconds unless the period type is mutex/count, which are Java's) become current minus
/// previous; all others are gauges and pass through. Samples are identified by stack and labels;
/// equal ones within a profile are added up; those whose values all become zero are left out, and
/// so are the locations, functions, mappings and strings that no sample needs then. A sample that
/// only the previous profile has yields nothing, but is remembered for when it comes back.
/// Arithmetic wraps around at 64 bits, as in Go.
///
/// All or nothing: a call either returns with a whole delta and has advanced, or throws and the
/// computer is as it was before the call.
///
/// Cost: time linear in the size of the profile; memory of 64 KiB, about 100 bytes per distinct
/// sample with four types of which two are cumulative, 20 bytes per frame of the longest stack, and
/// 40 bytes per location, function and string of the largest profile seen, up to twice that where a
/// table has just grown. A call on a
/// profile not larger than those before allocates nothing, if `delta` has the capacity. Grows with
/// the number of distinct samples ever seen since the start or the last reset.
///
/// Not safe for use by several threads at once; distinct objects are independent.
class delta_computer {
public:
    explicit delta_computer(delta_options options = {});
    ~delta_computer();
    delta_computer(delta_computer&&) noexcept;
    delta_computer& operator=(delta_computer&&) noexcept;
    delta_computer(const delta_computer&) = delete;
    delta_computer& operator=(const delta_computer&) = delete;

    /// Computes the delta from the profile before, and makes `profile` the one before.
    ///
    /// @param profile  needed only during the call.
    /// @param delta    replaced by the serialized, uncompressed delta; unspecified after a throw.
    /// @param source   what `profile` was made of; the same for all profiles of a series.
    /// @throws error malformed, too_large, incompatible, reset; no_cumulative_type for a first
    ///         profile. About `current`, or about `both` if they do not go together.
    delta_summary compute(std::string_view profile, std::string& delta,
                          profile_source source = profile_source::protobuf);

    /// Computes the delta of a profile that was read ahead, which can be used once.
    /// @throws error invalid_argument, too, if it was read for another match mode.
    delta_summary compute(keyed_profile& profile, std::string& delta,
                          profile_source source = profile_source::protobuf);

    /// Makes `profile` the one before without writing a delta: what compute() does when its
    /// result is not needed, in less time. No reset is looked for.
    ///
    /// @throws error as compute() does, but for reset.
    void prime(std::string_view profile, profile_source source = profile_source::protobuf);

    /// Whether there is a profile before: after compute(), prime() or load().
    [[nodiscard]] bool has_previous() const noexcept;

    /// The value types of the series in their order, each with how it is treated; empty without
    /// has_previous().
    [[nodiscard]] std::vector<type_treatment> types() const;

    /// The total of each type, in their order, over all samples of the delta that compute() wrote
    /// last, for nearly nothing; empty if it wrote none yet, and of no use after a throw. O(types)
    /// @throws error too_large for a total that would not fit 64 bits.
    [[nodiscard]] std::vector<std::int64_t> totals() const;

    /// What load() needs to go on from here, maybe in another process: the keys of all samples and
    /// their previous values. At most 32 bytes for a sample with two cumulative types, before it is
    /// compressed. The format is described in pprofdelta-state(5). O(samples)
    /// @throws error too_large; invalid_argument without has_previous().
    [[nodiscard]] std::string save() const;

    /// Takes the place of the computer that save() was called on. After a throw it is as before.
    /// @throws error malformed for damage, too_large; incompatible for a format version that is not
    ///         known, or a state that was saved with another match mode or other types to subtract.
    ///         About `state`.
    void load(std::string_view state);

private:
    class PPROFDELTA_LOCAL impl;
    std::unique_ptr<impl> m_impl;
};

/// `current` minus `previous` in every value type, for two independent captures: samples that only
/// one of them has appear as well, negated if it is `previous`. The meaning of
/// `go tool pprof -diff_base` without its label. Header fields come from `current`.
///
/// @param options `cumulative`, `gauge` and `on_reset` have no meaning here and are ignored.
/// @param delta   replaced by the serialized, uncompressed result; unspecified after a throw.
/// @throws error malformed, too_large, incompatible; about `previous`, `current` or `both`.
delta_summary diff(std::string_view previous, std::string_view current,
                   const delta_options& options, std::string& delta);

/// The difference to a current profile that was read ahead, which can be used once.
/// @throws error invalid_argument, too, if it was read for another match mode.
delta_summary diff(std::string_view previous, keyed_profile& current, const delta_options& options,
                   std::string& delta);

/// A delta and what it was made of, for those who look at deltas: make_report(), judge() and
/// make_flame_graph(). The bytes must outlive it.
struct computed_delta {
    std::string_view delta;   ///< As delta_computer::compute() wrote it.
    std::string_view current; ///< The profile that compute() was given.
    /// The profile before. Empty where only a saved state of it is left, which has values of
    /// cumulative types and no names.
    std::optional<std::string_view> previous;
    std::vector<type_treatment> types; ///< delta_computer::types().
    delta_summary summary;             ///< What compute() returned.
};

/// The value types of `profile` in their order, each with how `options` would have it treated.
///
/// @throws error malformed, too_large; incompatible for options that do not fit the profile. That
///         no type is cumulative is no error here.
[[nodiscard]] std::vector<type_treatment> list_types(std::string_view profile,
                                                     const delta_options& options = {});

} // namespace pprofdelta

#pragma GCC visibility pop

#endif // PPROFDELTA_DELTA_HPP
