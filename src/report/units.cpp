// SPDX-License-Identifier: Apache-2.0
#include "report/units.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace pprofdelta {

namespace {

constexpr std::int64_t kibi = 1024;

struct named_unit {
    std::string_view name;
    unit means;
};

constexpr std::array<named_unit, 11> number_units{{
    {"B", {dimension::memory, 1}},
    {"kB", {dimension::memory, 1000}},
    {"KiB", {dimension::memory, kibi}},
    {"MB", {dimension::memory, 1'000'000}},
    {"MiB", {dimension::memory, kibi* kibi}},
    {"GB", {dimension::memory, 1'000'000'000}},
    {"GiB", {dimension::memory, kibi* kibi* kibi}},
    {"ns", {dimension::time, 1}},
    {"us", {dimension::time, 1000}},
    {"ms", {dimension::time, 1'000'000}},
    {"s", {dimension::time, 1'000'000'000}},
}};

// In lower case, and in the singular if longer than two letters.
constexpr std::array<named_unit, 18> type_units{{
    {"b", {dimension::memory, 1}},
    {"byte", {dimension::memory, 1}},
    {"kb", {dimension::memory, kibi}},
    {"kbyte", {dimension::memory, kibi}},
    {"kilobyte", {dimension::memory, kibi}},
    {"mb", {dimension::memory, kibi* kibi}},
    {"mbyte", {dimension::memory, kibi* kibi}},
    {"megabyte", {dimension::memory, kibi* kibi}},
    {"ns", {dimension::time, 1}},
    {"nanosecond", {dimension::time, 1}},
    {"us", {dimension::time, 1000}},
    {"\u03bcs", {dimension::time, 1000}},
    {"microsecond", {dimension::time, 1000}},
    {"ms", {dimension::time, 1'000'000}},
    {"millisecond", {dimension::time, 1'000'000}},
    {"s", {dimension::time, 1'000'000'000}},
    {"sec", {dimension::time, 1'000'000'000}},
    {"second", {dimension::time, 1'000'000'000}},
}};

template <typename Units>
std::optional<unit> find(const Units& units, std::string_view name) {
    const auto* const found = std::find_if(units.begin(), units.end(),
                                           [&](const auto& each) { return each.name == name; });
    return found == units.end() ? std::nullopt : std::optional{found->means};
}

} // namespace

std::optional<unit> number_unit(std::string_view text) { return find(number_units, text); }

std::optional<unit> type_unit(std::string_view text) {
    std::string name{text};
    std::transform(name.begin(), name.end(), name.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    if (name.size() > 2 && name.back() == 's' && name != "\u03bcs") {
        name.pop_back();
    }
    return find(type_units, name);
}

} // namespace pprofdelta
