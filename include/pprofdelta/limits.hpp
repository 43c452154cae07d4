// SPDX-License-Identifier: Apache-2.0
#ifndef PPROFDELTA_LIMITS_HPP
#define PPROFDELTA_LIMITS_HPP

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <pprofdelta/value_type.hpp>

namespace pprofdelta {

/// What a value of a profile may be at most, alone or compared with the profile before.
struct limit {
    /// Of which samples the values are added up.
    enum class scope : std::uint8_t {
        all,     ///< Every sample.
        through, ///< Those with a matching function anywhere in the stack; each counts once.
        leaf,    ///< Those whose innermost function matches.
    };
    enum class bound : std::uint8_t {
        value,   ///< Of the current value.
        growth,  ///< Of the current value minus the previous one.
        percent, ///< The same, in percent of the previous value's magnitude.
    };

    std::string text; ///< As it was given.
    scope of = scope::all;
    /// Regular expression of RE2's syntax, searched for in function names. Names are taken for
    /// UTF-8, each byte that is none for U+FFFD, and `.` matches a line break too.
    std::string functions;
    value_type_pattern type;
    bound on = bound::value;
    /// The number is `digits` over ten to the power of `decimals`; crossed by what is more.
    std::int64_t digits = 0;
    int decimals = 0;
    std::string unit; ///< Empty for the type's own.
};

/// Reads `[func:REGEX:|flat:REGEX:]TYPE[/UNIT]>[+]NUMBER[%|UNIT]`, where UNIT is one of B, kB, MB,
/// GB, TB (powers of 1000), KiB, MiB, GiB, TiB (powers of 1024), ns, us, ms, s. What follows the
/// last '>' is the number, and what follows the last ':' before it is the type. Blanks around each
/// part are ignored.
///
/// @throws std::invalid_argument with what is wrong, also with a regular expression; one of more
///         than 1000 bytes, or that repeats too much, is refused.
[[nodiscard]] limit parse_limit(std::string_view text);

/// A limit as it was found for one sample type.
struct judgement {
    std::string limit; ///< Its text.
    value_type type;
    std::int64_t previous = 0; ///< In the type's unit.
    std::int64_t current = 0;
    bool crossed = false;
    /// Whether a function of either profile matches. True for limits that name none.
    bool has_match = true;
    limit::bound on = limit::bound::value;
    /// What is not more keeps the limit: of the current value or, unless `on` is bound::value, of
    /// its growth; in the type's unit. The largest number stands for more than that.
    std::uint64_t most = 0;
};

/// Judges all limits, in their order, each for every sample type that it names.
///
/// Values are added up over whole profiles; they wrap around at 64 bits. Of a previous value of
/// zero any growth is more than any percentage.
///
/// Only what is needed is looked at: a fault in a stack is found only for limits with functions. To
/// know that a profile is sound as a whole, make a delta of it.
///
/// Cost: time linear in the profiles, and for each limit with functions in the sum of their
/// different names. Memory for a regular expression is bounded, about 32 MiB, for one at a time.
/// @throws error malformed, too_large; incompatible for profiles that do not go together, a type
///         that they do not have, or a unit that does not fit the type's.
/// @throws std::invalid_argument for a regular expression that is none.
[[nodiscard]] std::vector<judgement> judge(const std::vector<limit>& limits,
                                           std::string_view previous, std::string_view current);

/// The total of each sample type, in their order, over all samples; wraps around at 64 bits. Stacks
/// are not looked at.
/// @throws error malformed, too_large.
[[nodiscard]] std::vector<std::int64_t> totals(std::string_view profile);

} // namespace pprofdelta

#endif // PPROFDELTA_LIMITS_HPP
