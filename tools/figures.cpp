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

std::string percent_of(std::int64_t previous, double change) {
    if (previous == 0) {
        return change == 0 ? "0%" : "new";
    }
    const std::string text = fixed_text(change / std::fabs(static_cast<double>(previous)) * 100, 2);
    if (text == "0.00" || text == "-0.00") {
        return "0%";
    }
    return (text[0] == '-' ? "" : "+") + text + "%";
}

// Not so after a restart. The difference can need one bit more than it has.
bool is_difference(const value_pair& value, std::int64_t change) {
    return static_cast<std::uint64_t>(value.current) - static_cast<std::uint64_t>(value.previous) ==
           static_cast<std::uint64_t>(change);
}

// The worst of them, by name.
std::string describe_functions(const judgement& found) {
    constexpr std::size_t most = 5;
    const std::size_t count = found.functions.size();
    std::string text = std::to_string(count) + (count == 1 ? " function: " : " functions: ");
    for (std::size_t i = 0; i < std::min(count, most); ++i) {
        const judgement::function& f = found.functions[i];
        text += (i == 0 ? "" : ", ") + f.name + " current " + std::to_string(f.value.current);
        text += found.has_change ? " " + change_text(f.value, f.change) : "";
        text += found.has_previous ? " (" + percent_text(f.value, f.change) + ")" : "";
    }
    return text + (count > most ? ", and " + std::to_string(count - most) + " more" : "");
}

} // namespace

std::string fixed_text(double value, int digits) {
    return number_text(value, std::chars_format::fixed, digits);
}

std::string change_text(std::int64_t previous, std::int64_t current) {
    // As an unsigned number, since the difference of two numbers can need one more bit.
    const bool is_less = current < previous;
    const auto from = static_cast<std::uint64_t>(is_less ? current : previous);
    const auto to = static_cast<std::uint64_t>(is_less ? previous : current);
    const std::string sign = is_less ? "-" : "+";
    return from == to ? "0" : sign + std::to_string(to - from);
}

std::string change_text(const value_pair& value, std::int64_t change) {
    return is_difference(value, change) ? change_text(value.previous, value.current)
                                        : change_text(0, change);
}

std::string percent_text(std::int64_t previous, std::int64_t current) {
    return percent_of(previous, static_cast<double>(current) - static_cast<double>(previous));
}

std::string percent_text(const value_pair& value, std::int64_t change) {
    return is_difference(value, change) ? percent_text(value.previous, value.current)
                                        : percent_of(value.previous, static_cast<double>(change));
}

std::string share_text(std::int64_t part, std::int64_t whole) {
    return whole == 0
               ? "0%"
               : fixed_text(static_cast<double>(part) / static_cast<double>(whole) * 100, 2) + "%";
}

std::string human_change(std::int64_t change, const std::string& unit) {
    return (change > 0 ? "+" : "") + human(change, unit);
}

std::string human_change(const value_pair& value, const std::string& unit) {
    return human_change(static_cast<std::int64_t>(static_cast<std::uint64_t>(value.current) -
                                                  static_cast<std::uint64_t>(value.previous)),
                        unit);
}

std::string factor_text(double factor) {
    return number_text(factor, std::chars_format::general, 6);
}

std::int64_t whole_of(const report& content) {
    const report::total& total = content.totals[content.type];
    return content.of == report::content::delta ? total.change : total.value.current;
}

std::string heading_of_rows(const report& content, std::size_t shown) {
    const std::string type = to_string(content.totals[content.type].type);
    const std::string count =
        ": " + std::to_string(shown) + " of " + std::to_string(content.rows.size());
    switch (content.of) {
    case report::content::comparison:
        return type + count + " that changed";
    case report::content::delta:
        return type + " in between" + count;
    case report::content::profile:
        break;
    }
    return type + count;
}

std::string describe(const judgement& found, std::optional<normalization> by) {
    const std::string start = found.limit + ": " + to_string(found.type) + ": ";
    if (!found.unknown.empty()) {
        return start + "not judged: " + found.unknown;
    }
    if (!found.functions.empty()) {
        return start + describe_functions(found);
    }
    const value_pair value{found.previous, found.current};
    const std::string mark = by ? std::string{" (normalized by "} + to_string(*by) + ")" : "";
    const std::string previous =
        found.has_previous ? "previous " + std::to_string(found.previous) + mark + ", " : "";
    const std::string change =
        found.has_change ? ", change " + change_text(value, found.change) : "";
    const std::string percent =
        found.has_previous ? " (" + percent_text(value, found.change) + ")" : "";
    return start + previous + "current " + std::to_string(found.current) + change + percent;
}

} // namespace pprofdelta::tool
