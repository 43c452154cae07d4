// SPDX-License-Identifier: Apache-2.0
#include "select/units.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <span>
#include <string>
#include <utility>

#include <pprofdelta/report.hpp>

#include "base/numbers.hpp"
#include "base/text.hpp"

namespace pprofdelta {

namespace {

constexpr std::int64_t kibi = 1024;

struct named_unit {
    std::array<std::string_view, 3> names; // "" for none
    unit means;
};

constexpr std::array<named_unit, 13> number_units{{
    {{"B"}, {dimension::memory, 1}},
    {{"kB"}, {dimension::memory, 1000}},
    {{"KiB"}, {dimension::memory, kibi}},
    {{"MB"}, {dimension::memory, 1'000'000}},
    {{"MiB"}, {dimension::memory, kibi* kibi}},
    {{"GB"}, {dimension::memory, 1'000'000'000}},
    {{"GiB"}, {dimension::memory, kibi* kibi* kibi}},
    {{"TB"}, {dimension::memory, 1'000'000'000'000}},
    {{"TiB"}, {dimension::memory, kibi* kibi* kibi* kibi}},
    {{"ns"}, {dimension::time, 1}},
    {{"us"}, {dimension::time, 1000}},
    {{"ms"}, {dimension::time, 1'000'000}},
    {{"s"}, {dimension::time, 1'000'000'000}},
}};

// The names are in lower case, and in the singular if longer than two letters.
constexpr std::array<named_unit, 10> type_units{{
    {{"b", "byte"}, {dimension::memory, 1}},
    {{"kb", "kbyte", "kilobyte"}, {dimension::memory, kibi}},
    {{"mb", "mbyte", "megabyte"}, {dimension::memory, kibi* kibi}},
    {{"gb", "gbyte", "gigabyte"}, {dimension::memory, kibi* kibi* kibi}},
    {{"tb", "tbyte", "terabyte"}, {dimension::memory, kibi* kibi* kibi* kibi}},
    {{"ns", "nanosecond"}, {dimension::time, 1}},
    {{"us", "\u03bcs", "microsecond"}, {dimension::time, 1000}},
    {{"ms", "millisecond"}, {dimension::time, 1'000'000}},
    {{"s", "sec", "second"}, {dimension::time, 1'000'000'000}},
    {{"hr", "hour"}, {dimension::time, 3'600'000'000'000}},
}};

std::optional<unit> find(std::span<const named_unit> units, std::string_view name) {
    for (const named_unit& each : units) {
        if (!name.empty() && std::ranges::find(each.names, name) != each.names.end()) {
            return each.means;
        }
    }
    return std::nullopt;
}

using scale = std::pair<double, const char*>;

constexpr std::array<scale, 6> memory_scales{{
    {1, "B"},
    {0x1p10, "KiB"},
    {0x1p20, "MiB"},
    {0x1p30, "GiB"},
    {0x1p40, "TiB"},
    {0x1p50, "PiB"},
}};
constexpr std::array<scale, 5> time_scales{{
    {1, "ns"},
    {1e3, "us"},
    {1e6, "ms"},
    {1e9, "s"},
    {3600e9, "hrs"},
}};

std::string scaled(double value, dimension of) {
    const std::span<const scale> scales =
        of == dimension::memory ? std::span<const scale>{memory_scales} : time_scales;
    scale chosen = scales.front();
    for (const scale& each : scales) {
        if (std::fabs(value) >= each.first) {
            chosen = each;
        }
    }
    // printf is no choice, as it follows the locale that the process has.
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

std::optional<unit> number_unit(std::string_view text) { return find(number_units, text); }

std::optional<unit> type_unit(std::string_view text) {
    std::string name{text};
    std::ranges::transform(name, name.begin(), [](char c) {
        return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
    });
    if (name.size() > 2 && name.back() == 's' && name != "\u03bcs") {
        name.pop_back();
    }
    return find(type_units, name);
}

std::string format_value(std::int64_t value, std::string_view unit) {
    const auto known = type_unit(unit);
    if (!known || value == 0) {
        return std::to_string(value);
    }
    return scaled(static_cast<double>(value) * static_cast<double>(known->size), known->of);
}

std::string format_number(double value, std::string_view unit) {
    constexpr double least = 0.005; // that two decimals show
    const auto known = type_unit(unit);
    if (!known) {
        return std::to_string(to_nearest(value));
    }
    const double base = value * static_cast<double>(known->size);
    if (std::fabs(base) < least) {
        return "0";
    }
    return scaled(std::fabs(base) < 1 ? base : std::round(base), known->of);
}

} // namespace pprofdelta
