// SPDX-License-Identifier: Apache-2.0
#pragma once

// Example:
//
//     const std::vector<limit> limits{parse_limit("alloc_space>+10%")};
//     for (const judgement& each : judge(limits, {previous, current})) {
//         std::cout << each.limit << (each.crossed ? " is crossed\n" : " holds\n");
//     }

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/delta.hpp>
#include <pprofdelta/report.hpp>
#include <pprofdelta/value_type.hpp>

#pragma GCC visibility push(default) // the shared library exports this

namespace pprofdelta {

/// A number with a unit: `digits` divided by ten to the power of `decimals`.
struct amount {
    std::int64_t digits = 0;
    int decimals = 0;
    std::string unit; ///< Empty for the unit of the sample type.
};

/// A limit on a value of a profile, or on its growth since the previous profile.
struct limit {
    /// The samples that are added up.
    enum class scope : std::uint8_t {
        all,          ///< All samples.
        through,      ///< Those with a matching function in the stack; each counts once.
        leaf,         ///< Those whose innermost function matches.
        each_leaf,    ///< The samples of each function where it is the innermost one.
        each_through, ///< The samples of each function with it in the stack.
        label,        ///< Those with a matching label.
    };
    enum class bound : std::uint8_t {
        value,   ///< The current value.
        growth,  ///< The current value minus the previous one, or the value of a delta.
        percent, ///< The growth in percent of the absolute previous value.
        rate,    ///< The growth per time, by the duration of a delta.
        share,   ///< The current value in percent of that of all samples; not for scope::all.
    };

    /// Returns whether `kind` stands for many limits, one on each function.
    [[nodiscard]] static bool is_each(scope kind) noexcept {
        return kind == scope::each_leaf || kind == scope::each_through;
    }

    /// Returns whether a limit is on the current value, and not on its growth.
    [[nodiscard]] static bool is_of_value(bound on) noexcept {
        return on == bound::value || on == bound::share;
    }

    std::string text; ///< The text that parse_limit() read.
    scope of = scope::all;
    /// A regular expression in the syntax of RE2, searched for in function names. Names are read as
    /// UTF-8, with U+FFFD for each other byte, and `.` matches a newline too.
    std::string functions;
    std::string label{}; ///< KEY=VALUES, as in stack_selection::labels; for scope::label.
    value_type_pattern type;
    bound on = bound::value;
    amount threshold;         ///< The largest amount that does not cross the limit.
    std::int64_t seconds = 1; ///< The time that `threshold` of a rate is for, in seconds.
    /// The place where the limit was written, for messages, as in "limits:3".
    std::string place{};
};

/// Reads `[func:REGEX:|flat:REGEX:|label:KEY=VALUES:|each:|each:cum:]TYPE[/UNIT]>`
/// `[+]NUMBER[%|UNIT][/TIME]`, where UNIT is one of those that parse_amount() reads, and TIME is s,
/// min, h or d. cum is the same as func. A percentage without '+' is a share of all samples. The
/// number follows the last '>'. The type for func, cum, flat and label follows the last ':' before
/// that. Blanks around each part are ignored.
///
/// @throws error invalid_argument, also for a regular expression that is invalid, has more than
///         1000 bytes or repeats too much.
[[nodiscard]] limit parse_limit(std::string_view text);

/// Reads `NUMBER[UNIT]`, where UNIT is one of B, kB, MB, GB, TB (powers of 1000), KiB, MiB, GiB,
/// TiB (powers of 1024), ns, us, ms, s.
/// @throws error invalid_argument
[[nodiscard]] amount parse_amount(std::string_view text);

/// The number of functions that a crossed limit on each function names; the others are counted.
inline constexpr std::size_t most_crossing = 100;

/// The result of a limit for one sample type.
struct judgement {
    /// A function that crosses a limit on each function.
    struct function {
        std::string name;        ///< Any bytes.
        value_pair value;        ///< `previous` is 0 if it is unknown.
        std::int64_t change = 0; ///< The growth, as in the judgement.
    };

    std::string limit; ///< The text of the limit.
    limit::scope of = limit::scope::all;
    value_type type;
    /// The sums over the samples of the limit, in the type's unit.
    std::int64_t previous = 0;
    std::int64_t current = 0;
    bool has_previous = true; ///< Whether the previous value is known.
    /// The growth. It is the delta's value for a cumulative type of a delta, and otherwise the
    /// difference of the values; after a restart these differ.
    std::int64_t change = 0;
    bool has_change = true; ///< Whether the growth is known.
    /// Whether the counters started over in between: the growth is then what the new process has
    /// counted, and no part of the previous value.
    bool is_restart = false;
    /// What a growth is multiplied by for that per the time of the limit, such as an hour; 0 unless
    /// a rate was judged.
    double per_time = 0;
    bool crossed = false;
    /// Whether a function or a label of either profile matches, in the frames that are left of
    /// stacks. True for limits that name none.
    bool has_match = true;
    /// Whether the values of two profiles were compared, and not a delta judged. A limit that has
    /// no match then watches nothing, and is unknown.
    bool are_compared = false;
    /// Whether of two that are compared only the previous one has a match.
    bool is_gone = false;
    /// Why the limit could not be judged, for people, such as a missing duration or previous
    /// profile; it is then not crossed. Empty if it was judged.
    std::string unknown;
    /// Whether `unknown` is for want of something that a run of the same profiles will always lack,
    /// so that a gate has to say so.
    bool is_undecided = false;
    /// The first most_crossing functions of a limit on each function that cross it, the largest
    /// change first.
    std::vector<function> functions;
    std::size_t functions_left_out = 0; ///< The number of further functions that cross it.
    limit::bound on = limit::bound::value;
    /// The largest value that does not cross the limit, in the type's unit: of the current value
    /// or, unless `on` is bound::value or bound::share, of its growth. The largest number also
    /// stands for larger ones.
    std::uint64_t allowed = 0;
    std::int64_t whole = 0; ///< The current value of all samples, for a share.
};

/// Judges all limits, in their order, each for every sample type that it names.
///
/// Two profiles are judged by their values, which are compared. A limit on a rate is not judged, as
/// it needs a delta. One profile alone is judged by limits on its values.
///
/// The growth of a cumulative type in a delta is the delta's value. Its previous value is that of
/// the previous profile or, without one, the current value minus the growth, for the samples that
/// are still there. After a restart, percentages are not judged, and for a first delta, only values
/// are. The growth of a gauge needs the previous profile.
///
/// Values are added up over whole profiles. Any growth from a previous value of zero is more than
/// any percentage.
///
/// Judging reads only what it needs: a fault in a stack is found only for limits with functions. A
/// delta of a profile checks the whole of it.
///
/// Cost: time linear in the profiles; for each limit with a regular expression, in the total length
/// of their distinct names; and for each limit on each function, in the profiles' frames. A regular
/// expression takes at most about 32 MiB, one at a time.
///
/// @param least  functions with less than this, before and now, cross no limit on each function. It
///               applies to the types that its unit fits; without a unit, to all.
/// @param frames its `renames`, `hide` and `show_from` define the frames of stacks. The rest of it
///               is ignored: all samples count, and a sample without a frame has no function.
/// @throws error malformed, too_large; incompatible for profiles that do not go together, a type
///         that they do not have, or a unit that does not fit the type's; invalid_argument for an
///         invalid regular expression, and for a limit on growth with one profile alone. About
///         `previous`, `current` or `both`.
[[nodiscard]] std::vector<judgement> judge(const std::vector<limit>& limits,
                                           const viewed_profiles& profiles,
                                           const std::optional<amount>& least = {},
                                           const stack_selection& frames = {});

} // namespace pprofdelta

#pragma GCC visibility pop
