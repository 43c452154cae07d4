// SPDX-License-Identifier: Apache-2.0
#include <pprofdelta/report.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

#include "units.hpp"

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
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.2f", value / chosen.first);
    std::string number = text.data();
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
