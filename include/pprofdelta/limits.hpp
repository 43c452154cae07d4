// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_LIMITS_HPP
#define PPROFDELTA_LIMITS_HPP

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

/// A number of something: `digits` over ten to the power of `decimals`.
struct amount {
    std::int64_t digits = 0;
    int decimals = 0;
    std::string unit; ///< Empty for whatever is counted.
};

/// What a value of a profile may be at most, alone or compared with the profile before.
struct limit {
    /// Which samples are added up.
    enum class scope : std::uint8_t {
        all,          ///< Every sample.
        through,      ///< Those with a matching function anywhere in the stack; each counts once.
        leaf,         ///< Those whose innermost function matches.
        each_leaf,    ///< For each function by itself: those where it is the innermost one.
        each_through, ///< For each function by itself: those with it anywhere in the stack.
        label,        ///< Those with a matching label.
    };
    enum class bound : std::uint8_t {
        value,   ///< Of the current value.
        growth,  ///< Of the current value minus the previous one, or of what a delta has.
        percent, ///< The same, in percent of the previous value's magnitude.
        rate,    ///< The growth per time, which is the duration of a delta.
        share,   ///< Of the current value, in percent of that of all samples; not for scope::all.
    };

    /// Whether `of` stands for many limits, one on each function.
    [[nodiscard]] static bool is_each(scope of) noexcept {
        return of == scope::each_leaf || of == scope::each_through;
    }

    std::string text; ///< As it was given.
    scope of = scope::all;
    /// Regular expression of RE2's syntax, searched for in function names. Names are taken for
    /// UTF-8, each byte that is none for U+FFFD, and `.` matches a line break too.
    std::string functions;
    std::string label{}; ///< KEY=VALUES, as one of stack_selection::labels; for scope::label.
    value_type_pattern type;
    bound on = bound::value;
    amount threshold;         ///< Crossed by what is more. Without a unit it is in the type's own.
    std::int64_t seconds = 1; ///< Of a rate: the time that `threshold` is for.
    std::string place{};      ///< Where it was written, for messages, as in "limits:3", or empty.
};

/// Reads `[func:REGEX:|flat:REGEX:|label:KEY=VALUES:|each:|each:cum:]TYPE[/UNIT]>`
/// `[+]NUMBER[%|UNIT][/TIME]`, where UNIT is one of those that parse_amount() reads, and TIME is s,
/// min, h or d; cum is the same as func. A percentage without '+' is a share of all samples.
/// What follows the last '>' is the number, and for func, cum, flat and label, what follows the
/// last ':' before it is the type.
/// Blanks around each part are ignored.
///
/// @throws error invalid_argument, also for a bad regular expression; one of more than 1000 bytes,
///         or that repeats too much, is refused.
[[nodiscard]] limit parse_limit(std::string_view text);

/// Reads `NUMBER[UNIT]`, where UNIT is one of B, kB, MB, GB, TB (powers of 1000), KiB, MiB, GiB,
/// TiB (powers of 1024), ns, us, ms, s.
/// @throws error invalid_argument
[[nodiscard]] amount parse_amount(std::string_view text);

/// A limit as it was found for one sample type.
struct judgement {
    /// A function that goes beyond a limit on each of them.
    struct function {
        std::string name;        ///< Any bytes.
        value_pair value;        ///< `previous` is 0 where it is not known.
        std::int64_t change = 0; ///< As in the judgement.
    };

    std::string limit; ///< Its text.
    value_type type;
    /// In the type's unit, of the samples that the limit is about.
    std::int64_t previous = 0;
    std::int64_t current = 0;
    bool has_previous = true; ///< Whether the previous value is known.
    /// By how much it grew: of a cumulative type of a delta what the delta has, which after a
    /// restart is not the difference of the values; else that difference.
    std::int64_t change = 0;
    bool has_change = true; ///< Whether that is known.
    bool crossed = false;
    /// Whether a function, or a label, of either profile matches. True for limits that name none.
    bool has_match = true;
    /// Why it could not be judged, for people; then it is not crossed. Empty if it was: there was
    /// nothing before, or no duration.
    std::string unknown;
    /// For a limit on each function those that cross it, the largest change first.
    std::vector<function> functions;
    limit::bound on = limit::bound::value;
    /// What is not more keeps the limit: of the current value or, unless `on` is bound::value or
    /// share, of its growth; in the type's unit. The largest number stands for more than that.
    std::uint64_t allowed = 0;
    std::int64_t whole = 0; ///< The current value of all samples, for a share.
};

/// Judges all limits, in their order, each for every sample type that it names.
///
/// Of two profiles values are compared. A limit on a rate is not judged, as it needs a delta. One
/// profile alone is judged by limits on its values.
///
/// By a delta, the growth of a cumulative type is what the delta has. Its previous value is that of
/// the previous profile or, if that is not there, the current value less the growth, as far as
/// samples are still there. A percentage is not judged after a restart, and nothing but values of a
/// first delta. The growth of a gauge needs the previous profile.
///
/// Values are added up over whole profiles. Of a previous value of zero any growth is more than any
/// percentage.
///
/// Only what is needed is looked at: a fault in a stack is found only for limits with functions. To
/// know that a profile is sound as a whole, make a delta of it.
///
/// Cost: time linear in the profiles, for each limit with a regular expression in the sum of their
/// different names, and for each limit on each function in the profiles' frames. Memory for a
/// regular expression is bounded, about 32 MiB, for one at a time.
///
/// @param least  functions with less than this, before and now, cross no limit on each of them. It
///               is for the types that its unit fits; without a unit, for all.
/// @param frames by its `renames`, `hide` and `show_from`, of which frames stacks are. All samples
///               count, whatever else it selects; one without a frame has no function.
/// @throws error malformed, too_large; incompatible for profiles that do not go together, a type
///         that they do not have, or a unit that does not fit the type's; invalid_argument for a
///         bad regular expression, and for a limit on growth with one profile alone. About
///         `previous`, `current` or `both`.
[[nodiscard]] std::vector<judgement> judge(const std::vector<limit>& limits,
                                           const viewed_profiles& by,
                                           const std::optional<amount>& least = {},
                                           const stack_selection& frames = {});

// By what nothing else is made of.
[[nodiscard]] inline std::vector<judgement>
judge(const std::vector<limit>& limits, std::string_view previous, std::string_view current,
      const std::optional<amount>& least = {}, const stack_selection& frames = {}) {
    return judge(limits, viewed_profiles{previous, current}, least, frames);
}
[[nodiscard]] inline std::vector<judgement> judge(const std::vector<limit>& limits,
                                                  const computed_delta& delta,
                                                  const std::optional<amount>& least = {},
                                                  const stack_selection& frames = {}) {
    return judge(limits, viewed_profiles{delta}, least, frames);
}

/// The total of each sample type, in their order, over all samples. Stacks are not looked at.
/// @throws error malformed; too_large, also for a total that would not fit 64 bits.
[[nodiscard]] std::vector<std::int64_t> totals(std::string_view profile);

} // namespace pprofdelta

#pragma GCC visibility pop

#endif // PPROFDELTA_LIMITS_HPP
