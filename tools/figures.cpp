// SPDX-License-Identifier: Apache-2.0
#include "figures.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace pprofdelta::tool {

namespace {

// Not printf, which follows the locale.
std::string number_text(double value, std::chars_format format, int precision) {
    // A sign, all digits of the largest number, a point, and those after it.
    std::array<char, std::numeric_limits<double>::max_exponent10 + 32> text{};
    const auto [end, fault] =
        std::to_chars(text.data(), text.data() + text.size(), value, format, precision);
    return {text.data(), end};
}

constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());

// It can need one bit more than a value.
std::uint64_t distance(std::int64_t from, std::int64_t to) {
    return static_cast<std::uint64_t>(std::max(from, to)) -
           static_cast<std::uint64_t>(std::min(from, to));
}

// What the value or its growth looks like if it is `amount`.
std::string look(const judgement& found, std::uint64_t amount) {
    if (amount > largest || (found.on == limit::bound::percent &&
                             amount > distance(std::max<std::int64_t>(found.previous, 0),
                                               std::numeric_limits<std::int64_t>::max()))) {
        return std::to_string(amount);
    }
    const auto value = static_cast<std::int64_t>(amount);
    return found.on == limit::bound::percent ? percent_text(found.previous, found.previous + value)
                                             : human(value, found.type.unit);
}

// Whether rounded figures would mislead: equal ones of what has changed, a bound that looks like
// what is beyond it, and MB of a limit beside MiB.
bool needs_exact(const judgement& found) {
    const std::string& unit = found.type.unit;
    for (const char* const decimal : {"kB", "MB", "GB", "TB"}) {
        if (found.limit.ends_with(decimal)) {
            return true;
        }
    }
    const std::int64_t from = found.on == limit::bound::value ? 0 : found.previous;
    const std::uint64_t amount = distance(from, found.current);
    return (found.previous != found.current &&
            human(found.previous, unit) == human(found.current, unit)) ||
           (found.current > from && amount != found.most &&
            look(found, amount) == look(found, found.most));
}

} // namespace

std::string fixed_text(double value, int digits) {
    return number_text(value, std::chars_format::fixed, digits);
}

std::string change_text(std::int64_t previous, std::int64_t current) {
    const std::string sign = current < previous ? "-" : "+";
    return current == previous ? "0" : sign + std::to_string(distance(previous, current));
}

std::string percent_text(std::int64_t previous, std::int64_t current) {
    if (previous == 0) {
        return current == 0 ? "0%" : "new";
    }
    const double change = static_cast<double>(current) - static_cast<double>(previous);
    const double percent = change / std::fabs(static_cast<double>(previous)) * 100;
    const std::string text = fixed_text(percent, 2);
    if (text == "0.00" || text == "-0.00") {
        return "0%";
    }
    return (text[0] == '-' ? "" : "+") + text + "%";
}

std::string human_change(const value_pair& value, const std::string& unit) {
    const std::uint64_t size = distance(value.previous, value.current);
    if (size > largest) {
        return change_text(value.previous, value.current);
    }
    const auto change = static_cast<std::int64_t>(size);
    return value.current > value.previous ? "+" + human(change, unit) : human(-change, unit);
}

std::string filter_text(const report_options& options, const std::string& unit,
                        const value_pair& shown, const value_pair& total) {
    const auto part = [&](std::int64_t some, std::int64_t all) {
        const std::string text = human(some, unit) + " of " + human(all, unit);
        const double percent = static_cast<double>(some) / static_cast<double>(all) * 100;
        return text + (all == 0 ? "" : " (" + fixed_text(percent, 2) + "%)");
    };
    if (options.focus.empty() && options.ignore.empty()) {
        return {};
    }
    const bool has_both = !options.focus.empty() && !options.ignore.empty();
    return (options.focus.empty() ? "" : "focus " + options.focus) + (has_both ? ", " : "") +
           (options.ignore.empty() ? "" : "ignore " + options.ignore) + ": previous " +
           part(shown.previous, total.previous) + ", current " + part(shown.current, total.current);
}

std::string factor_text(double factor) {
    return number_text(factor, std::chars_format::general, 6);
}

std::string describe(const judgement& found, std::optional<normalization> by) {
    const std::string& unit = found.type.unit;
    const auto figure = [&](const std::string& text, const std::string& exact) {
        return text == exact || !needs_exact(found) ? text : text + " (" + exact + ")";
    };
    const std::string change = figure(human_change({found.previous, found.current}, unit),
                                      change_text(found.previous, found.current));
    const std::string percent = percent_text(found.previous, found.current);
    const std::string mark = by ? std::string{" (normalized by "} + to_string(*by) + ")" : "";
    return found.limit + ": " + to_string(found.type) + ": previous " +
           figure(human(found.previous, unit), std::to_string(found.previous)) + mark +
           ", current " + figure(human(found.current, unit), std::to_string(found.current)) +
           ", change " + change + " (" + percent + ")";
}

} // namespace pprofdelta::tool
