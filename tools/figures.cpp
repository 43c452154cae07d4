// SPDX-License-Identifier: Apache-2.0
#include "figures.hpp"

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
    const auto difference = static_cast<std::int64_t>(static_cast<std::uint64_t>(value.current) -
                                                      static_cast<std::uint64_t>(value.previous));
    return (difference > 0 ? "+" : "") + human(difference, unit);
}

std::string factor_text(double factor) {
    return number_text(factor, std::chars_format::general, 6);
}

std::string describe(const judgement& found, std::optional<normalization> by) {
    const std::string mark = by ? std::string{" (normalized by "} + to_string(*by) + ")" : "";
    return found.limit + ": " + to_string(found.type) + ": previous " +
           std::to_string(found.previous) + mark + ", current " + std::to_string(found.current) +
           ", change " + change_text(found.previous, found.current) + " (" +
           percent_text(found.previous, found.current) + ")";
}

} // namespace pprofdelta::tool
