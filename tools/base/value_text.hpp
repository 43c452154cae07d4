// SPDX-License-Identifier: Apache-2.0
// Reads numbers, times and sizes that people write, and writes values for people.
#pragma once

#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include <pprofdelta/limits.hpp>
#include <pprofdelta/normalize.hpp>
#include <pprofdelta/report.hpp>

namespace pprofdelta::tool {

/// Nanoseconds since 1970, as profiles have their times.
[[nodiscard]] inline std::int64_t nanos_now() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

inline constexpr std::int64_t nanos_per_second = 1'000'000'000;

[[nodiscard]] constexpr double seconds_of(std::int64_t nanos) noexcept {
    return static_cast<double>(nanos) / static_cast<double>(nanos_per_second);
}

/// `text` as a number, if it is one as a whole and fits. It is whole if `Number` is.
/// @param base is that of a whole number; none for 10.
template <typename Number, typename... Base>
[[nodiscard]] std::optional<Number> number_in(std::string_view text, Base... base) {
    Number number{};
    const char* const end = text.data() + text.size();
    const auto [rest, fault] = std::from_chars(text.data(), end, number, base...);
    return fault == std::errc{} && rest == end ? std::optional{number} : std::nullopt;
}

/// A number and the unit that follows it, such as "90" and "m" of "90m".
template <typename Number>
struct measure {
    Number number;
    std::string_view unit;
};

template <typename Number>
[[nodiscard]] std::optional<measure<Number>> read_measure(std::string_view text) {
    Number number{};
    const char* const end = text.data() + text.size();
    const auto [rest, fault] = std::from_chars(text.data(), end, number);
    if (fault != std::errc{}) {
        return std::nullopt;
    }
    return measure<Number>{number, {rest, static_cast<std::size_t>(end - rest)}};
}

/// A time in seconds, such as "90", "90s" or "1.5h", less than what a number of nanoseconds can
/// hold; nothing for any other text.
[[nodiscard]] std::optional<double> read_time(std::string_view text, bool needs_unit);

/// A century, so that twice that before or after now is a number of nanoseconds, on any clock.
inline constexpr std::chrono::hours longest_age{36525 * 24};
/// A time with a unit, such as "30d" or "1.5h", up to longest_age and rounded to seconds; nothing
/// for any other text.
[[nodiscard]] std::optional<std::chrono::seconds> read_age(std::string_view text);

/// Calls `visit` with each part that ends with `end`, or with the text, and its number from 1.
template <typename Visit>
void for_each_part(std::string_view text, char end, Visit&& visit) {
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t size = text.find(end);
        visit(text.substr(0, size), number);
        text.remove_prefix(size == std::string_view::npos ? text.size() : size + 1);
    }
}

/// Calls `visit` with each line and its number from 1; lines of Windows end with two characters.
template <typename Visit>
void for_each_line(std::string_view text, Visit&& visit) {
    for_each_part(text, '\n', [&](std::string_view line, std::size_t number) {
        visit(line.ends_with('\r') ? line.substr(0, line.size() - 1) : line, number);
    });
}

/// The text without what is in `blanks` at both ends.
[[nodiscard]] std::string_view trimmed(std::string_view text, std::string_view blanks = " \t");

/// Takes parts, each of which ends with a character, off the start of a text.
class part_reader {
public:
    explicit part_reader(std::string_view text) noexcept : m_rest{text} {}

    /// The next part; nothing if no such character is left.
    [[nodiscard]] std::optional<std::string_view> next(char end) noexcept {
        const std::size_t size = m_rest.find(end);
        if (size == std::string_view::npos) {
            return std::nullopt;
        }
        const std::string_view part = m_rest.substr(0, size);
        m_rest.remove_prefix(size + 1);
        return part;
    }
    [[nodiscard]] std::string_view rest() const noexcept { return m_rest; }

private:
    std::string_view m_rest;
};

/// The value with so many digits after the point, which is one in every locale.
[[nodiscard]] std::string fixed_text(double value, int digits);

/// A change in percent of the magnitude of `previous`, such as "+12.50%"; "new" if that is zero and
/// the change is not. A growth by more than 1000 % is given as how many times as much it is, such
/// as "\u00d735".
[[nodiscard]] std::string percent_of(double previous, double change);

/// The change to `current` in percent of the magnitude of `previous`, in the same words.
[[nodiscard]] std::string percent_text(std::int64_t previous, std::int64_t current);

/// The change need not be the difference of both values, as after a restart.
[[nodiscard]] std::string percent_text(const value_pair& value, std::int64_t change);

/// Whether a sum of absolute values does not fit into 64 bits, so that nothing is known of it.
[[nodiscard]] constexpr bool is_unknown_sum(std::int64_t sum) noexcept {
    return sum == std::numeric_limits<std::int64_t>::max();
}

/// The text is like "12.50%"; "?" for a sum that is unknown.
[[nodiscard]] std::string share_text(std::int64_t part, std::int64_t whole);

/// The change with its sign, such as "+1.50MiB"; exact and without a unit if it has over 63 bits.
[[nodiscard]] std::string human_change(const value_pair& value, const std::string& unit);
[[nodiscard]] std::string human_change(std::int64_t change, const std::string& unit);
[[nodiscard]] std::string human_change(double change, const std::string& unit);
/// A change that need not be the difference of both values.
[[nodiscard]] std::string human_change(const value_pair& value, std::int64_t change,
                                       const std::string& unit);

/// The time that a rate is for.
enum class rate_time : std::uint8_t { second, minute };

/// A rate of so much for each second, in such a time: "1.50MiB/s", "90MiB/min". Small numbers of
/// what is counted have three digits, such as "0.25/s".
[[nodiscard]] std::string human_rate(double per_second, const std::string& unit, rate_time per);

/// The rate of a value in the time of a duration, which is more than 0.
[[nodiscard]] std::string human_rate(std::int64_t value, std::int64_t duration_nanos,
                                     const std::string& unit, rate_time per);

/// "interval: 10s, 2026-11-21T09:59:50Z to 2026-11-21T10:00:00Z", of the time at its end; without
/// one "duration: 10s", and nothing if that is not known.
[[nodiscard]] std::string interval_text(std::int64_t time_nanos, std::int64_t duration_nanos);

/// A time since 1970 in UTC in a form of strftime(3); empty for one that cannot be written.
[[nodiscard]] std::string utc_text(std::int64_t seconds, const char* form);

/// A time since 1970 as "2026-11-21T10:00:00Z"; empty for 0, which stands for none.
[[nodiscard]] std::string time_text(std::int64_t nanos);

/// The text is like "1.25": six digits are enough to tell what was done.
[[nodiscard]] std::string factor_text(double factor);

/// Returns the totals that are 100 % for the shares of a report's rows.
[[nodiscard]] value_pair shares_of(const report& content);

/// A limit and what was found: "LIMIT: TYPE/UNIT: previous 1MiB, current 2MiB, change +1MiB
/// (+100.00%)"; of a limit on each function the worst of those that cross it; or why it was not
/// judged. The previous value is marked if it was normalized. Each figure is followed by the
/// exact number where rounding would hide a change or what crossed the limit, and where the limit
/// has a unit of powers of 1000.
[[nodiscard]] std::string describe(const judgement& judged, std::optional<normalization> normalize);

/// Whether rows are of frames, and not of labels or sizes.
[[nodiscard]] constexpr bool has_frames(grouping grouped) noexcept {
    return grouped != grouping::label && grouped != grouping::size;
}

/// Names the rows of a grouping in the plural: "functions", "values of label:tenant".
[[nodiscard]] std::string groupings_text(grouping grouped, const std::string& label_key);

/// All that is chosen, also what changes names and adds frames: "selection: focus X, rename a=b,
/// label-root tenant". Empty if stacks are as they stand in the profiles.
/// @param has_rows whether any sample is left.
[[nodiscard]] std::string selection_note(const stack_selection& chosen, bool has_rows);

/// Says how much the filters leave: "focus X, ignore Y: previous 1MiB of 4MiB (25.00%), current
/// 1MiB of 2MiB (50.00%)". Empty if no filter leaves anything out.
[[nodiscard]] std::string filter_text(const report_options& options, const std::string& unit,
                                      report::content content, const value_pair& shown,
                                      const value_pair& total);

} // namespace pprofdelta::tool
