// SPDX-License-Identifier: Apache-2.0
#include "figures.hpp"

#include <array>
#include <cmath>
#include <cstdio>

namespace pprofdelta::tool {

std::string change_text(std::int64_t previous, std::int64_t current) {
    // As an unsigned number, since the difference of two numbers can need one bit more.
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
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%+.2f%%", percent);
    const std::string result = text.data();
    return result == "+0.00%" || result == "-0.00%" ? "0%" : result;
}

std::string human_change(const value_pair& value, const std::string& unit) {
    const auto difference = static_cast<std::int64_t>(static_cast<std::uint64_t>(value.current) -
                                                      static_cast<std::uint64_t>(value.previous));
    return (difference > 0 ? "+" : "") + human(difference, unit);
}

std::string factor_text(double factor) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.6g", factor);
    return text.data();
}

std::string describe(const judgement& found, std::optional<normalization> by) {
    const std::string mark = by ? std::string{" (normalized by "} + to_string(*by) + ")" : "";
    return found.limit + ": " + to_string(found.type) + ": previous " +
           std::to_string(found.previous) + mark + ", current " + std::to_string(found.current) +
           ", change " + change_text(found.previous, found.current) + " (" +
           percent_text(found.previous, found.current) + ")";
}

} // namespace pprofdelta::tool
