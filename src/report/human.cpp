// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/report.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "report/units.hpp"

namespace pprofdelta {

namespace {

using scale = std::pair<double, const char*>;

constexpr double kibi = 1024;
constexpr std::array<scale, 6> memory_scales{{
    {1, "B"},
    {kibi, "kB"},
    {kibi * kibi, "MB"},
    {kibi * kibi * kibi, "GB"},
    {kibi * kibi * kibi * kibi, "TB"},
    {kibi * kibi * kibi * kibi * kibi, "PB"},
}};
constexpr std::array<scale, 5> time_scales{{
    {1, "ns"},
    {1e3, "us"},
    {1e6, "ms"},
    {1e9, "s"},
    {3600e9, "hrs"},
}};

template <typename Scales>
std::string scaled(double value, const Scales& scales) {
    scale chosen = scales.front();
    for (const scale& each : scales) {
        if (std::fabs(value) >= each.first) {
            chosen = each;
        }
    }
    // Not printf, which follows the locale that the process has.
    std::array<char, 64> text{};
    const auto [end, fault] = std::to_chars(text.data(), text.data() + text.size(),
                                            value / chosen.first, std::chars_format::fixed, 2);
    std::string number{text.data(), end};
    if (number.ends_with(".00")) {
        number.resize(number.size() - 3);
    }
    return number + chosen.second;
}

} // namespace

std::string human(std::int64_t value, std::string_view unit) {
    const auto known = type_unit(unit);
    if (!known || value == 0) {
        return std::to_string(value);
    }
    const double base = static_cast<double>(value) * static_cast<double>(known->size);
    return known->of == dimension::memory ? scaled(base, memory_scales) : scaled(base, time_scales);
}

} // namespace pprofdelta
