// SPDX-License-Identifier: Apache-2.0
#include "base/value_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <limits>

#include "base/lists.hpp"

namespace pprofdelta::tool {

namespace {

// printf is no choice, as it follows the locale.
std::string number_text(double value, std::chars_format format, int precision) {
    // A sign, all digits of the largest number, a point, and those after it.
    std::array<char, std::numeric_limits<double>::max_exponent10 + 32> text{};
    const auto [end, fault] =
        std::to_chars(text.data(), text.data() + text.size(), value, format, precision);
    const std::string_view number{text.data(), end};
    // A value that is rounded to nothing has no sign.
    const bool is_nothing = number.find_first_not_of("-0.") == std::string_view::npos;
    return std::string{number.substr(is_nothing && number.starts_with('-') ? 1 : 0)};
}

// The number without zeros at the end that say nothing.
std::string without_zeros(std::string number) {
    if (number.find('.') != std::string::npos) {
        number.erase(number.find_last_not_of('0') + 1);
        number.erase(number.find_last_not_of('.') + 1);
    }
    return number;
}

constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());

// It can need one bit more than a value.
std::uint64_t distance(std::int64_t from, std::int64_t to) {
    return static_cast<std::uint64_t>(std::max(from, to)) -
           static_cast<std::uint64_t>(std::min(from, to));
}

// A change after a restart is none. The difference can need one bit more than it has.
bool is_difference(const value_pair& value, std::int64_t change) {
    return static_cast<std::uint64_t>(value.current) - static_cast<std::uint64_t>(value.previous) ==
           static_cast<std::uint64_t>(change);
}

// `current` minus `previous` with its sign, such as "+5" and "-3"; "0" has none.
std::string change_text(std::int64_t previous, std::int64_t current) {
    const std::string sign = current < previous ? "-" : "+";
    return current == previous ? "0" : sign + std::to_string(distance(previous, current));
}

std::string change_text(const value_pair& value, std::int64_t change) {
    return is_difference(value, change) ? change_text(value.previous, value.current)
                                        : change_text(0, change);
}

// Formats `amount` in the way of the judged value or growth.
std::string look(const judgement& judged, std::uint64_t amount) {
    if (amount > largest || (judged.on == limit::bound::percent &&
                             amount > distance(std::max<std::int64_t>(judged.previous, 0),
                                               std::numeric_limits<std::int64_t>::max()))) {
        return std::to_string(amount);
    }
    const auto value = static_cast<std::int64_t>(amount);
    return judged.on == limit::bound::percent
               ? percent_text(judged.previous, judged.previous + value)
               : format_value(value, judged.type.unit);
}

// Returns the amount that was compared with the bound: the value or its growth, at least zero.
std::uint64_t judged_amount(const judgement& judged) {
    const bool is_exact = is_difference({judged.previous, judged.current}, judged.change);
    const bool is_of_value = limit::is_of_value(judged.on);
    const std::int64_t from = is_of_value || !is_exact ? 0 : judged.previous;
    const std::int64_t to = is_of_value || is_exact ? judged.current : judged.change;
    return to > from ? distance(from, to) : 0;
}

// Whether rounded figures would mislead: equal ones of what has changed, a bound that looks like
// what is beyond it, and MB of a limit beside MiB.
bool needs_exact(const judgement& judged) {
    const std::string& unit = judged.type.unit;
    for (const char* const decimal : {"kB", "MB", "GB", "TB"}) {
        if (judged.limit.ends_with(decimal)) {
            return true;
        }
    }
    const std::uint64_t amount = judged_amount(judged);
    return (judged.previous != judged.current &&
            format_value(judged.previous, unit) == format_value(judged.current, unit)) ||
           (amount != 0 && amount != judged.allowed &&
            look(judged, amount) == look(judged, judged.allowed));
}

// " (+10.00%)", or where that is no part of what was there or a rate is judged, that it counts from
// a restart, and the rate.
std::string part_or_rate(const judgement& judged, const value_pair& value, std::int64_t change) {
    if (!judged.has_change) {
        return {};
    }
    if (judged.per_time > 0) {
        return " (" +
               format_number(static_cast<double>(change) * judged.per_time, judged.type.unit) +
               judged.limit.substr(judged.limit.rfind('/')) + ")";
    }
    if (judged.is_restart) {
        return " since the counter reset";
    }
    return judged.has_previous ? " (" + percent_text(value, change) + ")" : "";
}

// The worst of them, by name.
std::string describe_functions(const judgement& judged) {
    const std::string& unit = judged.type.unit;
    const auto in_words = [&](const judgement::function& f) {
        const std::string text = f.name + " current " + format_value(f.value.current, unit);
        if (judged.on == limit::bound::share) {
            return text + ", " + share_text(f.value.current, judged.whole);
        }
        return text + (judged.has_change ? ", " + human_change(f.value, f.change, unit) : "") +
               part_or_rate(judged, f.value, f.change);
    };
    return counted(judged.functions.size() + judged.functions_left_out, "function") + ": " +
           listed_text(judged.functions, in_words);
}

// Adds what was given of an option, if anything was.
void add_given(std::string& text, const char* option, const std::vector<std::string>& values) {
    for (const std::string& value : values) {
        if (!value.empty()) {
            text.append(text.empty() ? "" : ", ").append(option).append(" ").append(value);
        }
    }
}

// Names the options that leave out samples or frames: "focus X, no-label tenant=a, hide malloc".
// Empty if there are none.
std::string selection_text(const stack_selection& chosen) {
    std::string text;
    add_given(text, "focus", {chosen.focus});
    add_given(text, "ignore", {chosen.ignore});
    add_given(text, "label", chosen.labels);
    add_given(text, "no-label", chosen.no_labels);
    add_given(text, "hide", {chosen.hide});
    add_given(text, "show-from", {chosen.show_from});
    return text;
}

} // namespace

std::optional<double> read_time(std::string_view text, bool needs_unit) {
    const auto time = read_measure<double>(text);
    const std::string_view unit = !time ? "" : time->unit.empty() && !needs_unit ? "s" : time->unit;
    const double size = unit == "s"   ? 1
                        : unit == "m" ? 60
                        : unit == "h" ? 3600
                        : unit == "d" ? 86400
                                      : 0;
    const bool is_time = size != 0 && time->number >= 0 && time->number * size <= 9e9;
    return is_time ? std::optional{time->number * size} : std::nullopt;
}

std::optional<std::chrono::seconds> read_age(std::string_view text) {
    const std::optional<double> seconds = read_time(text, true);
    return seconds && *seconds >= 1 && *seconds <= std::chrono::seconds{longest_age}.count()
               ? std::optional{std::chrono::seconds{std::llround(*seconds)}}
               : std::nullopt;
}

std::string_view trimmed(std::string_view text, std::string_view blanks) {
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
    return text.substr(0, text.find_last_not_of(blanks) + 1);
}

std::string fixed_text(double value, int digits) {
    return number_text(value, std::chars_format::fixed, digits);
}

std::string percent_of(double previous, double change) {
    if (previous == 0) {
        return change == 0 ? "0%" : "new";
    }
    constexpr double hundred = 100;
    const double percent = change / std::fabs(previous) * hundred;
    if (percent > 1000 && previous > 0) {
        const double factor = (previous + change) / previous;
        return "\u00d7" + without_zeros(fixed_text(factor, factor < hundred ? 1 : 0));
    }
    const std::string text = fixed_text(percent, 2);
    if (text == "0.00") {
        return "0%";
    }
    return (text[0] == '-' ? "" : "+") + text + "%";
}

std::string percent_text(std::int64_t previous, std::int64_t current) {
    return percent_of(static_cast<double>(previous),
                      static_cast<double>(current) - static_cast<double>(previous));
}

std::string percent_text(const value_pair& value, std::int64_t change) {
    return is_difference(value, change)
               ? percent_text(value.previous, value.current)
               : percent_of(static_cast<double>(value.previous), static_cast<double>(change));
}

std::string share_text(std::int64_t part, std::int64_t whole) {
    if (whole == 0) {
        return "0%";
    }
    if (is_unknown_sum(whole)) {
        return "?";
    }
    // A share has the sign of its part, as what falls is no growth where all falls.
    const double size = std::fabs(static_cast<double>(whole));
    return fixed_text(static_cast<double>(part) / size * 100, 2) + "%";
}

std::string human_change(const value_pair& value, std::int64_t change, const std::string& unit) {
    return is_difference(value, change) ? human_change(value, unit) : human_change(change, unit);
}

std::string human_change(std::int64_t change, const std::string& unit) {
    return (change > 0 ? "+" : "") + format_value(change, unit);
}

std::string human_change(double change, const std::string& unit) {
    const std::string text = format_number(change, unit);
    return (change > 0 && text != "0" ? "+" : "") + text;
}

std::string human_change(const value_pair& value, const std::string& unit) {
    const std::uint64_t size = distance(value.previous, value.current);
    if (size > largest) {
        return change_text(value.previous, value.current);
    }
    const auto change = static_cast<std::int64_t>(size);
    return value.current > value.previous ? "+" + format_value(change, unit)
                                          : format_value(-change, unit);
}

std::string human_rate(double per_second, const std::string& unit, rate_time per) {
    constexpr double seconds_per_minute = 60;
    constexpr int digits = 3;
    constexpr int most_decimals = 9;
    const double value = // a zero without a sign
        (per == rate_time::minute ? per_second * seconds_per_minute : per_second) + 0.0;
    // A known unit has smaller ones.
    const bool is_fine = format_value(1, unit) != "1" || std::fabs(value) >= 100 || value == 0;
    std::string text = format_number(value, unit);
    if (!is_fine) {
        const int before = static_cast<int>(std::floor(std::log10(std::fabs(value)))) + 1;
        text = without_zeros(fixed_text(value, std::min(digits - before, most_decimals)));
    }
    return text + (per == rate_time::minute ? "/min" : "/s");
}

std::string human_rate(std::int64_t value, std::int64_t duration_nanos, const std::string& unit,
                       rate_time per) {
    return human_rate(static_cast<double>(value) / seconds_of(duration_nanos), unit, per);
}

std::string interval_text(std::int64_t time_nanos, std::int64_t duration_nanos) {
    if (duration_nanos <= 0) {
        return {};
    }
    const std::string end = time_text(time_nanos);
    const std::string start =
        time_nanos > duration_nanos ? time_text(time_nanos - duration_nanos) : "";
    const std::string duration = format_value(duration_nanos, "nanoseconds");
    return end.empty() || start.empty() ? "duration: " + duration
                                        : "interval: " + duration + ", " + start + " to " + end;
}

std::string utc_text(std::int64_t seconds, const char* form) {
    const std::time_t time = seconds;
    std::tm parts{};
    std::array<char, 64> text{};
    const bool is_known = ::gmtime_r(&time, &parts) != nullptr &&
                          std::strftime(text.data(), text.size(), form, &parts) != 0;
    return is_known ? text.data() : "";
}

std::string time_text(std::int64_t nanos) {
    return nanos == 0 ? "" : utc_text(nanos / nanos_per_second, "%Y-%m-%dT%H:%M:%SZ");
}

std::string factor_text(double factor) {
    return number_text(factor, std::chars_format::general, 6);
}

value_pair shares_of(const report& content) {
    const report::total& total = content.totals[content.type];
    return content.of == report::content::delta ? value_pair{0, total.change} : total.value;
}

std::string describe(const judgement& judged, std::optional<normalization> normalize) {
    const std::string& unit = judged.type.unit;
    const std::string start = judged.limit + ": " + to_string(judged.type) + ": ";
    if (!judged.unknown.empty()) {
        // Both profiles were given, and not a state: they may be of any two processes.
        const bool may_be_diff =
            judged.is_restart && judged.has_previous && judged.on == limit::bound::percent;
        return start + "not judged: " + judged.unknown +
               (may_be_diff ? "; to compare two processes, see --diff" : "");
    }
    if (!judged.functions.empty()) {
        return start + describe_functions(judged);
    }
    const auto figure = [&](const std::string& text, const std::string& exact) {
        return text == exact || !needs_exact(judged) ? text : text + " (" + exact + ")";
    };
    const value_pair value{judged.previous, judged.current};
    std::string text = start;
    if (judged.on == limit::bound::share && limit::is_each(judged.of)) {
        return text + "no function of " + format_value(judged.whole, unit);
    }
    if (judged.on == limit::bound::share) {
        return text + "current " +
               figure(format_value(judged.current, unit), std::to_string(judged.current)) + ", " +
               share_text(judged.current, judged.whole) + " of " + format_value(judged.whole, unit);
    }
    if (judged.has_previous) {
        text += "previous " +
                figure(format_value(judged.previous, unit), std::to_string(judged.previous)) +
                (normalize ? std::string{" (normalized by "} + to_string(*normalize) + ")" : "") +
                ", ";
    }
    text += "current " + figure(format_value(judged.current, unit), std::to_string(judged.current));
    if (judged.has_change) {
        text += ", change " +
                figure(human_change(value, judged.change, unit), change_text(value, judged.change));
    }
    return text + part_or_rate(judged, value, judged.change);
}

std::string groupings_text(grouping grouped, const std::string& label_key) {
    return grouped == grouping::label ? "values of " + grouping_text(grouped, label_key)
                                      : std::string{to_string(grouped)} + "s";
}

std::string selection_note(const stack_selection& chosen, bool has_rows) {
    std::string text = selection_text(chosen);
    const bool leaves_none = !text.empty() && !has_rows;
    add_given(text, "rename", chosen.renames);
    add_given(text, "label-root", chosen.label_roots);
    return text.empty() ? text : "selection: " + text + (leaves_none ? "; nothing matches" : "");
}

std::string filter_text(const report_options& options, const std::string& unit,
                        report::content content, const value_pair& shown, const value_pair& total) {
    const std::string filter = selection_text(options.selection);
    if (filter.empty()) {
        return {};
    }
    const auto part = [&](std::int64_t some, std::int64_t all) {
        return format_value(some, unit) + " of " + format_value(all, unit) +
               (all == 0 ? "" : " (" + share_text(some, all) + ")");
    };
    return content == report::content::comparison
               ? filter + ": previous " + part(shown.previous, total.previous) + ", current " +
                     part(shown.current, total.current)
               : filter + ": " + part(shown.current, total.current);
}

} // namespace pprofdelta::tool
